//! How a run ends that no test runner reports on: killed, crashed, stopped by its caller.

use crate::line::Line;

/// Words with which a shell says how a command died.
const DEATHS: &[&str] = &[
    "Killed",
    "Segmentation fault",
    "Aborted",
    "Terminated",
    "Bus error",
    "Illegal instruction",
    "Floating point exception",
    "Trace/breakpoint trap",
    "User defined signal 1",
    "Hangup",
];

/// Is this the caller's line on a command that died or failed?
///
/// ```text
/// bash: line 1: 25728 Segmentation fault      python -m pytest -v
/// Segmentation fault (core dumped)
/// make: *** [Makefile:4: test] Error 1
/// npm error code 1
/// ```
#[must_use]
pub fn is_death(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    let starts = |word: &str| line.starts_with(word.as_bytes());
    match text.first() {
        Some(b'm') => {
            // `make: *** [...] Error 2`, `make[1]: *** ...`
            return starts("make: *** ") || starts("make[") && crate::line::find(line, b"]: *** ").is_some();
        }
        Some(b'e') => return starts("error Command failed") || starts("error: Recipe `") || starts("error: script \""),
        Some(b'n') => return starts("npm error code ") || starts("npm ERR! code "),
        Some(b'E') => return starts("ELIFECYCLE ") || starts("Error: Process completed with exit code "),
        _ => {}
    }
    let death = |text: &[u8]| DEATHS.iter().find(|word| text.starts_with(word.as_bytes())).copied();
    if let Some(word) = death(text) {
        let rest = &text[word.len()..];
        return rest.is_empty() || rest.starts_with(b" (core dumped)") || rest.starts_with(b": ");
    }
    // `bash: line 1: 26102 Killed                  pytest -v`, also behind a torn progress line.
    let Some(at) = crate::line::find(text, b": line ") else { return false };
    let rest = text[at + 7..].trim_ascii_start();
    let Some(colon) = memchr::memchr(b':', rest) else { return false };
    let rest = rest[colon + 1..].trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && death(rest[digits..].trim_ascii_start()).is_some()
}

/// Closing words of tools that run beside tests in one script: linters, checkers, formatters.
const VERDICTS: &[&str] = &[
    "All checks passed!",
    "Success: no issues found in ",
    "All done! ",
    "Oh no! ",
    "would reformat ",
    "0 errors, ",
    "All matched files use Prettier code style!",
    "Code style issues found in ",
    "Your code has been rated at ",
    "npm warn ",
];

/// Is this the closing line of another tool, before or behind the tests?
///
/// ```text
/// All checks passed!
/// Found 3 errors in 2 files (checked 50 source files)
/// ```
#[must_use]
pub fn is_verdict(line: &Line<'_>) -> bool {
    let found = |rest: &[u8]| rest.first().is_some_and(u8::is_ascii_digit);
    VERDICTS.iter().any(|v| line.starts(v)) || line.after("Found ").is_some_and(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_says_how_it_died() {
        let is = |text: &str| is_death(text.as_bytes());
        assert!(
            is("bash: line 1: 25728 Segmentation fault      python -m pytest -v")
                && is("Killed")
                && is("make: *** [Makefile:4: ci] Error 1")
        );
        assert!(is("t.py::test_x bash: line 1: 2 Killed   pytest") && !is("Killed by test 3") && !is("on line 1: 3 things"));
    }
}
