//! Drawn trees (tree, cargo tree, npm ls and kin): by depth and place among neighbours.

use super::{extension, Places};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::spread::Spread;
use crate::hint::Hint;
use crate::line::Line;

/// `├── src` rows.
pub const SHAPE: Shape = Shape {
    name: "tree",
    dialect: "tree",
    about: "tree: the upper levels, a few entries of each directory, the count line",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Branches::default()),
};

/// Entries of a directory before it is a crowd.
const ENTRIES: u32 = 8;
/// Levels that are told apart.
const LEVELS: usize = 24;
/// Entries before a kind of file may be a rare one.
const WARM: u32 = 60;

#[derive(Default)]
struct Branches {
    /// Entries met so far of the directory that is open at each level.
    entries: [u32; LEVELS],
    lines: u32,
    spread: Spread,
    seconds: u32,
    hidden: u32,
    kinds: Places,
}

impl Cut for Branches {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        if is_total(line) {
            return Verdict::Keep(Rank::Total);
        }
        if line.ends("[error opening dir]") || line.has("UNMET ") || line.ends(" invalid") {
            return Verdict::Keep(Rank::Top);
        }
        let Some((depth, name_at)) = branch(line.text) else {
            // The root's name, before its branches.
            return if self.lines == 0 || !line.text.contains(&b' ') { Verdict::Keep(Rank::Body) } else { Verdict::Pass };
        };
        self.lines += 1;
        let depth = depth.min(LEVELS - 1);
        self.entries[depth] += 1;
        self.entries[depth + 1..].fill(0);
        let name = &line.text[name_at..];
        let kind = extension(name).map_or(u32::MAX, |end| self.kinds.count(end));
        let nth = self.entries[depth];
        let mut rank = match depth {
            0 => self.spread.rank(line.text.len(), 0),
            1 if nth <= ENTRIES => {
                self.seconds += 1;
                if self.seconds <= 60 {
                    Rank::Body
                } else {
                    Rank::Detail
                }
            }
            _ if nth <= 2 => Rank::Detail,
            _ => Rank::Edge,
        };
        if name.first() == Some(&b'.') {
            self.hidden += 1;
            if self.hidden <= 20 {
                rank = rank.max(Rank::Body);
            }
        }
        if self.lines > WARM && kind == 1 {
            rank = rank.max(Rank::Body);
        }
        Verdict::Keep(rank)
    }
}

/// `12 directories, 161 files`, `3 directories`, `0 directories, 5 files`
fn is_total(line: &Line<'_>) -> bool {
    line.text.first().is_some_and(u8::is_ascii_digit)
        && (line.has(" director") && (line.ends(" files") || line.ends(" file") || line.ends("ies") || line.ends("ory")))
}

/// Level of a row, and where its name starts. The bar is followed by no-break spaces:
///
/// ```text
/// │   └── a.rs            (U+2502, two U+00A0, a space)
/// |   `-- a.rs            (ASCII)
/// ```
fn branch(text: &[u8]) -> Option<(usize, usize)> {
    let (mut depth, mut at) = (0, 0);
    loop {
        let rest = text.get(at..)?;
        for fork in ["├── ", "└── ", "|-- ", "`-- ", "+-- ", "\\-- ", "├─┬ ", "└─┬ ", "├──\u{a0}", "└──\u{a0}"]
        {
            if rest.starts_with(fork.as_bytes()) {
                return Some((depth, at + fork.len()));
            }
        }
        let step = ["│\u{a0}\u{a0} ", "│   ", "│ ", "|   ", "    ", "\u{a0}\u{a0}\u{a0} ", "\u{a0}\u{a0}\u{a0}\u{a0}", "  "]
            .iter()
            .find(|s| rest.starts_with(s.as_bytes()))?;
        at += step.len();
        depth += 1;
        if depth > 200 {
            return None;
        }
    }
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let all = lines.iter().filter(|l| !l.is_blank()).count();
    let rows = lines.iter().filter(|l| branch(l.text).is_some()).count();
    rows >= 4 && (rows + 2) * 20 >= all * 19
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn upper_levels_outrank_lower_ones() {
        let text = ".\n├── src\n│\u{a0}\u{a0} ├── a\n│\u{a0}\u{a0} │\u{a0}\u{a0} ├── 1.c\n│\u{a0}\u{a0} │\u{a0}\u{a0} ├── 2.c\n\
                    │\u{a0}\u{a0} │\u{a0}\u{a0} ├── 3.c\n│\u{a0}\u{a0} │\u{a0}\u{a0} └── .env\n└── vol [error opening dir]\n\n2 directories, 4 files";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "BTBDDEBTE!");
    }

    #[test]
    fn the_ascii_form_is_read_and_a_code_block_is_not() {
        assert!(sniffs(&SHAPE, ".\n|-- a\n|   |-- b\n|   `-- c\n`-- d"));
        assert!(!sniffs(&SHAPE, "  12 |   let x;\n     |       ^\n  13 |   y\n     |"));
    }
}
