//! The terminal: nothing that a terminal would act on comes out, a second cleaning changes
//! nothing, and it does not matter in which portions the bytes come.

use crate::common::Portions;
use crate::dice::{fuzz, lines, Dice, CORPUS};
use toolshrink::{clean, each_line, Tally};

const PIECES: &[&[u8]] = &[
    b"\n",
    b"\n",
    b"\n\n\n",
    b"\r\n",
    b"\r\r\n",
    b"\r",
    b"\x08",
    b"\x08\x08\x08",
    b"\x1b[K",
    b"\x1b[1K",
    b"\x1b[2K",
    b"\x1b[A",
    b"\x1b[3A",
    b"\x1b[99999A",
    b"\x1b[B",
    b"\x1b[2B",
    b"\x1b[E",
    b"\x1b[70E",
    b"\x1b[F",
    b"\x1b[12G",
    b"\x1b[999999999999G",
    b"\x1b[5C",
    b"\x1b[9999D",
    b"\x1b[H",
    b"\x1b[3;4H",
    b"\x1b[J",
    b"\x1b[1J",
    b"\x1b[2J",
    b"\x1b[0m",
    b"\x1b[38;5;1m",
    b"\x1b[38:2::1:2:3m",
    b"\x1b[?25l",
    b"\x1b[?25h",
    b"\x1b[?2026h",
    b"\x1b[?1049h",
    b"\x1b[>c",
    b"\x1b[!p",
    b"\x1b]0;title\x07",
    b"\x1b]8;;http://x\x1b\\",
    b"\x1b]8;;",
    b"\x1bP1$r0m\x1b\\",
    b"\x1b_x\x1b\\",
    b"\x1b^",
    b"\x1bX",
    b"\x1b\\",
    b"\x1b(B",
    b"\x1b#8",
    b"\x1b7",
    b"\x1b8",
    b"\x1bM",
    b"\x1bE",
    b"\x1bc",
    b"\x1b",
    b"\x1b\x1b",
    b"\x1b[",
    b"\x1b[12",
    b"[",
    b"\x07",
    b"\x0b",
    b"\x0c",
    b"\0",
    b"\x0e",
    b"\x7f",
    b"\x9b2J",
    "\u{9b}31m".as_bytes(),
    "é".as_bytes(),
    "日本".as_bytes(),
    b"\xff",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xc3",
    b"\xf0\x9f",
    b"\xef\xbb\xbf",
    b" ",
    b"  ",
    b" \n",
    b"  \n",
    b"\t",
    b"\t\n",
    b"a",
    b"word",
    b" 50%",
    b"100%",
    b"section_start:1:a\r",
    b"section_end:2:b\r",
    b"2026-08-22T10:15:30.123456Z 00O ",
    b"2026-08-22T10:15:30.123456Z 00O+",
];

/// Pieces of what terminals act on, between words, lines of fixtures and long runs.
fn stream(dice: &mut Dice) -> Vec<u8> {
    let mut out = Vec::new();
    if dice.one_in(30) {
        out.extend_from_slice(dice.pick(&[b"\xff\xfe", b"\xfe\xff"]));
    }
    let favourites: Vec<&[u8]> = (0..1 + dice.below(6)).map(|_| dice.pick(PIECES)).collect();
    for _ in 0..dice.below(400) {
        match dice.below(40) {
            0 => out.extend((0..dice.below(30)).map(|_| dice.byte())),
            1 => {
                let text: &Vec<u8> = dice.one(&CORPUS);
                out.extend_from_slice(dice.pick(&lines(text)));
            }
            2 => out.extend(std::iter::repeat_n(dice.pick(b"x =.\t\0"), dice.below(2_000))),
            3 if dice.one_in(4) => out.extend(dice.pick(PIECES).repeat(dice.below(3_000))),
            4 if dice.one_in(4) => out.extend(std::iter::repeat_n(b'y', dice.below(140_000))),
            5 => {
                let record = format!("{{\"id\":{},\"a\":[1,\"x\"]}},", dice.below(99));
                out.extend_from_slice(b"[");
                out.extend(record.repeat(dice.below(600)).into_bytes());
            }
            6..20 => out.extend_from_slice(dice.pick(&favourites)),
            _ => out.extend_from_slice(dice.pick(PIECES)),
        }
    }
    out
}

fn cleaned_by(text: &[u8], size: usize) -> (Vec<u8>, Tally) {
    let mut out = Vec::new();
    let tally = clean(Portions { rest: text, size }, &mut out).expect("a slice can be read");
    (out, tally)
}

/// Each line as it is lent to cuts: text, bytes missing in it, whether it is ended.
fn lent_by(text: &[u8], size: usize) -> (Vec<(Vec<u8>, u64, bool)>, Tally) {
    let mut lent = Vec::new();
    let tally = each_line(Portions { rest: text, size }, |l| lent.push((l.text.to_vec(), l.hole.map_or(0, |h| h.bytes), l.ended)));
    (lent, tally.expect("a slice can be read"))
}

#[test]
fn nothing_reaches_a_terminal() {
    fuzz("clean", stream, |text, dice| {
        let (out, tally) = cleaned_by(text, usize::MAX);
        let lent = lent_by(text, usize::MAX);
        for size in [1, 2 + dice.below(50), 1 + dice.below(5_000), 1 + dice.below(200_000)] {
            if cleaned_by(text, size) != (out.clone(), tally) || lent_by(text, size) != lent {
                return Err(format!("portions of {size} make a difference"));
            }
        }
        if let Some(at) = out.iter().position(|b| matches!(b, 0x1b | b'\r' | 0x08)) {
            return Err(format!("a control byte at {at}: {}", out[at.saturating_sub(20)..].escape_ascii()));
        }
        let shown: Vec<u8> = lent.0.iter().flat_map(|(text, _, ended)| text.iter().copied().chain(ended.then_some(b'\n'))).collect();
        let missing: u64 = lent.0.iter().map(|l| l.1).sum();
        if shown.len() as u64 + missing != lent.1.clean_bytes || out.len() as u64 != tally.clean_bytes {
            return Err(format!("{} bytes and {missing} missing of {:?}; {} of {tally:?}", shown.len(), lent.1, out.len()));
        }
        if shown.iter().any(|b| matches!(b, 0x1b | b'\r' | 0x08)) {
            return Err("a control byte is lent".into());
        }
        // Only a line that is long enough to be lent in pieces may be drawn otherwise.
        if shown != out && !text.split(|b| *b == b'\n').any(|l| l.len() > 4_096) {
            return Err("what is lent is not what is written".into());
        }
        // UTF-8 may take more bytes than UTF-16.
        let is_utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
        if !is_utf16 && (tally.clean_bytes > tally.input_bytes || tally.clean_lines > tally.input_lines) {
            return Err(format!("it grows: {tally:?}"));
        }
        if !is_utf16 && (out.starts_with(b"\xff\xfe") || out.starts_with(b"\xfe\xff")) {
            // What stood before them is gone, and now they are a mark.
            return Ok(());
        }
        if out.split(|b| *b == b'\n').any(|l| l.len() >= 2_048 && l.contains(&0)) {
            // Where escapes stood before them, entries that end in NUL were not told as such.
            return Ok(());
        }
        let again = cleaned_by(&out, usize::MAX).0;
        if again != out {
            let at = again.iter().zip(&out).take_while(|(a, b)| a == b).count();
            let near = |t: &[u8]| t[at.saturating_sub(60).min(t.len())..t.len().min(at + 60)].escape_ascii().to_string();
            return Err(format!("a second cleaning differs at {at}: {} is {}", near(&out), near(&again)));
        }
        Ok(())
    });
}
