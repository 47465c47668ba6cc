//! A filter's rules, compiled: its patterns as sets, asked once a line.

use super::form::{Fault, Form, Rest, Several};
use super::intern;
use super::sets::Sets;
use crate::cut::{Noun, Rank};
use regex::bytes::Regex;
use std::borrow::Cow;

/// What a pattern that matches says. In the order in which rules outrank each other.
#[derive(Debug)]
pub(super) enum Act {
    Keep { rank: Rank, before: u16, after: u16 },
    Head,
    Drop { noun: Noun, signed: bool },
    Fold { rank: Rank, key: Regex },
    Spare { noun: Noun, signed: bool },
}

/// What a block's lines are that no rule takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inside {
    Keep(Rank),
    Drop(Noun),
    Spare(Noun),
    Park(Noun),
}

/// A filter, ready to judge lines.
#[derive(Debug)]
pub struct Program {
    /// The patterns of `acts`, then those that open blocks, then those that close them.
    pub(super) sets: Sets,
    pub(super) acts: Vec<Act>,
    /// The block that a pattern after those of `acts` opens or closes.
    pub(super) edges: Vec<(usize, bool)>,
    pub(super) blocks: Vec<Inside>,
    /// Has the block a pattern that closes it? Without, a blank line does.
    pub(super) closes: Vec<bool>,
    pub(super) rest: Rest,
    pub(super) max_lines: u32,
    pub(super) tail: u16,
    pub(super) quotes: bool,
}

/// Gathers patterns with the keys that they stand under.
struct Patterns<'a> {
    file: &'a str,
    texts: Vec<&'a str>,
    keys: Vec<String>,
}

impl<'a> Patterns<'a> {
    fn add(&mut self, key: &str, texts: &'a Several) -> Result<usize, Fault> {
        if texts.is_empty() {
            return Err(self.fault(key, "a pattern is missing".into()));
        }
        let before = self.texts.len();
        for text in texts.iter() {
            self.texts.push(text);
            self.keys.push(key.to_owned());
        }
        Ok(self.texts.len() - before)
    }

    /// All of them as one.
    fn sets(&self) -> Result<Sets, Fault> {
        Sets::new(&self.texts).map_err(|e| {
            let mut each = self.texts.iter().zip(&self.keys);
            let wrong = each.find_map(|(text, key)| self.compile(key, text).err());
            wrong.unwrap_or_else(|| self.fault("", format!("its patterns are too large together: {}", reason(&e))))
        })
    }

    fn compile(&self, key: &str, text: &str) -> Result<Regex, Fault> {
        Regex::new(&plain(text)).map_err(|e| self.fault(key, format!("the pattern '{text}' is wrong: {}", reason(&e))))
    }

    fn fault(&self, key: &str, why: String) -> Fault {
        Fault { file: self.file.to_owned(), key: key.to_owned(), why }
    }
}

/// Patterns are of bytes, `\d` is ASCII and `.` any byte, which is cheap; but for those that
/// have letters beyond ASCII in a class.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let (mut in_class, mut escaped) = (false, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            c if in_class && !c.is_ascii() => return Cow::Borrowed(text),
            _ => {}
        }
    }
    Cow::Owned(format!("(?-u){text}"))
}

/// The last line of a pattern error: the ones before draw the pattern.
fn reason(e: &regex::Error) -> String {
    let text = e.to_string();
    let last = text.trim_end().lines().last().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

impl Program {
    /// Compiles a filter; `careful` looks for patterns that take everything, too.
    ///
    /// # Errors
    /// A pattern or a key that is wrong, by file, key and pattern.
    pub fn new(file: &str, form: &Form, careful: bool) -> Result<Program, Fault> {
        let mut patterns = Patterns { file, texts: Vec::new(), keys: Vec::new() };
        if careful {
            for text in form.text.iter() {
                patterns.compile("match", text)?;
            }
        }
        let mut acts = Vec::new();
        for (i, rule) in form.keep.iter().enumerate() {
            for _ in 0..patterns.add(&format!("keep[{i}].like"), &rule.like)? {
                acts.push(Act::Keep { rank: rule.rank.into(), before: rule.before, after: rule.after });
            }
        }
        for (i, rule) in form.head.iter().enumerate() {
            for _ in 0..patterns.add(&format!("head[{i}].like"), &rule.like)? {
                acts.push(Act::Head);
            }
        }
        for (i, rule) in form.drop.iter().enumerate() {
            let key = format!("drop[{i}].like");
            if let Some(text) = rule.like.iter().find(|t| careful && takes_all(t)) {
                return Err(patterns.fault(&key, format!("the pattern '{text}' takes every line: noise needs a positive pattern")));
            }
            let noun = noun(&patterns, &format!("drop[{i}].noun"), &rule.noun)?;
            for _ in 0..patterns.add(&key, &rule.like)? {
                acts.push(Act::Drop { noun, signed: rule.signed });
            }
        }
        for (i, rule) in form.fold.iter().enumerate() {
            let key = format!("fold[{i}].like");
            patterns.add(&key, &rule.like)?;
            for text in rule.like.iter() {
                let regex = patterns.compile(&key, text)?;
                if regex.captures_len() < 2 {
                    return Err(patterns.fault(&key, format!("the pattern '{text}' has no group to tell lines apart by")));
                }
                acts.push(Act::Fold { rank: rule.rank.into(), key: regex });
            }
        }
        for (i, rule) in form.spare.iter().enumerate() {
            let noun = noun(&patterns, &format!("spare[{i}].noun"), &rule.noun)?;
            for _ in 0..patterns.add(&format!("spare[{i}].like"), &rule.like)? {
                acts.push(Act::Spare { noun, signed: rule.signed });
            }
        }
        let (mut edges, mut blocks, mut closes) = (Vec::new(), Vec::new(), Vec::new());
        for (i, block) in form.block.iter().enumerate() {
            let word = |key: &str, text: &str| noun(&patterns, &format!("block[{i}].{key}"), text);
            let inside = match (block.rank, &block.drop, &block.spare, &block.park) {
                (Some(rank), None, None, None) => Inside::Keep(rank.into()),
                (None, Some(text), None, None) => Inside::Drop(word("drop", text)?),
                (None, None, Some(text), None) => Inside::Spare(word("spare", text)?),
                (None, None, None, Some(text)) => Inside::Park(word("park", text)?),
                _ => return Err(patterns.fault(&format!("block[{i}]"), "exactly one of rank, drop, spare, park is needed".into())),
            };
            blocks.push(inside);
            for _ in 0..patterns.add(&format!("block[{i}].open"), &block.open)? {
                edges.push((i, true));
            }
            closes.push(!block.close.is_empty());
            if !block.close.is_empty() {
                for _ in 0..patterns.add(&format!("block[{i}].close"), &block.close)? {
                    edges.push((i, false));
                }
            }
        }
        if patterns.texts.is_empty() {
            return Err(patterns.fault("", "it has no rule: keep, drop, fold, spare, head or block".into()));
        }
        let sets = patterns.sets()?;
        let max_lines = form.max_lines.unwrap_or(u32::MAX);
        Ok(Program { sets, acts, edges, blocks, closes, rest: form.rest, max_lines, tail: form.tail, quotes: form.quotes })
    }

    /// Is what no rule takes data of the tool?
    pub fn takes_rest(&self) -> bool {
        self.rest == Rest::Data
    }
}

/// A pattern that the empty line and a word both match takes everything.
fn takes_all(text: &str) -> bool {
    Regex::new(&plain(text)).is_ok_and(|r| ["x", "7 of 9", "Error: no", "  - a/b.c"].iter().all(|t| r.is_match(t.as_bytes())))
}

/// Words that say how something went, as a verdict does.
const VERDICTS: &[&str] = &[
    "ok",
    "okay",
    "success",
    "successes",
    "successful",
    "successfully",
    "succeeded",
    "passed",
    "passes",
    "passing",
    "pass",
    "fine",
    "good",
    "healthy",
    "well",
    "valid",
    "clean",
    "correct",
    "green",
    "happy",
    "safe",
    "secure",
    "sound",
    "stable",
    "normal",
    "working",
    "works",
    "done",
    "complete",
    "completed",
    "finished",
    "ready",
    "verified",
    "confirmed",
    "approved",
    "compliant",
    "conforming",
    "satisfied",
    "perfect",
    "harmless",
    "benign",
    "flawless",
    "faultless",
    "error-free",
    "fault-free",
    "up-to-date",
    "resolved",
    "fixed",
    "solved",
    "accepted",
    "live",
    "no",
    "without",
    "zero",
    "none",
    "all",
    "every",
    "everything",
    "nothing",
    "never",
    "not",
];
/// The longest noun.
const NOUN_BYTES: usize = 40;

fn noun(patterns: &Patterns<'_>, key: &str, text: &str) -> Result<Noun, Fault> {
    let plain = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | '-' | '\'' | '.' | '/');
    let verdict = |w: &&str| VERDICTS.contains(&w.to_ascii_lowercase().as_str());
    let words = || text.split(|c: char| !c.is_ascii_alphabetic() && c != '-').flat_map(|w| std::iter::once(w).chain(w.split('-')));
    let wrong = if text.is_empty() || text.len() > NOUN_BYTES || !text.chars().all(plain) {
        "a noun is 1 to 40 letters".to_owned()
    } else if let Some(word) = words().find(verdict) {
        format!("a noun names what was left out, as in 'pods', and '{word}' says how it went")
    } else if !text.ends_with('s')
        && !text.split(' ').any(|w| matches!(w, "progress" | "advice" | "output" | "of" | "in"))
        && !text.ends_with("data")
    {
        "a noun is a plural, as in 'cached layers'".to_owned()
    } else {
        return Ok(intern(text));
    };
    Err(patterns.fault(key, format!("{wrong}: '{text}'")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(rules: &str) -> String {
        let form: Form = toml::from_str(&format!("about = 'x'\ncommand = 'x'\n{rules}")).expect("a filter");
        Program::new("x.toml", &form, true).expect_err("a fault").to_string()
    }

    #[test]
    fn faults_name_file_key_and_pattern() {
        for (rules, words) in [
            ("keep = [{ like = 'a' }, { like = ['b', '(c'] }]", "x.toml: keep[1].like: the pattern '(c' is wrong: unclosed group"),
            ("drop = [{ like = '.*', noun = 'lines' }]", "drop[0].like: the pattern '.*' takes every line"),
            (
                "drop = [{ like = '^a', noun = 'passed tests' }]",
                "drop[0].noun: a noun names what was left out, as in 'pods', and 'passed' says how it went: 'passed tests'",
            ),
            ("block = [{ open = 'a', park = 'error-free pods' }]", "block[0].park: a noun names"),
            ("spare = [{ like = '^a', noun = 'Healthy pods' }]", "'Healthy' says how it went"),
            ("fold = [{ like = '^a' }]", "fold[0].like: the pattern '^a' has no group"),
            ("block = [{ open = 'a' }]", "block[0]: exactly one of rank, drop, spare, park is needed"),
            ("match = '^abc(d'\nkeep = [{ like = 'a' }]", "x.toml: match: the pattern '^abc(d' is wrong: unclosed group"),
            ("", "it has no rule"),
        ] {
            let said = fault(rules);
            assert!(said.contains(words), "{said}");
        }
    }
}
