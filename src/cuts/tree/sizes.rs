//! du: what takes the space, in a list that is not sorted, and the total at its end.

use super::{is_report, report};
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::odd;
use crate::hint::Hint;
use crate::line::Line;

/// `4.0K<TAB>./src` rows.
pub const SHAPE: Shape = Shape {
    name: "tree",
    dialect: "du",
    about: "du: the largest entries and the total",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Sizes::default()),
};

/// So many of the largest so far are dear,
const LARGEST: usize = 10;
/// once so many rows have come.
const WARM: u32 = 24;

#[derive(Default)]
struct Sizes {
    rows: u32,
    /// The largest so far, smallest first.
    largest: Vec<f64>,
}

impl Cut for Sizes {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = report(line) {
            return verdict;
        }
        if line.is_blank() {
            return Verdict::Keep(Rank::Edge);
        }
        let Some((size, path)) = row(line.text) else { return Verdict::Pass };
        self.rows += 1;
        if path == b"total" {
            return Verdict::Keep(Rank::Total);
        }
        if self.largest.len() == LARGEST && size <= self.largest[0] {
            return Verdict::Keep(Rank::Edge);
        }
        if self.largest.len() == LARGEST {
            self.largest.remove(0);
        }
        let at = self.largest.partition_point(|s| *s <= size);
        self.largest.insert(at, size);
        Verdict::Keep(if self.rows > WARM { Rank::Top } else { Rank::Body })
    }

    fn end(&mut self) -> (u16, Rank) {
        // Parents come after their children: the last row holds all others.
        (1, Rank::Total)
    }
}

/// `91M<TAB>node_modules`
fn row(text: &[u8]) -> Option<(f64, &[u8])> {
    let digits = text.iter().take(12).take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b',')).count();
    let (size, rest) = text.split_at(digits);
    let path = match rest {
        [b'\t', path @ ..] | [b' ', b' ', path @ ..] => path,
        _ => return None,
    };
    if path.is_empty() || path.contains(&b'\t') {
        return None;
    }
    Some((odd::number(size)?, path))
}

fn sniff(hint: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut all, mut rows, mut paths) = (0, 0, 0);
    for line in lines.iter().filter(|l| !l.is_blank() && !is_report(l)) {
        all += 1;
        let Some((_, path)) = row(line.text) else { continue };
        rows += 1;
        paths += usize::from(path.contains(&b'/') || path == b"." || path == b"total");
    }
    rows >= 3 && rows * 20 >= all * 19 && (hint.names("du") || rows >= 8 && paths * 10 >= rows * 9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_largest_so_far_stay() {
        let mut text = "4.0K\ta/b\n".repeat(30);
        assert!(sniffs(&SHAPE, &text));
        text += "8.0K\ta/c\n4.0K\ta/d\ndu: cannot read directory 'x': Permission denied\n1.2M\ta";
        let marks = marks(&SHAPE, &text);
        assert!(marks.starts_with("BBBBBBBBBBE") && marks.ends_with("ETE+T"), "{marks}");
    }

    #[test]
    fn counts_and_tables_are_no_sizes() {
        assert!(!sniffs(&SHAPE, &"12\tapples\n".repeat(9)));
        assert!(!sniffs(&SHAPE, &"12\ta/b\tc\n".repeat(9)));
    }
}
