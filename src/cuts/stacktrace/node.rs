//! JavaScript errors of node, deno and bun: message, causes, own frames, what the error
//! carries. What goes: frames of node_modules and the runtime, node's own source lines.

use super::trail::{Trail, LIBRARY};
use super::{begins, is_logged, names_error};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "node",
    about: "JavaScript errors: message, causes, aggregated errors, own frames",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::flush_colon(opens).or_indented(b"a:"),
    cut: |_| Box::new(Node::default()),
};

fn opens(line: &Line<'_>) -> bool {
    is_source(line.text) || line.indent() >= 4 && frame_of(line.trimmed()).is_some_and(|f| f.sure)
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    /// Under `path:line`: source and caret, so many lines of it; is it node's own?
    Source(u8, bool),
    /// Behind the message: the rest of it, so many lines.
    Head(u8),
    Frames,
    /// Within the braces behind the frames, so many lines.
    Props(u16),
}

#[derive(Default)]
struct Node {
    state: State,
    trail: Trail,
    /// The message holds a comparison of values, blank lines included.
    asserted: bool,
}

impl Cut for Node {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        if line.indent() == 0 && is_source(text) {
            let own = !text.starts_with(b"node:");
            self.state = State::Source(0, own);
            return self.trail.begin(if own { Rank::Body } else { Rank::Edge });
        }
        match self.state {
            State::Source(n, own) => self.source(n, own, text, line),
            State::Props(n) => self.props(n, text, line),
            _ => self.trace(text, line),
        }
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Node {
    fn source(&mut self, n: u8, own: bool, text: &[u8], line: &Line<'_>) -> Verdict {
        if line.indent() == 0 && names_error(text) || text.is_empty() && n > 0 || n > 6 {
            self.state = State::Head(0);
            self.asserted = false;
            return if text.is_empty() { Verdict::Keep(Rank::Edge) } else { Verdict::Keep(self.trail.head(text)) };
        }
        self.state = State::Source(n + 1, own);
        Verdict::Keep(if own { Rank::Body } else { Rank::Edge })
    }

    fn trace(&mut self, text: &[u8], line: &Line<'_>) -> Verdict {
        let inside = self.state != State::Out;
        if let Some(frame) = frame_of(text).filter(|f| inside || f.sure && line.indent() > 0) {
            self.state = if frame.open { State::Props(0) } else { State::Frames };
            if !inside {
                let verdict = self.trail.begin_at_frame();
                self.trail.frame(frame.key, frame.own);
                return verdict;
            }
            let verdict = self.trail.frame(frame.key, frame.own);
            return verdict;
        }
        if inside && is_count(text) {
            return Verdict::Drop(LIBRARY);
        }
        if names_error(text) && line.indent() == 0 {
            let fresh = !matches!(self.state, State::Head(_));
            self.asserted = text.starts_with(b"AssertionError");
            let rank = self.trail.head(text);
            self.state = if text.ends_with(b"] {") { State::Props(0) } else { State::Head(1) };
            return if fresh { self.trail.begin(rank) } else { Verdict::Keep(rank) };
        }
        let most = if self.asserted { 60 } else { 12 };
        match self.state {
            // `Require stack:`, `- /home/dev/app/a.js`
            State::Head(n) if n < most && (self.asserted || !text.is_empty()) && !is_logged(text) => {
                self.state = State::Head(n + 1);
                if text.ends_with(b" {") && n == 0 {
                    self.state = State::Props(0);
                }
                Verdict::Keep(if n == 0 {
                    Rank::Top
                } else if n < 6 || self.asserted && matches!(text.first(), Some(b'+' | b'-')) {
                    Rank::Body
                } else {
                    Rank::Detail
                })
            }
            _ => {
                self.state = State::Out;
                if text.starts_with(b"Node.js v") || text.starts_with(b"Thrown at:") {
                    return Verdict::Keep(Rank::Detail);
                }
                self.trail.pass(line)
            }
        }
    }

    fn props(&mut self, n: u16, text: &[u8], line: &Line<'_>) -> Verdict {
        self.state = State::Props(n.saturating_add(1));
        if let Some(frame) = frame_of(text) {
            return self.trail.frame(frame.key, frame.own);
        }
        if line.indent() == 0 {
            if text.starts_with(b"}") || text.starts_with(b"]") {
                self.state = State::Frames;
                return Verdict::Keep(Rank::Edge);
            }
            self.state = State::Out;
            return self.trace(text, line);
        }
        if is_count(text) {
            return Verdict::Drop(LIBRARY);
        }
        let cause = text.strip_prefix(b"[cause]: ").or(text.strip_prefix(b"cause: ")).unwrap_or(text);
        if names_error(cause) {
            self.trail.section();
            return Verdict::Keep(self.trail.head(cause));
        }
        Verdict::Keep(match n {
            _ if matches!(text, b"}" | b"]" | b"}," | b"],") => Rank::Edge,
            0..=30 if text.starts_with(b"code: ") || text.starts_with(b"[errors]") => Rank::Body,
            0..=30 => Rank::Detail,
            _ => Rank::Edge,
        })
    }
}

/// `... 6 lines matching cause stack trace ...`
fn is_count(text: &[u8]) -> bool {
    text.starts_with(b"... ") && text.ends_with(b" lines matching cause stack trace ...")
}

/// `/home/dev/app/src/sync.js:35`, `file:///home/dev/a.mjs:1`, `node:internal/x:391`, alone
/// on a line.
fn is_source(text: &[u8]) -> bool {
    if !text.last().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let Some(colon) = memchr::memrchr(b':', text) else { return false };
    let (path, number) = (&text[..colon], &text[colon + 1..]);
    if number.is_empty() || !number.iter().all(u8::is_ascii_digit) || path.contains(&b' ') && !path.starts_with(b"/") {
        return false;
    }
    path.starts_with(b"node:")
        || (path.starts_with(b"/") || path.starts_with(b"file:///") || path.get(1..3) == Some(b":\\"))
            && [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"].iter().any(|e| path.ends_with(e.as_bytes()))
}

struct Frame<'a> {
    key: &'a [u8],
    own: bool,
    sure: bool,
    /// ` {` behind it: what the error carries follows.
    open: bool,
}

/// `at f (/a/b.js:1:2)`, `at async /a/b.js:1:2`, `at Array.reduce (<anonymous>)`
fn frame_of(text: &[u8]) -> Option<Frame<'_>> {
    let rest = text.strip_prefix(b"at ")?;
    let open = rest.ends_with(b" {");
    let key = rest.strip_suffix(b" {").or(rest.strip_suffix(b",")).unwrap_or(rest);
    let native = key.ends_with(b"(<anonymous>)") || key.ends_with(b"(native)") || key.ends_with(b"(index 0)");
    let place = key.strip_suffix(b")").unwrap_or(key);
    let sure = ends_in_place(place);
    // Rust's frames end alike: `at ./src/replay.rs:14:31`
    if crate::line::find(key, b".rs:").is_some() || !sure && !native && crate::line::find(key, b"(eval at ").is_none() {
        return None;
    }
    let path = place.rsplit(|b| *b == b'(').next().unwrap_or(place);
    let runtime =
        path.starts_with(b"node:") || path.starts_with(b"async node:") || path.starts_with(b"ext:") || path.starts_with(b"internal/");
    let foreign = native || runtime || place::is_foreign(place);
    Some(Frame { key, own: !foreign, sure, open })
}

/// Does the text end in `path:line:column`?
fn ends_in_place(text: &[u8]) -> bool {
    let mut parts = text.rsplitn(3, |b| *b == b':');
    let number = |part: Option<&[u8]>| part.is_some_and(|p| !p.is_empty() && p.iter().all(u8::is_ascii_digit));
    number(parts.next()) && number(parts.next()) && parts.next().is_some_and(|p| !p.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn causes_stand_behind_the_frames() {
        let text = "/a/s.js:3\n  throw e;\n  ^\n\nError: top\n    at run (/a/s.js:3:9)\n    at node:internal/x:1:2 {\n  [cause]: SyntaxError: deep\n      at JSON.parse (<anonymous>)\n      at g (/a/s.js:8:1)\n}\n\nNode.js v20.20.2";
        assert_eq!(marks(&SHAPE, text), "BBBETT.TDTE?D");
    }

    #[test]
    fn a_frame_alone_opens() {
        let text = "x\nTypeError: y\n    at q (/a/s.js:8:32)\n    at n (/a/node_modules/e/i.js:1:2)\nGET /";
        assert_eq!(marks(&SHAPE, text), "?TT.B");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "meet at 10:30\n  at noon\n"));
    }
}
