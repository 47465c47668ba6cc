//! The forms of pytest's lines: titles, progress, verdicts, the short summary.

use super::explain::is_exception;
use crate::cut::{Noun, Rank, Verdict};
use crate::cuts::place;
use crate::line::Line;
use Rank::{Detail, Edge, Top};
use Verdict::{Drop, Keep};

/// What most of a run is.
pub(super) const PASSING: Noun = "passing tests";

/// The words of verdicts.
pub(super) const WORDS: &[&[u8]] =
    &[b"PASSED", b"FAILED", b"ERROR", b"SKIPPED", b"XFAIL", b"XPASS", b"SUBPASSED", b"SUBFAILED", b"SUBSKIPPED", b"RERUN"];

/// The title of a line that is padded with `fill` on both sides: `==== FAILURES ====`.
pub(super) fn section(text: &[u8], fill: u8) -> Option<&[u8]> {
    let text = text.trim_ascii_end();
    let bar = "\u{2015}".as_bytes();
    if fill == b'_' && text.starts_with(bar) {
        // pytest-sugar draws its titles: `――― test_x ―――`
        let (mut title, mut bars) = (text, 0);
        while let Some(rest) = title.strip_prefix(bar) {
            (title, bars) = (rest, bars + 1);
        }
        while let Some(rest) = title.strip_suffix(bar) {
            title = rest;
        }
        return title.strip_prefix(b" ")?.strip_suffix(b" ").filter(|_| bars > 1);
    }
    let head = text.iter().take_while(|b| **b == fill).count();
    let tail = text.iter().rev().take_while(|b| **b == fill).count();
    if head == 0 || tail == 0 || head + tail + 2 >= text.len() {
        return None;
    }
    text[head..text.len() - tail].strip_prefix(b" ")?.strip_suffix(b" ")
}

/// `8 failed, 1983 passed in 10.30s`, `no tests ran in 0.01s`, `22 errors in 4.23s (0:01:02)`
pub(super) fn is_totals(title: &[u8]) -> bool {
    let Some(at) = memchr::memmem::rfind(title, b" in ") else { return false };
    let time = &title[at + 4..];
    let digits = time.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    if digits == 0 || !matches!(time.get(digits), Some(b's' | b' ')) {
        return false;
    }
    let head = &title[..at];
    let counted = |part: &[u8]| {
        let part = part.trim_ascii();
        let digits = part.iter().take_while(|b| b.is_ascii_digit()).count();
        digits > 0 && part[digits..].starts_with(b" ") && part.len() < 30
    };
    head == b"no tests ran" || !head.is_empty() && head.split(|b| *b == b',').all(counted)
}

/// `....F..s [ 11%]`, `tests/test_x.py ....F.s      [ 11%]`, `.... [ 12/90]`
pub(super) fn is_progress(text: &[u8]) -> bool {
    let Some(head) = before_percent(text) else { return false };
    let letters = head.rsplit(|b| *b == b' ').next().unwrap_or_default();
    let path = head[..head.len() - letters.len()].trim_ascii_end();
    !letters.is_empty()
        && letters.iter().all(|b| b".FEsSxXRuU,-".contains(b))
        && (path.is_empty() || path.ends_with(b".py") || path.ends_with(b".rst") || path.ends_with(b".md") || path.ends_with(b".txt"))
}

/// What stands before a closing `[ 11%]` or `[ 7/90]`, without the blanks between.
pub(super) fn before_percent(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_end().strip_suffix(b"]")?;
    let open = memchr::memrchr(b'[', text)?;
    let inner = text[open + 1..].trim_ascii_start();
    let digits = inner.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = &inner[digits..];
    let is = digits > 0 && (rest == b"%" || rest.strip_prefix(b"/").is_some_and(|r| !r.is_empty() && r.iter().all(u8::is_ascii_digit)));
    is.then(|| text[..open].trim_ascii_end())
}

/// The verdict of a verbose progress line, found from the right: an id may hold anything.
///
/// ```text
/// tests/test_x.py::test_named_states[error path] PASSED           [  0%]
/// tests/test_x.py::test_old SKIPPED (needs the ERROR queue ...)   [ 99%]
/// [gw0] [  0%] PASSED tests/test_x.py::test_a
/// ```
pub(super) fn verdict(line: &Line<'_>) -> Option<&'static [u8]> {
    if !line.has("::") {
        return None;
    }
    if let Some(rest) = line.after("[gw") {
        // The verdict is the word behind the brackets.
        let rest = &rest[memchr::memchr(b']', rest)? + 1..];
        let rest = rest.trim_ascii_start();
        let rest = match rest.first() {
            Some(b'[') => rest[memchr::memchr(b']', rest)? + 1..].trim_ascii_start(),
            _ => rest,
        };
        return WORDS.iter().find(|w| rest.strip_prefix(**w).is_some_and(|r| r.starts_with(b" ") || r.starts_with(b"("))).copied();
    }
    let head = before_percent(line.text).unwrap_or(line.text).trim_ascii_end();
    if let Some(word) = WORDS.iter().find(|w| head.strip_suffix(**w).is_some_and(|h| h.ends_with(b" "))) {
        return Some(word);
    }
    // With a reason in brackets; it may be cut with `...`.
    if !head.ends_with(b")") {
        return None;
    }
    WORDS.iter().filter_map(|w| Some((memchr::memmem::rfind(head, &[b" ", *w, b" ("].concat())?, *w))).max_by_key(|f| f.0).map(|f| f.1)
}

/// `FAILED id - message` and the like in the short summary.
pub(super) fn in_summary(line: &Line<'_>) -> Option<Verdict> {
    let text = line.text;
    let word = text.iter().take_while(|b| b.is_ascii_uppercase()).count();
    if word == 0 || !matches!(text.get(word), Some(b' ' | b'(')) {
        return None;
    }
    Some(match &text[..word] {
        b"FAILED" | b"ERROR" | b"SUBFAILED" | b"SUBFAIL" => Keep(Top),
        b"XPASS" | b"RERUN" => Keep(Detail),
        b"PASSED" | b"SUBPASSED" => Drop(PASSING),
        b"SKIPPED" | b"XFAIL" | b"SUBSKIPPED" => Keep(Edge),
        _ => return None,
    })
}

/// `/home/dev/app/ledger/money.py:16: KeyError: 'GBP'`
pub(super) fn is_raised(text: &[u8]) -> bool {
    place::split(text).is_some_and(|(path, rest)| path.ends_with(b".py") && rest.strip_prefix(b": ").is_some_and(is_exception))
}

/// A test's name without its parameters: `test_price` of `test_price[3] - ValueError: x`.
pub(super) fn base(name: &[u8]) -> &[u8] {
    let end = memchr::memchr(b'[', name).or_else(|| crate::line::find(name, b" - "));
    &name[..end.unwrap_or(name.len())]
}

/// A progress line that ends without its percentage: the last one, or one that was torn.
pub(super) fn is_torn_progress(text: &[u8]) -> bool {
    let letters = text.rsplit(|b| *b == b' ').next().unwrap_or_default();
    let path = text[..text.len() - letters.len()].trim_ascii_end();
    letters.len() >= 3 && letters.iter().all(|b| b".FEsSxXu".contains(b)) && (path.is_empty() || path.ends_with(b".py"))
}

/// Is it behind the bars of an exception group?
pub(super) fn is_group(text: &[u8]) -> bool {
    let said = text.trim_ascii_start();
    said.starts_with(b"| ") || said.starts_with(b"+-") || said.starts_with(b"+ Exception Group Traceback")
}

/// `tests/test_x.py::test_name[a b] `, alone or with output glued to it.
pub(super) fn is_id(line: &Line<'_>) -> bool {
    let Some(at) = crate::line::find(line.text, b".py::") else { return false };
    !line.text[..at].iter().any(|b| matches!(b, b' ' | b'\t' | b'"' | b'\''))
}
