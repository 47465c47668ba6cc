//! Layout for JSON without line breaks: each record becomes a line to all that follows.
//!
//! Breaks come after an opening bracket whose value is long, before its closing one, and
//! after the commas between. A short value stays in one piece. The pieces joined are the
//! line as it was: no byte is added, a piece only knows that no line end followed it.

use super::screen::{floor_char, Rows};
use crate::line::Hole;

/// A physical line over this is looked at, in bytes; a shorter one stays as it is.
pub const LONG_LINE: usize = 4096;
/// A value up to this stays in one piece.
const INLINE: usize = 512;
/// Short values of an array share a piece up to this.
const FILL: usize = 200;
/// An element of an array from here on gets a piece of its own.
const ALONE: usize = 32;
/// Deeper brackets are not told apart any more.
const DEPTH: u32 = 64;
/// A piece longer than this loses its middle, down to `END` bytes at its start.
const PIECE: usize = 128 * 1024;
const END: usize = 32 * 1024;

/// Does a long line begin like JSON that has records? Only its first `LONG_LINE` bytes count.
#[must_use]
pub fn begins_json(line: &[u8]) -> bool {
    let near = &line[..line.len().min(LONG_LINE)];
    let text = near.strip_prefix(b"\xef\xbb\xbf").unwrap_or(near).trim_ascii_start();
    if memchr::memchr3(0x1b, b'\r', 0x08, near).is_some() {
        return false;
    }
    let [open, rest @ ..] = text else { return false };
    let first = rest.trim_ascii_start().first().copied().unwrap_or_default();
    match open {
        b'[' => matches!(first, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9'),
        // An object without an object or array inside has no records.
        b'{' => first == b'"' && Scan::default().any(rest, |b| matches!(b, b'{' | b'[')),
        _ => false,
    }
}

/// Tells bytes inside strings from those outside.
#[derive(Clone, Copy, Default)]
struct Scan {
    string: bool,
    escaped: bool,
}

impl Scan {
    /// Takes a byte; is it one of the layout?
    fn is_layout(&mut self, byte: u8) -> bool {
        if !self.string {
            self.string = byte == b'"';
            return !self.string;
        }
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == b'"' {
            self.string = false;
        }
        false
    }

    fn any(mut self, text: &[u8], is: impl Fn(u8) -> bool) -> bool {
        text.iter().any(|b| self.is_layout(*b) && is(*b))
    }
}

/// One physical line on its way into pieces.
#[derive(Default)]
pub struct Reliner {
    /// Bytes of the present piece, and what has come after them.
    text: Vec<u8>,
    /// Where the present piece begins; what stands before it has gone out.
    from: usize,
    /// How far the text has been looked at.
    at: usize,
    scan: Scan,
    /// Open brackets, a bit each: is it an object?
    kinds: u64,
    depth: u32,
    /// Length of the container that has just ended; 0 after anything else.
    ended: usize,
    hole: Option<Hole>,
    /// Pieces that went out.
    pieces: u64,
}

impl Reliner {
    /// Takes more of the line.
    pub fn push(&mut self, mut bytes: &[u8], rows: &mut Rows<'_>) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(PIECE - self.text.len()));
            self.text.extend_from_slice(now);
            self.run(false, rows);
            self.text.drain(..self.from);
            self.at -= self.from;
            self.from = 0;
            if self.text.len() == PIECE {
                self.lose_middle();
            }
            bytes = later;
        }
    }

    /// The line ends; returns how many breaks were made in it.
    pub fn finish(&mut self, ended: bool, rows: &mut Rows<'_>) -> u64 {
        self.run(true, rows);
        let breaks = self.pieces;
        let end = self.text.len();
        self.piece(end, ended, rows);
        *self = Reliner::default();
        breaks
    }

    fn run(&mut self, end: bool, rows: &mut Rows<'_>) {
        while self.at < self.text.len() {
            let byte = self.text[self.at];
            if self.scan.string && !self.scan.escaped {
                // Strings are most of the bytes: to their end in one step.
                let rest = &self.text[self.at..];
                self.at += memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
                if self.at == self.text.len() {
                    return;
                }
                self.scan.is_layout(self.text[self.at]);
                self.at += 1;
                continue;
            }
            if matches!(byte, b'{' | b'[') && !self.scan.string {
                if self.text.len() - self.at <= INLINE && !end {
                    return;
                }
                self.open(byte, rows);
                continue;
            }
            if byte == b',' && !end && self.at + 1 == self.text.len() {
                // What follows it tells whether a piece ends here or the line does.
                return;
            }
            let layout = self.scan.is_layout(byte);
            match byte {
                b'}' | b']' if layout && self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth < DEPTH {
                        self.break_at(self.at, rows);
                    }
                    self.ended = FILL;
                    self.at += 1;
                }
                b',' if layout => {
                    self.at += 1;
                    let in_object = self.depth > 0 && self.depth <= DEPTH && self.kinds >> (self.depth - 1) & 1 == 1;
                    if self.depth <= DEPTH && (in_object || self.ended >= ALONE || self.at - self.from >= FILL) {
                        self.break_at(self.at, rows);
                    }
                    self.ended = 0;
                }
                _ => {
                    self.at += 1;
                    if !byte.is_ascii_whitespace() {
                        // A value after a value, outside all brackets.
                        if self.depth == 0 && self.ended > 0 {
                            self.break_at(self.at - 1, rows);
                        }
                        self.ended = 0;
                    }
                }
            }
        }
    }

    fn open(&mut self, byte: u8, rows: &mut Rows<'_>) {
        if self.depth == 0 && self.ended > 0 {
            self.break_at(self.at, rows);
        }
        self.ended = 0;
        if self.depth < DEPTH {
            let near = &self.text[self.at..self.text.len().min(self.at + INLINE)];
            if let Some(len) = closed(near) {
                self.at += len;
                self.ended = if byte == b'{' { len.max(ALONE) } else { len };
                return;
            }
            let bit = 1 << self.depth;
            self.kinds = if byte == b'{' { self.kinds | bit } else { self.kinds & !bit };
        }
        self.depth = self.depth.saturating_add(1);
        self.at += 1;
        if self.depth <= DEPTH {
            self.break_at(self.at, rows);
        }
    }

    /// Ends the present piece before `at`, unless it is empty or nothing but blanks, or the
    /// line ends there.
    fn break_at(&mut self, at: usize, rows: &mut Rows<'_>) {
        if at < self.text.len() && self.text[self.from..at].iter().any(|b| !b.is_ascii_whitespace()) {
            self.piece(at, false, rows);
            self.pieces += 1;
        }
    }

    fn piece(&mut self, to: usize, ended: bool, rows: &mut Rows<'_>) {
        if to > self.from || ended {
            rows(&self.text[self.from..to], self.hole.take(), ended);
        }
        self.from = to;
    }

    fn lose_middle(&mut self) {
        let from = self.hole.map_or_else(|| floor_char(&self.text, END), |h| h.at);
        let to = floor_char(&self.text, PIECE - END);
        self.text.drain(from..to);
        self.at = self.at.saturating_sub(to - from).max(from);
        self.hole = Some(Hole { at: from, bytes: (to - from) as u64 + self.hole.map_or(0, |h| h.bytes) });
    }
}

/// Length of the value that the first bracket opens, if it closes in this text.
fn closed(text: &[u8]) -> Option<usize> {
    let mut scan = Scan::default();
    let mut depth = 0_u32;
    for (i, byte) in text.iter().enumerate() {
        if !scan.is_layout(*byte) {
            continue;
        }
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(input: &[u8], size: usize) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        let mut reliner = Reliner::default();
        let mut rows = |text: &[u8], _: Option<Hole>, _: bool| out.push(text.to_vec());
        for part in input.chunks(size) {
            reliner.push(part, &mut rows);
        }
        reliner.finish(true, &mut rows);
        out
    }

    fn records(count: usize) -> String {
        let items: Vec<String> = (0..count).map(|i| format!("{{\"id\":{i},\"name\":\"a, [b] \\\" }} {i}\",\"tags\":[1,2]}}")).collect();
        format!("{{\"total\":{count},\"items\":[{}],\"next\":null}}", items.join(","))
    }

    #[test]
    fn each_record_is_a_piece_and_the_pieces_are_the_text() {
        let text = records(200);
        assert!(begins_json(text.as_bytes()));
        let out = pieces(text.as_bytes(), 1);
        assert_eq!(out, pieces(text.as_bytes(), 1 << 20));
        assert_eq!(out.concat(), text.as_bytes());
        assert_eq!(out.len(), 200 + 6);
        assert_eq!(out[2], b"\"items\":[");
        assert!(out[3].starts_with(b"{\"id\":0,") && out[3].ends_with(b"},"));
        assert_eq!(out[204], b"\"next\":null");
    }

    #[test]
    fn no_piece_is_only_the_end_of_a_line() {
        for end in [",", "[", "{", "],", ",\"a\":["] {
            let text = records(90) + end;
            let out = pieces(text.as_bytes(), 1);
            assert!(out == pieces(text.as_bytes(), 1 << 20) && out.concat() == text.as_bytes());
            assert!(out.iter().all(|p| !p.is_empty()), "{end}");
        }
    }

    #[test]
    fn short_values_share_a_piece() {
        let text = format!("[{}]", (0..600).map(|i| i.to_string()).collect::<Vec<_>>().join(","));
        let out = pieces(text.as_bytes(), 7);
        assert!(out.len() < 20 && out.concat() == text.as_bytes());
    }

    #[test]
    fn an_endless_string_keeps_both_ends() {
        let text = format!("{{\"a\":[1],\"image\":\"{}\",\"error\":\"x\"}}", "A".repeat(1 << 20));
        let out = pieces(text.as_bytes(), 4099);
        assert_eq!(out, pieces(text.as_bytes(), 1 << 21));
        assert!(out.iter().all(|p| p.len() <= PIECE) && out.contains(&b"\"error\":\"x\"".to_vec()));
    }

    #[test]
    fn what_is_no_json_stays() {
        for text in ["(function(){[1]})()", "{a:1,b:[2]}", "[x for x in y]", "{\"a\":1,\"b\":2}", "\x1b[1m{\"a\":[1]}"] {
            assert!(!begins_json(text.as_bytes()), "{text}");
        }
    }
}
