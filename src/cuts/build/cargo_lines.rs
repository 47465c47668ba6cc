//! What the lines of rustc and cargo look like.

use crate::cuts::place;

/// `Compiling NAME vN.N.N` with or without more behind it.
pub(super) fn is_step(text: &[u8]) -> bool {
    let mut words = text.split(|b| *b == b' ').skip(1);
    words.next().is_some_and(|name| !name.is_empty()) && words.next().is_some_and(|v| v.len() > 1 && v[0] == b'v' && v[1].is_ascii_digit())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    Error,
    Warning,
}

/// `error: `, `error[E0308]: `, `warning: ` at the start: what it is and where the message
/// starts.
pub(super) fn severity(text: &[u8]) -> Option<(Severity, usize)> {
    let (severity, word) = match text {
        [b'e', b'r', b'r', b'o', b'r', ..] => (Severity::Error, 5),
        [b'w', b'a', b'r', b'n', b'i', b'n', b'g', ..] => (Severity::Warning, 7),
        _ => return None,
    };
    let mut at = word;
    if text.get(at) == Some(&b'[') {
        at += memchr::memchr(b']', text.get(at..at + 40).unwrap_or(&text[at..]))? + 1;
    }
    text[at..].starts_with(b": ").then_some((severity, at + 2))
}

/// ` --> src/lib.rs:27:1`, `  ::: src/lib.rs:3:1`: the place.
pub(super) fn arrow(text: &[u8]) -> Option<&[u8]> {
    let rest = text.trim_ascii_start();
    let place = rest.strip_prefix(b"--> ").or_else(|| rest.strip_prefix(b"::: "))?;
    (rest.len() < text.len()).then_some(place)
}

/// `src/lib.rs:61:41: error[E0308]: mismatched types`: what it is, and whether it has a code.
pub(super) fn short_form(text: &[u8]) -> Option<(Severity, bool)> {
    let (path, rest) = text.first().filter(|b| !b.is_ascii_whitespace()).and_then(|_| place::split(text))?;
    let (severity, _) = severity(rest.strip_prefix(b": ")?)?;
    Some((severity, path.ends_with(b".rs") && !path.contains(&b' ')))
}

/// Its frame's gutter: `  |`, `12 |`, `...`.
pub(super) fn is_frame(text: &[u8]) -> bool {
    let rest = text.trim_ascii_start();
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let rest = rest[digits..].trim_ascii_start();
    rest.starts_with(b"|") || rest.starts_with(b"...") || rest.starts_with(b"~") || rest.starts_with(b"+") || rest.starts_with(b"-")
}

/// What stands below a code line and says something: `|  ^^^^ expected `u32``; the words.
pub(super) fn label(text: &[u8]) -> Option<&[u8]> {
    let rest = text.trim_ascii_start().strip_prefix(b"|")?;
    // Of several labels the one at the carets counts; `--- other` only explains.
    let marks = rest.iter().position(|b| !matches!(b, b' ' | b'|' | b'_' | b'^' | b'-'))?;
    let caret = rest[..marks].contains(&b'^') || rest[..marks].contains(&b'_') || rest[..marks].ends_with(b"- ");
    let said = &rest[marks..];
    let words = caret && said[0] != b'/' && !said.starts_with(b"...");
    // `| |_____- argument #3 of type `i32` is missing`, `|   ^ pattern `&A` not covered`
    words.then_some(said)
}

/// A place in the standard library as the compiler's own build left it.
pub(super) fn is_library(place: &[u8]) -> bool {
    place.starts_with(b"/rustc/") || crate::line::find(place, b"/lib/rustlib/src/").is_some()
}

/// `native-codec@0.4.2: text`: the crate and what its build script said.
pub(super) fn script(message: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = crate::line::find(&message[..message.len().min(120)], b": ")?;
    let name = &message[..at];
    let (crate_name, version) = name.split_at(memchr::memchr(b'@', name)?);
    let is = !crate_name.is_empty() && !name.contains(&b' ') && version.get(1).is_some_and(u8::is_ascii_digit);
    is.then_some((name, &message[at + 2..]))
}

/// `CC_x86_64_unknown_linux_gnu = None`
pub(super) fn is_environment(text: &[u8]) -> bool {
    let Some(at) = crate::line::find(text, b" = ") else { return false };
    let value = &text[at + 3..];
    text[..at].iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) && (value == b"None" || value.starts_with(b"Some("))
}
