//! A filter's rules, compiled: one set of patterns, asked once a line.

use super::form::{Fault, Form, Rest, Several};
use super::intern;
use crate::cut::{Cut, Noun, Rank, Verdict};
use crate::line::Line;
use regex::bytes::{Regex, RegexSet};
use std::borrow::Cow;
use std::sync::Arc;

/// What became of data beyond `max_lines`.
const FURTHER: Noun = "further lines";
/// Blank lines among noise.
const BLANKS: Noun = "blanks";

/// What a pattern that matches says. In the order in which rules outrank each other.
#[derive(Debug)]
enum Act {
    Keep { rank: Rank, before: u16, after: u16 },
    Head,
    Drop { noun: Noun, signed: bool },
    Fold { rank: Rank, key: Regex },
    Spare { noun: Noun, signed: bool },
}

/// What a block's lines are that no rule takes.
#[derive(Clone, Copy, Debug)]
enum Inside {
    Keep(Rank),
    Drop(Noun),
    Spare(Noun),
    Park(Noun),
}

/// A filter, ready to judge lines.
#[derive(Debug)]
pub struct Program {
    /// The patterns of `acts`, then those that open blocks, then those that close them.
    set: RegexSet,
    acts: Vec<Act>,
    /// The block that a pattern after those of `acts` opens or closes.
    edges: Vec<(usize, bool)>,
    blocks: Vec<Inside>,
    /// Has the block a pattern that closes it? Without, a blank line does.
    closes: Vec<bool>,
    rest: Rest,
    max_lines: u32,
    tail: u16,
    quotes: bool,
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
    fn set(&self) -> Result<RegexSet, Fault> {
        RegexSet::new(self.texts.iter().map(|t| plain(t))).map_err(|e| {
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
                _ => return Err(patterns.fault(&format!("block[{i}]"), "one of rank, drop, spare, park is needed".into())),
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
        let set = patterns.set()?;
        let max_lines = form.max_lines.unwrap_or(u32::MAX);
        Ok(Program { set, acts, edges, blocks, closes, rest: form.rest, max_lines, tail: form.tail, quotes: form.quotes })
    }

    /// How many of these lines its rules take, and how many hold any text.
    pub fn claims(self: &Arc<Self>, lines: &[Line<'_>]) -> (usize, usize) {
        let mut cut = Declared::new(Arc::clone(self));
        let (mut claimed, mut said) = (0, 0);
        for line in lines {
            let took = cut.judge(line).is_some();
            if !line.is_blank() {
                said += 1;
                claimed += usize::from(took);
            }
        }
        (claimed, said)
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

fn noun(patterns: &Patterns<'_>, key: &str, text: &str) -> Result<Noun, Fault> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_uppercase() || matches!(c, ' ' | '-' | '\'' | '.' | '/');
    let wrong = if text.is_empty() || text.len() > 40 || !text.chars().all(plain) {
        "a noun is 1 to 40 letters"
    } else if !text.ends_with('s')
        && !text.split(' ').any(|w| matches!(w, "progress" | "advice" | "output" | "of" | "in"))
        && !text.ends_with("data")
    {
        "a noun is a plural, as in 'cached layers'"
    } else if text
        .split(' ')
        .any(|w| matches!(w.to_ascii_lowercase().as_str(), "ok" | "success" | "successful" | "passed" | "succeeded" | "fine"))
    {
        "a noun names what was left out and makes no claim"
    } else {
        return Ok(intern(text));
    };
    Err(patterns.fault(key, format!("{wrong}: '{text}'")))
}

/// A declared filter at work.
pub struct Declared {
    program: Arc<Program>,
    block: Option<usize>,
    /// Lines that the last kept one takes with it.
    after: u16,
    data: u32,
    /// The last line was passed on: a blank one after it is, too.
    passing: bool,
    /// The last line was noise: a blank one after it is, too.
    noise: bool,
}

impl Declared {
    /// At its first line.
    pub fn new(program: Arc<Program>) -> Self {
        Declared { program, block: None, after: 0, data: 0, passing: false, noise: false }
    }

    /// The verdict of a rule or a block, if one speaks.
    fn judge(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let program = Arc::clone(&self.program);
        let blank = line.is_blank();
        let met = program.set.matches(line.text);
        let rules = program.acts.len();
        let edge =
            |block: usize, opens: bool| program.edges.iter().enumerate().any(|(i, e)| *e == (block, opens) && met.matched(rules + i));
        let noise = std::mem::take(&mut self.noise);
        if blank {
            self.after = 0;
        }
        if let Some(open) = self.block {
            if if program.closes[open] { edge(open, false) } else { blank } {
                self.block = None;
            }
        }
        if let Some(block) = (0..program.blocks.len()).find(|b| met.matched_any() && edge(*b, true)) {
            self.block = Some(block);
        }
        let rule = met.iter().next().filter(|i| *i < rules).map(|i| &program.acts[i]);
        if let Some(verdict) = rule.and_then(|act| self.rule(act, line)) {
            return Some(verdict);
        }
        if self.after > 0 && !blank {
            self.after -= 1;
            return Some(Verdict::Keep(Rank::Body));
        }
        if let Some(block) = self.block {
            return Some(match program.blocks[block] {
                Inside::Drop(_) | Inside::Park(_) | Inside::Spare(_) if line.is_error() => Verdict::Keep(Rank::Body),
                Inside::Keep(Rank::Edge) => self.data(),
                Inside::Keep(rank) => Verdict::Keep(rank),
                Inside::Drop(noun) => self.drop(noun),
                Inside::Spare(noun) => Verdict::Spare(noun),
                Inside::Park(noun) => Verdict::Park(noun),
            });
        }
        (noise && blank).then(|| self.drop(BLANKS))
    }

    /// What a rule says of a line; nothing where it would call an error noise.
    fn rule(&mut self, act: &Act, line: &Line<'_>) -> Option<Verdict> {
        let verdict = match act {
            Act::Keep { rank, before, after } => {
                self.after = *after;
                match *before {
                    0 if *rank == Rank::Edge => return Some(self.data()),
                    0 => Verdict::Keep(*rank),
                    lines => Verdict::KeepWith { rank: *rank, lines, with: Rank::Body.min(*rank) },
                }
            }
            Act::Head => Verdict::Head,
            Act::Drop { signed, .. } if !signed && line.is_error() => Verdict::Keep(Rank::Body),
            Act::Drop { noun, .. } => self.drop(noun),
            Act::Fold { rank, key } => {
                let found = key.captures(line.text)?;
                let group = (1..found.len()).find_map(|i| found.get(i))?;
                Verdict::Fold { rank: *rank, from: group.start(), to: group.end() }
            }
            Act::Spare { signed, .. } if !signed && line.is_error() => Verdict::Keep(Rank::Body),
            Act::Spare { noun, .. } => Verdict::Spare(noun),
        };
        if !matches!(act, Act::Keep { .. }) {
            self.after = 0;
        }
        Some(verdict)
    }

    fn drop(&mut self, noun: Noun) -> Verdict {
        self.noise = true;
        Verdict::Drop(noun)
    }

    /// A line of plain data.
    fn data(&mut self) -> Verdict {
        self.data = self.data.saturating_add(1);
        if self.data > self.program.max_lines {
            return Verdict::Spare(FURTHER);
        }
        Verdict::Keep(Rank::Edge)
    }
}

impl Cut for Declared {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.judge(line) {
            self.passing = false;
            return verdict;
        }
        match self.program.rest {
            Rest::Data if line.is_error() => Verdict::Keep(Rank::Body),
            Rest::Data => self.data(),
            Rest::Unknown if line.is_blank() && !self.passing => Verdict::Keep(Rank::Edge),
            Rest::Unknown => {
                self.passing = true;
                Verdict::Pass
            }
        }
    }

    fn quotes(&self) -> bool {
        self.program.quotes
    }

    fn yields(&self) -> bool {
        self.program.takes_rest()
    }

    fn end(&mut self) -> (u16, Rank) {
        (self.program.tail, Rank::Body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(rules: &str) -> Declared {
        let form: Form = toml::from_str(&format!("about = 'x'\ncommand = 'x'\n{rules}")).expect("a filter");
        Declared::new(Arc::new(Program::new("x.toml", &form, true).expect("patterns")))
    }

    fn fault(rules: &str) -> String {
        let form: Form = toml::from_str(&format!("about = 'x'\ncommand = 'x'\n{rules}")).expect("a filter");
        Program::new("x.toml", &form, true).expect_err("a fault").to_string()
    }

    fn verdicts(cut: &mut Declared, text: &str) -> Vec<Verdict> {
        text.split('\n').enumerate().map(|(i, l)| cut.line(&Line::new(l.as_bytes(), i as u64 + 1))).collect()
    }

    #[test]
    fn a_line_that_may_be_an_error_is_no_noise() {
        let mut cut = cut("drop = [{ like = '^step ', noun = 'steps' }]");
        let met = verdicts(&mut cut, "step 1\n\nstep 2 failed\n\nother");
        assert_eq!(
            met,
            [Verdict::Drop("steps"), Verdict::Drop(BLANKS), Verdict::Keep(Rank::Body), Verdict::Keep(Rank::Edge), Verdict::Pass]
        );
    }

    #[test]
    fn a_block_lasts_until_it_is_closed() {
        let mut cut = cut("keep = [{ like = '!$', rank = 'top' }]\nblock = [{ open = '^<', close = '^>', park = 'inner lines' }]");
        let met = verdicts(&mut cut, "<\na\nb!\n>\na");
        let parked = Verdict::Park("inner lines");
        assert_eq!(met, [parked, parked, Verdict::Keep(Rank::Top), Verdict::Pass, Verdict::Pass]);
    }

    #[test]
    fn data_beyond_max_lines_is_spare() {
        let mut cut = cut("rest = 'data'\nmax_lines = 2\nkeep = [{ like = '^x', rank = 'total' }]");
        let met = verdicts(&mut cut, "a\nb\nc\nx");
        assert_eq!(met, [Verdict::Keep(Rank::Edge), Verdict::Keep(Rank::Edge), Verdict::Spare(FURTHER), Verdict::Keep(Rank::Total)]);
    }

    #[test]
    fn faults_name_file_key_and_pattern() {
        for (rules, words) in [
            ("keep = [{ like = 'a' }, { like = ['b', '(c'] }]", "x.toml: keep[1].like: the pattern '(c' is wrong: unclosed group"),
            ("drop = [{ like = '.*', noun = 'lines' }]", "drop[0].like: the pattern '.*' takes every line"),
            ("drop = [{ like = '^a', noun = 'passed tests' }]", "drop[0].noun: a noun names what was left out and makes no claim"),
            ("fold = [{ like = '^a' }]", "fold[0].like: the pattern '^a' has no group"),
            ("block = [{ open = 'a' }]", "block[0]: one of rank, drop, spare, park is needed"),
            ("", "it has no rule"),
        ] {
            let said = fault(rules);
            assert!(said.contains(words), "{said}");
        }
    }
}
