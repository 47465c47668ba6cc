//! Bytes to lines: what a reader would have seen, nothing else.
//!
//! CRLF becomes LF, escapes go, text overdrawn by CR, backspace or cursor moves is
//! resolved to what a terminal shows at the end, runs of blank lines shrink to one.
//! A long line of JSON is lent in pieces that have no line end (`reline`), one of entries
//! that end in NUL an entry a line (`nuls`).
//! Tabs and bytes that are not UTF-8 stay. A line without ESC, CR or BS is borrowed
//! from the input; the rest goes through a small terminal model (`screen`).

mod colour;
mod nuls;
mod reline;
mod screen;
mod utf16;

pub(crate) use screen::floor_char;

use crate::line::{Hole, Line};
use crate::signs;
use nuls::{begins_nuls, NUL_LINE};
use reline::{begins_json, Reliner, LONG_LINE};
use screen::Screen;
use utf16::Utf16;

/// A physical line longer than this is never held whole.
const LONG: usize = 64 * 1024;

/// Where all of a line is wanted, it is drawn from so many bytes on.
const NEAR: usize = 16 * 1024;

/// How the letters of the input are written.
enum Letters {
    /// What has come may be UTF-16.
    Unknown(Vec<u8>),
    /// Bytes that are taken as they are.
    Bytes,
    Utf16(Utf16),
}

/// Takes bytes in any portions, lends out cleaned lines.
pub struct Cleaner {
    letters: Letters,
    /// The beginning of a line whose end has not come yet.
    partial: Vec<u8>,
    /// A line without its colours.
    uncoloured: Vec<u8>,
    screen: Screen,
    /// The rest of the present physical line goes straight to the screen.
    spilled: bool,
    /// The present physical line is JSON that goes out in pieces.
    relines: bool,
    /// Whether the beginning of a line that has not ended is JSON was asked.
    asked: bool,
    /// NUL ends a line too, up to the next line end.
    nuls: bool,
    /// Whether it does was asked.
    asked_nuls: bool,
    reliner: Reliner,
    /// CRs at the end of what came of a line of JSON: of its line end, if one follows.
    returns: usize,
    /// No line loses its middle: a long one is lent in pieces, too.
    whole: bool,
    /// Bytes of the present line since it began or a piece of it was lent.
    run: usize,
    out: Emitter,
}

/// What the sink is given: the line, once.
pub type Sink<'s> = dyn FnMut(&Line<'_>) + 's;

/// Counts what came in and what went on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Bytes of the raw input.
    pub input_bytes: u64,
    /// Lines of the raw input; line breaks made by cursor moves count.
    pub input_lines: u64,
    /// Bytes of the cleaned lines, line ends included.
    pub clean_bytes: u64,
    /// Cleaned lines.
    pub clean_lines: u64,
}

struct Emitter {
    tally: Tally,
    was_blank: bool,
    /// Width of the last line if it was one or two spaces and nothing else, else 0.
    narrow: usize,
    /// The last piece had no line end: what comes is the rest of its line.
    open: bool,
}

impl Emitter {
    /// Emits a line; one that turns out to be a list of entries that end in NUL, once what
    /// stood around it is cleaned away, an entry a line.
    fn emit(&mut self, text: &[u8], hole: Option<Hole>, ended: bool, sink: &mut Sink<'_>) {
        if text.len() < NUL_LINE || hole.is_some() || !begins_nuls(text) {
            return self.emit_line(text, hole, ended, sink);
        }
        let (entries, last) = text.split_at(memchr::memrchr(0, text).map_or(0, |at| at + 1));
        entries.split_inclusive(|b| *b == 0).for_each(|entry| self.emit_line(&entry[..entry.len() - 1], None, true, sink));
        if ended || !last.is_empty() {
            self.emit_line(last, None, ended, sink);
        }
    }

    fn emit_line(&mut self, text: &[u8], hole: Option<Hole>, ended: bool, sink: &mut Sink<'_>) {
        let mut line = Line::new(text, self.tally.clean_lines + 1);
        (line.hole, line.ended) = (hole, ended);
        self.lend(&line, sink);
    }

    /// Lends a line, unless it is one blank line more.
    fn lend(&mut self, line: &Line<'_>, sink: &mut Sink<'_>) {
        let text = line.text;
        let bare = text.iter().all(|b| matches!(b, b' ' | b'\t'));
        // An empty line of a file, as a diff (or a merge's diff) shows it: one or two signs
        // wide. Its hunk counts on each of them, and so does who applies it.
        let narrow = if !self.open && (text == b" " || text == b"  ") { text.len() } else { 0 };
        if self.open {
            // The rest of a line is as blank as its beginning, at most.
            self.was_blank &= bare;
        } else {
            if bare && self.was_blank && line.hole.is_none() && (narrow == 0 || narrow != self.narrow) {
                return;
            }
            self.was_blank = bare;
        }
        self.narrow = narrow;
        self.open = !line.ended;
        self.tally.clean_lines += 1;
        self.tally.clean_bytes += line.bytes();
        sink(line);
    }
}

impl Default for Cleaner {
    fn default() -> Self {
        Cleaner {
            letters: Letters::Unknown(Vec::new()),
            partial: Vec::new(),
            uncoloured: Vec::new(),
            screen: Screen::default(),
            spilled: false,
            relines: false,
            asked: false,
            nuls: false,
            asked_nuls: false,
            reliner: Reliner::default(),
            returns: 0,
            whole: false,
            run: 0,
            out: Emitter { tally: Tally::default(), was_blank: false, narrow: 0, open: false },
        }
    }
}

impl Cleaner {
    /// One that lends lines of any length whole, in pieces where they are long.
    pub fn whole() -> Self {
        Cleaner { whole: true, ..Cleaner::default() }
    }

    /// Takes the next bytes; lends each line that they complete to the sink.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        self.out.tally.input_bytes += bytes.len() as u64;
        if let Letters::Unknown(first) = &mut self.letters {
            let (now, rest) = bytes.split_at(bytes.len().min(2 + utf16::LOOK - first.len()));
            first.extend_from_slice(now);
            if Utf16::may_be(first) && first.len() < 2 + utf16::LOOK {
                return;
            }
            self.tell(sink);
            return self.letters(rest, sink);
        }
        self.letters(bytes, sink);
    }

    /// Enough has come to tell how the letters are written.
    fn tell(&mut self, sink: &mut Sink<'_>) {
        let Letters::Unknown(first) = &mut self.letters else { return };
        let first = std::mem::take(first);
        let decoder = first.first_chunk().and_then(|mark| Utf16::from_mark(*mark)).filter(|d| d.reads(&first[2..]));
        let from = if decoder.is_some() { 2 } else { 0 };
        self.letters = decoder.map_or(Letters::Bytes, Letters::Utf16);
        self.letters(&first[from..], sink);
    }

    fn letters(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        match &mut self.letters {
            Letters::Utf16(decoder) => {
                let text = decoder.decode(bytes);
                self.pieces(&text, sink);
            }
            _ => self.pieces(bytes, sink),
        }
    }

    /// Hands on what has come; where all of a line is wanted, it goes out before it is so long
    /// that it would lose its middle, and a CR cannot reach back behind that place.
    fn pieces(&mut self, mut bytes: &[u8], sink: &mut Sink<'_>) {
        while self.whole && !bytes.is_empty() {
            let near = &bytes[..bytes.len().min(NEAR - self.run)];
            let (now, rest) = bytes.split_at(memchr::memchr(b'\n', near).map_or(near.len(), |n| n + 1));
            bytes = rest;
            self.lines(now, sink);
            self.run += now.len();
            if now.ends_with(b"\n") {
                self.run = 0;
            } else if self.run < NEAR {
                // The portion ends here, which is no reason for anything.
                return;
            } else {
                self.run = 0;
                self.spilled = true;
                let line = std::mem::take(&mut self.partial);
                self.draw(&line, sink);
            }
            let out = &mut self.out;
            let lent = self.screen.lend(LONG, &mut |text, hole, ended| out.emit(text, hole, ended, sink));
            self.out.tally.input_lines += u64::from(lent);
        }
        self.lines(bytes, sink);
    }

    fn lines(&mut self, mut bytes: &[u8], sink: &mut Sink<'_>) {
        // Bytes before the next one that a terminal would heed: lines there are plain.
        let mut calm = next_special(bytes);
        // Bytes in front that hold no word that makes a sign, as far as somebody has looked.
        let mut wordless = 0;
        while let Some(end) = self.line_end_in(bytes) {
            let (line, rest) = bytes.split_at(end);
            if line.len() + self.partial.len() >= NUL_LINE && self.ask_nuls(line, sink) {
                continue;
            }
            let plain = end < calm;
            let special = calm;
            calm = if plain { calm - end - 1 } else { next_special(&rest[1..]) };
            if end < NUL_LINE && self.is_at_start() {
                let number = self.out.tally.clean_lines + 1;
                if plain && wordless < end {
                    wordless = signs::wordless(bytes);
                }
                let has_none = plain && wordless >= end;
                if plain || colour::without(line, special, &mut self.uncoloured) {
                    bytes = &rest[1..];
                    wordless = wordless.saturating_sub(end + 1);
                    self.out.tally.input_lines += 1;
                    let text = if plain { line } else { &self.uncoloured };
                    self.out.lend(&Line::looked_at(text, number, has_none), sink);
                    continue;
                }
            }
            wordless = wordless.saturating_sub(end + 1);
            self.nuls &= rest[0] == 0;
            bytes = &rest[1..];
            self.out.tally.input_lines += 1;
            (self.asked, self.asked_nuls) = (false, self.nuls);
            if self.relines {
                self.reline(line, sink);
                self.end_reline(true, sink);
            } else if self.spilled {
                self.draw(line, sink);
                self.spilled = false;
                self.line_end(sink);
            } else if self.partial.is_empty() {
                self.whole_line(line, sink);
            } else {
                self.partial.extend_from_slice(line);
                let line = std::mem::take(&mut self.partial);
                self.whole_line(&line, sink);
                self.partial = line;
                self.partial.clear();
            }
        }
        if self.relines {
            self.reline(bytes, sink);
        } else if self.spilled {
            self.draw(bytes, sink);
        } else {
            if self.partial.len() + bytes.len() >= NUL_LINE && self.ask_nuls(bytes, sink) {
                return self.lines(bytes, sink);
            }
            self.partial.extend_from_slice(bytes);
            if self.partial.len() > LONG_LINE && !self.asked {
                self.asked = true;
                if !self.whole && self.screen.is_idle() && begins_json(&self.partial) {
                    self.relines = true;
                    let line = std::mem::take(&mut self.partial);
                    return self.reline(&line, sink);
                }
            }
            if self.partial.len() > LONG {
                self.spilled = true;
                let line = std::mem::take(&mut self.partial);
                self.draw(&line, sink);
            }
        }
    }

    /// Does a line begin here, and nothing that came before changes it?
    fn is_at_start(&self) -> bool {
        self.partial.is_empty() && !self.relines && !self.spilled && !self.nuls && self.screen.is_idle()
    }

    /// Where the next line end is.
    fn line_end_in(&self, bytes: &[u8]) -> Option<usize> {
        if self.nuls {
            memchr::memchr2(b'\n', 0, bytes)
        } else {
            line_end(bytes)
        }
    }

    /// Does the present physical line, which goes on with `bytes`, hold entries that end in NUL?
    /// Then what is held of it goes out.
    fn ask_nuls(&mut self, bytes: &[u8], sink: &mut Sink<'_>) -> bool {
        if std::mem::replace(&mut self.asked_nuls, true) || self.relines || self.spilled || !self.screen.is_idle() {
            return false;
        }
        let near = [&self.partial[..], &bytes[..NUL_LINE - self.partial.len()]].concat();
        self.nuls = begins_nuls(&near);
        if self.nuls {
            let held = std::mem::take(&mut self.partial);
            self.lines(&held, sink);
        }
        self.nuls
    }

    /// The input has ended: lends what is left and returns the count of it all.
    pub fn end(&mut self, sink: &mut Sink<'_>) -> Tally {
        self.tell(sink);
        if let Letters::Utf16(decoder) = &mut self.letters {
            let text = decoder.end();
            self.lines(text, sink);
        }
        let rest = std::mem::take(&mut self.partial);
        if self.relines && !self.spilled {
            self.out.tally.input_lines += 1;
        }
        self.end_reline(false, sink);
        if self.spilled || !rest.is_empty() {
            self.out.tally.input_lines += 1;
            if !self.spilled && self.is_plain(&rest) {
                self.out.emit(&rest, None, false, sink);
                return self.out.tally;
            }
            self.draw(&rest, sink);
        }
        let out = &mut self.out;
        let breaks = self.screen.finish(&mut |text, hole, ended| out.emit(text, hole, ended, sink));
        self.out.tally.input_lines += breaks;
        self.out.tally
    }

    /// No special byte in it, and the screen holds nothing that it could change?
    fn is_plain(&self, line: &[u8]) -> bool {
        self.screen.is_idle() && line.len() <= LONG && next_special(line) == line.len()
    }

    fn whole_line(&mut self, line: &[u8], sink: &mut Sink<'_>) {
        let bare = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LONG_LINE && !self.whole && self.screen.is_idle() && begins_json(line) {
            self.relines = true;
            self.reline(line, sink);
            self.end_reline(true, sink);
        } else if self.is_plain(bare) {
            self.out.emit(bare, None, true, sink);
        } else {
            self.draw(line, sink);
            self.line_end(sink);
        }
    }

    /// Part of a JSON line. An escape in it and what follows go to the screen after all.
    fn reline(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        if self.spilled {
            return self.draw(bytes, sink);
        }
        let returns = std::mem::take(&mut self.returns);
        let end = if returns > 0 { 0 } else { memchr::memchr3(0x1b, 0x08, b'\r', bytes).unwrap_or(bytes.len()) };
        let out = &mut self.out;
        let mut rows = |text: &[u8], hole, ended| out.emit(text, hole, ended, sink);
        self.reliner.push(&bytes[..end], &mut rows);
        if bytes[end..].iter().all(|b| *b == b'\r') {
            self.returns = returns + bytes.len() - end;
            return;
        }
        self.spilled = true;
        let breaks = self.reliner.finish(false, &mut rows);
        self.out.tally.input_lines += breaks + 1;
        self.draw(&b"\r"[..returns.min(1)], sink);
        self.draw(&bytes[end..], sink);
    }

    /// The JSON line ends here.
    fn end_reline(&mut self, ended: bool, sink: &mut Sink<'_>) {
        self.returns = 0;
        if !std::mem::take(&mut self.relines) {
            return;
        }
        if !self.spilled {
            let out = &mut self.out;
            let breaks = self.reliner.finish(ended, &mut |text, hole, ended| out.emit(text, hole, ended, sink));
            self.out.tally.input_lines += breaks;
        } else if ended {
            self.spilled = false;
            self.line_end(sink);
        }
    }

    fn draw(&mut self, bytes: &[u8], sink: &mut Sink<'_>) {
        let out = &mut self.out;
        let breaks = self.screen.write(bytes, &mut |text, hole, ended| out.emit(text, hole, ended, sink));
        self.out.tally.input_lines += breaks;
    }

    fn line_end(&mut self, sink: &mut Sink<'_>) {
        let out = &mut self.out;
        let breaks = self.screen.line_end(&mut |text, hole, ended| out.emit(text, hole, ended, sink));
        self.out.tally.input_lines += breaks;
    }
}

/// Bytes in which a line end is looked for eight at a time, before the search for long lines
/// is called: that costs as much as these.
const SHORT: usize = 64;

/// Where the first line end is.
fn line_end(bytes: &[u8]) -> Option<usize> {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    let (mut rest, mut at) = (bytes, 0);
    while let Some(eight) = rest.first_chunk::<8>().filter(|_| at < SHORT) {
        let zero = u64::from_le_bytes(*eight) ^ (EACH * b'\n' as u64);
        let ends = zero.wrapping_sub(EACH) & !zero & (EACH << 7);
        if ends != 0 {
            return Some(at + ends.trailing_zeros() as usize / 8);
        }
        (rest, at) = (&rest[8..], at + 8);
    }
    memchr::memchr(b'\n', rest).map(|n| at + n)
}

/// How many bytes stand before the first one that moves a terminal's cursor.
fn next_special(bytes: &[u8]) -> usize {
    memchr::memchr3(0x1b, b'\r', 0x08, bytes).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cleans in portions of `size` bytes.
    fn clean_by(input: &[u8], size: usize) -> (Vec<u8>, Tally) {
        let mut out = Vec::new();
        let mut sink = |line: &Line<'_>| {
            out.extend_from_slice(line.text);
            if line.ended {
                out.push(b'\n');
            }
        };
        let mut cleaner = Cleaner::default();
        for part in input.chunks(size) {
            cleaner.feed(part, &mut sink);
        }
        let tally = cleaner.end(&mut sink);
        (out, tally)
    }

    fn clean(input: &str) -> String {
        let (out, tally) = clean_by(input.as_bytes(), 1);
        assert_eq!(out, clean_by(input.as_bytes(), 1 << 16).0, "equal for any read size");
        assert_eq!(tally.clean_bytes, out.len() as u64);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn escapes_of_every_form_go() {
        assert_eq!(clean("\x1b[1m\x1b[91merror[E0308]\x1b[0m\x1b[1m: x\n"), "error[E0308]: x\n");
        assert_eq!(clean("test a ... \x1b[32mok\x1b(B\x1b[m\n"), "test a ... ok\n");
        assert_eq!(clean("\x1b[38:2::1:2:3mtint\x1b[?25l\x1b[?2026h.\n"), "tint.\n");
        assert_eq!(clean("\x1b]8;;http://x\x1b\\link\x1b]8;;\x07 \x1bP1$r0m\x1b\\end\n"), "link end\n");
        assert_eq!(clean("\x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kmsg\n"), "error: msg\n");
    }

    #[test]
    fn an_unclosed_escape_loses_no_line() {
        assert_eq!(clean_by(b"\x1b^section_end:\r:", 1).1, Tally { input_bytes: 16, input_lines: 2, clean_bytes: 14, clean_lines: 2 });
        assert_eq!(clean("\x1b]0;error: x\nb\n"), "0;error: x\nb\n");
        assert_eq!(clean("\x1b[12\nb\n"), "\nb\n");
        assert_eq!(clean("a\x1b"), "a");
    }

    #[test]
    fn overdrawn_text_is_what_a_terminal_shows() {
        assert_eq!(clean("  1%\r 50%\r100%\n"), "100%\n");
        assert_eq!(clean("[==> ] 6/70: memchr\r\x1b[K   Compiling libc\r\n"), "   Compiling libc\n");
        assert_eq!(clean("Rebasing (1/6)\rAuto-merging README.md\n"), "Auto-merging README.md\n");
        assert_eq!(clean("abcdef\rxy\n"), "xycdef\n");
        assert_eq!(clean("äöü\rx\n"), "xöü\n");
        assert_eq!(clean("ab\x08c\n"), "ac\n");
        let long = "y".repeat(200_000);
        let text = format!("abc\rx{long}\n");
        assert!(clean_by(text.as_bytes(), 1) == clean_by(text.as_bytes(), text.len()), "a long row loses the same middle");
        assert_eq!(clean("a\r\nb\r\r\n"), "a\nb\n");
    }

    #[test]
    fn rows_that_are_redrawn_stand_once() {
        assert_eq!(clean("\x1b[?25lone: 1\ntwo: 1\n\x1b[2A\x1b[2Kone: 2\n\x1b[2Ktwo: 2\nend\n"), "one: 2\ntwo: 2\nend\n");
        assert_eq!(clean("\x1b[?25l  - a\n\x1b[1A\x1b[2K\x1b[0G  ok a\x1b[1E  - b\n"), "  ok a\n  - b\n");
        assert_eq!(clean("\x1b[2K\x1b[1Gtransforming (1)\x1b[2K\x1b[1Gtransforming (2)\n"), "transforming (2)\n");
    }

    #[test]
    fn blank_runs_shrink_and_tabs_stay() {
        assert_eq!(clean("a\n\n \n\t\n\nb\tc\n\n\n"), "a\n\nb\tc\n\n");
        assert_eq!(clean(" a\n \n \n+b\n\n \n"), " a\n \n \n+b\n\n");
        assert_eq!(clean("no end"), "no end");
        assert_eq!(clean(""), "");
    }

    #[test]
    fn utf16_with_its_mark_is_decoded() {
        for big_endian in [false, true] {
            let units = "\u{feff}error: \u{1f600} é\r\nb".encode_utf16();
            let bytes: Vec<u8> = units.flat_map(|u| if big_endian { u.to_be_bytes() } else { u.to_le_bytes() }).collect();
            for size in [1, 2, 3, 100] {
                assert_eq!(clean_by(&bytes, size).0, "error: \u{1f600} é\nb".as_bytes());
            }
            assert_eq!(clean_by(&bytes[..bytes.len() - 1], 3).0, "error: \u{1f600} é\n\u{fffd}".as_bytes());
        }
        // A long text, whose letters need not be ASCII.
        let long: Vec<u8> = format!("\u{feff}{}", "строка 字\n".repeat(200)).encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(clean_by(&long, 7).0, "строка 字\n".repeat(200).as_bytes());
    }

    #[test]
    fn bytes_that_begin_like_a_mark_pass() {
        for bytes in [&b"\xff"[..], b"\xffa\n", b"\xff\xfe", b"\xff\xfe\n", b"\xfe\xff hello\nok\n", b"\xff\xfehello\nok\n"] {
            assert!([1, 100].iter().all(|size| clean_by(bytes, *size).0 == bytes), "{bytes:?}");
        }
        let long = [b"\xff\xfe".to_vec(), b"a line of bytes\n".repeat(100)].concat();
        assert_eq!(clean_by(&long, 9).0, long);
    }

    #[test]
    fn a_gitlab_section_marker_is_a_line_of_its_own() {
        assert_eq!(clean("section_start:1560896352:build\r\x1b[0KBuilding\n"), "section_start:1560896352:build\nBuilding\n");
        let stamp = "2026-08-22T10:15:30.123456Z 00O ";
        assert_eq!(clean(&format!("{stamp}\x1b[0Ksection_start:1:a\r\x1b[0KBuilding\n")), format!("{stamp}section_start:1:a\nBuilding\n"));
    }

    #[test]
    fn a_long_line_of_json_goes_out_in_pieces_and_none_is_lost() {
        let records: Vec<String> = (0..300).map(|i| format!("{{\"id\":{i},\"name\":\"x{i}\"}}")).collect();
        let text = format!("HTTP/1.1 200 OK\r\n\r\n{{\"total\":300,\"items\":[{}]}}\r\nend\n", records.join(","));
        assert_eq!(clean(&text), text.replace('\r', ""));
        assert_eq!(clean_by(text.as_bytes(), 5).1.clean_lines, 2 + 300 + 5 + 1);
        let coloured = text.replace("\"x250\"", "\x1b[32m\"x250\"\x1b[0m");
        assert_eq!(clean(&coloured), text.replace('\r', ""));
        assert_eq!(clean(text.trim_end()), text.trim_end().replace('\r', ""));
        // Its last piece may be nothing but the line end: that is no blank line.
        let open = format!("[{},\n\nend\n", records.join(","));
        assert_eq!(clean(&open), open);
        for (ending, shown) in [("\r\r\n", "\n"), ("\r\rx\n", "x\n"), ("\r", "")] {
            assert_eq!(clean(&open.replacen(",\n", ending, 1)), open.replacen(",\n", shown, 1));
        }
    }

    #[test]
    fn all_of_a_long_line_is_lent_where_it_is_wanted() {
        for line in
            ["x".repeat(1 << 20), format!("[{}1]", "1,".repeat(1 << 19)), "é".repeat(300_000), format!("{}\x1b[m", "\r50%".repeat(50_000))]
        {
            for size in [1, 1_000, 1 << 21] {
                let mut out = Vec::new();
                let mut cleaner = Cleaner::whole();
                let mut sink = |l: &Line<'_>| {
                    assert!(l.hole.is_none() && l.text.len() <= 2 * LONG);
                    out.extend_from_slice(l.text);
                    out.extend(l.ended.then_some(b'\n'));
                };
                format!("a\n{line}\nb\n").as_bytes().chunks(size).for_each(|c| cleaner.feed(c, &mut sink));
                let tally = cleaner.end(&mut sink);
                let shown = if line.starts_with('\r') { "50%" } else { &line };
                assert!(out == format!("a\n{shown}\nb\n").into_bytes() && tally.clean_bytes == out.len() as u64);
            }
        }
    }

    #[test]
    fn entries_that_end_in_nul_are_lines() {
        let entries: Vec<String> = (0..300).map(|i| format!("./src/a{i}.rs")).collect();
        let text = format!("{}\0\nend\n", entries.join("\0"));
        assert_eq!(clean(&text), text.replace('\0', "\n"));
        assert_eq!(clean(&text[..2_000]), text[..2_000], "a short one stays");
        let binary = "a\0b\0c\x01\0d\0".repeat(400);
        assert_eq!(clean(&binary), binary);
    }

    #[test]
    fn a_long_line_keeps_both_ends() {
        let mut input = vec![b'x'; 1 << 20];
        input[0] = b'a';
        input.extend_from_slice(b"z\n");
        let mut seen = 0;
        let mut cleaner = Cleaner::default();
        let mut sink = |l: &Line<'_>| {
            seen += 1;
            assert!(l.text.len() <= 2 * LONG && l.text[0] == b'a' && l.text.ends_with(b"z"));
            assert_eq!(l.bytes(), (1 << 20) + 2);
        };
        cleaner.feed(&input, &mut sink);
        cleaner.end(&mut sink);
        assert_eq!(seen, 1);
    }
}
