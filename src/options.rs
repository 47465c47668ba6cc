//! How a text is cut: level, budget, which cuts may run.

use crate::budget::Budget;
use crate::cut::Shape;
use crate::cuts;
use crate::declared::Filters;
use crate::hint::{Hint, Level};

/// The caller's wishes. A limit that is not given comes from the level and the tool.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How much is cut.
    pub level: Level,
    /// Bytes of the output at most, markers included; at least [`Options::LEAST_BYTES`].
    pub max_bytes: Option<usize>,
    /// Lines of the output at most, markers included; at least 1.
    pub max_lines: Option<usize>,
    /// Bytes of a line at most; a longer one keeps its two ends.
    pub max_line_bytes: Option<usize>,
    /// Only these cuts may run; empty: all.
    pub only: Vec<String>,
    /// These cuts may not run.
    pub disable: Vec<String>,
    /// Declared filters of the user's own.
    pub filters: Filters,
}

impl Options {
    /// The smallest byte budget: a marker has to fit.
    pub const LEAST_BYTES: usize = 100;
    /// The smallest line cap: a hole's marker and two ends have to fit.
    pub const LEAST_LINE_BYTES: usize = 80;

    /// Is any limit given?
    #[must_use]
    pub fn is_limited(&self) -> bool {
        self.max_bytes.is_some() || self.max_lines.is_some() || self.max_line_bytes.is_some()
    }

    /// Is nothing to be cut, for it is a tool error, and no limit is given?
    #[must_use]
    pub fn is_whole(&self, hint: &Hint) -> bool {
        hint.is_error && !self.is_limited()
    }

    /// The budget for a hint.
    #[must_use]
    pub fn budget(&self, hint: &Hint) -> Budget {
        let mut budget = Budget::new(hint, self.level);
        if let Some(bytes) = self.max_bytes {
            let bytes = bytes.max(Options::LEAST_BYTES);
            // The ladder keeps its proportions to the budget that it was made for.
            for step in &mut budget.ladder {
                let scale = |n: usize| usize::try_from(n as u128 * bytes as u128 / budget.bytes.max(1) as u128).unwrap_or(usize::MAX);
                step.bytes = scale(step.bytes);
                step.least = scale(step.least);
                if bytes > budget.bytes {
                    step.percent = 100;
                }
            }
            budget.bytes = bytes;
            budget.line_bytes = budget.line_bytes.min(bytes).max(Options::LEAST_LINE_BYTES);
        }
        if let Some(lines) = self.max_lines {
            budget.lines = lines.max(1);
        }
        if let Some(bytes) = self.max_line_bytes {
            budget.line_bytes = bytes.max(Options::LEAST_LINE_BYTES);
        }
        budget
    }

    /// The shapes that may be asked, in registry order.
    #[must_use]
    pub fn shapes(&self) -> Vec<&'static Shape> {
        let may = |s: &&Shape| (self.only.is_empty() || self.only.iter().any(|n| n == s.name)) && !self.disable.iter().any(|n| n == s.name);
        cuts::shapes().filter(may).collect()
    }
}
