//! What stands below the name of a failing test, whatever the runner: message, values,
//! code frame, diff, stack. Told apart line by line, and by how often it was said before.

use crate::cut::{Rank, Verdict};
use crate::cuts::place;
use crate::cuts::seen::Seen;
use Rank::{Body, Detail, Edge, Top};
use Verdict::{Drop, Keep, KeepWith};

/// Failures that are explained at the highest rank.
const EXPLAINED: u32 = 20;
/// Failures whose names are held as dearly as the first.
const NAMED: u32 = 240;
/// Differing lines of a failure that outrank plain data.
const VALUES: u32 = 16;
/// Differing lines of a failure that are as good as its message.
const FIRST: u32 = 6;
/// Lines of a message, below its first, that explain.
const MESSAGE: u32 = 4;

/// The explanation of one failure after the other.
#[derive(Default)]
pub(super) struct Explain {
    seen: Seen,
    failures: u32,
    /// The present message was given twice before.
    repeated: bool,
    lines: u32,
    values: u32,
    frames: u32,
    /// A diff has begun: lines without a sign are its context.
    diff: bool,
    /// Lines that the one before announced: `expected:`, `First differing element 6:`.
    heading: u8,
}

impl Explain {
    /// A new failure: what its name is worth.
    pub fn open(&mut self) -> Rank {
        self.failures += 1;
        (self.repeated, self.diff) = (false, false);
        (self.lines, self.values, self.frames, self.heading) = (0, 0, 0, 0);
        if self.failures <= NAMED {
            Top
        } else {
            Body
        }
    }

    /// What a place or a value of the present failure is worth at most: of many failures one
    /// wants the names.
    pub fn most(&self) -> Rank {
        if self.failures > EXPLAINED {
            Detail
        } else {
            Top
        }
    }

    /// A line of the explanation, without what the runner puts before each (`# `, `│`).
    pub fn line(&mut self, text: &[u8]) -> Verdict {
        let said = text.trim_ascii();
        if said.is_empty() {
            return Keep(Edge);
        }
        let heading = self.heading > 0;
        self.heading = self.heading.saturating_sub(1);
        if let Some(verdict) = self.frame(said) {
            return verdict;
        }
        if let Some(verdict) = self.code(said) {
            return verdict;
        }
        if is_rule(said) {
            return Keep(Edge);
        }
        let top = if self.failures > EXPLAINED { Body } else { Top };
        // `--- expected`, `+++ actual`, `@@ -1,3 +1,4 @@`
        if said.starts_with(b"--- ") || said.starts_with(b"+++ ") || said.starts_with(b"@@ ") {
            self.diff = true;
            return Keep(Edge);
        }
        if is_value(said) {
            // `Expected: 200`, `- Expected  - 1`, `+ expected - actual`
            self.heading = u8::from(said.ends_with(b":"));
            self.diff |= matches!(said[0], b'-' | b'+');
            self.lines += 1;
            self.values += 1;
            // The same message with other values is another failure.
            let told = self.repeated && self.seen.same(said) > 1;
            return Keep(match (told, self.values) {
                (true, _) => Edge,
                (_, 0..=FIRST) => top,
                (_, _) if self.values <= VALUES => Body,
                _ => Edge,
            });
        }
        if matches!(said[0], b'-' | b'+') && (self.diff || said.get(1).is_none_or(|b| matches!(b, b' ' | b'\t' | b'"'))) && self.lines > 0 {
            self.diff = true;
            self.values += 1;
            return Keep(match self.values {
                _ if self.repeated => Edge,
                0..=FIRST => top,
                _ if self.values <= VALUES => Body,
                _ => Edge,
            });
        }
        self.lines += 1;
        if self.lines == 1 {
            let met = self.seen.alike(said);
            // A bare `NoMethodError:` says nothing yet.
            self.heading = u8::from(said.ends_with(b":"));
            self.repeated = met > 2 && self.heading == 0;
            return Keep(match met {
                1 | 2 => top,
                3..=8 => Body,
                _ => Detail,
            });
        }
        if is_cause(said) {
            self.diff = false;
            return Keep(if self.seen.same(said) <= 2 { top } else { Edge });
        }
        if said.starts_with(b"First differing element ") {
            self.heading = 2;
            return Keep(Body);
        }
        if heading && !self.repeated {
            return Keep(if self.seen.same(said) <= 2 { top } else { Detail });
        }
        if self.repeated || self.diff {
            return Keep(Edge);
        }
        Keep(match self.lines {
            0..=MESSAGE => Body,
            5..=20 => Detail,
            _ => Edge,
        })
    }

    /// A frame of a stack: the reader's own first ones stay.
    fn frame(&mut self, said: &[u8]) -> Option<Verdict> {
        if !is_frame(said) {
            return None;
        }
        Some(self.stack(said))
    }

    /// A line that is known to be of a stack, whatever it looks like.
    pub fn stack(&mut self, said: &[u8]) -> Verdict {
        let said = said.trim_ascii();
        let runtime = [b"(<anonymous>)".as_slice(), b"(native)", b"<anonymous>", b" (index 0)"].iter().any(|e| said.ends_with(e));
        if runtime || place::is_foreign(said) || said.starts_with(b"node:") || crate::line::find(said, b"(index ").is_some() {
            return Drop("runtime frames");
        }
        self.diff = false;
        self.frames += 1;
        let met = self.seen.same(said);
        Keep(match self.frames {
            _ if self.repeated && met > 1 => Edge,
            1 if self.failures <= EXPLAINED => Top,
            1 => Body,
            2 | 3 if met <= 2 => Detail,
            _ => Edge,
        })
    }

    /// A code frame: `> 20 |     return table[code];`, `     |       ^`, `  21| }`
    fn code(&mut self, said: &[u8]) -> Option<Verdict> {
        let (marked, rest) = match said.strip_prefix(b">") {
            Some(rest) => (true, rest.trim_ascii_start()),
            None => (false, said),
        };
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let rest = rest[digits..].trim_ascii_start().strip_prefix(b"|")?;
        if digits == 0 {
            let marks = rest.iter().all(|b| matches!(b, b' ' | b'^' | b'~' | b'-'));
            return marks.then_some(KeepWith { rank: Edge, lines: 1, with: if self.repeated { Edge } else { Detail } });
        }
        Some(Keep(if marked && !self.repeated { Detail } else { Edge }))
    }
}

/// Nothing but a drawn line?
pub(super) fn is_rule(said: &[u8]) -> bool {
    let text = String::from_utf8_lossy(said.get(..said.len().min(64)).unwrap_or(said));
    text.chars().count() >= 4 && text.chars().all(|c| matches!(c, '─' | '⎯' | '━' | '-' | '=' | '═' | '_' | '*' | '\u{fffd}'))
}

/// A line that names what was wanted or what came instead.
fn is_value(said: &[u8]) -> bool {
    let body = match said {
        [b'-' | b'+', b' ', rest @ ..] => rest,
        _ => said,
    };
    let word = body.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let rest = &body[word..];
    if said.len() < 200 && crate::line::find(said, b" !== ").is_some() {
        return true;
    }
    match &body[..word] {
        b"Expected" => rest.is_empty() || matches!(rest[0], b':' | b' ' | b'('),
        b"expected" => {
            rest.is_empty()
                || matches!(rest[0], b':' | b'(')
                || [b"  ".as_slice(), b" - actual", b" and "].iter().any(|w| rest.starts_with(w))
        }
        b"Received" | b"received" | b"Snapshot" | b"Actual" | b"actual" | b"got" | b"Got" | b"wanted" => {
            rest.is_empty()
                || matches!(rest[0], b':' | b'(')
                || rest.starts_with(b"  ")
                || [" string", " pattern", " message", " value", " promise", " number", " path", " has ", " length", " function"]
                    .iter()
                    .any(|w| rest.starts_with(w.as_bytes()))
        }
        b"Message" | b"Class" => rest.starts_with(b": <"),
        b"Rejected" | b"Resolved" => rest.starts_with(b" to value"),
        b"Difference" => rest.is_empty() || rest.starts_with(b":"),
        _ => false,
    }
}

/// `Type: message`, `pkg.mod.Type: message`, `AssertionError [ERR_ASSERTION]: message` or a
/// bare `KeyError`.
pub(super) fn is_exception(text: &[u8]) -> bool {
    let name = text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')).count();
    let mut rest = &text[name..];
    if let Some(code) = rest.strip_prefix(b" [") {
        let Some(close) = memchr::memchr(b']', code) else { return false };
        rest = &code[close + 1..];
    }
    if name < 4 || !(rest.is_empty() || rest == b":" || rest.starts_with(b": ")) {
        return false;
    }
    let last = text[..name].rsplit(|b| *b == b'.').next().unwrap_or_default();
    const ENDS: &[&[u8]] =
        &[b"Error", b"Exception", b"Warning", b"Exit", b"Interrupt", b"Failed", b"Timeout", b"Group", b"Iteration", b"Refused", b"Failure"];
    last.first().is_some_and(u8::is_ascii_uppercase)
        && (!rest.is_empty() && memchr::memchr(b'.', &text[..name]).is_some() || ENDS.iter().any(|e| last.ends_with(e)))
}

/// An exception, or what introduces one.
fn is_cause(said: &[u8]) -> bool {
    let said = [b"Caused by: ".as_slice(), b"[cause]: ", b"Uncaught ", b"Cause: ", b"---> "]
        .iter()
        .find_map(|p| said.strip_prefix(*p))
        .unwrap_or(said);
    is_exception(said)
}

/// A frame of a stack in the forms of node, Ruby, PHP, .NET and Python.
///
/// ```text
/// at Object.toBe (test/area04.test.js:22:30)
/// ❯ src/build.test.js:5:78
/// # ./spec/x_spec.rb:309:in `block (2 levels) in <top (required)>'
/// /home/dev/app/tests/PriceTest.php:44
/// at Shop.Tests.Price.Rounds() in /home/dev/app/Price.cs:line 12
/// ```
fn is_frame(said: &[u8]) -> bool {
    if let Some(rest) = said.strip_prefix(b"at ") {
        return memchr::memchr2(b':', b'(', rest).is_some()
            || crate::line::find(rest, b" line ").is_some()
            || rest.ends_with(b"<anonymous>");
    }
    if let Some(rest) = said.strip_prefix("❯ ".as_bytes()) {
        return rest.rsplit(|b| *b == b' ').next().is_some_and(ends_in_place);
    }
    let said = said.strip_prefix(b"# ").unwrap_or(said);
    match place::split(said) {
        // Ruby's, PHP's and ava's: a place, alone or with what it is in.
        Some((path, rest)) => {
            memchr::memchr(b' ', path).is_none()
                && memchr::memchr2(b'.', b'/', path).is_some()
                && (rest.is_empty() || rest.starts_with(b":in ") || rest == b")")
                || said.starts_with(b"file://") && ends_in_place(said)
        }
        None => said.starts_with(b"file:///") && ends_in_place(said),
    }
}

/// `src/a.js:5:78`
fn ends_in_place(text: &[u8]) -> bool {
    let text = text.strip_suffix(b")").unwrap_or(text);
    let digits = text.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && text[..text.len() - digits].ends_with(b":")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> String {
        let mut explain = Explain::default();
        explain.open();
        let mark = |line: &str| match explain.line(line.as_bytes()) {
            Keep(Top) => 'T',
            Keep(Body) => 'B',
            Keep(Detail) => 'D',
            Keep(_) | KeepWith { .. } => 'E',
            _ => '.',
        };
        text.split('\n').map(mark).collect()
    }

    #[test]
    fn message_values_code_and_stack_are_told_apart() {
        let text = "expect(received).toBe(expected)\n\nExpected: 200\nReceived: 199\n  21 | a\n> 22 | b\n     |  ^\n at Object.toBe (t/a.test.js:22:30)\n at x (node_modules/a.js:1:2)";
        assert_eq!(marks(text), "TETTEDET.");
        assert_eq!(marks("Error: x\n- Expected\n+ Received\n  {\n-   \"d\": 1,\n+   \"d\": 2,\n  }\n❯ src/a.test.js:8:74"), "TTTETTET");
    }

    #[test]
    fn an_exception_is_a_name_and_what_it_says() {
        let is = |t: &str| is_exception(t.as_bytes());
        assert!(is("KeyError: 'LI'") && is("a.b.Gateway: [402] x") && is("AssertionError [ERR_ASSERTION]: x") && is("KeyError"));
        assert!(!is("note: x") && !is("Order 4711: x") && !is("Total: 3"));
    }
}
