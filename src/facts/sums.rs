//! Closing totals, as the tools word them: `3 failed, 5 passed`, `Failures: 1`, `# pass 3`.

use super::{rank_of, Facts, Reader};
use crate::cut::{Rank, Verdict};
use crate::line::Line;

/// Words of totals and what they count.
const NOUNS: &[(&str, &str)] = &[
    ("passed", "passed"),
    ("pass", "passed"),
    ("passing", "passed"),
    ("passes", "passed"),
    ("successful", "passed"),
    ("succeeded", "passed"),
    ("failed", "failed"),
    ("fail", "failed"),
    ("failing", "failed"),
    ("failure", "failed"),
    ("failures", "failed"),
    ("error", "errors"),
    ("errors", "errors"),
    ("warning", "warnings"),
    ("warnings", "warnings"),
    ("skipped", "skipped"),
    ("skip", "skipped"),
    ("skips", "skipped"),
    ("ignored", "skipped"),
    ("pending", "skipped"),
    ("todo", "skipped"),
    ("test", "tests"),
    ("tests", "tests"),
    ("example", "tests"),
    ("examples", "tests"),
    ("runs", "tests"),
    ("flaky", "flaky"),
    ("problem", "problems"),
    ("problems", "problems"),
    ("file", "files"),
    ("files", "files"),
    ("directory", "directories"),
    ("directories", "directories"),
    ("insertion", "insertions"),
    ("insertions", "insertions"),
    ("deletion", "deletions"),
    ("deletions", "deletions"),
    ("row", "rows"),
    ("rows", "rows"),
    ("vulnerability", "vulnerabilities"),
    ("vulnerabilities", "vulnerabilities"),
    ("upgraded", "upgraded"),
    ("added", "added"),
    ("removed", "removed"),
];

fn noun(word: &[u8]) -> Option<&'static str> {
    NOUNS.iter().find(|(w, _)| word.eq_ignore_ascii_case(w.as_bytes())).map(|(_, name)| *name)
}

/// A word or a whole number of a line, and what stands between it and the one before.
struct Word<'a> {
    text: &'a [u8],
    number: Option<u64>,
    /// Nothing but blanks.
    near: bool,
    /// Blanks and one of `:` `=`.
    told: bool,
}

fn words(text: &[u8]) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut at, mut last) = (0, 0);
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    while at < text.len() {
        if !is_part(text[at]) {
            at += 1;
            continue;
        }
        let end = text[at..].iter().position(|b| !is_part(*b)).map_or(text.len(), |n| at + n);
        let (word, between) = (&text[at..end], text[last..at].trim_ascii());
        // Not `0.02`, not `67%`.
        let is_whole = text[..at].last() != Some(&b'.')
            && text.get(end) != Some(&b'%')
            && !(text.get(end) == Some(&b'.') && text.get(end + 1).is_some_and(u8::is_ascii_digit));
        let number = std::str::from_utf8(word).ok().filter(|_| is_whole).and_then(|w| w.parse().ok());
        words.push(Word { text: word, number, near: between.is_empty(), told: matches!(between, b":" | b"=") });
        (at, last) = (end, end);
    }
    words
}

/// Each count that a line of totals states.
pub(super) fn each(text: &[u8], mut count: impl FnMut(&'static str, u64)) {
    let words = words(text);
    // `# pass 3`, `ℹ pass 3`; but not `Error 2`.
    let listed = text.trim_ascii_start().starts_with(b"#") || text.starts_with("ℹ".as_bytes());
    let plain = |i: usize| words.get(i).filter(|w| w.near && w.number.is_none());
    for (i, word) in words.iter().enumerate() {
        let Some(number) = word.number else { continue };
        let before = i.checked_sub(1).and_then(|b| noun(words[b].text).filter(|_| words[b].number.is_none()));
        let Some(after) = plain(i + 1) else {
            // `Failures: 1`, `failures=1`, `# pass 3`
            if let Some(name) = before.filter(|_| word.told || word.near && listed) {
                count(name, number);
            }
            continue;
        };
        match (noun(after.text), plain(i + 2)) {
            // `2 test suites`, `3 tests started`
            (Some("tests"), Some(next)) if is_other(next.text) => {}
            // `1 tests failed`, `2 test cases failed`
            (Some("tests"), Some(next)) if noun(next.text).is_some() => count(noun(next.text).unwrap_or("tests"), number),
            // `[  PASSED  ] 3 tests.`, `# Looks like you failed 4 tests of 127.`
            (Some("tests"), _) if before.is_some() && (word.near || text.starts_with(b"[  ")) => count(before.unwrap_or("tests"), number),
            (Some(name), _) => count(name, number),
            // `added 12 packages`, `Tests run: 5 ...`
            (None, _) if word.near && matches!(before, Some("added" | "removed")) => count(before.unwrap_or("added"), number),
            (None, _) => {
                if let Some(name) = before.filter(|_| word.told) {
                    count(name, number);
                }
            }
        }
    }
    // `Tests run: 5, Failures: 1`
    if let Some(at) = words.windows(3).position(|w| w[0].text == b"Tests" && w[1].text == b"run" && w[2].told) {
        count("tests", words[at + 2].number.unwrap_or_default());
    }
    // `Total: 121`, `Total tests: 121`
    if let Some(at) = words.windows(2).position(|w| w[0].text == b"Total" && w[1].told) {
        count("tests", words[at + 1].number.unwrap_or_default());
    }
}

fn is_other(word: &[u8]) -> bool {
    matches!(word, b"suite" | b"suites" | b"files" | b"started" | b"aborted" | b"file")
}

/// Totals that do not count the tests, or count them a second time.
pub(super) fn is_aside(line: &Line<'_>) -> bool {
    let text = line.trimmed();
    let text = text.strip_prefix(b"[doctest] ").unwrap_or(text);
    let text = text.strip_prefix(b"[ERROR] ").or_else(|| text.strip_prefix(b"[WARNING] ")).unwrap_or(text);
    [&b"assertions:"[..], b"Snapshots:", b"Test Suites:", b"Test Files ", b"Suites ", b"only showing the first "]
        .iter()
        .any(|p| text.starts_with(p))
        || memchr::memmem::find(text, b"Time elapsed").is_some()
}

/// Adds up what the closing totals of a part say.
#[derive(Default)]
pub(super) struct Sums {
    /// Tests print totals of their own: only this one's.
    ctest: bool,
    /// The last word holds: the tool states its totals more than once.
    last: bool,
    tests: bool,
}

impl Sums {
    pub(super) fn of_tests(dialect: &str) -> Sums {
        Sums { ctest: dialect == "ctest", last: matches!(dialect, "googletest" | "surefire"), tests: true }
    }
}

impl Reader for Sums {
    fn line(&mut self, line: &Line<'_>, verdict: Verdict, facts: &mut Facts) {
        // `FAILED tests/test_a.py::test_b - assert 1 == 2`
        if self.tests && (line.starts("FAILED ") || line.starts("ERROR ")) && line.has("::") {
            facts.refer(if line.starts("F") { "failed" } else { "errors" }, line);
        }
        if rank_of(verdict) != Some(Rank::Total) || is_aside(line) || self.ctest && !line.has("% tests passed") {
            return;
        }
        each(line.text, |name, n| if self.last { facts.set(name, n) } else { facts.add(name, n) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut said = Vec::new();
        each(text.as_bytes(), |name, n| said.push(format!("{name} {n}")));
        said.join(", ")
    }

    #[test]
    fn totals_are_read_as_the_tools_word_them() {
        for (text, counts) in [
            ("=========== 3 failed, 397 passed, 1 warning, 2 errors in 3.21s ===========", "failed 3, passed 397, warnings 1, errors 2"),
            (
                "test result: FAILED. 399 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.05s",
                "passed 399, failed 1, skipped 2",
            ),
            ("Tests:       1 failed, 2 passed, 3 total", "failed 1, passed 2"),
            ("      Tests  1 failed | 3 passed (4)", "failed 1, passed 3"),
            ("FAILED (failures=1, errors=2)", "failed 1, errors 2"),
            ("Ran 12 tests in 0.010s", "tests 12"),
            ("# pass 3", "passed 3"),
            ("ℹ fail 2", "failed 2"),
            ("# Looks like you failed 4 tests of 127.", "failed 4"),
            ("make: *** [all] Error 2", ""),
            ("5 examples, 1 failure, 2 pending", "tests 5, failed 1, skipped 2"),
            (
                "Failed!  - Failed:     1, Passed:   120, Skipped:     0, Total:   121, Duration: 51 ms",
                "failed 1, passed 120, skipped 0, tests 121",
            ),
            ("[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 2", "failed 1, errors 0, skipped 2, tests 5"),
            ("[  PASSED  ] 3 tests.", "passed 3"),
            ("[==========] 5 tests from 2 test suites ran. (0 ms total)", "tests 5"),
            ("67% tests passed, 1 tests failed out of 3", "failed 1"),
            ("✖ 5 problems (3 errors, 2 warnings)", "problems 5, errors 3, warnings 2"),
            ("Found 3 errors in 2 files (checked 5 source files)", "errors 3, files 2"),
            (" 3 files changed, 4 insertions(+), 5 deletions(-)", "files 3, insertions 4, deletions 5"),
            ("added 12 packages, and audited 13 packages in 1s", "added 12"),
            ("(5 rows)", "rows 5"),
        ] {
            assert_eq!(read(text), counts, "{text}");
        }
    }
}
