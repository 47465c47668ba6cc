//! Messages that come again: alike but for names, numbers and quoted text.

use crate::cuts::seen::Seen;

/// Counts messages by what is left of them without the names in quotes.
#[derive(Default)]
pub(super) struct Repeats {
    kinds: Seen,
    texts: Seen,
    scratch: Vec<u8>,
}

impl Repeats {
    /// How often a message of this kind was met, this time included; texts in quotes and
    /// digits make no difference.
    pub(super) fn kind(&mut self, text: &[u8]) -> u32 {
        self.scratch.clear();
        mask(&mut self.scratch, text);
        self.kinds.alike(&self.scratch)
    }

    /// How often exactly this text was met, this time included.
    pub(super) fn same(&mut self, text: &[u8]) -> u32 {
        self.texts.same(text)
    }
}

/// What closes a quote that opens with this text, and how long the opening is.
fn closing(text: &[u8]) -> Option<(usize, &'static [u8])> {
    match text {
        [b'`', ..] => Some((1, b"`")),
        [b'"', ..] => Some((1, b"\"")),
        [b'\'', ..] => Some((1, b"'")),
        // ‘ ’ and “ ”
        [0xe2, 0x80, 0x98, ..] => Some((3, "’".as_bytes())),
        [0xe2, 0x80, 0x9c, ..] => Some((3, "”".as_bytes())),
        _ => None,
    }
}

fn mask(out: &mut Vec<u8>, text: &[u8]) {
    let mut at = 0;
    while at < text.len() && out.len() < 256 {
        // An apostrophe within a word opens nothing.
        let opens = text[at] != b'\'' || at == 0 || !text[at - 1].is_ascii_alphanumeric();
        if let Some((len, close)) = closing(&text[at..]).filter(|_| opens) {
            if let Some(end) = crate::line::find(&text[at + len..], close) {
                out.push(b'`');
                at += len + end + close.len();
                continue;
            }
        }
        out.push(text[at]);
        at += 1;
    }
}

/// The part of a message that names its kind, as bytes `0..n`: up to the first quote where
/// that tells enough, else all of it.
pub(super) fn key(text: &[u8], from: usize) -> usize {
    let quote = (from..text.len()).find(|i| matches!(text[*i], b'`' | b'"' | 0xe2));
    match quote {
        Some(at) if at >= from + 12 => text[..at].trim_ascii_end().len(),
        _ => text.len().min(120),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_quotes_make_no_difference() {
        let mut r = Repeats::default();
        assert_eq!((r.kind(b"unused `a` at 1"), r.kind(b"unused `bc` at 22"), r.kind("unused ‘x’".as_bytes())), (1, 2, 1));
        assert_eq!((r.kind(b"it doesn't do 'x'"), r.kind(b"it doesn't do 'y z'")), (1, 2));
        assert_eq!((r.same(b"undefined: x"), r.kind(b"undefined: x")), (1, 1));
        assert_eq!(key(b"unused variable: `x`", 0), 16);
    }
}
