//! docker ps and compose ps: containers that are not well come before those that are.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "docker",
    dialect: "ps",
    about: "docker ps: containers that restart, exited or are unhealthy; the others are data",
    sniff: |_: &Hint, lines| lines.iter().take(3).any(heading),
    opens: Opens::first(b"CN", heading),
    cut: |_| Box::new(Ps::default()),
};

/// `CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES`
fn heading(line: &Line<'_>) -> bool {
    (line.starts("CONTAINER ID ") || line.starts("NAME ") && line.has(" SERVICE ")) && line.has(" IMAGE ") && line.has(" STATUS")
}

#[derive(Default)]
struct Ps {
    /// Where STATUS stands, in characters.
    status: usize,
    bad: u32,
}

/// The text from the `n`th character on.
fn from_char(text: &[u8], n: usize) -> &[u8] {
    let at = text.iter().enumerate().filter(|(_, b)| **b & 0xc0 != 0x80).nth(n).map_or(text.len(), |(i, _)| i);
    &text[at..]
}

impl Cut for Ps {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if heading(line) {
            self.status = crate::line::find(line.text, b" STATUS").map_or(0, |n| n + 1);
            return Verdict::Keep(Rank::Top);
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        let status = from_char(line.text, self.status);
        let has = |word: &[u8]| crate::line::find(&status[..status.len().min(60)], word).is_some();
        let well = status.starts_with(b"Up ") && !has(b"(unhealthy)") && !has(b"(health: starting)") && !has(b"(Paused)");
        if well {
            // One that came up just now has been down just before.
            return Verdict::Keep(if has(b" second") { Rank::Body } else { Rank::Edge });
        }
        let known = [b"Up ".as_slice(), b"Exited (", b"Restarting (", b"Created", b"Dead", b"Removal", b"Paused"]
            .iter()
            .any(|s| status.starts_with(s));
        if !known {
            return Verdict::Pass;
        }
        self.bad += 1;
        Verdict::Keep(match self.bad {
            _ if status.starts_with(b"Exited (0)") || status.starts_with(b"Created") => Rank::Detail,
            1..=30 => Rank::Top,
            _ => Rank::Body,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn who_is_not_well() {
        let text = "CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS            PORTS   NAMES\ne54f           a:1     \"sh…\"     1 h ago   Up 3 hours                a-1\ne55f           a:1     \"sh…\"     1 h ago   Exited (1) 3 h            a-2";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "TET");
        assert!(!sniffs(&SHAPE, "NAME   STATUS   AGE\nweb   Running   3d"));
    }
}
