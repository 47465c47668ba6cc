//! .NET: unhandled exceptions with the inner ones. What goes: frames of the framework.

use super::trail::{Trail, LIBRARY};
use super::{begins, is_logged, names_error};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "dotnet",
    about: ".NET exceptions with their inner exceptions",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"U", opens).or_indented(b"a"),
    cut: |_| Box::new(Dotnet::default()),
};

fn opens(line: &Line<'_>) -> bool {
    line.starts("Unhandled exception. ") || line.starts("Unhandled Exception: ") || {
        line.starts("   at ") && frame_of(line.trimmed()).is_some_and(|f| f.sure)
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    /// Behind a head: so many lines of its message.
    Head(u8),
    Frames,
}

#[derive(Default)]
struct Dotnet {
    state: State,
    trail: Trail,
}

impl Cut for Dotnet {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        let inside = self.state != State::Out;
        if let Some(frame) = frame_of(text).filter(|f| inside || line.starts("   at ") && f.sure) {
            self.state = State::Frames;
            if !inside {
                let verdict = self.trail.begin_at_frame();
                self.trail.frame(frame.key, frame.own);
                return verdict;
            }
            return self.trail.frame(frame.key, frame.own);
        }
        if inside && text.starts_with(b"---> ") {
            self.state = State::Head(0);
            return Verdict::Keep(self.trail.cause(text));
        }
        // `   --- End of inner exception stack trace ---`: the outer one's frames follow.
        if inside && text.starts_with(b"--- End of inner ") {
            self.trail.section();
            return Verdict::Keep(Rank::Body);
        }
        if inside && text.starts_with(b"--- End of stack trace from previous location") {
            return Verdict::Drop(LIBRARY);
        }
        if line.starts("Unhandled ") && opens(line) || names_error(text) && line.indent() == 0 {
            self.state = State::Head(0);
            let rank = self.trail.head(text);
            return self.trail.begin(rank);
        }
        if let State::Head(n) = self.state {
            if n < 8 && !text.is_empty() && !is_logged(text) {
                self.state = State::Head(n + 1);
                return Verdict::Keep(Rank::Body);
            }
        }
        self.state = State::Out;
        self.trail.pass(line)
    }

    fn is_amid(&self) -> bool {
        true
    }
}

struct Frame<'a> {
    key: &'a [u8],
    own: bool,
    sure: bool,
}

/// `at Shop.Cart.Add(Item item) in /src/Cart.cs:line 12`, `at System.Linq.Enumerable.First[T](...)`
fn frame_of(text: &[u8]) -> Option<Frame<'_>> {
    let rest = text.strip_prefix(b"at ")?;
    let open = memchr::memchr(b'(', rest)?;
    let placed = crate::line::find(rest, b") in ").is_some() && memchr::memmem::rfind(rest, b":line ").is_some();
    if !placed && !rest.ends_with(b")") || !rest[..open].contains(&b'.') || rest[..open].contains(&b'/') {
        return None;
    }
    // A library's place is on the machine that built it: `/_/src/Npgsql/Internal.cs:line 1`
    let built = crate::line::find(rest, b") in /_/").is_some();
    let framework = [&b"System."[..], b"Microsoft.", b"lambda_method"].iter().any(|p| rest.starts_with(p));
    Some(Frame { key: rest, own: placed && !framework && !built, sure: placed || framework })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn inner_exceptions_stay() {
        let text = "step\nUnhandled exception. Shop.CartError: bad\n ---> System.FormatException: x\n   at System.Int32.Parse(String s)\n   at Shop.Cart.Qty(String s) in /a/Cart.cs:line 12\n   at System.Linq.Q.F()\n   --- End of inner exception stack trace ---\n   at Shop.App.Main() in /a/App.cs:line 4\nstep";
        assert_eq!(marks(&SHAPE, text), "?TTDT.BTB");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "   at home (later)\n"));
    }
}
