//! Rows of a search: `path:12:text`, `path-12-text`, `path:text`, `12:text`.

use std::ops::Range;

/// A key is the end of a path, so that paths that share a long beginning are told apart.
const KEY: usize = 48;

/// Digits of a number at most.
const DIGITS: usize = 9;

/// What a byte is to a path.
mod class {
    /// In none.
    pub const ODD: u8 = 1;
    /// A letter; `T` is none, as it stands in times.
    pub const LETTER: u8 = 2;
    pub const SPACE: u8 = 4;
    pub const SLASH: u8 = 8;
    pub const COLON: u8 = 16;
}

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        classes[byte] = match b {
            b'"' | b'<' | b'>' | b'|' | b';' | b'`' => class::ODD,
            b' ' => class::SPACE,
            b'/' | b'\\' => class::SLASH,
            b':' => class::COLON,
            b'T' => 0,
            _ if b.is_ascii_control() => class::ODD,
            _ if b.is_ascii_alphabetic() || b >= 0x80 => class::LETTER,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

/// A row taken apart. The path is `text[..path]`.
pub(super) struct Row {
    /// Length of the path, 0 where rows have none.
    pub path: usize,
    /// Line number, where rows have one.
    pub number: Option<u64>,
    /// A line beside a match, not one itself: the separator is `-`.
    pub beside: bool,
    /// Where the text starts.
    pub text: usize,
}

/// Takes a row with a line number apart. `known` is the path of the rows before: a path
/// may hold `:12:` or `-12-` itself, and the one that repeats is the right one.
///
/// ```text
/// src/a.rs:12:    let x = 1;
/// src/a.rs-13-    let y = 2;
/// logs/2026-05-01/app.log:1:2026-05-01 00:10:00 ERROR
/// C:\app\a.c:3:int main
/// ```
pub(super) fn numbered(text: &[u8], known: &[u8]) -> Option<Row> {
    again(text, known).or_else(|| anew(text))
}

/// The same of a row whose path is that of the rows before.
#[inline]
pub(super) fn again(text: &[u8], known: &[u8]) -> Option<Row> {
    if !matches!(text.get(known.len()), Some(b':' | b'-')) || known.is_empty() || !text.starts_with(known) {
        return None;
    }
    tail(text, known.len())
}

/// The same of a row of which no path is known.
pub(super) fn anew(text: &[u8]) -> Option<Row> {
    let from = if drive(text) { 2 } else { 0 };
    let (mut dash, mut colons) = (None, 0);
    for at in memchr::memchr2_iter(b':', b'-', text.get(from..text.len().min(512))?).map(|at| at + from) {
        if text[at] == b':' {
            colons += 1;
        } else if dash.is_some() || colons > 1 {
            continue;
        }
        let Some(row) = tail(text, at) else { continue };
        if !is_path(&text[..at]) {
            continue;
        }
        if !row.beside {
            // After a context row's head a clock in its text is no line number.
            return if dash.is_some() && !has_extension(&text[..at]) { dash } else { Some(row) };
        }
        // A date in a path looks like a context row: only what ends like a file counts.
        if has_extension(&text[..at]) {
            dash = Some(row);
        }
    }
    dash
}

/// `:12:` or `-12-` at byte `at`.
fn tail(text: &[u8], at: usize) -> Option<Row> {
    let sign = *text.get(at).filter(|b| matches!(b, b':' | b'-'))?;
    let (number, end) = number(text, at + 1)?;
    (text.get(end) == Some(&sign)).then_some(Row { path: at, number: Some(number), beside: sign == b'-', text: end + 1 })
}

fn number(text: &[u8], from: usize) -> Option<(u64, usize)> {
    let (mut value, mut end) = (0, from);
    while let Some(digit) = text.get(end).filter(|b| b.is_ascii_digit() && end < from + DIGITS) {
        value = value * 10 + u64::from(digit - b'0');
        end += 1;
    }
    (end > from).then_some((value, end))
}

/// `12:text` and `12-text`, as printed for one file or under a heading.
pub(super) fn bare(text: &[u8]) -> Option<Row> {
    let (number, end) = number(text, 0)?;
    let sign = *text.get(end).filter(|b| matches!(b, b':' | b'-'))?;
    Some(Row { path: 0, number: Some(number), beside: sign == b'-', text: end + 1 })
}

/// `path:text`, as printed without line numbers.
pub(super) fn named(text: &[u8], known: &[u8]) -> Option<Row> {
    if !known.is_empty()
        && text.starts_with(known)
        && text[known.len()..].first() == Some(&b':')
        && text.get(known.len() + 1) != Some(&b':')
    {
        return Some(Row { path: known.len(), number: None, beside: false, text: known.len() + 1 });
    }
    let from = if drive(text) { 2 } else { 0 };
    let at = from + memchr::memchr(b':', text.get(from..text.len().min(512))?)?;
    let path = &text[..at];
    // `tests/test_a.py::test_b PASSED` is a test's name.
    let name = text.get(at + 1) == Some(&b':');
    (!name && !is_shell(text) && is_path(path) && has_extension(path) && !path.contains(&b' ')).then_some(Row {
        path: at,
        number: None,
        beside: false,
        text: at + 1,
    })
}

/// `./run.sh: line 3: pg_isready: command not found`: a shell speaks of its script.
pub(super) fn is_shell(text: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b':', text) else { return false };
    let Some(rest) = text[at..].strip_prefix(b": line ") else { return false };
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && rest[digits..].starts_with(b": ")
}

/// `path:3`: how many lines of a file match.
pub(super) fn counted(text: &[u8]) -> Option<(usize, u64)> {
    let at = memchr::memrchr(b':', text)?;
    let (value, end) = number(text, at + 1)?;
    (end == text.len() && is_path(&text[..at])).then_some((at, value))
}

/// `C:\` or `C:/`.
fn drive(text: &[u8]) -> bool {
    text.len() > 2 && text[0].is_ascii_alphabetic() && text[1] == b':' && matches!(text[2], b'\\' | b'/')
}

/// Could this be a file's path? Prose, times, addresses and log heads are not.
pub(super) fn is_path(path: &[u8]) -> bool {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return false };
    if path.len() > 300 || first.is_ascii_whitespace() || last.is_ascii_whitespace() || matches!(first, b'-' | b'[' | b'"' | b'\'' | b'<') {
        return false;
    }
    let all = path.iter().fold(0, |all, b| all | CLASSES[usize::from(*b)]);
    // `17/06/09 20:10:40 INFO`: a date and an hour are no path.
    if all & class::ODD != 0 || all & class::LETTER == 0 || all & class::COLON != 0 && crate::line::find(path, b"://").is_some() {
        return false;
    }
    let slash = all & class::SLASH != 0;
    if all & class::SPACE != 0 {
        let spaces = path.iter().filter(|b| **b == b' ').count();
        let parted = path.windows(2).any(|w| matches!(w, b"  " | b": " | b" -" | b" [" | b" (" | b"= "));
        if parted || spaces > if slash { 4 } else { 1 } {
            return false;
        }
    }
    slash || has_extension(path) || is_bare_file(path)
}

/// `Makefile`, `LICENSE`, `.env`: files without an extension that searches hit often.
fn is_bare_file(path: &[u8]) -> bool {
    path.starts_with(b".")
        || matches!(path, b"Makefile" | b"Dockerfile" | b"LICENSE" | b"README" | b"Gemfile" | b"Rakefile" | b"Jenkinsfile")
}

/// Does its last part end in `.rs` or the like?
pub(super) fn has_extension(path: &[u8]) -> bool {
    let name = path.rsplit(|b| matches!(b, b'/' | b'\\')).next().unwrap_or_default();
    let Some(dot) = memchr::memrchr(b'.', name) else { return false };
    let end = &name[dot + 1..];
    (1..=10).contains(&end.len())
        && end.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'~')
        && end.iter().any(u8::is_ascii_alphabetic)
}

/// The bytes that a file is counted under: the end of its path.
pub(super) fn key(path: &[u8]) -> Range<usize> {
    let mut from = path.len().saturating_sub(KEY);
    if from > 0 {
        let slash = path[from..].iter().position(|b| matches!(b, b'/' | b'\\'));
        from += slash.map_or(0, |at| at + 1);
        while path.get(from).is_some_and(|b| b & 0xc0 == 0x80) {
            from += 1;
        }
    }
    from..path.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, known: &str) -> Option<(usize, Option<u64>, bool)> {
        numbered(text.as_bytes(), known.as_bytes()).map(|r| (r.path, r.number, r.beside))
    }

    #[test]
    fn dates_drives_and_colons_are_told_from_line_numbers() {
        assert_eq!(split("logs/2026-05-01/app.log:1:2026-05-01 00:10:00 x", ""), Some((23, Some(1), false)));
        assert_eq!(split("logs/2026-05-01/app.log-2-2026-05-01 00:10:00 x", ""), Some((23, Some(2), true)));
        assert_eq!(split("C:\\app\\a.c:3:int x", ""), Some((10, Some(3), false)));
        assert_eq!(split("a:7:b.rs:12:x", "a:7:b.rs"), Some((8, Some(12), false)));
        assert_eq!(split("HEAD~2:src/a.rs:9:x", ""), Some((15, Some(9), false)));
    }

    #[test]
    fn times_prose_and_addresses_are_no_paths() {
        for text in [
            "12:30:01 started",
            "2026-05-01T10:00:00 x",
            "10.0.0.1:80:x",
            "note: 3: x",
            "http://a.b/c:80:x",
            "  at a.js:1:2",
            "17/06/09 20:10:40 INFO x",
            "Error: open /etc/x: 12: denied",
        ] {
            assert_eq!(split(text, ""), None, "{text}");
        }
    }

    #[test]
    fn a_shell_s_word_on_its_script_is_no_row() {
        assert!(named(b"./run.sh: line 3: pg_isready: command not found", b"").is_none() && named(b"./run.sh:line 3", b"").is_some());
    }

    #[test]
    fn a_key_is_the_end_of_a_path() {
        let path = b"a/very/long/path/that/goes/on/and/on/until/nobody/reads/it/file.rs";
        assert_eq!(&path[key(path)], b"goes/on/and/on/until/nobody/reads/it/file.rs");
        assert_eq!(counted(b"src/a.rs:12"), Some((8, 12)));
    }
}
