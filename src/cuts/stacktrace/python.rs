//! Python tracebacks: plain, chained, of exception groups, of threads and tasks, syntax
//! errors, and faulthandler's dumps. What goes: frames of libraries and frames met again.

use super::trail::{Trail, LIBRARY};
use super::{begins, is_logged};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "python",
    about: "Python tracebacks: chained, grouped, in threads, syntax errors, faulthandler",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::colon(opens).or_indented(b"F"),
    cut: |_| Box::new(Python::default()),
};

const HEAD: &str = "Traceback (most recent call last):";
/// A common text before each line of a trace (`web-1  | `) is at most so long.
const PREFIX: usize = 64;
/// Library frames (with their source lines) that stay when a trace has no own frame.
const LAST: u16 = 4;
/// Lines nearest to the message that stay when it has very many.
const DEEP: u16 = 12;
/// Own frames of a trace from its outer end that stay in any case.
const FIRST: u32 = 5;
/// Own frames in the middle of many.
const FRAMES: Noun = "frames between";

fn opens(line: &Line<'_>) -> bool {
    // A torn output line may stand before it: `channel, markTraceback (most recent call last):`
    line.ends(HEAD)
        || line.starts("Exception in thread ") && line.ends(":") && !line.has("\"")
        || line.is_error() && line.has("Fatal Python error: ")
        || line.starts("  File \"") && place_of(line.text).is_some_and(|p| p.name.is_empty() && p.last)
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    /// Among frames.
    Frames,
    /// Behind the message: notes may follow. So many lines were taken for such.
    After(u8),
    /// In a dump of faulthandler.
    Dump,
}

#[derive(Default)]
struct Python {
    state: State,
    trail: Trail,
    /// What stands before each line of this trace.
    prefix: Vec<u8>,
    /// In an exception group, whose lines stand behind `| `.
    grouped: bool,
    /// Parked lines of this trace.
    parked: u16,
    /// Those of them that are own frames, since the last of a library.
    run: u16,
    /// The last frame is where a syntax error is.
    pointing: bool,
}

impl Cut for Python {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        self.trail.outermost_first = self.state != State::Dump;
        if line.ends(HEAD) {
            return self.head(line);
        }
        if line.has("Fatal Python error: ") || line.starts("Timeout (") && line.ends(")!") {
            self.state = State::Dump;
            return self.trail.begin(Rank::Top);
        }
        let Some(text) = self.body(line) else {
            self.state = State::Out;
            return self.out(line);
        };
        match self.state {
            State::Out => self.out(line),
            State::Frames => self.among_frames(text, line),
            State::After(n) => self.after(n, text, line),
            State::Dump => self.dump(line),
        }
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Python {
    fn head(&mut self, line: &Line<'_>) -> Verdict {
        let before = &line.text[..line.text.len() - HEAD.len()];
        let fresh = self.state == State::Out;
        let group = before.trim_ascii_start().strip_prefix(b"+ ").or(before.trim_ascii_start().strip_prefix(b"| "));
        if group.is_some() {
            self.grouped = true;
        } else {
            self.grouped = false;
            self.prefix.clear();
            if before.len() <= PREFIX {
                self.prefix.extend_from_slice(before);
            }
        }
        self.state = State::Frames;
        (self.parked, self.run) = (0, 0);
        if fresh {
            return self.trail.begin(Rank::Body);
        }
        self.trail.section();
        Verdict::Keep(if self.grouped { Rank::Detail } else { Rank::Body })
    }

    /// The line without what stands before it in this trace. `None`: the trace is over.
    fn body<'a>(&self, line: &Line<'a>) -> Option<&'a [u8]> {
        if self.grouped && self.state != State::Out {
            let text = line.text.trim_ascii_start();
            return if text.starts_with(b"+-") { Some(text) } else { text.strip_prefix(b"|").map(|t| t.strip_prefix(b" ").unwrap_or(t)) };
        }
        Some(line.text.strip_prefix(self.prefix.as_slice()).unwrap_or(line.text))
    }

    fn out(&mut self, line: &Line<'_>) -> Verdict {
        // `Exception in thread worker-0:`, `Exception ignored in: <function ...>`
        if line.starts("Exception in thread ") || line.starts("Exception ignored in") || line.ends("exception was never retrieved") {
            return self.trail.begin(Rank::Top);
        }
        if line.starts("future: <") || line.has("._RemoteTraceback:") {
            return Verdict::Keep(Rank::Body);
        }
        if line.starts("During handling of the above exception") || line.starts("The above exception was the direct cause") {
            return Verdict::Keep(Rank::Body);
        }
        if line.starts("  File \"") && place_of(line.text).is_some() {
            // A syntax error of the started file has no head.
            let verdict = self.trail.begin(Rank::Top);
            self.state = State::Frames;
            self.grouped = false;
            self.prefix.clear();
            self.parked = 0;
            self.pointing = true;
            self.trail.frame(line.text, true);
            return verdict;
        }
        self.trail.pass(line)
    }

    fn among_frames(&mut self, text: &[u8], line: &Line<'_>) -> Verdict {
        if let Some(place) = place_of(text) {
            // Where a syntax error points has no function: `  File "a.py", line 9`
            self.pointing = place.name.is_empty() && place.last;
            if is_own(place.path) || self.pointing {
                let verdict = self.trail.frame(text, true);
                if self.pointing {
                    return Verdict::Keep(Rank::Top);
                }
                // The last of many frames say more than those in the middle.
                if matches!(verdict, Verdict::Keep(_)) && self.trail.own() > FIRST {
                    self.trail.last = Verdict::Park(FRAMES);
                    return self.park(FRAMES);
                }
                return verdict;
            }
            let run = std::mem::take(&mut self.run).min(DEEP);
            if run > 0 {
                // The own frames that a library was called from.
                self.trail.last = Verdict::Keep(Rank::Detail);
                return Verdict::KeepWith { rank: Rank::Detail, lines: run, with: Rank::Body };
            }
            self.trail.last = Verdict::Park(LIBRARY);
            return self.park(LIBRARY);
        }
        if text.starts_with(b"  [Previous line repeated") {
            return if self.trail.has_own() { Verdict::Keep(Rank::Body) } else { self.fate() };
        }
        // Ruby before 3.0 wrote `	 2: from a.rb:3:in ...` under the same head.
        if text.starts_with(b"  ") || text.starts_with(b"\t") {
            return self.fate();
        }
        if text.starts_with(b"+-") {
            self.trail.section();
            return Verdict::Keep(Rank::Detail);
        }
        if text.is_empty() || text == b"\"\"\"" {
            return Verdict::Keep(Rank::Body);
        }
        self.message(text, line)
    }

    fn park(&mut self, noun: Noun) -> Verdict {
        self.parked = self.parked.saturating_add(1);
        if noun == FRAMES {
            self.run = self.run.saturating_add(1);
        }
        Verdict::Park(noun)
    }

    /// The lines under a frame share its fate.
    fn fate(&mut self) -> Verdict {
        match self.trail.last {
            Verdict::Park(noun) => self.park(noun),
            _ if self.pointing => Verdict::Keep(Rank::Body),
            verdict => verdict,
        }
    }

    fn message(&mut self, text: &[u8], line: &Line<'_>) -> Verdict {
        self.state = State::After(0);
        self.pointing = false;
        let rank = self.trail.head(text);
        if !self.grouped && is_logged(text) && !line.is_error() {
            self.state = State::Out;
            return self.trail.pass(line);
        }
        let run = std::mem::take(&mut self.run).min(DEEP);
        let lines = if self.trail.has_own() { run } else { self.parked.min(LAST) };
        if lines > 0 && rank == Rank::Top {
            return Verdict::KeepWith { rank, lines, with: Rank::Body };
        }
        Verdict::Keep(rank)
    }

    fn after(&mut self, n: u8, text: &[u8], line: &Line<'_>) -> Verdict {
        if text.starts_with(b"During handling of the above exception") || text.starts_with(b"The above exception was the direct cause") {
            return Verdict::Keep(Rank::Body);
        }
        if text.is_empty() || text == b"\"\"\"" {
            return Verdict::Keep(Rank::Body);
        }
        self.state = State::After(n + 1);
        if self.grouped {
            self.state = State::After(n.min(10) + 1);
            if text.starts_with(b"+-") {
                self.state = State::Frames;
                self.trail.section();
                // The last of a group has no number: `+------------------------------------`
                return Verdict::Keep(if text.contains(&b' ') { Rank::Detail } else { Rank::Edge });
            }
            return Verdict::Keep(match n {
                0..=2 => Rank::Top,
                3..=6 => Rank::Body,
                _ => Rank::Edge,
            });
        }
        // `[SQL: select 1]`, `(Background on this error at: ...)`, an indented rest of the message
        if n < 8 && matches!(text[0], b'[' | b'(' | b' ' | b'\t') && !is_logged(text) {
            return Verdict::Keep(if text.starts_with(b"(Background on") { Rank::Edge } else { Rank::Body });
        }
        // A note or a message of several lines has no mark; nor has the program's next line.
        if n < 2 && !is_logged(text) {
            self.trail.note();
            let pool = line.has("._RemoteTraceback:") || line.starts("future: <");
            return Verdict::Keep(if pool { Rank::Body } else { Rank::Detail });
        }
        self.state = State::Out;
        self.out(line)
    }

    fn dump(&mut self, line: &Line<'_>) -> Verdict {
        // `Current thread 0x00007f5581377040 (most recent call first):`
        if line.ends("(most recent call first):") || line.ends("(most recent call first)") {
            self.trail.section();
            return Verdict::Keep(if line.starts("Thread ") { Rank::Detail } else { Rank::Top });
        }
        if let Some(place) = place_of(line.text) {
            return self.trail.frame(line.text, is_own(place.path));
        }
        if line.is_blank() || line.starts("Extension modules: ") || line.starts("  <") || line.starts("  ...") {
            return Verdict::Keep(Rank::Edge);
        }
        if line.starts("Python runtime state:") || line.starts("Current thread's C stack trace") || line.starts("  Binary file") {
            return Verdict::Keep(Rank::Detail);
        }
        self.state = State::Out;
        self.out(line)
    }
}

struct Place<'a> {
    path: &'a [u8],
    name: &'a [u8],
    /// Nothing follows the number.
    last: bool,
}

/// Is it a file of the reader's own? Checkouts of well-known libraries are not.
fn is_own(path: &[u8]) -> bool {
    const LIBRARIES: &[&str] = &[
        "/src/flask/",
        "/src/werkzeug/",
        "/src/jinja2/",
        "/src/click/",
        "/src/requests/",
        "/src/urllib3/",
        "/src/pytest/",
        "/src/_pytest/",
        "/src/attr/",
        "/django/core/",
        "/django/db/",
        "/lib/sqlalchemy/",
        "\\Lib\\",
        "\\lib\\python",
    ];
    let has = |part: &str| crate::line::find(path, part.as_bytes()).is_some();
    !place::is_foreign(path) && !path.starts_with(b"<frozen") && !LIBRARIES.iter().any(|part| has(part))
}

/// `  File "a.py", line 9, in f`; faulthandler writes no comma before `in`.
fn place_of(text: &[u8]) -> Option<Place<'_>> {
    let rest = text.strip_prefix(b"  File \"")?;
    let quote = crate::line::find(rest, b"\", line ")?;
    let path = &rest[..quote];
    let rest = &rest[quote + 8..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &rest[digits..];
    let name = rest.strip_prefix(b", in ").or(rest.strip_prefix(b" in ")).unwrap_or_default();
    (digits > 0 || rest.starts_with(b"?")).then_some(Place { path, name, last: rest.is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    const OWN: &str = "  File \"/home/dev/app/a.py\", line 3, in f\n    g()";
    const LIB: &str = "  File \"/usr/lib/python3.11/json/__init__.py\", line 9, in loads\n    x()\n    ^^^";

    #[test]
    fn own_frames_and_message_stay() {
        let text = format!("step 1\n{HEAD}\n{OWN}\n{LIB}\nValueError: bad\nstep 2");
        assert_eq!(marks(&SHAPE, &text), "?BBBpppTD");
        assert!(sniffs(&SHAPE, &text) && !sniffs(&SHAPE, "START = \"Traceback (most recent call last):\"\n"));
    }

    #[test]
    fn recursion_shows_its_cycle_once() {
        let text = format!("{HEAD}\n{OWN}\n{OWN}\n{OWN}\n  [Previous line repeated 9 more times]\nRecursionError: deep");
        assert_eq!(marks(&SHAPE, &text), "BBB....BT");
    }

    #[test]
    fn a_group_ends_with_its_bars() {
        let text = "  + Exception Group Traceback (most recent call last):\n  |   File \"a.py\", line 3, in f\n  |     g()\n  | ExceptionGroup: two\n  | note\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File \"b.py\", line 1, in h\n    | ValueError: x\n    +------------------------------------\nplain";
        assert_eq!(marks(&SHAPE, text), "BBBTTDDBTEB");
    }
}
