//! go test -json: one event a line; the text inside is go test's own.
//!
//! The events of output carry what go test -v prints, split by test; they are read as that
//! text is. All other events repeat what the text says.

use super::go::Go;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// `go test -json`, and `go tool test2json`.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "go test -json",
    about: "go test -json: the output events of failing tests, results by package",
    sniff,
    opens: Opens::first(b"{", opens),
    cut: |_| Box::new(GoJson::default()),
};

#[derive(Default)]
struct GoJson {
    go: Go,
    text: Vec<u8>,
}

impl Cut for GoJson {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if !is_event(line.text) {
            // A build's errors before Go 1.24, a child's words on the same stream.
            return match self.go.line(line.text) {
                Verdict::Pass if line.is_error() => Verdict::Keep(Rank::Body),
                verdict => verdict,
            };
        }
        match value(line.text, b"\"Action\":\"").unwrap_or_default() {
            b"output" | b"build-output" => {
                self.text.clear();
                plain(value(line.text, b"\"Output\":\"").unwrap_or_default(), &mut self.text);
                if self.text == b"FAIL" {
                    return Verdict::Drop("events");
                }
                self.go.line_of(&self.text, value(line.text, b"\"Test\":\"").unwrap_or_default())
            }
            // A whole package failed, or did not build: the text said so, mostly.
            b"fail" if value(line.text, b"\"Test\":\"").is_none() => Verdict::Keep(Rank::Edge),
            b"build-fail" => Verdict::Keep(Rank::Top),
            _ => Verdict::Drop("events"),
        }
    }

    fn end(&mut self) -> (u16, Rank) {
        self.go.end()
    }
}

/// `{"Time":"2026-11-30T15:08:59.1Z","Action":"run","Package":"example.com/a","Test":"TestA"}`
fn is_event(text: &[u8]) -> bool {
    text.starts_with(b"{\"") && [b"{\"Time\":\"".as_slice(), b"{\"Action\":\"", b"{\"ImportPath\":\""].iter().any(|p| text.starts_with(p))
}

/// The string that follows `field`, as it is written.
fn value<'a>(text: &'a [u8], field: &[u8]) -> Option<&'a [u8]> {
    let from = crate::line::find(text, field)? + field.len();
    let mut to = from;
    loop {
        to += memchr::memchr2(b'"', b'\\', &text[to..])?;
        if text[to] == b'"' {
            return Some(&text[from..to]);
        }
        to = (to + 2).min(text.len());
    }
}

/// The string's text, as far as a reader of lines needs it; its line end goes.
fn plain(json: &[u8], text: &mut Vec<u8>) {
    let mut rest = json.iter();
    while let Some(b) = rest.next() {
        if *b != b'\\' {
            text.push(*b);
            continue;
        }
        match rest.next() {
            Some(b'n') => text.push(b'\n'),
            Some(b't') => text.push(b'\t'),
            // \u003c
            Some(b'u') => text.push(b'?'),
            Some(b) => text.push(*b),
            None => {}
        }
    }
    while text.last() == Some(&b'\n') {
        text.pop();
    }
}

fn opens(line: &Line<'_>) -> bool {
    is_event(line.text)
        && line.has("\"Action\":\"")
        && (line.has("\"Package\":\"") || line.has("\"ImportPath\":\""))
        && [b"start".as_slice(), b"run", b"output", b"pass", b"fail", b"skip", b"build-output"]
            .contains(&value(line.text, b"\"Action\":\"").unwrap_or_default())
}

/// Two events near the start.
fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().take(60).filter(|l| opens(l)).count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const RUN: &str = r#"{"Action":"run","Package":"a","Test":"TestA"}
{"Action":"output","Package":"a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"a","Test":"TestA","Output":"    a_test.go:5: want \u003c1\n"}
{"Action":"output","Package":"a","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
{"Action":"fail","Package":"a","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"a","Output":"FAIL\ta\t0.003s\n"}"#;

    #[test]
    fn the_text_inside_is_read() {
        assert_eq!(marks(&SHAPE, RUN), ".ppT.!");
    }

    #[test]
    fn other_json_lines_are_not_events() {
        assert!(sniffs(&SHAPE, RUN));
        assert!(!sniffs(
            &SHAPE,
            "{\"time\":\"x\",\"level\":\"info\"}\n{\"Action\":\"login\",\"Package\":\"x\"}\n{\"Action\":\"login\",\"Package\":\"x\"}"
        ));
    }
}
