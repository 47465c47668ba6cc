//! Go: panics, fatal errors and goroutine dumps. What goes: frames of the standard library
//! and of modules, goroutines that stand where another stood.

use super::begins;
use super::trail::{Trail, LIBRARY, REPEATED};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "go",
    about: "Go panics, fatal errors, deadlocks and goroutine dumps",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"gpfSr", opens),
    cut: |_| Box::new(Go::default()),
};

/// Lines of goroutines other than the first that tell nothing new.
const OTHERS: Noun = "lines of alike goroutines";
/// Goroutines in a row that tell nothing new before their heads go too.
const ALIKE: u32 = 8;

fn opens(line: &Line<'_>) -> bool {
    is_goroutine(line) || is_head(line)
}

fn is_head(line: &Line<'_>) -> bool {
    line.starts("panic: ") && !line.starts("panic: none")
        || line.starts("fatal error: ")
        || line.starts("SIGQUIT: quit")
        || line.starts("runtime: goroutine stack exceeds ")
}

/// `goroutine 18 [running]:`, `goroutine 1 [chan receive, 2 minutes]:`
fn is_goroutine(line: &Line<'_>) -> bool {
    let Some(rest) = line.after("goroutine ") else { return false };
    rest.first().is_some_and(u8::is_ascii_digit) && (rest.ends_with(b"]:") || rest.ends_with(b"):")) && rest.contains(&b'[')
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    /// Behind `panic: `, before a goroutine; so many lines.
    Head(u8),
    /// In the goroutine that failed,
    First,
    /// in another.
    Other,
}

#[derive(Default)]
struct Go {
    state: State,
    trail: Trail,
    /// A goroutine was met in this trace.
    met: bool,
    /// Goroutines in a row that told nothing new.
    quiet: u32,
    /// Lines parked since the present one's head, that one included; none if it was kept.
    held: u16,
}

impl Cut for Go {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        match self.verdict(line) {
            Verdict::Park(noun) => {
                self.held += u16::from(self.held > 0);
                Verdict::Park(noun)
            }
            // A frame that is new brings its goroutine's head along.
            Verdict::KeepWith { rank, lines, with } => {
                self.quiet = 0;
                Verdict::KeepWith { rank, lines: lines.max(std::mem::take(&mut self.held)), with }
            }
            verdict => verdict,
        }
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Go {
    fn verdict(&mut self, line: &Line<'_>) -> Verdict {
        if is_head(line) || self.state != State::Out && line.starts("[originating from goroutine") {
            let rank = self.trail.head(line.text);
            let fresh = !matches!(self.state, State::Head(_));
            self.state = State::Head(0);
            self.met = false;
            return if fresh { self.trail.begin(rank) } else { Verdict::Keep(rank) };
        }
        if is_goroutine(line) {
            return self.goroutine();
        }
        match self.state {
            State::Out => {
                if line.starts("exit status ") {
                    return Verdict::Keep(Rank::Body);
                }
                self.trail.pass(line)
            }
            State::Head(n) => self.head(n, line),
            State::First | State::Other => self.frames(line),
        }
    }

    fn goroutine(&mut self) -> Verdict {
        let fresh = self.state == State::Out;
        let first = !self.met;
        self.met = true;
        self.held = 0;
        self.quiet = if first { 0 } else { self.quiet };
        self.state = if first { State::First } else { State::Other };
        if fresh && first {
            return self.trail.begin(Rank::Top);
        }
        self.trail.section();
        if first {
            return Verdict::Keep(Rank::Top);
        }
        self.quiet += 1;
        if self.quiet > ALIKE {
            self.held = 1;
            return Verdict::Park(OTHERS);
        }
        Verdict::Head
    }

    /// `	panic: again`, `[signal SIGSEGV: ...]`, the rest of a long message
    fn head(&mut self, n: u8, line: &Line<'_>) -> Verdict {
        if line.starts("\tpanic: ") || line.starts("[signal ") || line.starts("\tfatal error: ") {
            return Verdict::Keep(Rank::Top);
        }
        self.state = State::Head(n + 1);
        if line.is_blank() || line.starts("runtime: ") || line.starts("runtime stack:") || line.starts("goroutine ") {
            return Verdict::Keep(Rank::Edge);
        }
        if n < 12 && (line.starts("\t") || line.starts(" ") || is_call(line.text)) || n < 3 {
            return if is_call(line.text) || line.starts("\t/") { Verdict::Keep(Rank::Detail) } else { Verdict::Keep(Rank::Body) };
        }
        self.state = State::Out;
        self.trail.pass(line)
    }

    fn frames(&mut self, line: &Line<'_>) -> Verdict {
        let noun = if self.state == State::First { LIBRARY } else { OTHERS };
        if line.is_blank() {
            return if self.state == State::First { Verdict::Keep(Rank::Edge) } else { Verdict::Drop(noun) };
        }
        if let Some(at) = line.after("\t") {
            return self.place(at, noun);
        }
        if line.starts("created by ") || is_call(line.text) {
            return Verdict::Park(noun);
        }
        // `...additional frames elided...`
        if line.starts("...") {
            return Verdict::Keep(Rank::Detail);
        }
        self.state = State::Out;
        if line.starts("exit status ") {
            return Verdict::Keep(Rank::Body);
        }
        self.trail.pass(line)
    }

    /// `	/a/route.go:22 +0x13d` decides about the call above it.
    fn place(&mut self, at: &[u8], noun: Noun) -> Verdict {
        let at = at.split(|b| *b == b' ').next().unwrap_or(at);
        let own = is_own(at);
        if self.state == State::First {
            return match self.trail.frame(at, own) {
                Verdict::Keep(rank) => Verdict::KeepWith { rank, lines: 1, with: rank.max(Rank::Detail) },
                other => other,
            };
        }
        if !own {
            return Verdict::Drop(noun);
        }
        match self.trail.frame(at, true) {
            Verdict::Keep(_) => Verdict::KeepWith { rank: Rank::Detail, lines: 1, with: Rank::Detail },
            Verdict::Drop(REPEATED) => Verdict::Drop(OTHERS),
            other => other,
        }
    }
}

/// `main.(*stage).run(0xc000054020, 0x0?)`, `runtime.goexit()`
fn is_call(text: &[u8]) -> bool {
    text.ends_with(b")") && text.first().is_some_and(u8::is_ascii_alphabetic) && {
        let open = memchr::memchr(b'(', text).unwrap_or(0);
        open > 0 && text[..open].contains(&b'.') || text.starts_with(b"panic(")
    }
}

fn is_own(at: &[u8]) -> bool {
    let has = |part: &[u8]| crate::line::find(at, part).is_some();
    if place::is_foreign(at) || has(b"/go/src/runtime/") || has(b"/libexec/src/") || has(b"/toolchain@") || has(b"/lib/go") {
        return false;
    }
    // Trimmed paths: `net/http/server.go`, `example.com/x@v1.2.0/a.go`
    let first = at.split(|b| *b == b'/').next().unwrap_or(at);
    !has(b"@v") && (at.starts_with(b"/") || first.ends_with(b".go") || first.contains(&b'.') || first.contains(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn heads_of_alike_goroutines_go_and_come_back_with_what_is_new() {
        let one = |n, at| format!("goroutine {n} [select]:\nmain.run(0x1)\n\t/home/dev/app/{at}.go:7 +0x1d\n\n");
        let many: String = (2..20).map(|n| one(n, "pool")).collect();
        let marked = marks(&SHAPE, &format!("panic: x\n\n{}{many}{}", one(1, "main"), one(20, "odd")));
        assert!(marked.contains("pp..pp..") && marked.ends_with("ppD.."), "{marked}");
    }

    const OWN: &str = "main.run(0x1)\n\t/a/main.go:17 +0x136\n";

    #[test]
    fn the_failing_goroutine_stays_and_alike_ones_go() {
        let other = format!("\ngoroutine 7 [chan send]:\n{OWN}");
        let text = format!("step\npanic: boom\n\ngoroutine 1 [running]:\npanic(0x1)\n\t/usr/local/go/src/runtime/panic.go:884 +0x1\n{OWN}{other}{other}exit status 2");
        assert_eq!(marks(&SHAPE, &text), "?TETpDpTEhp..hp.B");
        assert!(sniffs(&SHAPE, &text) && !sniffs(&SHAPE, "goroutine leaks: none\npanics: 0\n"));
    }
}
