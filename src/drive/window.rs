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

    /// How many lines wait.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// One of the lines as it came, carrier's prefix included.
    pub fn line(&self, at: usize) -> Line<'_> {
        let (from, to, frame) = self.lines[at];
        Line::framed(&self.text[from..to], frame)
    }

    /// The first lines wait no longer.
    pub fn drop_first(&mut self, lines: usize) {
        let bytes = lines.checked_sub(1).map_or(0, |last| self.lines[last].1);
        self.text.drain(..bytes);
        self.lines.drain(..lines);
        for (from, to, _) in &mut self.lines {
            (*from, *to) = (*from - bytes, *to - bytes);
        }
    }

    /// The lines as they came, carrier's prefixes included.
    pub fn lines(&self) -> Vec<Line<'_>> {
        self.lines.iter().map(|&(from, to, frame)| Line::framed(&self.text[from..to], frame)).collect()
    }
}
