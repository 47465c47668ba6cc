//! A small terminal: rows, a cursor, and the escapes that move it or erase.
//!
//! Rows leave it as soon as nothing can change them any more. Colour alone never holds a
//! row back; from the first cursor move on, the last `LAG` rows can still be redrawn.

use crate::line::Hole;
use crate::prefix;
use std::collections::VecDeque;

/// Rows that a cursor may still go back to: a terminal's height.
const LAG: usize = 60;
/// A row longer than this loses its middle, down to `END` bytes on each side.
const ROW: usize = 128 * 1024;
const END: usize = 32 * 1024;
/// A row longer than this is replaced, not overwritten letter by letter.
const OVERDRAW: usize = 1024;
/// Text of an OSC or DCS that is put back when no terminator came.
const PAYLOAD: usize = 4096;

/// Where finished rows go: text, hole, and whether a line end followed.
pub type Rows<'s> = dyn FnMut(&[u8], Option<Hole>, bool) + 's;

#[derive(Default)]
struct Row {
    text: Vec<u8>,
    /// Letters in the text (bytes that do not continue a UTF-8 sequence).
    width: usize,
    hole: Option<Hole>,
    overdrawn: bool,
}

#[derive(Default, PartialEq)]
enum State {
    #[default]
    Text,
    Escape,
    Intermediate,
    Csi,
    /// Inside OSC, DCS, SOS, PM or APC.
    String,
    /// An ESC inside such a string: `\` would end it.
    StringEscape,
}

pub struct Screen {
    rows: VecDeque<Row>,
    at: usize,
    column: usize,
    state: State,
    payload: Vec<u8>,
    /// A cursor move was seen: rows are held back.
    moves: bool,
    spare: Vec<Row>,
    breaks: u64,
}

impl Default for Screen {
    fn default() -> Self {
        Screen {
            rows: VecDeque::from([Row::default()]),
            at: 0,
            column: 0,
            state: State::Text,
            payload: Vec::new(),
            moves: false,
            spare: Vec::new(),
            breaks: 0,
        }
    }
}

impl Screen {
    /// Nothing held back, nothing begun: a plain line may pass by.
    pub fn is_idle(&self) -> bool {
        !self.moves && self.state == State::Text && self.column == 0 && self.rows.len() == 1 && self.rows[0].text.is_empty()
    }

    /// Draws bytes without line ends; returns how many line breaks cursor moves made.
    pub fn write(&mut self, mut bytes: &[u8], rows: &mut Rows<'_>) -> u64 {
        self.breaks = 0;
        while !bytes.is_empty() {
            if self.state == State::Text {
                let end = memchr::memchr3(0x1b, b'\r', 0x08, bytes).unwrap_or(bytes.len());
                self.put(&bytes[..end]);
                let Some(&special) = bytes.get(end) else { break };
                bytes = &bytes[end + 1..];
                match special {
                    0x1b => self.state = State::Escape,
                    b'\r' => self.carriage_return(rows),
                    _ => self.column = self.column.saturating_sub(1),
                }
            } else {
                let byte = bytes[0];
                if self.escape(byte, rows) {
                    bytes = &bytes[1..];
                }
            }
        }
        self.breaks
    }

    /// The physical line ends here; returns how many other line breaks were made.
    pub fn line_end(&mut self, rows: &mut Rows<'_>) -> u64 {
        let breaks = self.close_escape(rows);
        self.down(1, rows);
        breaks
    }

    /// The input ends here: all rows leave; returns how many line breaks were made.
    pub fn finish(&mut self, rows: &mut Rows<'_>) -> u64 {
        let breaks = self.close_escape(rows);
        let last = self.rows.len() - 1;
        for (i, row) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            if i < last || !row.shown().is_empty() {
                rows(row.shown(), row.hole, i < last);
            }
        }
        self.rows.push_back(Row::default());
        (self.at, self.column) = (0, 0);
        breaks
    }

    /// Where a row has come to so many bytes, all that is held leaves; was the last row not
    /// empty, and so a piece of a line?
    pub fn lend(&mut self, bytes: usize, rows: &mut Rows<'_>) -> bool {
        if self.state != State::Text || self.rows.iter().all(|r| r.text.len() < bytes) {
            return false;
        }
        let open = self.rows.back().is_some_and(|r| !r.shown().is_empty());
        self.finish(rows);
        open
    }

    /// An escape that the line's end cut short draws what it swallowed.
    fn close_escape(&mut self, rows: &mut Rows<'_>) -> u64 {
        let swallowed = std::mem::take(&mut self.payload);
        let was = std::mem::take(&mut self.state);
        if matches!(was, State::String | State::StringEscape) {
            return self.write(&swallowed, rows);
        }
        0
    }

    fn carriage_return(&mut self, rows: &mut Rows<'_>) {
        let text = prefix::behind_stream(&self.rows[self.at].text);
        if text.starts_with(b"section_start:") || text.starts_with(b"section_end:") {
            self.breaks += 1;
            self.down(1, rows);
        }
        self.column = 0;
    }

    /// One byte of an escape; false when it is not part of it after all.
    fn escape(&mut self, byte: u8, rows: &mut Rows<'_>) -> bool {
        match self.state {
            State::Escape => {
                self.payload.clear();
                self.state = match byte {
                    b'[' => State::Csi,
                    b']' | b'P' | b'X' | b'^' | b'_' => State::String,
                    0x20..=0x2f => State::Intermediate,
                    b'E' => {
                        self.breaks += 1;
                        self.down(1, rows);
                        State::Text
                    }
                    b'M' => {
                        self.up(1);
                        State::Text
                    }
                    0x30..=0x7e => State::Text,
                    _ => {
                        self.state = State::Text;
                        return false;
                    }
                };
            }
            State::Intermediate => match byte {
                0x20..=0x2f => {}
                0x30..=0x7e => self.state = State::Text,
                _ => {
                    self.state = State::Text;
                    return false;
                }
            },
            State::Csi => match byte {
                0x20..=0x3f => {
                    if self.payload.len() < 64 {
                        self.payload.push(byte);
                    }
                }
                0x40..=0x7e => {
                    self.state = State::Text;
                    self.csi(byte, rows);
                }
                _ => {
                    self.state = State::Text;
                    return false;
                }
            },
            State::String => match byte {
                0x07 => self.state = State::Text,
                0x1b => self.state = State::StringEscape,
                _ if self.payload.len() < PAYLOAD => self.payload.push(byte),
                _ => {}
            },
            State::StringEscape => {
                self.state = State::Escape;
                if byte == b'\\' {
                    self.state = State::Text;
                } else {
                    return false;
                }
            }
            State::Text => return false,
        }
        true
    }

    fn csi(&mut self, end: u8, rows: &mut Rows<'_>) {
        if end == b'm' {
            return;
        }
        if matches!(self.payload.first(), Some(b'<'..=b'?')) {
            // Private modes draw nothing, yet who hides the cursor is about to move it.
            self.moves |= matches!(end, b'h' | b'l');
            return;
        }
        let digits = self.payload.iter().take_while(|b| b.is_ascii_digit()).take(5);
        let given = digits.fold(0usize, |n, d| n * 10 + usize::from(d - b'0'));
        let n = given.max(1);
        match end {
            b'A' | b'F' => self.up(n),
            b'B' => {
                self.moves = true;
                self.at = (self.at + n).min(self.rows.len() - 1);
            }
            b'E' => {
                self.moves = true;
                self.breaks += n.min(LAG) as u64;
                self.down(n.min(LAG), rows);
            }
            b'C' => self.column += n.min(OVERDRAW),
            b'D' => self.column = self.column.saturating_sub(n),
            b'G' | b'`' => self.column = (n - 1).min(ROW),
            b'K' => self.erase_in_row(given),
            b'J' if given == 0 => {
                self.erase_in_row(0);
                self.rows.truncate(self.at + 1);
            }
            // The screen is cleared or left for a new place: what stood there stays told.
            b'J' | b'H' | b'f' => self.new_page(rows),
            _ => {}
        }
        if matches!(end, b'F') {
            self.column = 0;
        }
    }

    fn up(&mut self, n: usize) {
        self.moves = true;
        self.at = self.at.saturating_sub(n);
    }

    fn new_page(&mut self, rows: &mut Rows<'_>) {
        if self.rows.iter().all(|r| r.text.is_empty()) {
            self.column = 0;
            return;
        }
        self.at = self.rows.len() - 1;
        self.breaks += 1;
        self.down(1, rows);
        while self.rows.len() > 1 {
            self.leave_first(rows);
        }
    }

    fn erase_in_row(&mut self, how: usize) {
        let column = self.column;
        let row = &mut self.rows[self.at];
        match how {
            0 if column == 0 => row.clear(),
            0 if column < row.width => {
                let at = row.offset(column);
                row.text.truncate(at);
                row.width = column;
                row.overdrawn = true;
            }
            1 | 2 => row.clear(),
            _ => {}
        }
    }

    fn down(&mut self, n: usize, rows: &mut Rows<'_>) {
        self.column = 0;
        for _ in 0..n {
            self.at += 1;
            if self.at == self.rows.len() {
                let row = self.spare.pop().unwrap_or_default();
                self.rows.push_back(row);
            }
        }
        let keep = if self.moves { LAG } else { 1 };
        while self.rows.len() > keep && self.at > 0 {
            self.leave_first(rows);
        }
    }

    fn leave_first(&mut self, rows: &mut Rows<'_>) {
        if let Some(mut row) = self.rows.pop_front() {
            rows(row.shown(), row.hole, true);
            row.clear();
            row.overdrawn = false;
            if row.text.capacity() <= 4096 {
                self.spare.push(row);
            }
            self.at = self.at.saturating_sub(1);
        }
    }

    /// Writes text at the cursor, over what stands there.
    fn put(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let column = self.column;
        let row = &mut self.rows[self.at];
        let width = letters(text);
        self.column = column + width;
        if column == row.width {
            return row.append(text, width);
        }
        if column > row.width {
            // One blank for a jump: it keeps words apart and cannot make a text grow.
            row.append(b" ", 1);
            self.column = row.width + width;
            return row.append(text, width);
        }
        row.overdrawn = true;
        if column == 0 && text[0] & 0xc0 == 0x80 {
            // Half a letter over another one, and no letter before it.
            self.column = 0;
            let stray = text.iter().take_while(|b| **b & 0xc0 == 0x80).count();
            return self.put(&text[stray..]);
        }
        // A row's bytes may be many more than its letters only where it is no UTF-8.
        let is_long = row.width > OVERDRAW || row.text.len() > 4 * OVERDRAW;
        if row.hole.is_some() || is_long || column == 0 && width >= row.width {
            row.clear();
            self.column = width;
            return row.append(text, width);
        }
        let mut starts = text.iter().enumerate().filter(|(_, b)| **b & 0xc0 != 0x80).map(|(i, _)| i);
        let (over, behind) = text.split_at(starts.nth(row.width - column).unwrap_or(text.len()));
        if over.len() > 1 && row.text.len() + over.len() > 4 * OVERDRAW {
            self.column = column;
            return text.iter().for_each(|b| self.put(&[*b]));
        }
        let from = row.offset(column);
        let to = row.offset(column + letters(over));
        row.text.splice(from..to, over.iter().copied());
        row.append(behind, letters(behind));
    }
}

impl Row {
    fn clear(&mut self) {
        self.overdrawn |= !self.text.is_empty();
        self.text.clear();
        self.width = 0;
        self.hole = None;
    }

    /// What is to be seen of it: the blanks that erased something are not.
    fn shown(&self) -> &[u8] {
        if self.overdrawn {
            self.text.trim_ascii_end()
        } else {
            &self.text
        }
    }

    /// Byte offset of a column.
    fn offset(&self, column: usize) -> usize {
        if self.width == self.text.len() || column == 0 {
            return column.min(self.text.len());
        }
        let mut starts = self.text.iter().enumerate().filter(|(_, b)| **b & 0xc0 != 0x80).map(|(i, _)| i);
        starts.nth(column).unwrap_or(self.text.len())
    }

    fn append(&mut self, mut text: &[u8], width: usize) {
        self.width += width;
        while self.text.len() + text.len() > ROW {
            let (now, later) = text.split_at(ROW - self.text.len());
            self.text.extend_from_slice(now);
            self.lose_middle();
            text = later;
        }
        self.text.extend_from_slice(text);
    }

    fn lose_middle(&mut self) {
        let from = self.hole.map_or_else(|| floor_char(&self.text, END), |h| h.at);
        let to = floor_char(&self.text, ROW - END);
        self.text.drain(from..to);
        let bytes = (to - from) as u64 + self.hole.map_or(0, |h| h.bytes);
        self.hole = Some(Hole { at: from, bytes });
    }
}

fn letters(text: &[u8]) -> usize {
    text.iter().filter(|b| **b & 0xc0 != 0x80).count()
}

/// The largest offset up to `at` that does not split a UTF-8 sequence.
pub(crate) fn floor_char(text: &[u8], at: usize) -> usize {
    let mut at = at.min(text.len());
    let end = at;
    while at > 0 && at < text.len() && text[at] & 0xc0 == 0x80 && end - at < 4 {
        at -= 1;
    }
    at
}
