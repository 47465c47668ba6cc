//! Places in source files: whose they are.

/// Parts of a path that belong to a runtime or a dependency and not to the reader's code.
const FOREIGN: &[&[u8]] = &[
    b"node_modules/",
    b"node_modules\\",
    b"node:internal",
    b"(node:",
    b"at node:",
    b"site-packages/",
    b"site-packages\\",
    b"dist-packages/",
    b"/lib/python",
    b"<frozen ",
    b"/rustc/",
    b"/.cargo/registry/",
    b"/.cargo/git/",
    b"/.rustup/",
    b"/usr/include/",
    b"/usr/lib/",
    b"/usr/local/lib/",
    b"/usr/local/go/",
    b"/usr/share/",
    b"/pkg/mod/",
    b"/gems/",
    b"/vendor/",
    b"internal/process/",
    b"internal/modules/",
    b"../sysdeps/",
    b"libsanitizer/",
];

/// Does the text name a place in a dependency or the runtime?
#[must_use]
pub fn is_foreign(text: &[u8]) -> bool {
    FOREIGN.iter().any(|part| crate::line::find(text, part).is_some())
}

/// Splits `path:line` or `path:line:column` off the front: the path, and what follows the
/// numbers (with its colon). The path has no blank at its start and is not a time of day.
#[must_use]
pub fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    // A drive letter's colon is not the one.
    let from = if text.get(1) == Some(&b':') && text[0].is_ascii_alphabetic() { 2 } else { 0 };
    let colon = from + memchr::memchr(b':', &text[from..])?;
    let path = &text[..colon];
    if path.is_empty() || path[0].is_ascii_whitespace() || path.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let rest = number(&text[colon + 1..])?;
    Some((path, rest.strip_prefix(b":").and_then(number).unwrap_or(rest)))
}

fn number(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0).then(|| &text[digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_path_and_a_line() {
        assert_eq!(split(b"src/a.c:3:7: error: x"), Some((b"src/a.c".as_slice(), b": error: x".as_slice())));
        assert_eq!(split(b"C:\\a.c:3"), Some((b"C:\\a.c".as_slice(), b"".as_slice())));
        assert_eq!(split(b"12:30:01 x"), None);
        assert_eq!(split(b"note: x"), None);
        assert!(is_foreign(b"at f (/a/node_modules/b/c.js:1:2)") && !is_foreign(b"src/a.rs:1"));
    }
}
