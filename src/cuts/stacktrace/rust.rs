//! Rust: panics with and without a backtrace, aborts, `Caused by` chains. What goes: frames
//! of std, core and crates, the hints about RUST_BACKTRACE.

use super::begins;
use super::trail::{Trail, LIBRARY};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "rust",
    about: "Rust panics, backtraces and aborts",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"tT\xe2", opens).or_indented(b"\xe2").or_last(b":"),
    cut: |_| Box::new(Rust::default()),
};

fn opens(line: &Line<'_>) -> bool {
    is_panic(line) || line.text.eq_ignore_ascii_case(b"stack backtrace:") || is_crash(line) || is_banner(line)
}

/// color-eyre's head of a panic.
fn is_crash(line: &Line<'_>) -> bool {
    line.text == b"The application panicked (crashed)."
}

/// color-eyre's `  ━━━━ BACKTRACE ━━━━`
fn is_banner(line: &Line<'_>) -> bool {
    line.trimmed().starts_with("━━".as_bytes()) && line.has(" BACKTRACE ")
}

/// `thread 'main' (17144) panicked at src/replay.rs:14:31:`, before 1.73 `panicked at 'msg', src/a.rs:1:2`
fn is_panic(line: &Line<'_>) -> bool {
    line.starts("thread ") && (line.has("' panicked at ") || line.has(") panicked at ") || line.ends(" has overflowed its stack"))
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    /// Behind a panic's head: so many lines of its message.
    Message(u8),
    /// Behind `Error:` or color-eyre's head: so many lines of causes, span trace and place.
    Chain(u8),
    Frames,
}

#[derive(Default)]
struct Rust {
    state: State,
    trail: Trail,
    /// A name is parked, or kept, before its place comes.
    named: Option<bool>,
}

impl Cut for Rust {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_panic(line) {
            let fresh = self.state == State::Out;
            self.state = State::Message(0);
            let rank = self.trail.head(line.text);
            return if fresh { self.trail.begin(rank) } else { self.again(rank) };
        }
        if is_crash(line) || line.trimmed() == b"Error:" && line.indent() == 0 {
            self.state = State::Chain(0);
            let rank = self.trail.head(line.text);
            return self.trail.begin(rank);
        }
        if line.text.eq_ignore_ascii_case(b"stack backtrace:") || is_banner(line) {
            let fresh = self.state == State::Out;
            self.state = State::Frames;
            self.named = None;
            return if fresh { self.trail.begin(Rank::Body) } else { Verdict::Keep(Rank::Body) };
        }
        if line.starts("note: run with `RUST_BACKTRACE=") || line.starts("note: Some details are omitted, run with") {
            self.state = State::Out;
            return Verdict::Drop("backtrace hints");
        }
        // `fatal runtime error: stack overflow, aborting`, `thread caused non-unwinding panic. aborting.`
        if line.starts("fatal runtime error: ") || line.starts("thread caused non-unwinding panic") {
            self.state = State::Out;
            return Verdict::Keep(Rank::Top);
        }
        match self.state {
            State::Frames => self.frames(line),
            State::Message(n) => self.message(n, line),
            State::Chain(n) => self.chain(n, line),
            State::Out => self.trail.pass(line),
        }
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Rust {
    fn again(&mut self, rank: Rank) -> Verdict {
        self.trail.begin(rank);
        Verdict::Keep(rank)
    }

    fn message(&mut self, n: u8, line: &Line<'_>) -> Verdict {
        self.state = State::Message(n + 1);
        // Values of an assertion and the rest of a message are indented, mostly.
        if n == 0 && !line.is_blank() {
            return Verdict::Keep(self.trail.head(line.text));
        }
        if n < 20 && line.starts(" ") {
            return Verdict::Keep(if line.starts("  left: ") || line.starts(" right: ") { Rank::Top } else { Rank::Body });
        }
        self.state = State::Out;
        self.trail.pass(line)
    }

    /// `   1: release 17 rejected`, `Message:  no route`, `Location:`, then a span trace
    fn chain(&mut self, n: u8, line: &Line<'_>) -> Verdict {
        self.state = State::Chain(n.saturating_add(1));
        let said = ["Message: ", "Location:", "Caused by:"].iter().any(|p| line.starts(p));
        if line.is_blank() || line.trimmed().starts_with("━━".as_bytes()) {
            return Verdict::Keep(Rank::Edge);
        }
        if n < 40 && (said || line.starts(" ")) {
            return Verdict::Keep(if n < 12 { Rank::Top } else { Rank::Detail });
        }
        self.state = State::Out;
        self.trail.pass(line)
    }

    fn frames(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.trimmed();
        if let Some(at) = text.strip_prefix(b"at ") {
            return self.place(at);
        }
        if let Some(name) = name_of(text).filter(|_| line.starts(" ")) {
            let own = is_own_name(name);
            self.named = Some(own);
            if own {
                // Without its place (no debug information) the name is all there is.
                return self.trail.frame(name, true);
            }
            return Verdict::Drop(LIBRARY);
        }
        // ⋮ 6 frames hidden ⋮
        if text.starts_with("⋮ ".as_bytes()) && text.ends_with(" hidden ⋮".as_bytes()) {
            return Verdict::Drop(LIBRARY);
        }
        self.state = State::Out;
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        self.trail.pass(line)
    }

    fn place(&mut self, at: &[u8]) -> Verdict {
        let own = !place::is_foreign(at)
            && !at.starts_with(b"/rustc/")
            && !at.starts_with(b"./nptl")
            && !at.starts_with(b"./csu")
            && !at.starts_with(b"../");
        match (self.named.take(), own) {
            (Some(true), true) => self.trail.last,
            (Some(false), true) => self.trail.frame(at, true),
            _ => Verdict::Drop(LIBRARY),
        }
    }
}

/// `4: replay::apply`, `20:     0x5625375c7f70 - shards::merge::h4d056520e9eab4e6`
fn name_of(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = text[digits..].strip_prefix(b":").filter(|_| digits > 0)?.trim_ascii_start();
    if !rest.starts_with(b"0x") {
        return Some(rest);
    }
    crate::line::find(rest, b" - ").map(|dash| &rest[dash + 3..])
}

fn is_own_name(name: &[u8]) -> bool {
    const CRATES: &[&str] = &[
        "std",
        "core",
        "alloc",
        "__rust",
        "rust_",
        "_rust",
        "__libc",
        "_start",
        "start_thread",
        "clone",
        "__clone",
        "main",
        "<unknown>",
        "tokio",
        "hyper",
        "axum",
        "actix",
        "serde",
        "rayon",
        "futures",
        "tower",
        "test",
        "anyhow",
        "eyre",
        "color_eyre",
        "backtrace",
        "tracing",
        "reqwest",
        "h2",
        "mio",
        "crossbeam",
        "parking_lot",
        "clap",
        "gimli",
        "diesel",
        "sqlx",
        "proc_macro",
        "rustc",
        "__",
        "pthread",
        "BaseThreadInitThunk",
        "RtlUserThreadStart",
        "hashbrown",
        "async_std",
        "rocket",
        "warp",
        "tonic",
        "bevy",
        "regex",
    ];
    let name = name.trim_ascii_start();
    let inner = name.strip_prefix(b"<").unwrap_or(name);
    let inner = inner.strip_prefix(b"&").unwrap_or(inner);
    let inner = inner.strip_prefix(b"dyn ").unwrap_or(inner);
    let len = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let first = &inner[..len];
    let prefix = |c: &str| (c.ends_with('_') || c.starts_with("__")) && first.starts_with(c.as_bytes());
    // A name without a path is a symbol of C or a file's `main`.
    let path = crate::line::find(inner, b"::").is_some();
    path && !first.is_empty() && !CRATES.iter().any(|c| first == c.as_bytes() || prefix(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn color_eyre_keeps_its_chain_and_own_frames() {
        let text = "Error: \n   0: failed\n   1: no file\n\nLocation:\n   src/a.rs:4\n\n  ━━━ BACKTRACE ━━━\n  ⋮ 6 frames hidden ⋮\n  7: tokio::poll::h0\n      at /home/dev/.cargo/registry/src/x/tokio/a.rs:0\n  8: app::push::h1\n      at /home/dev/app/src/a.rs:4";
        assert_eq!(marks(&SHAPE, text), "TTTETTEB...TT");
        assert!(sniffs(&SHAPE, text));
    }

    #[test]
    fn own_frames_stay() {
        let text = "step\nthread 'main' (17) panicked at src/a.rs:14:31:\nboom\n  left: 1\nstack backtrace:\n   0: __rustc::rust_begin_unwind\n             at /rustc/59/library/std/src/panicking.rs:689:5\n   1: app::apply\n             at ./src/a.rs:14:31\nnote: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\nstep";
        assert_eq!(marks(&SHAPE, text), "?TTTB..TT.B");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "thread 'main' started\nnothing panicked\n"));
    }
}
