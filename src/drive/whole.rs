//! The cleaned text as it is, for as long as it fits the budget.

use crate::budget::Budget;
use crate::line::Line;
use crate::marker;

/// What comes back when nothing need be cut.
pub struct Whole {
    pub text: Option<Vec<u8>>,
    pub bytes: u64,
    lines: usize,
    at_start: bool,
    marked: bool,
    pub budget: Budget,
    always: bool,
}

impl Whole {
    /// For a budget; `always`: nothing is cut, whatever it takes.
    pub fn new(mut budget: Budget, always: bool) -> Self {
        if always {
            (budget.bytes, budget.lines) = (usize::MAX, usize::MAX);
        }
        Whole { text: Some(Vec::new()), bytes: 0, lines: 0, at_start: true, marked: false, budget, always }
    }

    #[inline]
    pub fn add(&mut self, line: &Line<'_>) {
        self.bytes += line.bytes();
        // Pieces of one line of JSON count as the line that they are.
        self.lines += usize::from(self.at_start);
        self.at_start = line.ended;
        if self.text.is_some() {
            self.hold(line);
        }
    }

    #[cold]
    fn hold(&mut self, line: &Line<'_>) {
        let Some(text) = &mut self.text else { return };
        self.marked |= marker::is_marked(line.text);
        text.extend_from_slice(line.text);
        if line.ended {
            text.push(b'\n');
        }
        if line.hole.is_some() || text.len() > self.budget.bytes {
            self.text = None;
        }
    }

    /// Does all of it fit?
    pub fn fits(&self) -> bool {
        self.text.is_some() && self.lines <= self.budget.lines
    }

    /// Why it need not be cut, if it need not.
    pub fn why(&self) -> Option<&'static str> {
        let text = self.text.as_ref().filter(|_| self.fits())?;
        if self.always {
            return Some("a tool error is not cut");
        }
        if text.len() < self.budget.floor {
            return Some("under the floor");
        }
        self.marked.then_some("cut before, and within the budget")
    }
}
