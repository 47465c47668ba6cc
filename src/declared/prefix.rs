//! What a pattern's matches begin with, so that many patterns cost one look-up a line.
//! Shared with the build script.

/// The shortest beginning that a text pattern may have.
pub const LEAST: usize = 3;

/// The literal text that each match of `pattern` begins with: the plain letters after its
/// `^`. `None` where there are fewer than [`LEAST`].
pub fn prefix(pattern: &str) -> Option<String> {
    let mut chars = pattern.strip_prefix('^')?.chars().peekable();
    let mut text = String::new();
    let mut last = 0;
    while let Some(c) = chars.next() {
        let plain = match c {
            '\\' => match chars.next() {
                Some(next) if !next.is_ascii_alphanumeric() => next,
                _ => break,
            },
            '*' | '?' | '{' => {
                // What came last may be missing.
                text.truncate(last);
                break;
            }
            '|' => return None,
            '.' | '+' | '(' | ')' | '[' | ']' | '}' | '^' | '$' => break,
            plain => plain,
        };
        last = text.len();
        text.push(plain);
    }
    // A branch further on may begin otherwise.
    let mut depth = 0;
    let mut escaped = false;
    for c in pattern.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' if depth == 0 => return None,
            _ => {}
        }
    }
    (text.len() >= LEAST).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn only_what_every_match_begins_with_counts() {
        for (pattern, start) in [
            ("^PLAY \\[", Some("PLAY [")),
            ("^Plan: \\d+ to add", Some("Plan: ")),
            ("^abcd?", Some("abc")),
            ("^abc*", None),
            ("^abcd+e", Some("abcd")),
            ("^(abc|def)", None),
            ("^abc|def", None),
            ("abc", None),
            ("^ab", None),
            ("^abc(d|e)", Some("abc")),
            ("^● x", Some("● x")),
        ] {
            assert_eq!(prefix(pattern).as_deref(), start, "{pattern}");
        }
    }
}
