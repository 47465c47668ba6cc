//! What carriers put in front of other tools' lines: a job's time, a service's name.
//!
//! A prefix is only believed when the lines of a window have it in common; then it is taken
//! off before the cuts look, and the ledger stores the line as it came.

use crate::line::Line;
use crate::stamp::{self, Stamp};

/// Who carries the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A job of GitHub Actions or Azure: a time, perhaps job and step before it.
    Actions,
    /// A job of GitLab: a time, a stream's number and letter.
    GitLab,
    /// A runner of several commands that puts a name before each line.
    Named(Form),
    /// Something that puts a time before each line.
    Stamped(Stamp),
}

/// How a name stands before a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `web-1  | text`
    Bar,
    /// `[web] text`, `[pod/app-7/web] text`, `[@app/web]: text`, `[test:12] text` with the
    /// number of the line
    Bracket,
    /// `@app/web:test: text`, `@app/web: text`
    Colons,
    /// `packages/web test: text`
    Script,
    /// `10:15:30 web.1  | text`
    Timed,
}

const FORMS: [Form; 5] = [Form::Bar, Form::Bracket, Form::Colons, Form::Script, Form::Timed];

/// Lines that must have a prefix before it is believed.
const LEAST: usize = 5;
/// Names that a runner of several commands may have.
const NAMES: usize = 16;

/// The prefix of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// Its bytes.
    pub len: usize,
    /// How many of them, from the first, name who wrote the line (or the job and its step).
    pub name: usize,
}

impl Prefix {
    /// Who wrote the line, without the time before the name.
    #[must_use]
    pub fn who<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let name = &text[..self.name];
        &name[stamp::clock(name).unwrap_or(0)..]
    }
}

impl Carrier {
    /// The carrier that most lines of a window have in common.
    #[must_use]
    pub fn of(lines: &[Line<'_>]) -> Option<Carrier> {
        let said = lines.iter().filter(|l| !l.is_blank()).count();
        let (mut jobs, mut runner) = (0, false);
        for line in lines {
            let Some(prefix) = actions(line.whole()) else { continue };
            jobs += 1;
            let text = &line.whole()[prefix.len..];
            // A program of one's own may write such times: it does not talk like the runner.
            runner |= prefix.name > 0 || text.starts_with(b"##[") || text.starts_with(b"Current runner version:");
        }
        if jobs >= LEAST && jobs * 4 > said * 3 && runner {
            return Some(Carrier::Actions);
        }
        if most(lines, said, |text| gitlab(text).is_some()) {
            return Some(Carrier::GitLab);
        }
        let form = FORMS.into_iter().find(|form| is_named(lines, said, *form));
        form.map(Carrier::Named).or_else(|| Stamp::of(lines, |n| are_most(n, said)).map(Carrier::Stamped))
    }

    /// Its prefix before this line, if it has one.
    #[must_use]
    pub fn prefix(self, text: &[u8]) -> Option<Prefix> {
        match self {
            Carrier::Actions => actions(text),
            Carrier::GitLab => gitlab(text),
            Carrier::Named(form) => named(text, form),
            Carrier::Stamped(stamp) => stamp.len(text).map(|len| Prefix { len, name: 0 }),
        }
    }

    /// Does it run a job of steps?
    #[must_use]
    pub fn is_job(self) -> bool {
        matches!(self, Carrier::Actions | Carrier::GitLab)
    }
}

fn most(lines: &[Line<'_>], said: usize, has: impl Fn(&[u8]) -> bool) -> bool {
    are_most(lines.iter().filter(|l| has(l.whole())).count(), said)
}

fn are_most(having: usize, said: usize) -> bool {
    having >= LEAST && having * 4 > said * 3
}

/// Few names, and each of them more than once or twice.
fn is_named(lines: &[Line<'_>], said: usize, form: Form) -> bool {
    if !most(lines, said, |text| named(text, form).is_some()) {
        return false;
    }
    let mut names: Vec<&[u8]> = Vec::new();
    for text in lines.iter().map(Line::whole) {
        let Some(prefix) = named(text, form) else { continue };
        if !names.contains(&prefix.who(text)) {
            if names.len() == NAMES {
                return false;
            }
            names.push(prefix.who(text));
        }
    }
    names.len() * 4 <= said
}

/// `2026-08-22T10:15:30.1234567Z `, `job<TAB>step<TAB>2026-08-22T10:15:30.1234567Z `, with a
/// mark of the byte order before the time or not.
fn actions(text: &[u8]) -> Option<Prefix> {
    let mark = |text: &[u8]| if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let from = mark(text);
    if text.get(from)?.is_ascii_digit() {
        if let Some(len) = time(&text[from..]).filter(|len| *len == 28) {
            return blank_after(text, from + len).map(|len| Prefix { len, name: 0 });
        }
    }
    let mut tabs = memchr::memchr_iter(b'\t', &text[..text.len().min(300)]);
    let (job, step) = (tabs.next()?, tabs.next()?);
    if job == 0 || step == job + 1 {
        return None;
    }
    let from = step + 1 + mark(&text[step + 1..]);
    let len = time(text.get(from..)?)?;
    blank_after(text, from + len).map(|len| Prefix { len, name: step })
}

/// `2026-08-22T10:15:30.123456Z 00O text`: the time, the stream, its letter, and a `+` where
/// a long line goes on.
fn gitlab(text: &[u8]) -> Option<Prefix> {
    let at = time(text)?;
    match *text.get(at..at + 4)? {
        [b' ', a, b, b'O' | b'E'] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {}
        _ => return None,
    }
    let len = at + 4 + usize::from(matches!(text.get(at + 4), Some(b' ' | b'+')));
    Some(Prefix { len, name: 0 })
}

/// What stands behind a time and a stream of GitLab, if the text begins with them.
#[must_use]
pub fn behind_stream(text: &[u8]) -> &[u8] {
    &text[gitlab(text).map_or(0, |p| p.len)..]
}

/// The length of `2026-08-22T10:15:30Z`, with decimals or without.
fn time(text: &[u8]) -> Option<usize> {
    const SHAPE: &[u8] = b"dddd-dd-ddTdd:dd:dd";
    if !stamp::fits(text, SHAPE) {
        return None;
    }
    let mut at = SHAPE.len();
    if text.get(at) == Some(&b'.') {
        at += 1 + text[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    }
    (text.get(at) == Some(&b'Z')).then_some(at + 1)
}

/// A prefix ends in a blank, or the line does.
pub fn blank_after(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at) {
        None => Some(at),
        Some(b' ') => Some(at + 1),
        Some(_) => None,
    }
}

fn named(text: &[u8], form: Form) -> Option<Prefix> {
    let near = &text[..text.len().min(100)];
    match form {
        Form::Timed => {
            let at = stamp::clock(near)?;
            named(&text[at..], Form::Bar).map(|p| Prefix { len: at + p.len, name: at + p.name })
        }
        Form::Bar => {
            let bar = memchr::memchr(b'|', near)?;
            let name = near[..bar].trim_ascii_end();
            let fits = name.len() < bar && name.first()?.is_ascii_alphanumeric() && name.iter().all(|b| is_name(*b));
            // A row of a table has more bars; psql and Markdown have them in each row.
            fits.then_some(())?;
            blank_after(text, bar + 1).map(|len| Prefix { len, name: name.len() })
        }
        Form::Bracket => {
            let end = memchr::memchr(b']', near.strip_prefix(b"[")?)? + 1;
            let inner = &near[1..end];
            let digits = inner.iter().rev().take_while(|b| b.is_ascii_digit()).count();
            let name = if digits > 0 { inner[..inner.len() - digits].strip_suffix(b":").unwrap_or(inner) } else { inner };
            let fits =
                !name.is_empty() && name.iter().all(|b| is_name(*b) || matches!(b, b'/' | b'@')) && !is_level(name) && !is_worker(name);
            fits.then_some(())?;
            let colon = usize::from(name.contains(&b'/') && text.get(end + 1) == Some(&b':'));
            blank_after(text, end + 1 + colon).map(|len| Prefix { len, name: name.len() + 1 })
        }
        Form::Colons => {
            // The name ends at the first colon that a blank follows.
            let end = memchr::memchr(b' ', near).unwrap_or(near.len());
            let name = near[..end].strip_suffix(b":")?;
            let scoped = name.first() == Some(&b'@') && name.contains(&b'/');
            let task = name.rsplitn(2, |b| *b == b':').next().filter(|t| t.len() < name.len());
            let is_task = task.is_some_and(|t| t.first().is_some_and(u8::is_ascii_lowercase));
            let fits = |b: &u8| is_name(*b) || matches!(b, b'@' | b'/' | b':');
            let doubled = name.windows(2).any(|w| w == b"::" || w == b":/");
            let first = name.first().is_some_and(|b| b.is_ascii_lowercase() || *b == b'@');
            (first && (scoped || is_task) && !doubled && name.iter().all(fits) && !is_level(task.unwrap_or(name))).then_some(())?;
            Some(Prefix { len: (end + 1).min(text.len()), name: end })
        }
        Form::Script => {
            let blank = memchr::memchr(b' ', near)?;
            let path = &near[..blank];
            let end = blank + 1 + memchr::memchr2(b':', b'$', &near[blank + 1..])?;
            let script = &near[blank + 1..end];
            let fits = path.contains(&b'/')
                && !path.starts_with(b"/")
                && path.iter().all(|b| is_name(*b) || matches!(b, b'/' | b'@'))
                && !script.is_empty()
                && script.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'-' | b'_'));
            fits.then_some(())?;
            // packages/web test$ jest
            let len = if near[end] == b'$' { blank + 1 + script.len() } else { blank_after(text, end + 1)? };
            Some(Prefix { len, name: blank + 1 + script.len() })
        }
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
}

/// `[INFO] text`, `[warn] text`: a level is no name.
fn is_level(name: &[u8]) -> bool {
    const LEVELS: [&[u8]; 12] =
        [b"info", b"warn", b"warning", b"error", b"debug", b"trace", b"fatal", b"notice", b"note", b"ok", b"fail", b"failed"];
    LEVELS.iter().any(|l| l.eq_ignore_ascii_case(name))
        || name.iter().all(|b| !b.is_ascii_lowercase()) && !name.first().is_some_and(u8::is_ascii_digit)
}

/// `[gw0] text`: pytest's cut knows its workers.
fn is_worker(name: &[u8]) -> bool {
    name.strip_prefix(b"gw").is_some_and(|n| !n.is_empty() && n.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carrier(text: &str) -> Option<Carrier> {
        let lines: Vec<_> = text.lines().enumerate().map(|(i, l)| Line::new(l.as_bytes(), i as u64 + 1)).collect();
        Carrier::of(&lines)
    }

    fn behind(text: &str) -> Option<&str> {
        let carrier = carrier(&format!("{text}\n").repeat(6))?;
        carrier.prefix(text.as_bytes()).map(|p| &text[p.len..])
    }

    #[test]
    fn carriers_are_known_by_what_their_lines_have_in_common() {
        for (text, rest) in [
            ("2026-08-22T10:15:30.1234567Z ##[group]Run npm test", "##[group]Run npm test"),
            ("\u{feff}2026-08-22T10:15:30.1234567Z ##[endgroup]", "##[endgroup]"),
            ("test (20)\tRun npm test\t2026-08-22T10:15:30.1234567Z FAIL a.test.js", "FAIL a.test.js"),
            ("test\tUNKNOWN STEP\t\u{feff}2026-08-22T10:15:30Z x", "x"),
            ("2026-08-22T10:15:30.123456Z 01E x", "x"),
            ("2026-08-22T10:15:30.123456Z 00O+x", "x"),
            ("web-1  | x y", "x y"),
            ("db_1 |", ""),
            ("10:15:30 web.1  |   x", "  x"),
            ("[web] x", "x"),
            ("[0] x", "x"),
            ("[@app/web]: x", "x"),
            ("[test:12] x", "x"),
            ("[pod/checkout-dbb5994bf-45wjs/app] x", "x"),
            ("@app/web:test: FAIL a.test.js", "FAIL a.test.js"),
            ("web:test:unit: ok", "ok"),
            ("@app/web: ok", "ok"),
            ("packages/web test: ok", "ok"),
            ("packages/web test$ jest", "$ jest"),
        ] {
            assert_eq!(behind(text), Some(rest), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_prefix_is_none() {
        for text in [
            "[INFO] Building app",
            "[warn] unused",
            "[gw0] [ 50%] PASSED tests/test_a.py::test_a",
            "src/a.c:12:3: error: x",
            "tests/a.py::test_a: x",
            "@scope/app:: x",
            "error: x",
            "make: x",
            "INFO:root: x",
            "https://example.com/a: x",
            "/usr/bin/ld: x",
            " 12 | let x = 1;",
            "| a | b |",
        ] {
            assert_eq!(behind(text), None, "{text}");
        }
        let rows: String = (0..40).map(|i| format!("row{i} | {i}\n")).collect();
        assert_eq!(carrier(&rows), None);
    }
}
