//! What pytest says of a failure: headers, source, `E` lines, places, captured output.

use super::explain::is_exception;
use super::pytest::{Part, Pytest, EXPLAINED, SIBLINGS};
use super::pytest_lines::{base, is_group, is_raised, section};
use crate::cut::{Rank, Verdict};
use crate::cuts::place;
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top};
use Verdict::{Drop, Keep, KeepWith};

/// `E` lines of a failure that are worth more than plain data.
const E_LINES: u32 = 14;
/// Lines of captured output, a section, that outrank plain data.
const CAPTURED: u32 = 8;

impl Pytest {
    /// A line of `=== FAILURES ===`.
    pub(super) fn failure(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        let was_e = std::mem::take(&mut self.in_e);
        let was_own = std::mem::take(&mut self.own);
        let fresh = std::mem::take(&mut self.fresh);
        match text.first() {
            None => return Keep(Edge),
            Some(b'E') if text.get(1).is_none_or(|b| *b == b' ') => {
                self.in_e = true;
                return self.e_line(line, was_e);
            }
            Some(b'>') if text.get(1).is_none_or(|b| *b == b' ') => {
                let listing = line.has(" available fixtures: ") || line.has(" use 'pytest --fixtures ");
                return Keep(if self.repeated || listing || self.seen.same(text) > 2 { Edge } else { Detail });
            }
            Some(b'_' | 0xe2) => {
                if text.starts_with(b"_ _ _") {
                    return Keep(Edge);
                }
                if let Some(title) = section(text, b'_') {
                    return self.header(title);
                }
            }
            Some(b'-') => {
                if let Some(title) = section(text, b'-') {
                    if title.starts_with(b"Captured ") {
                        (self.part, self.count, self.parked) = (Part::Captured, 0, 0);
                        return Keep(if self.repeated || !self.full { Edge } else { Detail });
                    }
                }
            }
            Some(b'[') if text.starts_with(b"[gw") && line.has(" -- Python ") => return Drop("worker lines"),
            _ => {}
        }
        if let Some(verdict) = self.frame(line) {
            return verdict;
        }
        match text[0] {
            b' ' | b'\t' if text.trim_ascii().iter().all(|b| matches!(b, b'^' | b'~' | b' ')) => {
                if self.foreign {
                    Drop("runtime frames")
                } else {
                    Keep(Edge)
                }
            }
            // --tb=line and native: the message's further lines.
            b' ' if was_e && !is_group(text) => {
                self.in_e = true;
                self.e_lines += 1;
                let local = line.indent() == 8 && line.has(" = ");
                Keep(if self.e_lines <= E_LINES && !self.repeated && !local { Body } else { Edge })
            }
            // The source line of a frame, and with -l its variables.
            b' ' if was_own && !is_group(text) => {
                self.own = true;
                Keep(if line.indent() == 4 && !self.repeated { Detail } else { Edge })
            }
            b' ' if is_group(text) => self.group(line),
            b' ' | b'\t' if self.foreign => Drop("runtime frames"),
            // Source above the failing line: whose it is, the place below it tells.
            b' ' | b'\t' => self.park("source lines"),
            _ if text.starts_with(b"Traceback")
                || text.starts_with(b"Hint: make sure")
                || text.starts_with(b"ImportError while importing test") =>
            {
                Keep(Edge)
            }
            // `KeyError: 'LI'` at the end of a native traceback.
            _ if is_exception(text) => {
                self.in_e = true;
                self.e_line(line, false)
            }
            _ if line.starts("worker 'gw") => Keep(if self.seen.same(b"worker crashed") <= 3 { Top } else { Detail }),
            // A failure without a trace: `[XPASS(strict)]`, `Unexpected success`, pytest's own words.
            _ if fresh && self.full && crate::line::find(text, b" = ").is_none() => {
                (self.in_e, self.e_lines) = (true, 1);
                Keep(Top)
            }
            _ if line.starts("The above exception was") || line.starts("During handling of") => Keep(Body),
            // `runner = <click.testing.CliRunner object at 0x7fcfa633ab40>`
            _ if crate::line::find(text, b" = ").is_some() => Keep(Edge),
            _ => Keep(if self.repeated { Edge } else { Detail }),
        }
    }

    /// `____ test_price[3] ____`
    pub(super) fn header(&mut self, title: &[u8]) -> Verdict {
        let alike = self.seen.same(base(title));
        self.streak = if self.repeated { self.streak + 1 } else { 0 };
        (self.full, self.sibling) = (alike <= 4 && self.told < EXPLAINED && self.streak < 3, alike > SIBLINGS);
        (self.e_lines, self.parked, self.count, self.places) = (0, 0, 0, 0);
        (self.repeated, self.foreign) = (false, false);
        self.part = Part::Failures;
        self.fresh = true;
        Keep(match alike {
            0..=4 if self.full => Top,
            0..=SIBLINGS => Detail,
            _ => Edge,
        })
    }

    /// A line of an exception group, behind its bars.
    ///
    /// ```text
    ///   | ExceptionGroup: two (2 sub-exceptions)
    ///   +-+---------------- 1 ----------------
    ///     | ValueError: a
    /// ```
    pub(super) fn group(&mut self, line: &Line<'_>) -> Verdict {
        let said = line.trimmed();
        let said = said.strip_prefix(b"|").unwrap_or(said);
        if said.trim_ascii_start().starts_with(b"File \"") {
            return self.python_frame(line);
        }
        if said.starts_with(b" ") && is_exception(&said[1..]) {
            self.foreign = false;
            return self.e_line(line, false);
        }
        if self.foreign {
            Drop("runtime frames")
        } else {
            Keep(Edge)
        }
    }

    pub(super) fn e_line(&mut self, line: &Line<'_>, was_e: bool) -> Verdict {
        let said = line.text.strip_prefix(b"E ").unwrap_or(line.text).trim_ascii();
        if said.is_empty() || said == b"E" {
            return Keep(Edge);
        }
        self.foreign = false;
        self.e_lines += 1;
        if !was_e {
            let first = self.e_lines == 1;
            // Word for word the same, or a third time with other numbers.
            let met = if self.seen.same(&[said, b"\n"].concat()) > 1 { 3 } else { self.seen.alike(said) };
            self.repeated = met > 2 || met > 1 && self.repeated;
            // A name is said by header and summary; an equal message need not be said again.
            return match met {
                1 | 2 if self.full || met == 1 && self.streak > 0 && !self.sibling && self.told < EXPLAINED => {
                    (self.full, self.streak) = (true, 0);
                    self.told += u32::from(first);
                    self.e_lines = 1;
                    Keep(Top)
                }
                1 | 2 if !self.sibling => Keep(Body),
                _ if first && !self.sibling => Keep(Detail),
                _ => Keep(Edge),
            };
        }
        // `E   SyntaxError: invalid syntax` behind its source.
        if is_exception(said) && self.full && self.seen.same(said) <= 2 {
            return Keep(Top);
        }
        if self.repeated || self.sibling || self.e_lines > E_LINES {
            return Keep(Edge);
        }
        // What differs, in a line.
        let differs = [b"At index ".as_slice(), b"Right contains ", b"Left contains ", b"Differing items:", b"- ", b"+ "]
            .iter()
            .any(|w| said.starts_with(w))
            && !said.starts_with(b"+  ");
        let announced = std::mem::replace(&mut self.announced, said.ends_with(b":") && differs);
        if (differs || announced) && self.e_lines <= 10 && self.full {
            return Keep(Top);
        }
        // `?    ^^`: the marks below a differing line.
        if said.first() == Some(&b'?') {
            return Keep(Edge);
        }
        Keep(Body)
    }

    /// Places and frames, in all styles.
    ///
    /// ```text
    /// tests/test_x.py:276: AssertionError
    /// tests/test_x.py:276: in test_x
    ///   File "/home/dev/app/tests/test_x.py", line 18, in test_x
    /// ```
    pub(super) fn frame(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let text = line.text;
        if let Some(rest) = text.trim_ascii_start().strip_prefix(b"File \"") {
            if line.indent() > 0 && crate::line::find(rest, b"\", line ").is_some() {
                return Some(self.python_frame(line));
            }
        }
        if matches!(text[0], b' ' | b'\t') {
            return None;
        }
        let (path, rest) = place::split(text)?;
        let rest = if rest.is_empty() { b" Error" } else { rest.strip_prefix(b":")? };
        if !(rest.is_empty() || rest.starts_with(b" ")) || crate::line::find(path, b"  ").is_some() {
            return None;
        }
        let short = rest.starts_with(b" in ");
        let lines = std::mem::take(&mut self.parked);
        self.foreign = place::is_foreign(path) || path.starts_with(b"<");
        if self.foreign {
            if short || rest.trim_ascii().is_empty() {
                return Some(Drop("runtime frames"));
            }
            // The last frame of a failure is told even where it is not the reader's.
            self.foreign = false;
            return Some(Keep(Detail));
        }
        let met = self.seen.same(text);
        self.places += 1;
        self.own = short;
        if short {
            return Some(Keep(match met {
                1 if self.full => Top,
                1 | 2 if self.streak < 3 => Body,
                _ => Edge,
            }));
        }
        let rank = match met {
            _ if (self.repeated || !self.full) && met > 2 => Edge,
            _ if !self.full || rest.trim_ascii().is_empty() && self.places > 1 => Body,
            1 | 2 => Top,
            _ => Detail,
        };
        Some(if self.repeated { Keep(rank) } else { KeepWith { rank, lines, with: Edge } })
    }

    pub(super) fn python_frame(&mut self, line: &Line<'_>) -> Verdict {
        self.foreign = place::is_foreign(line.text) || line.has("File \"<");
        self.own = !self.foreign;
        if self.foreign {
            return Drop("runtime frames");
        }
        match self.seen.same(line.text) {
            1 => Keep(Top),
            2 => Keep(Body),
            _ => Keep(Edge),
        }
    }

    pub(super) fn captured(&mut self, line: &Line<'_>) -> Verdict {
        let text = line.text;
        match text.first() {
            Some(b'_' | 0xe2) => {
                if let Some(title) = section(text, b'_') {
                    return self.header(title);
                }
            }
            Some(b'-') if section(text, b'-').is_some_and(|t| t.starts_with(b"Captured ")) => {
                self.count = 0;
                return Keep(if self.repeated || !self.full { Edge } else { Detail });
            }
            // --tb=line again: the next failure.
            Some(b'E') if text.starts_with(b"E   ") => {
                (self.full, self.sibling) = (self.told < EXPLAINED, false);
                (self.part, self.e_lines, self.in_e, self.parked) = (Part::Failures, 0, true, 0);
                return self.e_line(line, false);
            }
            // --tb=line puts the place behind the captured output.
            Some(b) if !b.is_ascii_whitespace() && is_raised(text) => {
                (self.part, self.e_lines) = (Part::Failures, 0);
                return Keep(Top);
            }
            _ => {}
        }
        self.count += 1;
        if line.is_blank() || self.repeated || !self.full {
            return Keep(Edge);
        }
        let met = self.seen.alike(text);
        Keep(if met <= 2 && (self.count <= CAPTURED || line.is_error()) { Detail } else { Edge })
    }

    /// `INTERNALERROR> ...`: pytest itself, or a plugin or conftest in it, failed.
    pub(super) fn internal(&mut self, line: &Line<'_>, said: &[u8]) -> Verdict {
        if said.trim_ascii().is_empty() {
            return Drop("runtime frames");
        }
        if said.starts_with(b"  File \"") {
            return self.python_frame(line);
        }
        if let Some((path, rest)) = place::split(said) {
            if rest.starts_with(b":") {
                self.foreign = place::is_foreign(path);
                return if self.foreign { Drop("runtime frames") } else { Keep(Top) };
            }
        }
        if said.starts_with(b"E  ") || !said.starts_with(b" ") && is_exception(said) {
            return Keep(Top);
        }
        if said.starts_with(b" ") || said.starts_with(b">") {
            return if self.foreign { Drop("runtime frames") } else { Keep(Body) };
        }
        Keep(Detail)
    }
}
