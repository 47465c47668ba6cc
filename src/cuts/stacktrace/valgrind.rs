//! Valgrind: memory errors, leaks, races. What goes: its banner and advice, frames outside
//! of the program, blank lines.

use super::begins;
use super::trail::{Trail, LIBRARY};
use crate::cut::{Cut, Noun, Opens, Rank, Shape, Verdict};
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "stacktrace",
    dialect: "valgrind",
    about: "valgrind's errors, leaks and totals",
    sniff: |_, lines| begins(lines, opens),
    opens: Opens::first(b"=", opens),
    cut: |_| Box::new(Valgrind::default()),
};

/// Own frames of a leak beyond these tell less: who asked for the memory stands on top.
const LEAK: u32 = 5;

const BANNER: Noun = "valgrind notices";

fn opens(line: &Line<'_>) -> bool {
    body(line.text).is_some_and(|t| !t.is_empty())
}

/// The text behind `==17163== `, or behind `--17163-- `.
fn body(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"==")?;
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[digits..].strip_prefix(b"==").filter(|_| digits > 0)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix(b" ")
    }
}

#[derive(Default)]
struct Valgrind {
    trail: Trail,
    inside: bool,
    /// The rank of the present record's frames.
    rank: Option<Rank>,
    /// It is a leak.
    leaking: bool,
}

impl Cut for Valgrind {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let Some(text) = body(line.text) else {
            self.inside = false;
            // `--17163-- warning: ...` is said with -v only.
            return self.trail.pass(line);
        };
        let fresh = !std::mem::replace(&mut self.inside, true);
        let said = text.trim_ascii();
        if said.is_empty() {
            return Verdict::Drop(BANNER);
        }
        if let Some(frame) = said.strip_prefix(b"at 0x").or(said.strip_prefix(b"by 0x")) {
            return self.frame(frame);
        }
        if NOTICES.iter().any(|n| said.starts_with(n.as_bytes())) {
            return Verdict::Drop(BANNER);
        }
        if said.starts_with(b"ERROR SUMMARY: ") || said.starts_with(b"All heap blocks were freed") {
            return Verdict::Keep(Rank::Total);
        }
        if said.ends_with(b" SUMMARY:") {
            return Verdict::Keep(Rank::Body);
        }
        // `   definitely lost: 4,636 bytes in 61 blocks`, `    in use at exit: ...`
        if text.starts_with(b"  ") && crate::line::find(said, b": ").is_some() && crate::line::find(said, b" bytes in ").is_some() {
            if said.ends_with(b": 0 bytes in 0 blocks") {
                return Verdict::Drop(BANNER);
            }
            let lost = said.starts_with(b"definitely lost") || said.starts_with(b"indirectly lost") || said.starts_with(b"possibly lost");
            return Verdict::Keep(if lost { Rank::Top } else { Rank::Edge });
        }
        if crate::line::find(said, b" in loss record ").is_some() {
            return self.leak(said);
        }
        // ` Address 0x20 is not stack'd, malloc'd or (recently) free'd`, ` Uninitialised value was created by ...`
        if text.starts_with(b" ") {
            return self.detail(said);
        }
        if said.starts_with(b"Process terminating") {
            self.trail.section();
            self.rank = Some(Rank::Body);
            return Verdict::Keep(Rank::Top);
        }
        self.finding(said, fresh)
    }

    fn is_amid(&self) -> bool {
        true
    }
}

/// Starts of what says nothing of the program.
const NOTICES: &[&str] = &[
    "Memcheck, a ",
    "Helgrind, a ",
    "DRD, a ",
    "Copyright (C)",
    "Using Valgrind-",
    "Command: ",
    "Parent PID: ",
    "For lists of detected",
    "For counts of detected",
    "Use --track-origins",
    "Rerun with --",
    "To see them, rerun",
    "Reachable blocks (those",
    "Massif, a ",
    "Cachegrind, a ",
    "Callgrind, a ",
    "Searching for pointers",
    "If you believe this happened",
    "overflow in your program",
    "possible), you can try",
    "main thread stack using",
    "The main thread stack size",
    "Checked ",
    "Use --history-level",
    "and you may",
];

impl Valgrind {
    fn frame(&mut self, frame: &[u8]) -> Verdict {
        // `1092EE: reorder (catalog.c:31)`
        let key = crate::line::find(frame, b": ").map_or(frame, |at| &frame[at + 2..]);
        let own = is_own(key);
        match self.trail.frame(key, own) {
            Verdict::Keep(_) if !own => Verdict::Drop(LIBRARY),
            Verdict::Keep(_) if self.leaking && self.trail.own() > LEAK => Verdict::Keep(Rank::Edge),
            Verdict::Keep(_) if self.rank == Some(Rank::Detail) => Verdict::Keep(Rank::Detail),
            verdict => verdict,
        }
    }

    fn leak(&mut self, said: &[u8]) -> Verdict {
        self.trail.begin(Rank::Body);
        self.leaking = true;
        let rank = if crate::line::find(said, b"definitely lost").is_some() { self.trail.head(said) } else { Rank::Detail };
        self.rank = Some(if rank == Rank::Top { Rank::Body } else { Rank::Detail });
        Verdict::Keep(rank)
    }

    fn detail(&mut self, said: &[u8]) -> Verdict {
        self.trail.section();
        let rank = self.rank.unwrap_or(Rank::Body);
        let address = said.starts_with(b"Address ") || said.starts_with(b"Uninitialised value") || said.starts_with(b"Block was alloc");
        Verdict::Keep(if address && rank > Rank::Detail { Rank::Top } else { rank })
    }

    fn finding(&mut self, said: &[u8], fresh: bool) -> Verdict {
        self.leaking = false;
        let rank = self.trail.head(said);
        self.rank = Some(if rank == Rank::Top { Rank::Body } else { Rank::Detail });
        let verdict = self.trail.begin(rank);
        if fresh {
            verdict
        } else {
            Verdict::Keep(rank)
        }
    }
}

/// `reorder (catalog.c:31)`; not `malloc (in /usr/libexec/valgrind/vgpreload.so)`.
fn is_own(frame: &[u8]) -> bool {
    const FOREIGN: &[&str] = &["(vg_replace_", "(libc", "(hg_intercepts", "(drd_", "(pthread_create.c", "(start.S", "(clone", "(vfprintf"];
    let has = |part: &str| crate::line::find(frame, part.as_bytes()).is_some();
    let placed = frame.ends_with(b")") && memchr::memmem::rfind(frame, b" (").is_some_and(|at| frame[at..].contains(&b':'));
    placed && !FOREIGN.iter().any(|f| has(f)) || frame.ends_with(b")") && has(" (in /home/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn errors_stay_and_the_banner_goes() {
        let text = "==1== Memcheck, a memory error detector\n==1== \nstep\n==1== Invalid read of size 1\n==1==    at 0x10: copy (c.c:8)\n==1==    by 0x48: malloc (in /usr/libexec/v.so)\n==1==  Address 0x20 is not stack'd\n==1== \n==1==    definitely lost: 4 bytes in 1 blocks\n==1== ERROR SUMMARY: 63 errors from 4 contexts (suppressed: 0 from 0)";
        assert_eq!(marks(&SHAPE, text), "..?TT.T.T!");
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "== 1 ==\n====\n"));
    }
}
