//! Does a line state a failure, beyond doubt and whatever tool printed it?
//!
//! A sign (`Signs::ERROR`) is a word somewhere; this is a form at its place: an exception, a
//! shell's last word, `error:` where a report begins. No cut may call such a line noise
//! before one of its kind has been shown.

use crate::line::Line;

/// What a report of a failure begins with, behind blanks.
const BEGINNINGS: &[&str] = &[
    "Traceback (most recent call last)",
    "error: ",
    "Error: ",
    "ERROR: ",
    "error[",
    "[error] ",
    "[ERROR] ",
    "##[error]",
    "::error",
    "fatal: ",
    "FATAL: ",
    "Fatal error: ",
    "fatal error: ",
    "PHP Fatal error: ",
    "panic: ",
    "Segmentation fault",
    "Bus error",
    "Aborted",
    "Killed",
    "Error response from daemon",
    "Exception in thread ",
    "Unhandled exception",
    "npm error code",
];

/// What else it begins with: no word of it is an error's sign.
const UNSIGNED: &[&str] = &["Uncaught ", "npm ERR! code", "E: ", "Illegal instruction"];

/// What it says somewhere, of a place or a command.
const INSIDE: &[&str] = &[
    ": error: ",
    ": fatal error: ",
    " - error TS",
    "): error TS",
    ": command not found",
    ": No such file or directory",
    ": Permission denied",
    "Segmentation fault",
    "(core dumped)",
    " panicked at ",
];

/// Programs that say nothing but what went wrong where their name and a colon begin a line.
const PROGRAMS: &str = "ash awk bash cat chgrp chmod chown cp curl cut dash dd df diff du fish gawk grep gunzip gzip head ksh \
    ln ls mkdir mktemp mv openssl readlink realpath rm rmdir rsync scp sed sh sort sftp ssh stat su sudo tail tar tee \
    touch unzip xargs xz zcat zip zsh";

/// What a shell says of a script, whatever stands before it.
const SHELLS: &[&str] =
    &[": unbound variable", ": bad substitution", ": readonly variable", ": parameter not set", ": parameter null or not set"];

/// A program's name and what it says stand within so many bytes.
const NEAR: usize = 200;

/// Bytes of the names of programs and their paths.
const OF_NAMES: [bool; 256] = {
    let (mut of_names, mut byte) = ([false; 256], 0);
    while byte < 256 {
        let b = byte as u8;
        of_names[byte] = b.is_ascii_alphanumeric() || matches!(b, b'.' | b'/' | b'_' | b'-' | b'+' | b'[' | b']' | b'~');
        byte += 1;
    }
    of_names
};

/// Does it state a failure?
#[must_use]
pub fn is_stated(line: &Line<'_>) -> bool {
    // What most lines are not is told without a call.
    let near = &line.text[..line.text.len().min(NEAR)];
    let name = near.iter().position(|b| !OF_NAMES[usize::from(*b)]).unwrap_or_default();
    let speaks = name > 0 && line.text[name..].starts_with(b": ");
    let first = line.text.iter().find(|b| **b > b' ');
    let unsigned = matches!(first, Some(b'U' | b'n' | b'E' | b'I'));
    speaks && is_program(line.text, name) || (unsigned || line.is_error()) && is_signed(line)
}

/// The message of a shell or a program of it, under its name, which is so long:
///
/// ```text
/// ./release.sh: line 44: AWS_PROFILE: unbound variable
/// ./release.sh: 44: Bad substitution
/// rsync: connection unexpectedly closed (0 bytes received so far) [sender]
/// make: *** No rule to make target 'deploy'.  Stop.
/// ```
#[inline(never)]
fn is_program(text: &[u8], name: usize) -> bool {
    let near = &text[..text.len().min(NEAR)];
    let Some((name, said)) = near.split_at_checked(name) else { return false };
    let Some(said) = said.strip_prefix(b": ").filter(|said| !said.is_empty()) else { return false };
    let place = said.strip_prefix(b"line ").unwrap_or(said);
    let digits = place.iter().take_while(|b| b.is_ascii_digit()).count();
    let placed = digits > 0 && place[digits..].starts_with(b": ");
    let base = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
    if placed && (place.len() < said.len() || base.ends_with(b"sh")) {
        return true;
    }
    let make = base.starts_with(b"make") || base.starts_with(b"gmake");
    make && said.starts_with(b"*** ") || crate::line::lists(PROGRAMS, base) || SHELLS.iter().any(|end| near.ends_with(end.as_bytes()))
}

#[inline(never)]
fn is_signed(line: &Line<'_>) -> bool {
    let said = line.text.get(..400).unwrap_or(line.text).trim_ascii_start();
    if !line.is_error() {
        return UNSIGNED.iter().any(|b| said.starts_with(b.as_bytes()));
    }
    let begins = matches!(
        said.first(),
        Some(b'T' | b'e' | b'E' | b'[' | b'#' | b':' | b'f' | b'F' | b'P' | b'p' | b'S' | b'B' | b'A' | b'K' | b'I' | b'U' | b'n')
    ) && BEGINNINGS.iter().any(|b| said.starts_with(b.as_bytes()));
    begins || is_exception(said) || is_finding(said) || INSIDE.iter().any(|part| crate::line::find(said, part.as_bytes()).is_some())
}

/// `KeyError: 'owner'`, `java.lang.IllegalStateException: closed`, `AssertionError`
fn is_exception(text: &[u8]) -> bool {
    let name = text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$')).count();
    let (name, rest) = text.split_at(name);
    let ends = name.len() > 5 && (name.ends_with(b"Error") || name.ends_with(b"Exception"));
    ends && name[name.len().saturating_sub(60)..].iter().any(u8::is_ascii_uppercase) && (rest.is_empty() || rest.starts_with(b": "))
}

/// `3:5  error  'total' is not defined  no-undef`
#[must_use]
pub fn is_finding(text: &[u8]) -> bool {
    let number = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let line = number(text);
    if line == 0 || text.get(line) != Some(&b':') {
        return false;
    }
    let rest = &text[line + 1..];
    let column = number(rest);
    column > 0 && rest[column..].starts_with(b"  ") && rest[column..].trim_ascii_start().starts_with(b"error  ")
}

/// Does it carry an error sign outside the names in it? `src/error.rs`, `error.example.com`
/// and `BenchmarkParseError-8` are named so, whatever became of them.
#[must_use]
pub fn is_said(line: &Line<'_>) -> bool {
    if !line.is_error() {
        return false;
    }
    let is_blank = |b: &u8| b.is_ascii_whitespace();
    let text = line.text.get(..400).unwrap_or(line.text);
    if !text.split(is_blank).any(is_name) {
        return true;
    }
    let rest: Vec<&[u8]> = text.split(is_blank).filter(|w| !is_name(w)).collect();
    Line::new(&rest.join(&b' '), line.number).is_error()
}

/// A path, a host, a file, a word like `AddErrorCodes`: all but those that end as exceptions do.
fn is_name(word: &[u8]) -> bool {
    let word = word.trim_ascii_end();
    let end = word.iter().rposition(|b| b.is_ascii_alphanumeric()).map_or(0, |i| i + 1);
    let word = &word[..end];
    if word.ends_with(b"Error") || word.ends_with(b"Exception") {
        return false;
    }
    word.contains(&b'/')
        || word.windows(3).any(|w| {
            w[1] == b'.' && w[0].is_ascii_alphanumeric() && w[2].is_ascii_alphabetic()
                || w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase() && w[2].is_ascii_lowercase()
        }) && !is_signed_first(word)
}

/// `CrashLoopBackOff`, `FailedMount`: no name, but what befell.
fn is_signed_first(word: &[u8]) -> bool {
    let hump = word.iter().skip(1).position(u8::is_ascii_uppercase).map_or(word.len(), |i| i + 1);
    !word.contains(&b'.') && Line::new(&word[..hump], 1).is_error()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_at_their_place_are_failures() {
        for text in [
            "Traceback (most recent call last):",
            "KeyError: 'x'",
            "  3:5   error  'total' is not defined  no-undef",
            "a.c:3:1: error: x",
            "bash: line 1: foo: command not found",
            "Killed",
            "java.io.IOException: closed",
        ] {
            assert!(is_stated(&Line::new(text.as_bytes(), 1)), "{text}");
        }
    }

    #[test]
    fn a_program_that_speaks_under_its_name_states_a_failure() {
        for text in [
            "./release.sh: line 44: AWS_PROFILE: unbound variable",
            "ci/run: line 3: [: too many arguments",
            "deploy.sh: 12: Bad substitution",
            "rsync: connection unexpectedly closed (0 bytes received so far) [sender]",
            "make[2]: *** [Makefile:3: all] Interrupt",
            "zsh: bad substitution",
        ] {
            assert!(is_stated(&Line::new(text.as_bytes(), 1)), "{text}");
        }
        for text in ["make: Nothing to be done for 'all'.", "app.js: 12: x", "name: value", "web: line 3 of 4", "sh: ", "10:15:30 x"] {
            assert!(!is_stated(&Line::new(text.as_bytes(), 1)), "{text}");
        }
    }

    #[test]
    fn a_sign_in_a_name_is_not_said() {
        let said = |text: &str| is_said(&Line::new(text.as_bytes(), 1));
        for text in
            ["src/error.rs 12", "PING error.example.com (192.0.2.7)", "BenchmarkParseError-8 99 ns/op", "== AddErrorCodes: migrated"]
        {
            assert!(!said(text), "{text}");
        }
        for text in
            ["a/b.c failed", "pod-1 0/1 CrashLoopBackOff 41", "raised IOException: x", "x.service: Failed with", "could not open /a/b"]
        {
            assert!(said(text), "{text}");
        }
    }

    #[test]
    fn words_in_names_are_not() {
        for text in [
            "test error_path ... ok",
            "  ✓ throws TypeError: on null",
            "0 errors",
            "Compiling thiserror v1",
            "Errors: 0",
            "12:30 error budget",
        ] {
            assert!(!is_stated(&Line::new(text.as_bytes(), 1)), "{text}");
        }
    }
}
