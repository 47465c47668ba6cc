//! Kinds of lines that opened no shape.

use crate::cuts::digits;
use crate::cuts::kind;
use crate::cuts::seen::Seen;

/// Times that a kind of line opened nothing: then it will not.
const KNOWN: u32 = 8;

/// How often lines of a kind opened nothing.
#[derive(Default)]
pub struct Refused {
    kinds: Seen,
    /// The kind of the line that was last asked about.
    kind: u64,
    /// A line of a kind that is known; those that differ from it in digits are, too.
    known: Vec<u8>,
}

impl Refused {
    /// Have such lines opened nothing so often that this one will not? `kind`: what it is, if
    /// somebody has read it.
    pub fn is_known(&mut self, text: &[u8], kind: Option<u64>) -> bool {
        if kind.is_none() && !self.known.is_empty() && digits::alone(text, &self.known) {
            return true;
        }
        let (kind, has_status) = match kind {
            Some(kind) => (kind, true),
            None => {
                let (kind, _, has_status) = kind::of_status(text, 0);
                (kind, has_status)
            }
        };
        self.kind = kind;
        let known = self.kinds.met(kind) >= KNOWN;
        if known && !has_status {
            self.known.clear();
            self.known.extend_from_slice(text);
        }
        known
    }

    /// The line that was last asked about opened nothing.
    pub fn add(&mut self) {
        self.kinds.kind(self.kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_opened_nothing_is_known() {
        let mut refused = Refused::default();
        let rows = |text: &str| (0..12).map(|i| format!("{text}{}", i * 7)).collect::<Vec<_>>();
        for (text, kinds) in [("a: b ", true), ("a: exit ", false)] {
            for (i, row) in rows(text).iter().enumerate() {
                let known = refused.is_known(row.as_bytes(), None);
                assert_eq!(known, kinds && i >= 8, "{row}");
                refused.add();
            }
        }
    }
}
