//! CI job logs: other tools' text behind a time, in groups and steps.

use crate::cut::{Cut, Rank, Verdict};
use crate::cuts::kind;
use crate::cuts::seen::Seen;
use crate::line::{Line, Signs};

/// Lines after an error that explain it.
const AFTER: u8 = 10;

#[derive(Default)]
pub struct Ci {
    kinds: Seen,
    /// Lines that may still explain the last error.
    after: u8,
    /// The job's failing step has said how it ended: what follows cleans up.
    ended: bool,
}

impl Cut for Ci {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let body = line.text;
        if let Some(said) = body.strip_prefix(b"##[") {
            return self.command(said);
        }
        if body.starts_with(b"[command]") {
            self.after = 0;
            return Verdict::Spare("commands");
        }
        if body.trim_ascii().is_empty() {
            return Verdict::Spare("blank");
        }
        let signs = line.signs();
        if signs.has(Signs::ERROR) && !self.ended && !body.starts_with(b"Download ") {
            let met = self.kinds.kind(kind::of(body, 0).0);
            self.after = if met <= 2 { AFTER } else { 0 };
            return match met {
                1..=2 => Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Detail },
                3..=5 => Verdict::Keep(Rank::Detail),
                _ => Verdict::Spare("repeated errors"),
            };
        }
        if self.after > 0 {
            self.after -= 1;
            return Verdict::Keep(Rank::Body);
        }
        if signs.has(Signs::WARNING) {
            let met = self.kinds.kind(kind::of(body, 0).0);
            return if met <= 2 && !self.ended { Verdict::Keep(Rank::Detail) } else { Verdict::Spare("warnings") };
        }
        Verdict::Spare(if self.ended { "closing steps" } else { "passing step lines" })
    }

    fn end(&mut self) -> (u16, Rank) {
        (1, Rank::Edge)
    }
}

impl Ci {
    /// `##[error]x`: the runner's own words.
    fn command(&mut self, said: &[u8]) -> Verdict {
        if said.starts_with(b"error]") {
            let met = self.kinds.kind(kind::of(said, 1).0);
            self.after = 0;
            self.ended = said.starts_with(b"error]Process completed with exit code");
            // What the step printed last is why it ended so.
            let lines = if self.ended { 12 } else { 4 };
            return if met <= 5 { Verdict::KeepWith { rank: Rank::Top, lines, with: Rank::Body } } else { Verdict::Keep(Rank::Detail) };
        }
        Verdict::Spare("runner lines")
    }
}
