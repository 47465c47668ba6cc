//! Searches (grep, rg, git grep, ack): every file that matched, with its first match;
//! further matches are counted under their file.
//!
//! A search is data: nothing in it is noise but what a tool prints between files. The first
//! match of each file outranks all others, so that a budget costs matches before files.

mod counts;
mod flat;
pub mod json;
mod row;
mod sought;

use crate::cut::Shape;
use crate::line::Line;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&flat::HEADING, &flat::SHAPE, &flat::NAMED, &counts::SHAPE, &flat::ONE_FILE];

/// Was a search asked for?
fn asked(hint: &crate::Hint) -> bool {
    matches!(hint.tool().as_str(), "grep" | "search" | "rg" | "ripgrep" | "search_files")
        || ["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "git-grep"].iter().any(|w| hint.names(w))
}

/// What is said of a file behind its name. Looked for in each line, so prepared.
static BINARY: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(": binary file matches"));

/// What a search tool says itself, about a file or as a whole.
///
/// ```text
/// grep: ./data/dump.db: binary file matches
/// grep: /root: Permission denied
/// rg: src/gone: No such file or directory (os error 2)
/// Binary file dist/app.bin matches
/// data/a.bin: binary file matches (found "\0" byte around offset 111)
/// ripgrep: ...  ag: ...  ack: ...  ugrep: ...
/// ```
fn is_report(line: &Line<'_>) -> bool {
    let text = line.text;
    match text.first() {
        Some(b'g' | b'r' | b'e' | b'f' | b'a' | b'u')
            if ["grep: ", "rg: ", "egrep: ", "fgrep: ", "ag: ", "ack: ", "ugrep: "].iter().any(|p| line.starts(p)) =>
        {
            true
        }
        Some(b'B') if line.starts("Binary file ") && line.ends(" matches") => true,
        _ => BINARY.find(text).is_some(),
    }
}

/// A row of the block that `--stats` adds.
///
/// ```text
/// 68 matches
/// 68 matched lines
/// 49 files contained matches
/// 161 files searched
/// 0.004212 seconds spent searching
/// ```
fn is_stat(line: &Line<'_>) -> bool {
    line.text.first().is_some_and(u8::is_ascii_digit)
        && [" matches", " matched lines", " files contained matches", " files searched", " bytes printed", " bytes searched"]
            .iter()
            .chain(&[" seconds spent searching", " seconds total", " seconds"])
            .any(|end| line.ends(end))
        && line.text.iter().take_while(|b| **b != b' ').all(|b| b.is_ascii_digit() || *b == b'.')
}
