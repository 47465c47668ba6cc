//! `git blame`: rows are data; what nobody has committed yet, and a rare hand, stay.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::odd::Profile;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "gitlog",
    dialect: "blame",
    about: "git blame: head and tail, lines not committed yet, those of a rare author",
    sniff: |_, lines| {
        let (mut said, mut rows) = (0, 0);
        for line in lines.iter().filter(|l| !l.is_blank()) {
            said += 1;
            rows += usize::from(author(line.text).is_some());
        }
        rows >= 5 && rows * 20 >= said * 19
    },
    opens: Opens::NEVER,
    cut: |_| Box::new(Blame::default()),
};

/// Rows of rare authors that are held as findings.
const RARE: u32 = 12;

#[derive(Default)]
struct Blame {
    authors: Profile,
    rare: u32,
    /// The last row was not committed.
    open: bool,
}

impl Cut for Blame {
    fn quotes(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let Some(author) = author(line.text) else {
            return if line.is_blank() { Verdict::Keep(Rank::Edge) } else { Verdict::Pass };
        };
        if line.text.iter().take_while(|b| **b == b'0').count() >= 7 {
            return Verdict::Keep(if std::mem::replace(&mut self.open, true) { Rank::Body } else { Rank::Total });
        }
        self.open = false;
        let rare = self.authors.is_odd(0, author) && self.rare < RARE;
        self.rare += u32::from(rare);
        Verdict::Keep(if rare { Rank::Top } else { Rank::Edge })
    }

    fn end(&mut self) -> (u16, Rank) {
        (2, Rank::Body)
    }
}

/// Whose line it is, in a row of a blame:
///
/// ```text
/// ebb4c252 (Ann Lee           2024-05-20 09:00:00 +0200    1) import os
/// ^c0ffee1 src/a.py (Not Committed Yet 2024-05-29 09:00:00 +0200  900) x
/// ```
fn author(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"^").unwrap_or(text);
    let hash = text.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    if !(7..=64).contains(&hash) || !matches!(text.get(hash), Some(b' ' | b'\t')) {
        return None;
    }
    let open = memchr::memchr(b'(', &text[..text.len().min(300)])?;
    // A date, a time, a zone, a number: `2024-05-20 09:00:00 +0200    1)`.
    let rest = &text[open + 1..];
    let is_date = |w: &[u8]| w[4] == b'-' && w[7] == b'-' && w[10] == b' ' && w[13] == b':' && w[..4].iter().all(u8::is_ascii_digit);
    let date = rest[..rest.len().min(160)].windows(20).position(is_date)?;
    let close = memchr::memchr(b')', &rest[date..])?;
    rest[date + close - 1].is_ascii_digit().then(|| rest[..date].trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn what_is_not_committed_stays_and_so_does_a_rare_hand() {
        let row = |hash: &str, who: &str| format!("{hash} ({who:<17} 2024-05-20 09:00:00 +0200    1) import os\n");
        let many = row("ebb4c252", "Ann Lee").repeat(60);
        let text = many.clone() + &row("00000000", "Not Committed Yet") + &row("c0ffee12", "Bob Q") + &row("ebb4c252", "Ann Lee");
        assert!(sniffs(&SHAPE, &many) && marks(&SHAPE, text.trim_end()).ends_with("E!TE"));
        assert!(!sniffs(&SHAPE, &"deadbeef (see below) is a hash\n".repeat(9)));
    }
}
