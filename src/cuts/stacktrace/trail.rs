//! What all traces have in common: own frames stay, those of libraries go, a frame met
//! again goes, and a few lines before a trace say what led to it.

use crate::cut::{Noun, Rank, Verdict};
use crate::cuts::seen::Seen;

/// Frames of dependencies and the runtime.
pub const LIBRARY: Noun = "library frames";
/// Frames that were shown before: recursion, or the same failure again.
pub const REPEATED: Noun = "repeated frames";

/// Lines before a trace that tell what led to it.
const LEAD: u16 = 3;
/// Library frames that stay before the first own frame of a section: what was called.
const CALLED: u32 = 2;
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
    traces: u32,
    since: u16,
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
            traces: 0,
            since: LEAD,
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
        let lines = self.since.min(if self.traces <= 3 { LEAD } else { 1 });
        self.since = 0;
        if lines == 0 {
            return Verdict::Keep(rank);
        }
        Verdict::KeepWith { rank, lines, with: Rank::Body }
    }

    /// A trace begins with its first frame: the line before is its head.
    pub fn begin_at_frame(&mut self) -> Verdict {
        match self.begin(Rank::Body) {
            Verdict::KeepWith { rank, .. } => Verdict::KeepWith { rank, lines: 1, with: Rank::Top },
            other => other,
        }
    }

    /// A cause, a thread, a goroutine begins: it has first frames of its own.
    pub fn section(&mut self) {
        self.own = 0;
        self.library = 0;
        self.last = Verdict::Keep(Rank::Body);
    }

    /// Had the section a frame of the reader's own code?
    pub fn has_own(&self) -> bool {
        self.own > 0
    }

    /// A line outside of traces.
    pub fn pass(&mut self) -> Verdict {
        self.since = (self.since + 1).min(LEAD);
        Verdict::Pass
    }

    /// A line that heads a trace or a cause: a finding, unless it was met often.
    pub fn head(&mut self, text: &[u8]) -> Rank {
        match self.heads.alike(text) {
            n if n <= HEADS => Rank::Top,
            n if n <= 3 * HEADS => Rank::Body,
            _ => Rank::Detail,
        }
    }

    /// A frame, told apart from others by `key`.
    pub fn frame(&mut self, key: &[u8], own: bool) -> Verdict {
        self.last = if !own { self.library() } else { self.own(key) };
        self.last
    }

    fn own(&mut self, key: &[u8]) -> Verdict {
        self.own += 1;
        if self.within.same(key) > 1 || self.shown.same(key) > SHOWN {
            return Verdict::Drop(REPEATED);
        }
        Verdict::Keep(if self.own <= OWN { Rank::Body } else { Rank::Detail })
    }

    fn library(&mut self) -> Verdict {
        self.library += 1;
        if self.own == 0 && self.library <= CALLED {
            return Verdict::Keep(Rank::Detail);
        }
        Verdict::Drop(LIBRARY)
    }
}
