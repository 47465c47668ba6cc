//! Word diffs: no sign column, the changes stand inside the lines as `[-old-]{+new+}`.

use super::hunk::Hunk;
use memchr::memmem::find;

/// Tells a word diff from a plain one, and reads its lines.
pub(crate) struct Words {
    /// The caller asked for one.
    told: bool,
    /// Lines that only a word diff has, and lines with a sign in front.
    proofs: u32,
    signed: u32,
    /// `--word-diff=porcelain`: signs again, and `~` for each line end.
    pub porcelain: bool,
}

impl Words {
    pub fn new(told: bool) -> Words {
        Words { told, proofs: 0, signed: 0, porcelain: false }
    }

    /// Looks at a line inside a hunk; is the diff one of words?
    pub fn look(&mut self, text: &[u8]) -> bool {
        if text == b"~" {
            self.porcelain = true;
        } else if is_proof(text) {
            self.proofs += 1;
        } else if matches!(text.first(), Some(b'+' | b'-')) {
            self.signed += 1;
        }
        self.is_sure()
    }

    /// Is it a word diff, after all that was seen?
    pub fn is_sure(&self) -> bool {
        self.porcelain || self.proofs > self.signed || self.told && self.proofs * 8 >= self.signed
    }

    /// Takes a line off the hunk's counts; the key of its kind when it holds a change.
    pub fn take(&mut self, text: &[u8], hunk: &mut Hunk) -> Option<Vec<u8>> {
        if self.porcelain {
            return matches!(text.first(), Some(b'+' | b'-')).then(|| text.to_vec());
        }
        let bare = text.trim_ascii();
        let removed = bare.starts_with(b"[-") && bare.ends_with(b"-]") && find(bare, b"{+").is_none();
        let added = bare.starts_with(b"{+") && bare.ends_with(b"+}") && find(bare, b"[-").is_none();
        hunk.take_words(!added, !removed);
        changes(text).then(|| kind(text))
    }
}

/// Does the line hold a changed word?
pub(crate) fn changes(text: &[u8]) -> bool {
    let pair = |open: &[u8], close: &[u8]| find(text, open).is_some_and(|at| find(&text[at + 2..], close).is_some());
    pair(b"[-", b"-]") || pair(b"{+", b"+}")
}

/// A line that no plain diff has: `[-a-]{+b+}`, or a whole line in the marks.
fn is_proof(text: &[u8]) -> bool {
    let bare = text.trim_ascii_start();
    find(text, b"-]{+").is_some()
        || (bare.starts_with(b"{+") || bare.starts_with(b"[-")) && changes(text)
        || !matches!(text.first(), None | Some(b' ' | b'+' | b'-' | b'\\')) && changes(text)
}

/// The line with each run of ASCII letters and digits made one: changes that say the same
/// thing of another name are of one kind.
fn kind(text: &[u8]) -> Vec<u8> {
    let mut kind = Vec::with_capacity(64);
    for b in text.iter().take(512) {
        let b = if b.is_ascii_alphanumeric() || *b == b'_' { b'w' } else { *b };
        if b != b'w' || kind.last() != Some(&b'w') {
            kind.push(b);
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_marks_are_changes_and_signs_are_not() {
        assert!(changes(b"a [-b-]{+c+} d") && changes(b"{+x+}") && !changes(b"[-"));
        let mut words = Words::new(false);
        assert!(!words.look(b"+let a = v[-1];") && !words.look(b" [x-]") && !words.look(b"-a"));
        assert!(Words::new(false).look("größe [-a-]{+b+}".as_bytes()));
    }
}
