//! tsc, plain and pretty: rare codes and the first error of each file, then kinds, then the
//! rest by code; the totals and the table by file.
//!
//! One renamed export makes hundreds of errors in the files that use it, in the order of
//! their paths: what caused them is the odd one among them.

use super::repeats::Repeats;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::line::Line;
use Rank::{Body, Detail, Edge, Top, Total};
use Verdict::{Fold, Keep, Pass, Spare};

/// The TypeScript compiler, and vue-tsc and others that print as it does.
pub const SHAPE: Shape = Shape {
    name: "build",
    dialect: "tsc",
    about: "tsc plain and pretty: rare codes and each file's first error, the rest by code, totals and the table by file",
    sniff: |_, lines| lines.iter().any(opens),
    opens: Opens::flush_colon(opens),
    cut: |_| Box::new(Tsc::default()),
};

const CODE: &str = "code lines";
/// The first error of so many files is held dearly.
const FILES: u32 = 30;
/// Lines of the table by file that are held dearly.
const ROWS: u32 = 25;

fn opens(line: &Line<'_>) -> bool {
    diagnostic(line.text).is_some_and(|d| is_source(d.path))
}

/// A file that such a compiler reads, and no prose around one.
fn is_source(path: &[u8]) -> bool {
    const ENDS: &[&[u8]] =
        &[b".ts", b".tsx", b".mts", b".cts", b".js", b".jsx", b".mjs", b".vue", b".svelte", b".astro", b".json", b".html"];
    ENDS.iter().any(|e| path.ends_with(e)) && !path.iter().any(|b| matches!(b, b'`' | b' '))
}

struct Diagnostic<'a> {
    path: &'a [u8],
    error: bool,
    /// `TS2344`
    code: &'a [u8],
    text: &'a [u8],
}

/// `src/a.ts(72,44): error TS2552: Cannot find ...`, `src/a.ts:72:44 - error TS2552: ...`,
/// `error TS18003: No inputs were found ...`
fn diagnostic(line: &[u8]) -> Option<Diagnostic<'_>> {
    let at = crate::line::find(&line[..line.len().min(600)], b" TS")?;
    let head = &line[..at];
    let (head, error) = match (head.strip_suffix(b"error"), head.strip_suffix(b"warning")) {
        (Some(head), _) => (head, true),
        (_, Some(head)) => (head, false),
        _ => return None,
    };
    let rest = &line[at + 1..];
    let digits = rest[2..].iter().take_while(|b| b.is_ascii_digit()).count();
    let text = rest[2 + digits..].strip_prefix(b": ")?;
    if digits < 4 || head.first().is_some_and(u8::is_ascii_whitespace) {
        return None;
    }
    let place = match (head.strip_suffix(b"): "), head.strip_suffix(b" - ")) {
        (Some(place), _) => place.get(..memchr::memrchr(b'(', place)?)?,
        (_, Some(place)) => place.get(..memchr::memchr(b':', place.get(2..)?)? + 2)?,
        _ if head.is_empty() => b"",
        _ => return None,
    };
    Some(Diagnostic { path: place, error, code: &rest[..2 + digits], text })
}

#[derive(Default)]
struct Tsc {
    repeats: Repeats,
    files: u32,
    /// The errors of the present file.
    in_file: u32,
    /// What becomes of explanations, and of code.
    detail: Option<Rank>,
    code: Option<Rank>,
    /// Lines of explanation since the headline.
    explained: u32,
    inside: bool,
    rows: Option<u32>,
}

impl Tsc {
    fn found(&mut self, line: &Line<'_>, d: &Diagnostic<'_>) -> Verdict {
        let new_file = !d.path.is_empty() && self.repeats.same(d.path) == 1;
        self.files += u32::from(new_file);
        self.in_file = if new_file { 1 } else { self.in_file + 1 };
        let code = self.repeats.same(d.code);
        let kind = self.repeats.kind(d.text);
        let same = self.repeats.same(d.text);
        let (rank, detail, frame) = match () {
            () if !d.error => (Detail, Some(Edge), None),
            () if code <= 2 || kind == 1 => (Top, Some(Body), Some(Edge)),
            () if new_file && self.files <= FILES => (Top, Some(Detail), None),
            () if self.in_file == 2 && self.files <= FILES && same == 1 => (Top, Some(Edge), None),
            () if kind <= 3 => (Body, Some(Edge), None),
            () if same == 1 && kind <= 6 => (Detail, Some(Edge), None),
            () => (Edge, None, None),
        };
        (self.detail, self.code, self.explained, self.inside) = (detail, frame, 0, true);
        if rank > Edge {
            return Keep(rank);
        }
        let to = line.text.len() - d.text.len() - 2;
        Fold { rank, from: to - d.code.len(), to }
    }

    /// `   176  src/types.test.ts:25`, `Found 207 errors in 10 files.`
    fn total(&mut self, line: &Line<'_>) -> Option<Verdict> {
        if let Some(rows) = &mut self.rows {
            let text = line.text.trim_ascii_start();
            if line.starts(" ") && text.first().is_some_and(u8::is_ascii_digit) {
                *rows += 1;
                return Some(Keep(if *rows <= ROWS { Top } else { Detail }));
            }
            if !line.is_blank() {
                self.rows = None;
            }
        }
        if line.text == b"Errors  Files" {
            self.rows = Some(0);
            return Some(Keep(Top));
        }
        // `Found 3 errors. Watching for file changes.` has a time in front.
        let found = line.starts("Found ") || line.starts("[") && line.has("] Found ");
        if found && line.has(" error") {
            self.inside = false;
            return Some(Keep(Total));
        }
        None
    }
}

impl Cut for Tsc {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(d) = diagnostic(line.text) {
            return self.found(line, &d);
        }
        if let Some(verdict) = self.total(line) {
            return verdict;
        }
        // `06:16:32 PM - Building project '/home/dev/app/b/tsconfig.json'...`
        if line.has(" - Building project '") {
            (self.files, self.inside) = (0, false);
            return Keep(Edge);
        }
        if line.is_blank() {
            return if self.inside && self.code.is_none() { Spare(CODE) } else { Keep(Edge) };
        }
        if !self.inside {
            return Pass;
        }
        let text = line.text.trim_ascii_start();
        let tildes = text.iter().all(|b| matches!(b, b'~' | b' '));
        let digits = line.text.iter().take_while(|b| b.is_ascii_digit()).count();
        // `1063       expectTypeOf(json)`, `      ~~~~`, ` ... `
        if tildes || digits > 0 && line.text.get(digits).is_none_or(|b| matches!(b, b' ' | b'\t')) || text.starts_with(b"...") {
            return self.code.map_or(Spare(CODE), Keep);
        }
        if line.starts(" ") {
            self.explained += 1;
            return match self.detail {
                Some(_) if self.explained > 3 => Keep(Edge),
                Some(rank) => Keep(rank),
                None => Spare("explanations"),
            };
        }
        self.inside = false;
        Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn the_rare_outranks_the_many() {
        let many: String = (0..9).map(|n| format!("a.ts({n},1): error TS2344: Type '{n}' fails.\n  Type x.\n")).collect();
        let text = format!("{many}b.ts(1,2): error TS2304: Cannot find name 'y'.\nsrc/c.ts(1,2): error TS2344: Type 'z' fails.");
        assert!(sniffs(&SHAPE, &text));
        assert_eq!(marks(&SHAPE, &text), "TBTBBEDEDEDE+s+s+sTT");
    }

    #[test]
    fn each_project_of_a_build_has_its_first_files() {
        let many: String = (0..40).map(|n| format!("b/{n}.ts(1,1): error TS2322: Type '{n}' fails.\n")).collect();
        let text = format!("{many}\n06:16:32 PM - Building project 'c/tsconfig.json'...\n\nc/i.ts(1,2): error TS2322: Type '7' fails.");
        assert!(marks(&SHAPE, &text).ends_with("EET"), "{}", marks(&SHAPE, &text));
    }

    #[test]
    fn pretty_keeps_its_table() {
        let text = "src/a.ts:7:9 - error TS2322: Type 'n' is not.\n\n7   const n = 1;\n          ~\n\n\nFound 1 error in src/a.ts:7\n\nErrors  Files\n     1  src/a.ts:7";
        assert_eq!(marks(&SHAPE, text), "TEEEEE!ETT");
    }

    #[test]
    fn only_its_own_codes_count() {
        assert!(!sniffs(&SHAPE, "a.ts(1,2): error 2344: x\nlog: error TS: x\n   a.ts:1:2 - error TS2322: in a test's output"));
    }
}
