//! Logs of one line a commit: `--oneline`, with or without a graph, and reflogs.

use super::{commit::hash, commit::NEWEST, graph};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// `git reflog`: the last moves of HEAD.
pub const REFLOG: Shape = Shape {
    name: "gitlog",
    dialect: "reflog",
    about: "git reflog: the last moves, resets and rebases",
    sniff: |_, lines| {
        let lines = || lines.iter().filter(|l| !l.is_blank());
        let rows = lines().filter(|l| move_of(l.text).is_some()).count();
        rows >= 3 && rows * 10 >= lines().count() * 9
    },
    opens: Opens::NEVER,
    cut: |_| Box::new(Rows { reflog: true, ..Rows::default() }),
};

/// `git log --oneline`, `--pretty=oneline`, with `--graph`, `--decorate`, `--stat`.
pub const ONELINE: Shape = Shape {
    name: "gitlog",
    dialect: "oneline",
    about: "git log --oneline: the newest commits, refs and merges, how far back it goes",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Rows::default()),
};

/// What a row of a reflog did: `f3beede HEAD@{0}: checkout: moving from a to b`.
fn move_of(text: &[u8]) -> Option<&[u8]> {
    let digits = hash(text);
    let rest = text.get(digits..)?;
    if !(7..=40).contains(&digits) || !rest.starts_with(b" ") {
        return None;
    }
    let at = crate::line::find(&rest[..rest.len().min(400)], b"@{")?;
    let end = at + crate::line::find(&rest[at..rest.len().min(at + 80)], b"}: ")?;
    Some(&rest[end + 3..])
}

/// Where a row's hash starts and ends, behind the graph if there is one.
fn row(text: &[u8]) -> Option<(usize, usize)> {
    let at = if hash(text) >= 7 { 0 } else { graph(text) };
    if at > 0 && memchr::memchr(b'*', &text[..at]).is_none() {
        return None;
    }
    let digits = hash(&text[at..]);
    let rest = &text[at + digits..];
    // A checksum list has two blanks, or a star, before the name; git has one blank.
    let one_blank = rest.len() > 1 && rest[0] == b' ' && !matches!(rest[1], b' ' | b'*');
    let length = (7..=16).contains(&digits) || digits == 40 || digits == 64;
    (length && one_blank).then_some((at, at + digits))
}

/// Rows of one hash width, each with a subject; hashes that mean nothing: not sorted, not
/// all digits, no names of files. Anything else of this form (dumps, tables of symbols) is
/// refused unless the command says that it is a log.
fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let told = hint.names("git") && (hint.names("log") || hint.names("cherry") || hint.names("rev-list"));
    let (mut rows, mut other, mut words, mut letters, mut rising, mut brackets, mut art) = (0, 0, 0, 0, 0, 0, 0);
    let (mut width, mut last) = (0..0, b"".as_slice());
    for line in lines.iter().filter(|l| !l.is_blank()) {
        let Some((from, to)) = row(line.text) else {
            let bare = graph(line.text) == line.text.len();
            art += usize::from(bare);
            let foreign = !bare && crate::cuts::diff::list::row(line.text).is_none();
            // Outputs are joined: what stands behind enough rows is another's.
            if foreign && other == 0 && rows >= if told { 2 } else { 8 } {
                break;
            }
            other += usize::from(foreign);
            continue;
        };
        let (hash, subject) = (&line.text[from..to], &line.text[to + 1..]);
        rows += 1;
        if rows == 1 {
            width = hash.len()..hash.len() + 1;
        }
        width = width.start.min(hash.len())..width.end.max(hash.len() + 1);
        rising += usize::from(last < hash);
        letters += usize::from(hash.iter().any(u8::is_ascii_alphabetic) && hash.iter().any(u8::is_ascii_digit));
        brackets += usize::from(subject.starts_with(b"("));
        words += usize::from(subject.iter().filter(|b| **b == b' ').count() >= 1 && subject.iter().any(|b| b.is_ascii_lowercase()));
        last = hash;
    }
    if rows < 2 || other * 10 > rows || width.len() > 3 {
        return false;
    }
    if told {
        return true;
    }
    rows >= 6 && words * 10 >= rows * 8 && letters * 10 >= rows * 7 && rising * 10 <= rows * 9 && (brackets * 2 < rows || art > 0)
}

/// Rows that are plain data; beyond them a sample is enough.
const SAMPLE: u32 = 40;

#[derive(Default)]
struct Rows {
    reflog: bool,
    count: u32,
}

impl Rows {
    fn older(&self) -> Verdict {
        if self.count <= SAMPLE {
            Verdict::Keep(Rank::Edge)
        } else {
            Verdict::Spare(if self.reflog { "older moves" } else { "older commits" })
        }
    }

    /// Rows of a graph without a commit, of `--stat`.
    fn other(&self, line: &Line<'_>) -> Verdict {
        let art = !line.is_blank() && graph(line.text) == line.text.len();
        if art || crate::cuts::diff::list::row(line.text).is_some() {
            return if self.count <= SAMPLE { Verdict::Keep(Rank::Edge) } else { Verdict::Spare("graph rows") };
        }
        Verdict::Pass
    }
}

impl Cut for Rows {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        if self.reflog {
            let Some(what) = move_of(text) else { return self.other(line) };
            self.count += 1;
            // What may lose a commit.
            let rare = what.starts_with(b"reset: ") || what.starts_with(b"rebase (start)") || what.starts_with(b"rebase (finish)");
            return match self.count {
                n if n <= NEWEST => Verdict::Keep(Rank::Top),
                n if rare && n <= 300 => Verdict::Keep(Rank::Detail),
                _ => self.older(),
            };
        }
        let Some((from, to)) = row(text) else { return self.other(line) };
        self.count += 1;
        if self.count <= NEWEST {
            return Verdict::Keep(Rank::Top);
        }
        let subject = &text[to + 1..];
        // `(HEAD -> main, tag: v1, origin/main)`: a ref stands here.
        let has_ref = subject.starts_with(b"(") && memchr::memchr(b')', subject).is_some();
        let is_merge = from > 0 && (text[..from].ends_with(b"  ") && memchr::memchr(b'*', &text[..from]).is_some_and(|at| from - at > 2));
        match () {
            () if has_ref => Verdict::Keep(Rank::Body),
            () if is_merge || subject.starts_with(b"Merge ") => Verdict::Keep(Rank::Detail),
            () => self.older(),
        }
    }

    /// How far back it goes.
    fn end(&mut self) -> (u16, Rank) {
        (2, Rank::Detail)
    }

    fn quotes(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const LOG: &str =
        "f3beede fix a\n761a1b1 (tag: v1) add b\n71fd838 drop c\n28a942c add d (#3)\ne0ee10a test e\n3b36e2f move f\n1974025 g h";

    #[test]
    fn the_newest_lead_and_refs_last() {
        assert!(sniffs(&ONELINE, LOG));
        let text = (LOG.to_owned() + "\n").repeat(4);
        assert_eq!(&marks(&ONELINE, &text)[14..], "TBEEEEEEBEEEEE?");
    }

    #[test]
    fn a_graph_is_a_log() {
        let text = "* 9bbb6d9 (HEAD -> main) a b\n*   5ad9c53 Merge x\n|\\  \n| * 926b9d3 c d\n|/  \n* 41b0860 d e\n* 1a94c2b f g\n* d0da30c g h\n* f966643 h i";
        assert!(sniffs(&ONELINE, text));
        assert_eq!(marks(&ONELINE, text), "TTETETTTT");
    }

    #[test]
    fn sums_dumps_and_symbols_are_no_logs() {
        let sums: String = (0..9).map(|i| format!("d41d8cd98f00b204e9800998ecf8427{i}  src/a b{i}.c\n")).collect();
        let dump: String = (0..9).map(|i| format!("00000{i}0 7f45 4c46 0201 a10{i}\n")).collect();
        let crcs: String = (0..9).map(|i| format!("3b36e2{i}f file{i}.bin\n")).collect();
        let blame: String = (0..9).map(|i| format!("f82fe77{i} (D E 2024-01-01 10:00:00 +0000 {i}) x y\n")).collect();
        for text in [sums, dump, crcs, blame] {
            assert!(!sniffs(&ONELINE, &text), "{text}");
        }
    }

    #[test]
    fn a_reflog_is_one() {
        let text = "f3beede HEAD@{0}: reset: moving to a\n761a1b1 (tag: x) HEAD@{1 hour ago}: commit: b\n71fd838 main@{2}: pull: c";
        assert!(sniffs(&REFLOG, text));
        assert_eq!(marks(&REFLOG, text), "TTT");
    }
}
