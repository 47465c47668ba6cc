//! What no other cut knows: head and tail by budget, and the errors of the middle.

use super::kind;
use super::log;
use super::seen::Seen;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::failure;
use crate::line::{Line, Signs, Teller};

/// The registry's last row: it takes everything.
pub const SHAPE: Shape = Shape {
    name: "size",
    dialect: "size",
    about: "anything else: head, tail, and the lines of the middle that look like errors",
    sniff: |_, _| true,
    opens: Opens::NEVER,
    cut: |_| Box::new(Size::default()),
};

#[derive(Default)]
pub(crate) struct Size {
    /// How often each kind of line was met,
    kinds: Seen,
    /// and each beginning of one.
    stems: Seen,
    /// Lines after an error that may still belong to it.
    after: u8,
    /// Kinds of errors so far, twice each at most.
    errors: u32,
    /// Lines so far, blank ones left out.
    lines: u64,
    /// How many of the last lines or so were of a new kind, in 1024ths.
    fresh: u32,
    /// The last line's kind.
    pub kind: u64,
    /// The line before was blank or a rule: what follows may be a heading.
    apart: bool,
    /// The line before was a path alone: what follows are findings in that file.
    path: bool,
}

/// Errors that are held dearest.
const ERRORS: u32 = 16;
/// Lines after which it is known whether kinds come back.
const KNOWN: u64 = 40;

impl Cut for Size {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let signs = line.signs();
        let apart = std::mem::replace(&mut self.apart, is_rule(line.trimmed()));
        if self.apart {
            (self.after, self.kind) = (0, 0);
            return Verdict::Keep(Rank::Edge);
        }
        let error = is_error(line);
        let (kind, stem) = line.told(tell).unwrap_or_else(|| tell(line));
        let (met, stems) = (self.kinds.kind(kind), self.stems.kind(stem));
        self.kind = kind;
        self.lines += 1;
        let path = std::mem::replace(&mut self.path, is_path(line.text));
        self.fresh = self.fresh - self.fresh / 64 + if met == 1 { 16 } else { 0 };
        if error {
            self.errors += u32::from(met <= 2);
            self.after = if met <= 2 && stems <= 6 { 3 } else { 0 };
            if path && failure::is_finding(line.trimmed()) && stems <= 6 {
                return Verdict::KeepWith { rank: Rank::Top, lines: 1, with: Rank::Top };
            }
            return match met {
                // A text full of error words speaks of errors and has none.
                1..=2 if stems <= 6 && (self.errors <= ERRORS || stems == 1 && self.fresh < 700) => {
                    Verdict::KeepWith { rank: Rank::Top, lines: 2, with: Rank::Detail }
                }
                1..=5 if stems <= 40 => Verdict::Keep(Rank::Detail),
                _ => Verdict::Keep(Rank::Edge),
            };
        }
        if self.after > 0 {
            self.after -= 1;
            return Verdict::Keep(Rank::Detail);
        }
        if self.lines <= 2 || is_title(line.text, apart) {
            return Verdict::Keep(Rank::Body);
        }
        if signs.has(Signs::WARNING) && met <= 2 && stems <= 6 {
            return Verdict::Keep(Rank::Detail);
        }
        // Where kinds come back, one that does not is worth a look.
        let known = self.lines > KNOWN && met == 1;
        if known && self.fresh < 200 && stems <= 3 {
            return Verdict::Keep(Rank::Body);
        }
        if known && self.fresh < 600 || apart && line.indent() == 0 || self.lines <= 6 {
            return Verdict::Keep(Rank::Detail);
        }
        Verdict::Keep(Rank::Edge)
    }

    fn end(&mut self) -> (u16, Rank) {
        (3, Rank::Top)
    }

    fn teller(&self) -> Option<Teller> {
        Some(tell)
    }
}

fn is_error(line: &Line<'_>) -> bool {
    line.is_error() || log::is_bad_record(line.text)
}

/// A line that says `failed=1` is of another kind than one that says `failed=0`.
fn tell(line: &Line<'_>) -> (u64, u64) {
    kind::of(line.text, line.indent().min(12) as u64 | u64::from(is_error(line)) << 8)
}

/// `The end`, `TASK [Run the check] *****`, `==== src/main.c ====`
fn is_title(text: &[u8], apart: bool) -> bool {
    let Some(last) = text.last() else { return false };
    let run = text.iter().rev().take_while(|b| *b == last).count();
    let ends_in_rule = run >= 4 && matches!(last, b'*' | b'=' | b'-' | b'#' | b'~');
    ends_in_rule || apart && text.len() <= 40 && !text[0].is_ascii_whitespace() && !matches!(last, b'.' | b',' | b';' | b'{' | b')')
}

/// `/home/dev/app/src/tax.ts`: the heading of a linter's findings.
fn is_path(text: &[u8]) -> bool {
    let ends = text.iter().rev().take(8).any(|b| *b == b'.');
    text.len() <= 200 && ends && text.contains(&b'/') && text[0].is_ascii_graphic() && !text.contains(&b' ') && !text.ends_with(b".")
}

/// Blank, or a row of signs that parts what is above from what is below.
fn is_rule(text: &[u8]) -> bool {
    text.iter().all(|b| matches!(b, b'-' | b'=' | b'*' | b'_' | b'#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn it_takes_everything() {
        assert!(sniffs(&SHAPE, "anything"));
    }

    #[test]
    fn what_comes_once_among_what_comes_back_stands_out() {
        let text: String = (0..99).map(|i| format!("worker {i} idle\n")).collect();
        assert!(marks(&SHAPE, &format!("{text}zombie 7 reaped\nworker 9 idle")).ends_with("EBE"));
    }

    #[test]
    fn a_record_tells_its_level_in_a_number() {
        let text: String = (0..9).map(|i| format!("[api] {{\"level\":30,\"time\":1,\"msg\":\"job {i}\"}}\n")).collect();
        assert!(marks(&SHAPE, &format!("{text}[api] {{\"level\":60,\"time\":1,\"msg\":\"listen: address in use\"}}")).ends_with("ET"));
    }

    #[test]
    fn a_finding_keeps_the_file_above_it() {
        let text = "a b\nc d\n\nsrc/lib/tax.ts\n  88:13  error  Unsafe member access  no-unsafe\n";
        let mut cut = Size::default();
        let met: Vec<_> = text.lines().enumerate().map(|(i, l)| cut.line(&Line::new(l.as_bytes(), i as u64 + 1))).collect();
        assert_eq!(met[4], Verdict::KeepWith { rank: Rank::Top, lines: 1, with: Rank::Top });
    }

    #[test]
    fn errors_of_the_middle_outrank_the_rest() {
        assert_eq!(marks(&SHAPE, "a:\nerror: disk 1\nat x\n\nb goes on.\nerror: disk 2\nerror: disk 3\nwarning: y"), "BTDEDTDD");
    }
}
