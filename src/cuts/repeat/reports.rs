//! What a tool could not do, path by path: the first of each reason, each odd reason.

use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::cuts::seen::Seen;
use crate::hint::Hint;
use crate::line::Line;

/// `rm: cannot remove 'a/b': Permission denied` rows.
pub const SHAPE: Shape = Shape {
    name: "repeat",
    dialect: "reports",
    about: "hundreds of paths that a tool could not touch: the first of each reason, counted",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Reports::default()),
};

/// Fewer rows than this are read as they are.
const LEAST: usize = 12;
/// Rows of a deed and reason that are shown first.
const SAMPLES: u32 = 3;

#[derive(Default)]
struct Reports {
    kinds: Seen,
}

impl Cut for Reports {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let Some((tool, reason)) = report(text) else { return Verdict::Pass };
        // `rm: cannot remove ` and its reason: the path between them says nothing of the kind.
        let deed = tool + text[tool..].iter().take_while(|b| !matches!(b, b'/' | b'.' | b'"' | b'\'' | 0xe2)).count();
        let kind = [&text[..deed.min(reason)], &text[reason..]].concat();
        if self.kinds.same(&kind) <= SAMPLES {
            return Verdict::Keep(Rank::Top);
        }
        Verdict::Fold { rank: Rank::Edge, from: reason, to: text.len() }
    }

    fn end(&mut self) -> (u16, Rank) {
        (1, Rank::Body)
    }
}

/// Where the tool's name ends in such a row, and where the reason begins.
///
/// ```text
/// chmod: changing permissions of '/srv/a': Operation not permitted
/// find: ‘/srv/b’: Permission denied
/// cp: cannot open 'c' for reading: Permission denied
/// ```
fn report(text: &[u8]) -> Option<(usize, usize)> {
    let tool = memchr::memchr(b':', &text[..text.len().min(24)])?;
    let name = &text[..tool];
    let named = name.len() >= 2
        && name.iter().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
        && ![b"error".as_slice(), b"warning", b"fatal", b"note", b"hint", b"info", b"debug", b"npm"].contains(&name);
    let reason = memchr::memmem::rfind(text, b": ")? + 2;
    let said = &text[reason..];
    let told = (4..=80).contains(&said.len())
        && (said[0].is_ascii_uppercase() || said[0] >= 0x80)
        && !said.iter().any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\'' | b'"' | b'=' | b'{'));
    let between = text.get(tool + 2..reason.saturating_sub(2))?;
    let path = between.iter().any(|b| matches!(b, b'/' | b'\'' | b'.'));
    (named && told && path && text[tool + 1] == b' ').then_some((tool + 1, reason))
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let (mut all, mut rows, mut tool) = (0, 0, None);
    for line in lines.iter().filter(|l| !l.is_blank()) {
        all += 1;
        let Some((at, _)) = report(line.text) else { continue };
        rows += usize::from(*tool.get_or_insert(&line.text[..at]) == &line.text[..at]);
    }
    rows >= LEAST && rows * 10 >= all * 9
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn rows_are_counted_by_their_reason() {
        let row = |i| format!("rm: cannot remove '/srv/a{i}/b': {}\n", if i == 9 { "Read-only file system" } else { "Permission denied" });
        let text: String = (0..20).map(row).collect();
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, text.trim_end()), "TTT++++++T++++++++++");
        assert_eq!(report("find: ‘/srv/b’: Permission denied".as_bytes()), Some((5, 20)));
    }

    #[test]
    fn compilers_and_logs_are_not_taken() {
        for text in ["a.c:3:7: error: Expected ';'", "error: a/b: Not found", "server: GET /a took: 3 ms", "x: y"] {
            assert_eq!(report(text.as_bytes()), None, "{text}");
        }
    }
}
