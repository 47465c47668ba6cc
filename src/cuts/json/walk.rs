//! Reads JSON a line at a time: which brackets open and close, which fields are met.

/// What a walk comes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'t> {
    /// A container begins; the key it stands under, if any.
    Open {
        /// `{`, not `[`.
        object: bool,
        /// The key, without quotes; `None` in an array and at the root.
        key: Option<&'t [u8]>,
    },
    /// The innermost container ends.
    Close,
    /// A string, number or word.
    Scalar {
        /// The key, without quotes.
        key: Option<&'t [u8]>,
        /// The value as it stands, quotes included.
        value: &'t [u8],
    },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expect {
    #[default]
    Value,
    ValueOrEnd,
    KeyOrEnd,
    Key,
    Colon,
    CommaOrEnd,
}

/// Brackets deeper than this are too deep to be told apart.
pub const DEPTH: usize = 64;

/// Where in a value, or between values, the reading is. A key whose value stands on
/// another line has no name.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// Open brackets: is it an object?
    stack: Vec<bool>,
    expect: Expect,
}

impl Walk {
    /// Is it between values?
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.stack.is_empty()
    }

    /// Walks over a line; false when it is no JSON at this place.
    pub fn line<'t>(&mut self, text: &'t [u8], each: &mut dyn FnMut(Step<'t>)) -> bool {
        let mut at = text.iter().take_while(|b| **b == b' ').count();
        let mut key = None;
        while at < text.len() {
            let byte = text[at];
            if byte.is_ascii_whitespace() {
                at += 1;
                continue;
            }
            match (self.expect, byte) {
                (Expect::Value | Expect::ValueOrEnd, b'{' | b'[') => {
                    if self.stack.len() == DEPTH {
                        return false;
                    }
                    each(Step::Open { object: byte == b'{', key: key.take() });
                    self.stack.push(byte == b'{');
                    self.expect = if byte == b'{' { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
                    at += 1;
                }
                (Expect::ValueOrEnd | Expect::CommaOrEnd, b']') | (Expect::KeyOrEnd | Expect::CommaOrEnd, b'}') => {
                    if self.stack.pop() != Some(byte == b'}') {
                        return false;
                    }
                    each(Step::Close);
                    self.after_value();
                    at += 1;
                }
                (Expect::KeyOrEnd | Expect::Key, b'"') => {
                    let Some(end) = string_end(text, at) else { return false };
                    key = Some(&text[at + 1..end - 1]);
                    self.expect = Expect::Colon;
                    at = end;
                }
                (Expect::Colon, b':') => {
                    self.expect = Expect::Value;
                    at += 1;
                }
                (Expect::CommaOrEnd, b',') if !self.stack.is_empty() => {
                    self.expect = if self.stack.last() == Some(&true) { Expect::Key } else { Expect::Value };
                    at += 1;
                }
                (Expect::Value | Expect::ValueOrEnd, _) if !self.stack.is_empty() => {
                    let Some(end) = scalar_end(text, at) else { return false };
                    each(Step::Scalar { key: key.take(), value: &text[at..end] });
                    self.after_value();
                    at = end;
                }
                _ => return false,
            }
        }
        true
    }

    fn after_value(&mut self) {
        self.expect = if self.stack.is_empty() { Expect::Value } else { Expect::CommaOrEnd };
    }
}

/// Bytes of a string that are looked at one by one, before a search is called for the rest.
const SHORT: usize = 32;

fn string_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    while at < from + SHORT {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

fn scalar_end(text: &[u8], from: usize) -> Option<usize> {
    if text[from] == b'"' {
        return string_end(text, from);
    }
    let rest = &text[from..];
    let len = rest.iter().position(|b| matches!(b, b',' | b']' | b'}' | b' ' | b'\t')).unwrap_or(rest.len());
    let word = &rest[..len];
    let is_word = matches!(word, b"true" | b"false" | b"null" | b"NaN" | b"Infinity" | b"-Infinity");
    (is_word || is_number(word)).then_some(from + len)
}

fn is_number(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"-").unwrap_or(word);
    let (mut dot, mut exp, mut last) = (false, false, 0);
    for byte in word {
        match byte {
            b'0'..=b'9' => {}
            b'.' if !dot && !exp && last != 0 => dot = true,
            b'e' | b'E' if !exp && last != 0 => exp = true,
            b'+' | b'-' if matches!(last, b'e' | b'E') => {}
            _ => return false,
        }
        last = *byte;
    }
    last.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walks(text: &str) -> bool {
        let mut walk = Walk::default();
        text.split('\n').all(|l| walk.line(l.as_bytes(), &mut |_| {})) && walk.is_outside()
    }

    #[test]
    fn json_in_any_layout_is_walked() {
        for text in ["{}", "[{\"a\": [1, -2.5e+3, \"x\\\"]\"]},\n null\n]", "{\"a\"\n:\n1}\n{\"b\":2}", "[NaN]", "{\"a\":1} {\"b\":2}"] {
            assert!(walks(text), "{text}");
        }
    }

    #[test]
    fn what_looks_like_it_is_not() {
        for text in
            ["[INFO] x", "[2026-03-04 07:00:00] x", "[1] 1234", "{a: 1}", "{'a': 1}", "[12:30]", "{\"a\":1,}", "}", "x", "[1, 2", "[1}"]
        {
            assert!(!walks(text), "{text}");
        }
    }
}
