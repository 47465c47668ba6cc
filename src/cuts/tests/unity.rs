//! Unity, the C test framework: failing assertions and the totals of each program.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::hint::Hint;
use crate::line::Line;

/// A Unity program's own output, or that of many in a row.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "unity",
    about: "Unity (C): failing assertions, totals of each program",
    sniff,
    opens: Opens::flush_colon(|line| matches!(assertion(line.text), Some(b"FAIL" | b"PASS"))),
    cut: |_| Box::new(Unity::default()),
};

/// Programs without a failure whose totals are totals of the run.
const PROGRAMS: u16 = 3;

#[derive(Default)]
struct Unity {
    programs: u16,
}

impl Cut for Unity {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        match read(line.text) {
            Some(Verdict::Keep(Rank::Detail)) if line.text != b"FAIL" && self.programs < PROGRAMS => {
                self.programs += 1;
                Verdict::Keep(Rank::Total)
            }
            Some(verdict) => verdict,
            None if line.is_blank() => Verdict::Drop("blank"),
            None if super::ending::is_death(line.text) => Verdict::Keep(Rank::Top),
            None => Verdict::Pass,
        }
    }
}

/// A line's verdict; none when it is not Unity's.
pub fn read(text: &[u8]) -> Option<Verdict> {
    match assertion(text) {
        Some(b"FAIL") => return Some(Verdict::Keep(Rank::Top)),
        Some(b"PASS") => return Some(Verdict::Drop("passing tests")),
        Some(_) => return Some(Verdict::Drop("ignored tests")),
        None => {}
    }
    // 3 Tests 1 Failures 0 Ignored
    let said = text.trim_ascii_end();
    if said.ends_with(b" Ignored") && is_totals(said) {
        let failed = crate::line::find(said, b" 0 Failures").is_none();
        return Some(Verdict::Keep(if failed { Rank::Total } else { Rank::Detail }));
    }
    match said {
        b"FAIL" => Some(Verdict::Keep(Rank::Detail)),
        b"OK" => Some(Verdict::Drop("verdicts")),
        b"-----------------------" => Some(Verdict::Drop("rules")),
        _ => None,
    }
}

/// `print_string.c:38:print_string_should_print_ascii:FAIL: Expected 'x' Was 'y'. message`
fn assertion(text: &[u8]) -> Option<&'static [u8]> {
    let (path, rest) = place::split(text)?;
    if path.contains(&b' ') {
        return None;
    }
    let rest = rest.strip_prefix(b":")?;
    let name = rest.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_')?;
    if name == 0 || rest[0].is_ascii_digit() {
        return None;
    }
    let said = rest[name..].strip_prefix(b":")?;
    [b"FAIL".as_slice(), b"PASS", b"IGNORE"].into_iter().find(|word| {
        said.strip_prefix(*word).is_some_and(|rest| rest.trim_ascii_end().is_empty() || rest.starts_with(b":") || rest.starts_with(b" ("))
    })
}

fn is_totals(said: &[u8]) -> bool {
    let words: Vec<&[u8]> = said.split(|b| *b == b' ').collect();
    words.len() == 6 && words[1] == b"Tests" && words[3] == b"Failures" && words[0].iter().all(u8::is_ascii_digit)
}

/// Two assertions, or one and the totals, and only chatter before them.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().take(15).filter(|l| assertion(l.text).is_some() || is_totals(l.text.trim_ascii_end())).take(2).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str =
        "a.c:5:adds:PASS\na.c:9:subtracts:FAIL: Expected 1 Was 2. off by one\na.c:12:halves:IGNORE\n\n-----------------------\n3 Tests 1 Failures 1 Ignored \nFAIL";

    #[test]
    fn failing_assertions_and_totals_stay() {
        assert_eq!(marks(&SHAPE, RUN), ".T...!D");
    }

    #[test]
    fn a_compiler_is_not_unity() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(&SHAPE, "a.c:5:9: error: FAIL\na.c:6:2: note: PASS\nx:1:FAIL"));
    }
}
