//! Formatters that only check: prettier, black, ruff format, and what they could not parse.

use super::is_path;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "lint",
    dialect: "format",
    about: "prettier, black and ruff format: files that cannot be parsed, totals, the files",
    sniff,
    opens: Opens::NEVER,
    cut: |_| Box::new(Format::default()),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    let listed = lines.iter().filter(|l| listed(l).is_some()).count();
    let other = lines.iter().filter(|l| !l.is_blank() && listed_or_error(l).is_none() && !total(l)).count();
    (listed >= 3 || listed > 0 && lines.iter().any(total)) && other * 4 <= lines.len()
}

fn listed_or_error(line: &Line<'_>) -> Option<()> {
    listed(line).map(|_| ()).or_else(|| line.starts("[error] ").then_some(()))
}

/// A file that is not as it should be, or one that is: `Some(true)` for the former.
fn listed(line: &Line<'_>) -> Option<bool> {
    // [warn] src/a.js | would reformat src/a.py | Would reformat: src/a.py | reformatted src/a.py
    for word in ["[warn] ", "would reformat ", "Would reformat: ", "reformatted "] {
        if let Some(rest) = line.after(word) {
            return is_path(rest).then_some(true);
        }
    }
    // src/a.js 35ms | src/a.js 35ms (unchanged)
    let (text, changed) = line.text.strip_suffix(b" (unchanged)").map_or((line.text, true), |t| (t, false));
    let text = text.strip_suffix(b"ms")?;
    let at = memchr::memrchr(b' ', text)?;
    // A request and its time is none: `GET /api/items/0 200 20ms`.
    let name = text[..at].rsplit(|b| *b == b'/').next().unwrap_or_default();
    (is_path(&text[..at])
        && name.contains(&b'.')
        && !text.starts_with(b"GET ")
        && !text.starts_with(b"POST ")
        && !text[at + 1..].is_empty()
        && text[at + 1..].iter().all(u8::is_ascii_digit))
    .then_some(changed)
}

fn total(line: &Line<'_>) -> bool {
    // [warn] Code style issues found in 30 files. Run Prettier with --write to fix.
    // Error occurred when checking code style in the above file.
    // 3 files would be reformatted, 12 files would be left unchanged.
    let text = line.after("[warn] ").or(line.after("[error] ")).unwrap_or(line.text);
    [b"Code style issues ".as_slice(), b"Error occurred when checking code style", b"All matched files use", b"Oh no! ", b"All done! "]
        .iter()
        .any(|t| text.starts_with(t))
        || text.first().is_some_and(u8::is_ascii_digit)
            && [" reformatted", " left unchanged", " already formatted", " failed to reformat"].iter().any(|t| line.has(t))
}

#[derive(Default)]
struct Format {
    files: u32,
    errors: u32,
    /// Lines since an error's first one.
    frame: bool,
}

impl Cut for Format {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if total(line) {
            return Verdict::Keep(Rank::Total);
        }
        if let Some(rest) = line.after("[error] ") {
            // [error] src/a.js: SyntaxError: Unexpected token (4:1), then its frame
            let rest = rest.trim_ascii_start();
            let is_frame =
                self.frame && (rest.is_empty() || matches!(rest[0], b'>' | b'|' | b'0'..=b'9' | b'^') || rest.starts_with(b"at "));
            if !is_frame {
                (self.errors, self.frame) = (self.errors + 1, true);
                return Verdict::Keep(Rank::Top);
            }
            let pointed = rest.first() == Some(&b'>') || rest.ends_with(b"^");
            return Verdict::Keep(match (pointed, self.errors) {
                (true, 1..=5) => Rank::Body,
                (false, 1) => Rank::Detail,
                _ => Rank::Edge,
            });
        }
        self.frame = false;
        // error: cannot format src/a.py: Cannot parse: 3:7: x = = 1 | error: Failed to parse src/a.py:3:7: ...
        if line.starts("error: ") || line.starts("warning: ") {
            return Verdict::Keep(if line.starts("error: ") { Rank::Top } else { Rank::Detail });
        }
        match listed(line) {
            Some(true) => {
                self.files += 1;
                let rank = if self.files <= 3 { Rank::Detail } else { Rank::Edge };
                let to = memchr::memchr2(b' ', b':', line.text).unwrap_or(0);
                match line.after("[warn]") {
                    Some(_) => Verdict::Fold { rank, from: 1, to: 5 },
                    None if line.text.first().is_some_and(|b| *b == b'w' || *b == b'W') => {
                        Verdict::Fold { rank, from: 0, to: to.max(14).min(line.text.len()) }
                    }
                    None => Verdict::Keep(rank),
                }
            }
            Some(false) => Verdict::Drop("unchanged files"),
            None if line.is_blank() => Verdict::Drop("blank"),
            None if line.starts("Checking formatting...") => Verdict::Drop("progress"),
            None => Verdict::Pass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn what_cannot_be_parsed_outranks_the_files() {
        let text = "Checking formatting...\n[warn] a.js\n[error] b.js: SyntaxError: Unexpected token (4:1)\n[error]   3 |   c\n[error] > 4 | };\n[error]     | ^\n[warn] c.js\n[warn] Code style issues found in 2 files.";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), ".+TDBB+!");
    }

    #[test]
    fn a_log_with_warnings_is_not_taken() {
        assert!(!sniffs(&SHAPE, "GET /a/1 200 3ms\nGET /a/2 200 4ms\nGET /a/3 500 5ms\nGET /a/4 200 3ms"));
        assert!(!sniffs(&SHAPE, "[warn] disk is full\n[warn] disk a.b is full: x\n[error] no\nx\ny\nz"));
    }
}
