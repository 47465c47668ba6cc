//! `git status --short`, `--porcelain` (v1) and `--porcelain=v2`.

use super::{tracked, untracked};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// Two letters and a path, or v2's rows.
pub const SHAPE: Shape = Shape {
    name: "gitstatus",
    dialect: "short",
    about: "git status -s, --porcelain v1 and v2: branch, conflicts, tracked changes, untracked files by folder",
    sniff,
    opens: Opens::first(b"#", |line| line.starts("# branch.oid ") || line.starts("## ") && is_branch(line.text)),
    cut: |_| Box::new(Short::default()),
};

/// A row: the two letters, and where the path starts.
fn row(text: &[u8]) -> Option<([u8; 2], usize)> {
    let is_letter = |b: u8| matches!(b, b' ' | b'M' | b'T' | b'A' | b'D' | b'R' | b'C' | b'U');
    match text {
        [b'?', b'?', b' ', p, ..] | [b'!', b'!', b' ', p, ..] if *p != b' ' => Some(([text[0], text[1]], 3)),
        [x, y, b' ', p, ..] if is_letter(*x) && is_letter(*y) && (*x != b' ' || *y != b' ') && *p != b' ' => Some(([*x, *y], 3)),
        [k @ (b'?' | b'!'), b' ', _, ..] => Some(([*k, *k], 2)),
        [kind @ (b'1' | b'2' | b'u'), b' ', x, y, b' ', sub @ (b'N' | b'S'), _, _, _, b' ', ..] => {
            // `1 XY sub mH mI mW hH hI path`, `2 ... R99 new`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`
            let _ = sub;
            let blanks = match kind {
                b'1' => 8,
                b'2' => 9,
                _ => 10,
            };
            let at = memchr::memchr_iter(b' ', text).nth(blanks - 1)?;
            Some(([*x, *y], at + 1))
        }
        _ => None,
    }
}

/// `AA DD AU UA DU UD UU`: both sides did something to the file.
fn is_conflict(letters: [u8; 2]) -> bool {
    matches!(&letters, b"AA" | b"DD") || letters.contains(&b'U')
}

/// `## main...origin/main [ahead 4]`, `## HEAD (no branch)`, `## No commits yet on main`.
fn is_branch(text: &[u8]) -> bool {
    let Some(rest) = text.strip_prefix(b"## ") else { return false };
    let known = rest == b"HEAD (no branch)" || rest.starts_with(b"No commits yet on ") || crate::line::find(rest, b"...").is_some();
    let name = rest.split(|b| *b == b' ').next().unwrap_or_default();
    known && name.len() > 1 && (!rest.contains(&b' ') || rest.ends_with(b"]") || rest.starts_with(b"No ") || rest.starts_with(b"HEAD"))
}

/// A branch line and rows under it; or rows alone, and nothing else.
fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let told = hint.names("git") && hint.names("status");
    let first = lines.iter().position(|l| !l.is_blank()).unwrap_or(0);
    let Some(head) = lines.get(first) else { return false };
    let headed = is_branch(head.text) || head.starts("# branch.oid ") || told && head.starts("## ");
    let body = || lines[first..].iter().skip(usize::from(headed)).filter(|l| !l.is_blank());
    // Outputs are joined: only the start has to be rows.
    let rows = body().take_while(|l| row(l.text).is_some() || l.starts("# ")).count();
    let all = body().count();
    if headed {
        return rows > 0;
    }
    let v2 = body().take(rows).any(|l| l.text.len() > 100 && matches!(l.text[0], b'1' | b'2' | b'u'));
    // `? x` alone is a list of anything.
    let sure = v2 || body().all(|l| l.text.get(2) == Some(&b' '));
    sure && (told && rows > 0 || rows >= 4) && rows == all
}

#[derive(Default)]
struct Short {
    changes: u32,
    rare: u32,
    unknown: u32,
}

impl Cut for Short {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts("## ") || line.starts("# ") {
            return Verdict::Keep(if line.starts("# branch.oid") { Rank::Top } else { Rank::Total });
        }
        let Some((letters, at)) = row(line.text) else { return Verdict::Pass };
        if is_conflict(letters) {
            return Verdict::Keep(Rank::Top);
        }
        if matches!(letters, [b'?' | b'!', _]) {
            self.unknown += 1;
            return untracked(line.text, at, self.unknown);
        }
        let rare = letters.iter().any(|b| matches!(b, b'D' | b'R' | b'C' | b'T'));
        let count = if rare { &mut self.rare } else { &mut self.changes };
        *count += 1;
        tracked(*count, rare)
    }

    fn quotes(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn both_letters_make_a_row() {
        let text = "## main...origin/main [ahead 4]\n M a\nMM b\nUD c\nAA d\nR  e -> f\n?? g/h\n!! i/";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "!TTTTT++");
    }

    #[test]
    fn v2_has_its_path_at_the_end() {
        let hash = "0".repeat(40);
        let text = format!(
            "# branch.oid {hash}\n# branch.head main\n1 A. N... 000000 100644 100644 {hash} {hash} a b\n\
             2 R. N... 100644 100644 100644 {hash} {hash} R99 x\ty\nu UU N... 100644 100644 100644 100644 {hash} {hash} {hash} z\n? d/e"
        );
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "T!TTT+");
        assert_eq!(
            row(text.lines().nth(2).unwrap().as_bytes()).map(|r| text.lines().nth(2).unwrap()[r.1..].to_owned()),
            Some("a b".into())
        );
    }

    #[test]
    fn crowds_are_counted_by_folder() {
        let text: String = (0..30).map(|i| format!("?? a/b/{i}\n M c/{i}\n")).collect();
        let marks = marks(&SHAPE, &text);
        assert!(marks.starts_with("+T+T") && marks.ends_with("+D+D?"), "{marks}");
    }

    #[test]
    fn compiler_lines_headings_and_prose_are_no_status() {
        assert!(!sniffs(&SHAPE, "   Compiling a v1\n   Compiling b v2\n   Compiling c v3\n   Compiling d v1"));
        assert!(!sniffs(&SHAPE, "## Usage\n\nText of a page\n"));
        assert!(!sniffs(&SHAPE, "A man\nM is x\nD y\nR z w"));
    }
}
