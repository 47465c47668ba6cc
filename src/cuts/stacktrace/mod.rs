//! Stack traces: message, causes, the frames of the reader's own code.
//!
//! One file a tool or family of tools; each is a row of the registry under one name. A
//! trace mostly stands somewhere in ordinary output, so the rows rely on `opens`; `sniff`
//! only speaks for texts that begin with a trace. Between traces a cut passes, so that
//! the driver looks again.

mod trail;

mod java;
mod node;
mod python;

use crate::cut::Shape;
use crate::line::Line;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&python::SHAPE, &java::SHAPE, &node::SHAPE];

/// Lines of the window among which a trace has to begin for the whole to be one.
const NEAR: usize = 6;

/// Does a trace open at the very beginning?
fn begins(lines: &[Line<'_>], opens: fn(&Line<'_>) -> bool) -> bool {
    lines.iter().filter(|l| !l.is_blank()).take(NEAR).any(opens)
}

/// Does the text start with the name of an error class, as `TypeError: x`, `a.b.FooException`
/// or `Error [CODE]: x`?
fn names_error(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"Uncaught ").unwrap_or(text);
    let text = text.strip_prefix(b"[").unwrap_or(text);
    let len = text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'$' | b'/')).count();
    let (name, rest) = text.split_at(len);
    let named = name.ends_with(b"Error") || name.ends_with(b"Exception") || name.ends_with(b"Throwable");
    named && (rest.is_empty() || rest.starts_with(b":") || rest.starts_with(b" [") || rest.starts_with(b"]"))
}

/// Does the text start as a log line does: a date, a time, a level, a bracketed stamp?
fn is_logged(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"[").unwrap_or(text);
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if (1..=4).contains(&digits) && matches!(text.get(digits), Some(b'-' | b':' | b'/')) {
        return text.get(digits + 1).is_some_and(u8::is_ascii_digit);
    }
    ["INFO", "DEBUG", "WARN", "ERROR", "TRACE", "info", "debug", "warn"].iter().any(|level| text.starts_with(level.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_named_at_the_start() {
        for text in ["TypeError: x", "java.io.IOException", "Error [ERR_X]: y", "Uncaught Error: z", "[AggregateError: all] {"] {
            assert!(names_error(text.as_bytes()), "{text}");
        }
        for text in ["an Error: x", "Errors: 0", "TypeErrors", "at Error.x"] {
            assert!(!names_error(text.as_bytes()), "{text}");
        }
    }
}
