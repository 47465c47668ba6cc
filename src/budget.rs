//! How much may be shown: one table by level and tool, one ladder by rank.

use crate::cut::Rank;
use crate::hint::{Hint, Level};

/// Cleaned texts under this many bytes come back whole: what a cut could save there is
/// not worth its risk.
pub const FLOOR: usize = 2_500;

/// The most that lines of a rank and of those above it may take together, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    /// At most so many bytes,
    pub bytes: usize,
    /// and at most this share of the input, in percent; never less than `least`.
    pub percent: u64,
    /// What the share never goes below, in bytes.
    pub least: usize,
}

/// What an output may take, markers and notes included.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Budget {
    /// Bytes of the whole output.
    pub bytes: usize,
    /// Lines of the whole output.
    pub lines: usize,
    /// Bytes of one line; a longer one keeps its two ends.
    pub line_bytes: usize,
    /// Bytes under which a text comes back whole.
    pub floor: usize,
    /// Share of plain data that is kept from the head, in twelfths.
    pub head: usize,
    /// A ceiling a rank, lowest rank first.
    pub ladder: [Ceiling; Rank::ALL.len()],
    /// Lines that no cut recognised are omitted.
    pub omit_unknown: bool,
}

const ALL: Ceiling = Ceiling { bytes: usize::MAX, percent: 100, least: usize::MAX };

/// Aggressive: what explains gives way to what is explained, and the more the smaller the
/// input. Chosen on the cases: at a quarter of the input (and a third for `Body`) they keep
/// as many facts, with 3 points fewer of the bytes; what nobody has seen yet needs the room.
const TIGHT: [Ceiling; 5] = [
    Ceiling { bytes: 6_000, percent: 50, least: 4_000 },
    Ceiling { bytes: 6_500, percent: 50, least: 4_000 },
    Ceiling { bytes: 9_000, percent: 60, least: 4_000 },
    ALL,
    ALL,
];

impl Budget {
    /// The table of DESIGN §4: lines by tool, bytes by level.
    #[must_use]
    pub fn new(hint: &Hint, level: Level) -> Budget {
        let tight = level == Level::Aggressive;
        let pick = |roomy: usize, tight_: usize| if tight { tight_ } else { roomy };
        let (lines, head) = match hint.tool().as_str() {
            _ if hint.reads_file() => (usize::MAX, 12),
            "bash" | "shell" | "exec" | "terminal" | "sh" | "run_command" => (pick(800, 240), 4),
            "grep" | "search" | "rg" => (pick(200, 180), 8),
            "glob" | "find" | "ls" | "list" => (pick(400, 160), 8),
            _ => (pick(800, 240), 8),
        };
        let bytes = if hint.reads_file() { 50_000 } else { pick(50_000, 10_000) };
        let mut ladder = if tight && !hint.reads_file() { TIGHT } else { [ALL; 5] };
        let first = hint.command.split_ascii_whitespace().next().unwrap_or_default();
        if matches!(hint.tool().as_str(), "glob" | "find" | "ls" | "list") || matches!(first, "ls" | "find" | "tree" | "fd") {
            // A listing is all data, and was asked for.
            ladder = [ALL; 5];
        }
        Budget { bytes, lines, line_bytes: pick(4_096, 2_048), floor: FLOOR, head, ladder, omit_unknown: tight }
    }

    /// Sets a line of so many bytes aside, its line end included, for a note; 0 is none.
    pub fn reserve(&mut self, bytes: usize) {
        if bytes > 0 {
            self.bytes = self.bytes.saturating_sub(bytes + 1);
            self.lines = self.lines.saturating_sub(1);
        }
    }

    /// The ceiling of a rank for an input of so many bytes.
    #[must_use]
    pub fn ceiling(&self, rank: Rank, input: u64) -> usize {
        let c = self.ladder[rank as usize];
        let share = usize::try_from(input.saturating_mul(c.percent) / 100).unwrap_or(usize::MAX);
        c.bytes.min(share.max(c.least)).min(self.bytes)
    }
}
