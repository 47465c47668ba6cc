//! Reports of the sanitizers: address, leak, thread, memory, undefined behaviour. What
//! goes: frames of libc and the sanitizer, shadow bytes, the same report again.

use super::begins;
use super::trail::{Trail, LIBRARY};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::cuts::place;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "sanitizer",
    about: "reports of AddressSanitizer, LeakSanitizer, ThreadSanitizer, MemorySanitizer, UBSan",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"=A", opens).or_flush_colon(),
    cut: |_| Box::new(Sanitizer::default()),
};

const SHADOW: Noun = "shadow bytes";

fn opens(line: &Line<'_>) -> bool {
    is_head(line) || line.is_error() && is_undefined(line.text)
}

/// `==17161==ERROR: AddressSanitizer: heap-use-after-free on ...`, `WARNING: ThreadSanitizer: data race (pid=21972)`
fn is_head(line: &Line<'_>) -> bool {
    (line.starts("==") || line.starts("WARNING: ") || line.starts("FATAL: ") || line.starts("AddressSanitizer"))
        && (line.has("ERROR: ") || line.has("WARNING: ") || line.has("FATAL: ") || line.has("DEADLYSIGNAL"))
        && line.has("Sanitizer")
}

/// `stats.c:7:55: runtime error: left shift of 3 by 31 places`
fn is_undefined(text: &[u8]) -> bool {
    crate::line::find(text, b": runtime error: ").is_some_and(|at| place::split(&text[..at]).is_some_and(|(_, rest)| rest.is_empty()))
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Out,
    Report,
    /// Shadow bytes and their legend.
    Shadow,
    /// Behind a line of UBSan: notes, bytes, frames.
    Undefined,
}

#[derive(Default)]
struct Sanitizer {
    state: State,
    trail: Trail,
    /// What the present frames belong to is a finding, or explains one less.
    minor: bool,
}

impl Cut for Sanitizer {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_undefined(line.text) {
            self.state = State::Undefined;
            self.minor = false;
            let at = crate::line::find(line.text, b" runtime error: ").unwrap_or(0);
            let rank = self.trail.head(&line.text[..at]);
            return self.trail.begin(rank);
        }
        if is_head(line) {
            let fresh = self.state != State::Report;
            self.state = State::Report;
            self.minor = false;
            let rank = self.trail.head(line.text);
            return if fresh { self.trail.begin(rank) } else { Verdict::Keep(rank) };
        }
        // `=================================================================`, `==================`
        if line.text.len() >= 18 && line.text.iter().all(|b| *b == b'=') {
            self.state = State::Out;
            return Verdict::Keep(Rank::Edge);
        }
        if line.starts("SUMMARY: ") && line.has("Sanitizer") || line.starts("ThreadSanitizer: reported ") {
            self.state = if self.state == State::Report { State::Shadow } else { State::Out };
            return Verdict::Keep(if self.trail.head(line.text) == Rank::Top { Rank::Total } else { Rank::Body });
        }
        match self.state {
            State::Out => self.out(line),
            State::Report => self.report(line),
            State::Shadow => self.shadow(line),
            State::Undefined => self.undefined(line),
        }
    }

    fn is_amid(&self) -> bool {
        true
    }
}

impl Sanitizer {
    fn out(&mut self, line: &Line<'_>) -> Verdict {
        // `==17161==ABORTING`
        if line.starts("==") && line.ends("==ABORTING") {
            return Verdict::Keep(Rank::Edge);
        }
        self.trail.pass(line)
    }

    fn report(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        let text = line.trimmed();
        if text.is_empty() {
            return Verdict::Keep(Rank::Edge);
        }
        if text.starts_with(b"Shadow bytes around") {
            self.state = State::Shadow;
            return Verdict::Drop(SHADOW);
        }
        if line.starts("==") || text.starts_with(b"HINT: ") || text.starts_with(b"NOTE: ") {
            return Verdict::Keep(Rank::Detail);
        }
        // A section: `READ of size 8 at ...`, `freed by thread T0 here:`, `Direct leak of 5760 byte(s) in ...`
        let head = [
            "READ of",
            "WRITE of",
            "freed by",
            "previously allocated by",
            "allocated by",
            "Direct leak",
            "Indirect leak",
            "Read of",
            "Write of",
            "Previous",
            "Atomic",
            "Location is",
            "Thread T",
            "Mutex ",
            "Address ",
            "0x",
            "As if",
            "Uninitialized",
            "Memory was",
            "The signal is",
            "Hint:",
            "This frame has",
            "Allocated by",
            "Cycle in lock order",
            "Object ",
            "Accessing ",
            "Thread ",
            "The remote",
            "[",
            "'",
            "Global ",
            "allocation",
            "located",
        ];
        if !head.iter().any(|h| text.starts_with(h.as_bytes())) && !line.starts("  ") {
            self.state = State::Out;
            return self.out(line);
        }
        self.trail.section();
        self.minor = text.starts_with(b"Indirect leak") || text.starts_with(b"Thread T") || text.starts_with(b"Mutex M");
        Verdict::Keep(if self.minor || text.starts_with(b"[") { Rank::Detail } else { Rank::Top })
    }

    fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.trimmed().strip_prefix(b"#")?;
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let text = text[digits..].strip_prefix(b" ").filter(|_| digits > 0)?;
        // `0x55ac63a444f8 in drop_topic /a/broker.c:33`; ThreadSanitizer has no address.
        let key = text.strip_prefix(b"0x").and_then(|t| crate::line::find(t, b" in ").map(|at| &t[at + 4..])).unwrap_or(text);
        let key = memchr::memmem::rfind(key, b" (").filter(|_| !key.starts_with(b"(")).map_or(key, |at| &key[..at.max(1)]);
        let bare = crate::line::find(text, b" (/lib").is_some() || key.starts_with(b"_start") || key.starts_with(b"__libc_start");
        let own = !bare && is_own(text);
        Some(match self.trail.frame(key, own) {
            Verdict::Keep(_) if !own => Verdict::Drop(LIBRARY),
            Verdict::Keep(rank) if self.minor => Verdict::Keep(rank.min(Rank::Detail)),
            verdict => verdict,
        })
    }

    fn shadow(&mut self, line: &Line<'_>) -> Verdict {
        if line.starts("Shadow byte") || line.starts("=>0x") || line.starts("  ") {
            return Verdict::Drop(SHADOW);
        }
        self.state = State::Out;
        self.out(line)
    }

    fn undefined(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        // `0x55: note: pointer points here`, ` 00 00 00 00`, `             ^`
        if line.has(": note: ") || line.starts(" ") {
            return Verdict::Keep(Rank::Detail);
        }
        self.state = State::Out;
        self.out(line)
    }
}

fn is_own(text: &[u8]) -> bool {
    let runtime =
        [&b"../sysdeps"[..], b"../csu/", b"./nptl", b"compiler-rt", b"libsanitizer", b"/usr/", b"<null>", b"??:0", b"__interceptor_"];
    !place::is_foreign(text) && !runtime.iter().any(|part| crate::line::find(text, part).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn sections_stay_and_shadow_bytes_go() {
        let text = "step\n==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x6\nREAD of size 8 at 0x6 thread T0\n    #0 0x55 in drop /a/b.c:33\n    #1 0x7f in __libc_start_call_main ../sysdeps/x.h:58\n\nfreed by thread T0 here:\n    #0 0x7f in __interceptor_free ../../../../src/libsanitizer/asan/m.cpp:52\n    #1 0x55 in message_free /a/b.c:19\n\nSUMMARY: AddressSanitizer: heap-use-after-free /a/b.c:33 in drop\nShadow bytes around the buggy address:\n  0x0c: 00 00\n=>0x0c: fd\n==1==ABORTING";
        assert_eq!(marks(&SHAPE, text), "?TTT.ET.TE!...E");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "== 1 == ERROR: x\nruntime error: y\n"));
    }

    #[test]
    fn undefined_behaviour_is_a_report() {
        assert_eq!(marks(&SHAPE, "s.c:7:55: runtime error: left shift\n    #0 0x5 in scale /a/s.c:7\n\nstep"), "TT?B");
    }
}
