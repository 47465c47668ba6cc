//! Text that is held for now, line by line.

use crate::line::{Frame, Line};

/// The window ends at so many lines,
const LINES: usize = 200;
/// or bytes, whichever comes first.
pub const BYTES: usize = 64 * 1024;

/// Lines that wait for a choice.
#[derive(Default)]
pub struct Window {
    text: Vec<u8>,
    lines: Vec<(usize, usize, Frame)>,
}

impl Window {
    pub fn push(&mut self, line: &Line<'_>) {
        let start = self.text.len();
        self.text.extend_from_slice(line.whole());
        self.lines.push((start, self.text.len(), line.frame()));
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.lines.len() >= LINES || self.text.len() >= BYTES
    }

    /// Does it hold as many bytes as a window may?
    pub fn is_wide(&self) -> bool {
        self.text.len() > BYTES
    }

    /// The lines as they came, carrier's prefixes included.
    pub fn lines(&self) -> Vec<Line<'_>> {
        self.lines.iter().map(|&(from, to, frame)| Line::framed(&self.text[from..to], frame)).collect()
    }
}
