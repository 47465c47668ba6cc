//! Entries that end in NUL instead of a line end: `find -print0`, `git ls-files -z`.
//!
//! Whoever reads them wants a line each; a program that asked for NUL reads them before.

/// A physical line over this is looked at, in bytes; a shorter one stays as it is.
pub const NUL_LINE: usize = 2_048;
/// An entry is no longer than a path.
const ENTRY: usize = 1_024;

/// Does a long line begin with entries that end in NUL? Only its first `NUL_LINE` bytes count.
#[must_use]
pub fn begins_nuls(line: &[u8]) -> bool {
    let near = &line[..line.len().min(NUL_LINE)];
    let Some(last) = memchr::memrchr(0, near).filter(|_| near.len() == NUL_LINE) else { return false };
    let (mut entries, mut short) = (0, 0);
    for entry in near[..last].split(|b| *b == 0) {
        // Binary data has other control bytes, letters of two bytes have a NUL in each.
        if entry.is_empty() || entry.len() > ENTRY || entry.iter().any(|b| *b < b' ' && *b != b'\t' || *b == 0x7f) {
            return false;
        }
        entries += 1;
        short += usize::from(entry.len() == 1);
    }
    entries >= 3 && short * 2 < entries
}
