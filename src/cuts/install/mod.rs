//! Package installs: what was installed, what is deprecated, vulnerable or in conflict, and
//! errors with what they say; fetching and progress go.
//!
//! One file a family of tools.

mod apt;
mod gems;
mod npm;
mod pip;

use crate::cut::{Rank, Shape, Verdict};
use crate::line::Line;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&npm::SHAPE, &pip::SHAPE, &apt::SHAPE, &gems::SHAPE];

/// The first `full` of a kind at `rank`, later ones as data, counted under the key at the
/// bytes `from..to`.
fn some(count: &mut u32, full: u32, rank: Rank, from: usize, to: usize) -> Verdict {
    *count += 1;
    if *count <= full {
        return Verdict::Keep(rank);
    }
    Verdict::Fold { rank: Rank::Edge, from, to }
}

/// What a shell or the kernel says of a process that was ended.
fn is_ended(line: &Line<'_>) -> bool {
    matches!(
        line.text,
        b"Terminated" | b"Killed" | b"Aborted" | b"Interrupted" | b"Operation cancelled by user" | b"ERROR: Operation cancelled by user"
    )
}

/// Does the line hold nothing but a bar: `━━━━ 411.8/411.8 kB 255.7 MB/s`, `++++++`, `[====>  ]`?
fn is_bar(line: &Line<'_>) -> bool {
    let text = line.trimmed();
    let bar = |sign: &[u8], least: usize| text.len() >= least * sign.len() && text.chunks_exact(sign.len()).take(least).all(|c| c == sign);
    bar("━".as_bytes(), 4)
        || bar("╸".as_bytes(), 1)
        || bar("█".as_bytes(), 3)
        || bar(b"+", 5) && text.iter().all(|b| matches!(b, b'+' | b'-'))
        || bar(b"#", 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_known() {
        for text in ["     ━━━━━━━━ 8.3/8.3 MB 165.6 MB/s eta 0:00:00", "++++++++++++", "######## 100.0%"] {
            assert!(is_bar(&Line::new(text.as_bytes(), 1)), "{text}");
        }
        assert!(!is_bar(&Line::new(b"+ express 4", 1)) && !is_bar(&Line::new(b"", 1)));
    }
}
