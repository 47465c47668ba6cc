//! What all traces have in common: own frames stay, those of libraries go, a frame met
//! again goes, and a few lines before a trace say what led to it.

use super::is_logged;
use crate::cut::{Noun, Rank, Verdict};
use crate::cuts::{self, seen::Seen};
use crate::line::Line;

/// Frames of dependencies and the runtime.
pub const LIBRARY: Noun = "library frames";
/// Frames that were shown before: recursion, or the same failure again.
pub const REPEATED: Noun = "repeated frames";

/// Lines before a trace that tell what led to it.
const LEAD: u16 = 3;
/// Library frames that stay before the first own frame of a section: what was called.
const CALLED: u32 = 2;
/// So do the first ones of a framework.
const REACHED: u32 = 1;
/// Own frames of a section beyond these explain less.
const OWN: u32 = 10;
/// Traces that may show an equal frame.
const SHOWN: u32 = 2;
/// Equal heads (but for numbers) that stay as findings.
const HEADS: u32 = 3;

/// The account of the traces met so far.
pub struct Trail {
    /// Frames of this trace,
    within: Seen,
    /// of all traces, once a trace,
    shown: Seen,
    /// and the heads of all.
    heads: Seen,
    own: u32,
    library: u32,
    reached: u32,
    traces: u32,
    /// Lines since the last trace that can be lifted.
    since: u16,
    /// A line followed it.
    followed: bool,
    /// The first frame is the farthest from what happened.
    pub outermost_first: bool,
    /// What became of the last frame: the lines under it share its fate.
    pub last: Verdict,
}

impl Default for Trail {
    fn default() -> Self {
        Trail {
            within: Seen::default(),
            shown: Seen::default(),
            heads: Seen::default(),
            own: 0,
            library: 0,
            reached: 0,
            traces: 0,
            since: LEAD,
            followed: true,
            outermost_first: false,
            last: Verdict::Keep(Rank::Body),
        }
    }
}

impl Trail {
    /// A trace begins with a line of this rank; the lines that led to it are lifted.
    pub fn begin(&mut self, rank: Rank) -> Verdict {
        self.within = Seen::default();
        self.section();
        self.traces += 1;
        let lines = self.since.min(if self.traces == 1 { LEAD } else { 1 });
        self.since = 0;
        self.followed = false;
        if lines == 0 {
            return Verdict::Keep(rank);
        }
        Verdict::KeepWith { rank, lines, with: Rank::Body }
    }

    /// A trace begins with its first frame: the line before is its head.
    pub fn begin_at_frame(&mut self) -> Verdict {
        match self.begin(Rank::Body) {
            Verdict::KeepWith { rank, .. } => Verdict::KeepWith { rank, lines: if self.traces <= 2 { LEAD } else { 1 }, with: Rank::Top },
            other => other,
        }
    }

    /// A cause, a thread, a goroutine begins: it has first frames of its own.
    pub fn section(&mut self) {
        self.own = 0;
        self.library = 0;
        self.reached = 0;
        self.last = Verdict::Keep(Rank::Body);
    }

    /// Own frames of the section so far.
    pub fn own(&self) -> u32 {
        self.own
    }

    /// Had the section a frame of the reader's own code?
    pub fn has_own(&self) -> bool {
        self.own > 0
    }

    /// A line outside of traces. The line right behind a trace tells how it went on.
    pub fn pass(&mut self, line: &Line<'_>) -> Verdict {
        let near = if is_logged(line.text) { 3 } else { 2 };
        let next = !self.followed && self.since == 0 && (1..=near).contains(&self.traces);
        if line.is_blank() && self.since == 0 {
            return Verdict::Pass;
        }
        self.followed = true;
        // Where another tool begins, the driver has to hear of it.
        if next && !cuts::shapes().any(|s| s.opens.by(line)) {
            return Verdict::Keep(Rank::Body);
        }
        // An error stays anyway: there is nothing in it to lift.
        if !line.is_error() {
            self.note();
        }
        Verdict::Pass
    }

    /// A line that may or may not belong to the trace before it.
    pub fn note(&mut self) {
        self.since = (self.since + 1).min(LEAD);
    }

    /// A line that heads a trace or a cause: a finding, unless it was met often.
    pub fn head(&mut self, text: &[u8]) -> Rank {
        match self.heads.alike(text) {
            n if n <= HEADS => Rank::Top,
            n if n <= 3 * HEADS => Rank::Body,
            _ => Rank::Detail,
        }
    }

    /// A cause: a finding the first times; a failure that repeats has the same one.
    pub fn cause(&mut self, text: &[u8]) -> Rank {
        self.section();
        match self.heads.alike(text) {
            n if n < HEADS => Rank::Top,
            _ => Rank::Detail,
        }
    }

    /// A frame, told apart from others by `key`.
    pub fn frame(&mut self, key: &[u8], own: bool) -> Verdict {
        self.last = if !own { self.library() } else { self.own_frame(key) };
        self.last
    }

    /// A frame of a library that may well be the reader's own: the first ones show where
    /// the runtime was left.
    pub fn framework(&mut self) -> Verdict {
        self.reached += 1;
        self.library += 1;
        let first = self.own == 0 && self.reached <= REACHED;
        self.last = if first { Verdict::Keep(Rank::Body) } else { Verdict::Drop(LIBRARY) };
        self.last
    }

    fn own_frame(&mut self, key: &[u8]) -> Verdict {
        self.own += 1;
        if self.within.same(key) > 1 || self.shown.same(key) > SHOWN {
            return Verdict::Drop(REPEATED);
        }
        Verdict::Keep(match self.own {
            // Where it happened.
            1 if !self.outermost_first => Rank::Top,
            n if n <= OWN => Rank::Body,
            _ => Rank::Edge,
        })
    }

    fn library(&mut self) -> Verdict {
        self.library += 1;
        if self.own == 0 && self.library <= CALLED {
            return Verdict::Keep(Rank::Detail);
        }
        Verdict::Drop(LIBRARY)
    }
}
