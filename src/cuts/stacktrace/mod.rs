//! Stack traces: message, causes, the frames of the reader's own code.
//!
//! One file a tool or family of tools; each is a row of the registry under one name. A
//! trace mostly stands somewhere in ordinary output, so the rows rely on `opens`; `sniff`
//! only speaks for texts that begin with a trace. Between traces a cut passes, so that
//! the driver looks again.

mod trail;

mod debugger;
mod dotnet;
mod go;
mod java;
mod node;
mod perl;
mod php;
mod python;
mod ruby;
mod rust;
mod sanitizer;
mod valgrind;

use crate::cut::{Cut, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[
    &python::SHAPE,
    &java::SHAPE,
    &node::SHAPE,
    &go::SHAPE,
    &rust::SHAPE,
    &ruby::SHAPE,
    &php::SHAPE,
    &dotnet::SHAPE,
    &sanitizer::SHAPE,
    &valgrind::SHAPE,
    &debugger::SHAPE,
    &perl::SHAPE,
];

/// Traces within another cut's text, a log's: that cut asks here first about the lines that
/// it does not know.
#[derive(Default)]
pub struct Inlay {
    /// One a row that was needed: each remembers what it has shown.
    cuts: Vec<(&'static str, Box<dyn Cut>)>,
    active: Option<usize>,
}

impl Inlay {
    /// The verdict on a line of a trace; `None` where it is not one.
    pub fn line(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if let Some((_, cut)) = self.active.and_then(|i| self.cuts.get_mut(i)) {
            match cut.line(line) {
                Verdict::Pass => self.active = None,
                verdict => return Some(verdict),
            }
        }
        let shape = SHAPES.iter().find(|s| s.opens.by(line))?;
        let known = self.cuts.iter().position(|c| c.0 == shape.dialect);
        let i = known.unwrap_or_else(|| {
            self.cuts.push((shape.dialect, (shape.cut)(&Hint::default())));
            self.cuts.len() - 1
        });
        self.active = Some(i);
        self.cuts[i].1.line(line).into()
    }

    /// A line that is the other cut's own: no trace goes on behind it.
    pub fn past(&mut self, line: &Line<'_>) {
        if let Some((_, cut)) = self.active.take().and_then(|i| self.cuts.get_mut(i)) {
            cut.line(line);
        }
    }
}

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
