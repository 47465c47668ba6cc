//! The one place that words a marker, and the one that reads it back.
//!
//! ```text
//! ... 401 lines, 15,903 bytes omitted: 397 passing tests, 4 progress ...
//! ... 297,000 bytes omitted ...            (inside one over-long line)
//! ... the input ended early ...            (the last line, after a signal)
//! [full output saved as spill:bash-d63d2aebb643, 4,801 lines: /dir/bash-d63d2aebb643.txt]
//! [full output could not be saved: no space left on device]
//! ```

/// Words a gap between lines. `reasons` are counts and plural nouns, or counts and names:
/// those (`true`) stay as they are.
pub fn gap(out: &mut Vec<u8>, lines: u64, bytes: u64, reasons: &[(u64, &[u8], bool)]) {
    out.extend_from_slice(b"... ");
    number(out, lines);
    out.extend_from_slice(if lines == 1 { b" line, " } else { b" lines, " });
    number(out, bytes);
    out.extend_from_slice(if bytes == 1 { b" byte omitted" } else { b" bytes omitted" });
    for (i, (count, noun, is_name)) in reasons.iter().enumerate() {
        out.extend_from_slice(if i == 0 { b": " } else { b", " });
        number(out, *count);
        out.push(b' ');
        if *is_name {
            out.extend_from_slice(noun);
        } else {
            singular(out, *count, noun);
        }
    }
    out.extend_from_slice(b" ...");
}

/// Words a hole inside a line.
pub fn hole(out: &mut Vec<u8>, bytes: u64) {
    out.extend_from_slice(b"... ");
    number(out, bytes);
    out.extend_from_slice(if bytes == 1 { b" byte omitted ..." } else { b" bytes omitted ..." });
}

/// Words the end of an input that was to go on.
pub fn early(out: &mut Vec<u8>) {
    out.extend_from_slice(EARLY);
}

const EARLY: &[u8] = b"... the input ended early ...";
const SAVED: &[u8] = b"[full output saved as spill:";
const UNSAVED: &[u8] = b"[full output could not be saved";

/// Words where the original lies: its locator, its lines, its path.
pub fn saved(out: &mut Vec<u8>, locator: &str, lines: u64, path: &str) {
    out.extend_from_slice(SAVED);
    out.extend_from_slice(locator.as_bytes());
    out.extend_from_slice(b", ");
    number(out, lines);
    out.extend_from_slice(if lines == 1 { b" line: " } else { b" lines: " });
    out.extend(path.chars().filter(|c| !c.is_control()).collect::<String>().into_bytes());
    out.push(b']');
}

/// Words why the original lies nowhere, in `room` bytes at most (40 or more).
pub fn unsaved(out: &mut Vec<u8>, why: &str, room: usize) {
    out.extend_from_slice(UNSAVED);
    let why: String = why.chars().filter(|c| !c.is_control()).collect();
    if UNSAVED.len() + why.len() + 3 <= room {
        out.extend_from_slice(b": ");
        out.extend_from_slice(why.as_bytes());
    }
    out.push(b']');
}

/// Is this line a marker or a note of ours, or does it hold one?
#[must_use]
pub fn is_marked(line: &[u8]) -> bool {
    match line.first() {
        Some(b'.') if read_gap(line).is_some() || line == EARLY => true,
        Some(b'[') if line.ends_with(b"]") && (line.starts_with(SAVED) || line.starts_with(UNSAVED)) => true,
        _ => read_hole(line).is_some(),
    }
}

fn singular(out: &mut Vec<u8>, count: u64, noun: &[u8]) {
    if let Some(rest) = noun.strip_prefix(b"lines ".as_slice()).filter(|_| count == 1) {
        out.extend_from_slice(b"line ");
        return out.extend_from_slice(rest);
    }
    let cut = match noun {
        [.., b'i', b'e', b's'] if count == 1 => {
            out.extend_from_slice(&noun[..noun.len() - 3]);
            return out.push(b'y');
        }
        [.., b's', b's'] => noun,
        [head @ .., b's'] if count == 1 => head,
        _ => noun,
    };
    out.extend_from_slice(cut);
}

/// A number with thousands commas.
fn number(out: &mut Vec<u8>, mut n: u64) {
    // The most that 64 bits hold has 20 digits and 6 commas.
    let mut text = [0; 26];
    let mut at = text.len();
    for digits in 1.. {
        at -= 1;
        text[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
        if digits % 3 == 0 {
            at -= 1;
            text[at] = b',';
        }
    }
    out.extend_from_slice(&text[at..]);
}

/// Reads a marker back: lines and bytes of a gap line.
#[must_use]
pub fn read_gap(line: &[u8]) -> Option<(u64, u64)> {
    let body = line.strip_prefix(b"... ")?.strip_suffix(b" ...")?;
    let (lines, body) = read_number(body)?;
    let body = body.strip_prefix(if lines == 1 { b" line, ".as_slice() } else { b" lines, " })?;
    let (bytes, body) = read_number(body)?;
    let body = body.strip_prefix(if bytes == 1 { b" byte omitted".as_slice() } else { b" bytes omitted" })?;
    (body.is_empty() || body.starts_with(b": ")).then_some((lines, bytes))
}

/// Reads the note of a kept original back: locator, lines, path.
#[must_use]
pub fn read_saved(line: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    let body = line.strip_prefix(SAVED)?.strip_suffix(b"]")?;
    let comma = memchr::memmem::find(body, b", ")?;
    let (lines, rest) = read_number(&body[comma + 2..])?;
    let path = rest.strip_prefix(if lines == 1 { b" line: ".as_slice() } else { b" lines: " })?;
    Some((&line[SAVED.len() - b"spill:".len()..SAVED.len() + comma], lines, path))
}

/// Reads why the original lies nowhere; empty where the room was too small to say.
#[must_use]
pub fn read_unsaved(line: &[u8]) -> Option<&[u8]> {
    let why = line.strip_prefix(UNSAVED)?.strip_suffix(b"]")?;
    Some(why.strip_prefix(b": ").unwrap_or(why))
}

/// Finds a hole's marker inside a line: where it starts, where it ends, how many bytes.
#[must_use]
pub fn read_hole(line: &[u8]) -> Option<(usize, usize, u64)> {
    memchr::memmem::find_iter(line, b"... ").find_map(|at| {
        let (bytes, rest) = read_number(&line[at + 4..])?;
        let rest = rest.strip_prefix(if bytes == 1 { b" byte omitted ...".as_slice() } else { b" bytes omitted ..." })?;
        Some((at, line.len() - rest.len(), bytes))
    })
}

fn read_number(text: &[u8]) -> Option<(u64, &[u8])> {
    let len = text.iter().take_while(|b| b.is_ascii_digit() || **b == b',').count();
    let digits: String = text[..len].iter().filter(|b| **b != b',').map(|b| *b as char).collect();
    Some((digits.parse().ok()?, &text[len..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_worded_is_read_back() {
        let mut out = Vec::new();
        gap(
            &mut out,
            401,
            15_903,
            &[(397, b"passing tests", false), (1, b"entries", false), (4, b"progress", false), (1, b"src/utils", true)],
        );
        assert_eq!(out, b"... 401 lines, 15,903 bytes omitted: 397 passing tests, 1 entry, 4 progress, 1 src/utils ...");
        assert_eq!(read_gap(&out), Some((401, 15_903)));
        out.clear();
        out.extend_from_slice(b"ab");
        hole(&mut out, 297_000);
        assert_eq!(read_hole(&out), Some((2, out.len(), 297_000)));
        assert_eq!(read_gap(b"... 2 lines omitted ..."), None);
        for (n, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (u64::MAX, "18,446,744,073,709,551,615")] {
            out.clear();
            number(&mut out, n);
            assert_eq!(out, text.as_bytes());
        }
        out.clear();
        saved(&mut out, "bash-d63d2aebb643", 4_801, "/a b/bash-d63d2aebb643.txt");
        assert_eq!(read_saved(&out), Some((&b"spill:bash-d63d2aebb643"[..], 4_801, &b"/a b/bash-d63d2aebb643.txt"[..])));
        out.clear();
        unsaved(&mut out, "disk full", 100);
        assert_eq!((read_saved(&out), read_unsaved(&out)), (None, Some(&b"disk full"[..])));
    }
}
