//! Where in a long line the hit is.

use std::ops::Range;

/// Lines over this many bytes are shown around their hit.
pub(super) const LONG: usize = 400;
/// Words that may be what was sought.
const WORDS: usize = 24;
/// Short lines that are asked which words they share.
const VOTES: u32 = 40;

/// What was sought: from the command, or learned from what the short matches share.
#[derive(Default)]
pub(super) struct Sought {
    given: Vec<Vec<u8>>,
    shared: Vec<Vec<u8>>,
    votes: u32,
}

impl Sought {
    /// Takes plain words out of the pattern in `rg -n 'legacy(Token|Key)' src`.
    pub(super) fn new(command: &str) -> Sought {
        let tool = |w: &str| matches!(w.rsplit('/').next(), Some("grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack"));
        let mut words = words_of(command).into_iter().skip_while(|w| !tool(w)).skip(1);
        let mut pattern = None;
        while let Some(word) = words.next() {
            match word.as_str() {
                "-e" | "--regexp" => {
                    pattern = words.next();
                    break;
                }
                "-A" | "-B" | "-C" | "-m" | "-g" | "-t" | "-T" | "-f" | "-j" | "-M" => drop(words.next()),
                w if w.starts_with('-') => {}
                _ => {
                    pattern = Some(word);
                    break;
                }
            }
        }
        let mut given: Vec<Vec<u8>> = Vec::new();
        // `\b` and kin are no letters of the word sought.
        let mut escaped = false;
        let mut part = Vec::new();
        for b in pattern.unwrap_or_default().bytes().chain([b'|']) {
            let plain = !escaped && b != b'\\' && is_word(b);
            if plain {
                part.push(b);
            } else if part.len() > 2 {
                given.push(std::mem::take(&mut part));
            } else {
                part.clear();
            }
            escaped = b == b'\\' && !escaped;
        }
        given.truncate(WORDS);
        Sought { given, ..Sought::default() }
    }

    /// Learns from a short match.
    pub(super) fn learn(&mut self, text: &[u8]) {
        if !self.given.is_empty() || self.votes >= VOTES || text.len() > LONG {
            return;
        }
        self.votes += 1;
        if self.votes == 1 {
            let words = text.split(|b| !is_word(*b)).filter(|w| w.len() > 3);
            self.shared = words.take(WORDS).map(<[u8]>::to_vec).collect();
        } else {
            self.shared.retain(|w| crate::line::find(text, w).is_some());
        }
    }

    /// The hit's bytes in a long text, if it is known what was sought.
    pub(super) fn find(&self, text: &[u8]) -> Option<Range<usize>> {
        let words = if self.given.is_empty() { &self.shared } else { &self.given };
        let mut words: Vec<_> = words.iter().collect();
        words.sort_by_key(|w| std::cmp::Reverse(w.len()));
        words.into_iter().find_map(|w| {
            let at = crate::line::find(text, w).or_else(|| find_any_case(text, w))?;
            Some(at..at + w.len())
        })
    }
}

fn find_any_case(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|w| w.eq_ignore_ascii_case(word))
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// The words of a command line, quotes taken off.
fn words_of(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for c in command.chars() {
        match (quote, c) {
            (Some(q), _) if c == q => quote = None,
            (None, '\'' | '"') => (quote, open) = (Some(c), true),
            (None, _) if c.is_whitespace() || matches!(c, '|' | ';' | '&') => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            _ => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_tells_what_was_sought() {
        let find = |command: &str, text: &str| Sought::new(command).find(text.as_bytes());
        assert_eq!(find("cd a && rg -n -A 2 'legacy\\b' src", "x legacy y"), Some(2..8));
        assert_eq!(find("grep -rn --include=*.js -e \"foo bar\" .", "x bar"), Some(2..5));
        assert_eq!(find("", "x"), None);
    }

    #[test]
    fn without_a_command_the_short_matches_tell() {
        let mut sought = Sought::default();
        for text in ["use legacyToken here", "const legacyToken = 1"] {
            sought.learn(text.as_bytes());
        }
        assert_eq!(sought.find(b"aaa;legacyToken;b"), Some(4..15));
    }
}
