//! Other forms of a result than the text alone.

pub mod envelope;
pub mod json;
pub mod rule;
mod safe;

pub use rule::Rule;

/// Lines of a text, a last one without a line end included.
pub(crate) fn lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64 + u64::from(text.last().is_some_and(|b| *b != b'\n'))
}
