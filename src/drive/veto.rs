//! Is the cuts' work to be trusted?

use super::{Driver, Part};
use crate::cuts::size;
use crate::ledger::Ledger;

/// Lines of other text that may stand beside data.
const BESIDE: u64 = 20;

/// Shapes that tell how something ended: when it failed, they have to tell that it did.
const JUDGES: &[&str] = &["tests", "build", "lint", "install", "docker"];

impl Driver {
    /// Is it data, but for a few lines beside it?
    pub(super) fn is_data(&self) -> bool {
        let beside = |p: &Part| p.shape == size::SHAPE.name && p.to.saturating_sub(p.from) < BESIDE;
        self.parts.first().is_none_or(|p| p.shape == "json") && self.parts.iter().all(|p| p.shape == "json" || beside(p))
    }

    /// Why the cuts' work is put aside, if it is.
    pub(super) fn veto(&self, ledger: &Ledger) -> Option<&'static str> {
        if self.broken {
            return Some("a cut panicked");
        }
        if !ledger.keeps_any() {
            return Some("nothing was kept");
        }
        if self.passes * 2 > self.lines {
            return Some("the cut recognised too little");
        }
        let found = ledger.keeps_finding();
        let unsaid = ledger.noise_errors() > 0 && !found;
        match self.hint.exit_code {
            Some(0) => None,
            // The status is known to be bad: a closing line that says all is well proves nothing.
            Some(_) => {
                let judged = self.parts.iter().any(|p| JUDGES.contains(&p.shape));
                (unsaid || judged && !found).then_some("it failed, and the cut kept no failure")
            }
            // Tests without totals were killed, or are somebody else's.
            None => {
                let tests = self.parts.iter().any(|p| p.shape == "tests");
                ((unsaid || tests && !found) && !ledger.keeps_total()).then_some("the cut kept no failure and no totals")
            }
        }
    }
}
