//! Runs the tests of a filter file.

use super::choose::is_told;
use super::form::Fault;
use super::judge::Declared;
use super::program::Program;
use super::{builtin, folder, Filter, Origin};
use crate::cut::{Cut as _, Rank, Verdict};
use crate::line::Line;
use std::path::Path;
use std::sync::Arc;

/// What the tests of a filter came to.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Tests that were run.
    pub tests: usize,
    /// What went wrong: key, marks wanted, marks met, line.
    pub wrong: Vec<String>,
}

/// Reads a filter, compiles all its patterns and runs its tests.
///
/// # Errors
/// When it is no filter.
pub fn check(name: &str, file: &str, text: &str) -> Result<Report, Fault> {
    let filter = Filter::read(name, file, Origin::User, text)?;
    let program = Arc::new(Program::new(file, &filter.form, true)?);
    let mut report = Report { tests: filter.form.test.len(), wrong: Vec::new() };
    if filter.form.test.is_empty() {
        report.wrong.push(format!("{file}: test: it has none"));
    }
    if folder::misnamed(Path::new(file), &filter.commands().collect::<Vec<_>>()) {
        report.wrong.push(format!("{file}: command: it is never asked: its name has to be the first words of its command, joined by -"));
    }
    let mut told = false;
    for (i, test) in filter.form.test.iter().enumerate() {
        let input = test.input.strip_suffix('\n').unwrap_or(&test.input);
        let lines: Vec<_> = input.split('\n').enumerate().map(|(n, l)| Line::new(l.as_bytes(), n as u64 + 1)).collect();
        told |= lines.iter().any(|l| is_told(&filter, l));
        let mut cut = Declared::new(Arc::clone(&program));
        let met: String = lines.iter().map(|l| mark(cut.line(l))).collect();
        let wanted: String = test.marks.split_whitespace().collect();
        if let Some(why) = differs(input, &met, &wanted) {
            report.wrong.push(format!("{file}: test[{i}].marks: {why}"));
        }
    }
    if !filter.form.text.is_empty() && !told {
        report.wrong.push(format!("{file}: match: no test's input is told by it"));
    }
    Ok(report)
}

/// Signs that `marks` may hold.
const SIGNS: &str = "!TBDE.+phs?";

/// What is wrong with the marks wanted.
fn differs(input: &str, met: &str, wanted: &str) -> Option<String> {
    if input.is_empty() {
        return Some("the input is empty".into());
    }
    if let Some(sign) = wanted.chars().find(|c| !SIGNS.contains(*c)) {
        return Some(format!("'{sign}' is none of the signs {SIGNS}"));
    }
    let (signs, lines) = (wanted.chars().count(), met.chars().count());
    if signs != lines {
        return Some(format!("{signs} signs for an input of {lines} lines: wants {wanted}, is {met}"));
    }
    let at = met.chars().zip(wanted.chars()).position(|(a, b)| a != b)?;
    let line = input.split('\n').nth(at).unwrap_or_default();
    Some(format!("wants {wanted}, is {met}; the first that differs is line {}: {line}", at + 1))
}

/// The sign of a verdict in `marks`.
fn mark(verdict: Verdict) -> char {
    match verdict {
        Verdict::Keep(r) | Verdict::KeepWith { rank: r, .. } | Verdict::Around { rank: r, .. } => match r {
            Rank::Edge => 'E',
            Rank::Detail => 'D',
            Rank::Body => 'B',
            Rank::Top => 'T',
            Rank::Total => '!',
        },
        Verdict::Drop(_) => '.',
        Verdict::Fold { .. } => '+',
        Verdict::Park(_) => 'p',
        Verdict::Head => 'h',
        Verdict::Spare(_) => 's',
        Verdict::Pass => '?',
    }
}

/// Checks the built-in ones.
#[must_use]
pub fn check_builtin() -> Vec<(&'static str, Result<Report, Fault>)> {
    builtin::texts().iter().map(|(name, text)| (*name, check(name, &format!("src/filters/{name}.toml"), text))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::choose::is_half;
    use super::*;

    #[test]
    fn faults_of_a_file_say_what_to_write() {
        let rules = "about = 'x'\ncommand = 'x'\nkeep = [{ like = 'a' }]\n[[test]]\ninput = 'a'\nmarks = 'B'";
        assert!(check("x", "x.toml", rules).is_ok_and(|r| r.wrong.is_empty()));
        for (from, to, words) in [
            ("marks = 'B'", "marks = 'BB'", "test[0].marks: 2 signs for an input of 1 lines"),
            ("marks = 'B'", "marks = 'Q'", "test[0].marks: 'Q' is none of the signs"),
            ("input = 'a'", "input = ''", "test[0].marks: the input is empty"),
            ("command = 'x'", "command = '/bin/x'", "command: '/bin/x' names the tool by a path"),
            ("command = 'x'", "command = 'x a|x b'", "command: 'x a|x b' is no pattern"),
            ("about = 'x'", "about = ''", "about: it says in one line"),
            ("'a' }]", "\"\\d\" }]", "a pattern stands between single quotes"),
            ("[{ like = 'a' }]", "{ like = 'a' }", "expected a list of tables"),
            ("[{ like = 'a' }]", "['a']", "expected a table such as { like ="),
            ("'a' }]", "'a', after = -1 }]", "expected a number from 0 to 65535"),
        ] {
            let said = match check("x", "x.toml", &rules.replacen(from, to, 1)) {
                Ok(report) => report.wrong.join("\n"),
                Err(fault) => fault.to_string(),
            };
            assert!(said.starts_with("x.toml: ") && said.contains(words), "{said}");
        }
    }

    #[test]
    fn the_built_in_filters_pass_their_tests() {
        let mut wrong = Vec::new();
        for (_, report) in check_builtin() {
            match report {
                Ok(report) => wrong.extend(report.wrong),
                Err(fault) => wrong.push(fault.to_string()),
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// A line with an error sign stands in a test of each filter, and is never noise.
    #[test]
    fn each_has_a_failing_line_and_keeps_it() {
        let mut wrong = Vec::new();
        for filter in builtin() {
            let mut failing = 0;
            for test in &filter.form.test {
                let marks: Vec<char> = test.marks.split_whitespace().flat_map(str::chars).collect();
                for (line, mark) in test.input.lines().zip(marks) {
                    if Line::new(line.as_bytes(), 1).is_error() {
                        failing += usize::from(!matches!(mark, '.' | 'p' | 's'));
                    }
                }
            }
            if failing == 0 {
                wrong.push(filter.name());
            }
        }
        assert!(wrong.is_empty(), "no failing line that stays: {wrong:?}");
    }

    /// No filter is told by the text that another one's tests hold, unless both would do.
    #[test]
    fn none_takes_the_text_of_another() {
        let all: Vec<_> = builtin().collect();
        let mut wrong = Vec::new();
        for filter in &all {
            for test in &filter.form.test {
                let lines: Vec<_> = test.input.lines().enumerate().map(|(n, l)| Line::new(l.as_bytes(), n as u64 + 1)).collect();
                for other in all.iter().filter(|o| o.name() != filter.name()) {
                    if lines.iter().any(|l| is_told(other, l)) && is_half(other, &lines) {
                        wrong.push(format!("{} takes a text of {}", other.name(), filter.name()));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
