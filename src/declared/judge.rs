//! A declared filter at work: its rules' answer to each line.

use super::form::Rest;
use super::program::{Act, Inside, Program};
use crate::cut::{Cut, Noun, Rank, Verdict};
use crate::cuts::digits;
use crate::cuts::seen::Seen;
use crate::failure;
use crate::line::Line;
use regex::bytes::Regex;
use std::sync::{Arc, LazyLock};

/// What became of data beyond `max_lines`.
const FURTHER: Noun = "further lines";
/// Blank lines among noise.
const BLANKS: Noun = "blanks";
/// Error-signed lines of a kind that are findings; what follows are repeats.
const OF_A_KIND: u32 = 3;
/// Lines with no more than a sign that are findings.
const SIGNED: u32 = 16;
/// Lines that state a failure that are.
const STATED: u32 = 48;
/// Lines after a stated failure that explain it, unless a rule takes them.
const AFTER: u16 = 2;
/// Noise that hints at trouble: so many of a kind are kept, and so many in all.
const HINTS_OF_A_KIND: u32 = 2;
const HINTS: u32 = 12;
/// And so many last ones, if the text ends with them.
const LAST_HINTS: u16 = 2;
/// Lines after which it pays to get ready for more.
const OFTEN: u32 = 1_000;

/// `[debug] Deployment is not ready: shop/web. 0 out of 2`: no sign of an error, but why a run
/// that failed did.
static HINT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = format!("(?-u){}", HINTING.join("|"));
    Regex::new(&pattern).expect("constant patterns")
});
const HINTING: &[&str] = &[
    r"[Nn]ot (yet )?(ready|available|allowed|permitted|authorized|supported|running|reachable|responding|satisfied|enough|exist|match)",
    r"\b[Ww]ait(ing|ed|s)? (for|on|to)\b",
    r"[Rr]etr(y|ies|ying)\b",
    r"[Pp]ending\b",
    r"[Uu]n(available|authorized|met|supported|healthy)\b",
    r"[Mm]issing|[Ee]xpired|[Ee]xceed|[Ff]orbidden|[Bb]ack-?off|[Tt]hrottl|[Bb]locked|[Ss]tuck\b|[Bb]roken|[Ii]nsufficient",
    r"\b([Dd]oes|[Dd]id|[Ii]s|[Ww]as|[Hh]as)(n't| not)\b",
];

/// The letters that begin a word that hints.
const HINTING_FIRST: [bool; 256] = {
    let (letters, mut marks, mut i) = (*b"nwrpumefbtsi", [false; 256], 0);
    while i < letters.len() {
        marks[letters[i] as usize] = true;
        marks[letters[i].to_ascii_uppercase() as usize] = true;
        i += 1;
    }
    marks
};

/// Do three letters of the text begin one of the words that hint? Most lines of noise have none.
fn may_hint(text: &[u8]) -> bool {
    let begins = |w: &[u8]| match w[0] | 0x20 {
        b'n' => matches!(&w[1..], b"ot" | b"'t"),
        b'w' => &w[1..] == b"ai",
        b'r' => &w[1..] == b"et",
        b'p' => &w[1..] == b"en",
        b'u' => matches!(&w[1..], b"na" | b"nm" | b"ns" | b"nh"),
        b'm' => &w[1..] == b"is",
        b'e' => matches!(&w[1..], b"xp" | b"xc"),
        b'f' => &w[1..] == b"or",
        b'b' => matches!(&w[1..], b"ac" | b"lo" | b"ro"),
        b't' => &w[1..] == b"hr",
        b's' => &w[1..] == b"tu",
        b'i' => &w[1..] == b"ns",
        _ => false,
    };
    text.windows(3).any(|w| HINTING_FIRST[usize::from(w[0])] && begins(w))
}

/// A declared filter at work.
pub struct Declared {
    program: Arc<Program>,
    block: Option<usize>,
    /// Lines that the last kept one takes with it.
    after: u16,
    /// Lines that a stated failure takes with it.
    glow: u16,
    data: u32,
    /// Lines so far.
    lines: u32,
    /// The last line was passed on: a blank one after it is, too.
    passing: bool,
    /// The last line was noise: a blank one after it is, too.
    noise: bool,
    /// Kinds of error-signed lines, and how many of them were made findings.
    kinds: Seen,
    signed: u32,
    stated: u32,
    /// The patterns that the present line matches.
    met: Vec<usize>,
    /// Kept hints of trouble among noise, and whether later ones are what is parked last.
    shown: u32,
    hinted: bool,
    /// Noise that hints at nothing; nor do lines that differ from it in digits.
    calm: Vec<u8>,
}

impl Declared {
    /// At its first line.
    pub fn new(program: Arc<Program>) -> Self {
        Declared {
            program,
            block: None,
            after: 0,
            glow: 0,
            data: 0,
            lines: 0,
            passing: false,
            noise: false,
            kinds: Seen::default(),
            signed: 0,
            stated: 0,
            met: Vec::new(),
            shown: 0,
            hinted: false,
            calm: Vec::new(),
        }
    }

    /// How many of these lines the rules of a filter take, and how many hold any text.
    pub fn claims(program: Arc<Program>, lines: &[Line<'_>]) -> (usize, usize) {
        let mut cut = Declared::new(program);
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

    /// What becomes of the line.
    fn verdict(&mut self, line: &Line<'_>) -> Verdict {
        if let Some(verdict) = self.judge(line) {
            self.passing = false;
            return self.raise(line, verdict);
        }
        match self.program.rest {
            Rest::Data => {
                let verdict = if line.is_error() { Verdict::Keep(Rank::Body) } else { self.data(line) };
                self.raise(line, verdict)
            }
            Rest::Unknown if line.is_blank() && !self.passing => Verdict::Keep(Rank::Edge),
            Rest::Unknown => {
                self.passing = true;
                Verdict::Pass
            }
        }
    }

    /// The verdict of a rule or a block, if one speaks.
    fn judge(&mut self, line: &Line<'_>) -> Option<Verdict> {
        let program = Arc::clone(&self.program);
        let mut met = std::mem::take(&mut self.met);
        self.lines = self.lines.saturating_add(1);
        program.sets.matches(line.text, self.lines > OFTEN, &mut met);
        let verdict = self.judge_by(&program, &met, line);
        self.met = met;
        verdict
    }

    /// What the patterns that match say of the line.
    fn judge_by(&mut self, program: &Program, met: &[usize], line: &Line<'_>) -> Option<Verdict> {
        let blank = line.is_blank();
        let rules = program.acts.len();
        let edge = |block: usize, opens: bool| met.iter().any(|i| *i >= rules && program.edges[i - rules] == (block, opens));
        let noise = std::mem::take(&mut self.noise);
        if blank {
            (self.after, self.glow) = (0, 0);
        }
        if let Some(open) = self.block {
            if if program.closes[open] { edge(open, false) } else { blank } {
                self.block = None;
            }
        }
        if let Some(block) = (0..program.blocks.len()).find(|b| edge(*b, true)) {
            self.block = Some(block);
        }
        let rule = met.iter().min().filter(|i| **i < rules).map(|i| &program.acts[*i]);
        if let Some(verdict) = rule.and_then(|act| self.rule(act, line)) {
            return Some(verdict);
        }
        if self.after > 0 && !blank {
            self.after -= 1;
            return Some(Verdict::Keep(Rank::Body));
        }
        if let Some(block) = self.block {
            return Some(match program.blocks[block] {
                Inside::Drop(_) | Inside::Park(_) | Inside::Spare(_) if failure::is_said(line) => Verdict::Keep(Rank::Body),
                Inside::Keep(Rank::Edge) => self.data(line),
                Inside::Keep(rank) => Verdict::Keep(rank),
                Inside::Drop(noun) => self.noise(noun, false, line),
                Inside::Spare(noun) => Verdict::Spare(noun),
                Inside::Park(noun) => Verdict::Park(noun),
            });
        }
        if self.glow > 0 && !blank {
            self.glow -= 1;
            return Some(Verdict::Keep(Rank::Body));
        }
        (noise && blank).then(|| self.drop(BLANKS))
    }

    /// What a rule says of a line; nothing where it would call an error noise.
    fn rule(&mut self, act: &Act, line: &Line<'_>) -> Option<Verdict> {
        let verdict = match act {
            Act::Keep { rank, before, after } => {
                self.after = *after;
                match *before {
                    0 if *rank == Rank::Edge => return Some(self.data(line)),
                    0 => Verdict::Keep(*rank),
                    lines => Verdict::KeepWith { rank: *rank, lines, with: Rank::Body.min(*rank) },
                }
            }
            Act::Head => Verdict::Head,
            Act::Drop { signed, .. } if !signed && failure::is_said(line) => Verdict::Keep(Rank::Body),
            Act::Drop { noun, signed } => self.noise(noun, *signed, line),
            Act::Fold { rank, key } => {
                let found = key.captures(line.text)?;
                let group = (1..found.len()).find_map(|i| found.get(i))?;
                Verdict::Fold { rank: *rank, from: group.start(), to: group.end() }
            }
            Act::Spare { signed, .. } if !signed && failure::is_said(line) => Verdict::Keep(Rank::Body),
            Act::Spare { noun, .. } => Verdict::Spare(noun),
        };
        if !matches!(act, Act::Keep { .. }) {
            (self.after, self.glow) = (0, 0);
        }
        Some(verdict)
    }

    /// An error-signed line is a finding whatever a rule takes it for: the first ones of a
    /// kind are, while they are few. In a listing a word like `failed` may be data.
    fn raise(&mut self, line: &Line<'_>, verdict: Verdict) -> Verdict {
        let lesser = match verdict {
            Verdict::Keep(rank) | Verdict::KeepWith { rank, .. } => rank < Rank::Top,
            Verdict::Fold { .. } | Verdict::Head | Verdict::Drop(_) | Verdict::Spare(_) | Verdict::Park(_) => true,
            Verdict::Around { .. } | Verdict::Pass => false,
        };
        if !lesser || self.program.quotes {
            return verdict;
        }
        // Those of a fold are of the kind that its author tells.
        let key = if let Verdict::Fold { from, to, .. } = verdict { line.text.get(from..to) } else { None };
        let alike = key.map_or(0, |key| self.kinds.same(key));
        let stated = failure::is_stated(line);
        let noise = matches!(verdict, Verdict::Drop(_) | Verdict::Spare(_) | Verdict::Park(_));
        if !stated && (noise || verdict == Verdict::Head || !failure::is_said(line)) {
            return verdict;
        }
        let count = match key {
            Some(key) => self.kinds.same(&[b"!", key].concat()),
            None => self.kinds.alike(line.trimmed()),
        };
        let (met, most) = if stated { (&mut self.stated, STATED) } else { (&mut self.signed, SIGNED) };
        if count > if noise { 1 } else { OF_A_KIND } || *met >= most {
            return match verdict {
                Verdict::Keep(Rank::Edge | Rank::Detail) => Verdict::Keep(Rank::Body),
                other => other,
            };
        }
        *met += 1;
        if stated {
            self.glow = AFTER;
        }
        match verdict {
            Verdict::KeepWith { lines, with, .. } => Verdict::KeepWith { rank: Rank::Top, lines, with },
            Verdict::Fold { rank, from, to } if alike <= OF_A_KIND => Verdict::Fold { rank: rank.max(Rank::Top), from, to },
            _ => Verdict::Keep(Rank::Top),
        }
    }

    /// Noise, unless it hints at trouble: of such lines the first of a kind stay, and the last
    /// if nothing comes after them.
    fn noise(&mut self, noun: Noun, signed: bool, line: &Line<'_>) -> Verdict {
        let said = line.text.get(..400).unwrap_or(line.text);
        if signed || !self.hints(said) {
            return self.drop(noun);
        }
        if self.shown < HINTS && self.kinds.alike(line.trimmed()) <= HINTS_OF_A_KIND {
            self.shown += 1;
            return Verdict::Keep(Rank::Body);
        }
        self.hinted = true;
        Verdict::Park(noun)
    }

    fn hints(&mut self, said: &[u8]) -> bool {
        if digits::alone(said, &self.calm) {
            return false;
        }
        let hints = may_hint(said) && HINT.is_match(said);
        if !hints {
            self.calm.clear();
            self.calm.extend_from_slice(said);
        }
        hints
    }

    fn drop(&mut self, noun: Noun) -> Verdict {
        self.noise = true;
        Verdict::Drop(noun)
    }

    /// A line of plain data.
    fn data(&mut self, line: &Line<'_>) -> Verdict {
        if failure::is_said(line) {
            return Verdict::Keep(Rank::Body);
        }
        self.data = self.data.saturating_add(1);
        if self.data > self.program.max_lines {
            return Verdict::Spare(FURTHER);
        }
        Verdict::Keep(Rank::Edge)
    }
}

impl Cut for Declared {
    fn line(&mut self, line: &Line<'_>) -> Verdict {
        let hinted = std::mem::take(&mut self.hinted);
        let verdict = self.verdict(line);
        match verdict {
            // What was waited for last is why it failed.
            Verdict::Keep(rank @ (Rank::Top | Rank::Total)) if hinted && failure::is_said(line) => {
                return Verdict::KeepWith { rank, lines: LAST_HINTS, with: Rank::Body };
            }
            Verdict::Drop(_) | Verdict::Pass => self.hinted |= hinted,
            _ => self.hinted |= hinted && line.is_blank(),
        }
        verdict
    }

    fn quotes(&self) -> bool {
        self.program.quotes
    }

    fn yields(&self) -> bool {
        self.program.takes_rest()
    }

    fn end(&mut self) -> (u16, Rank) {
        (self.program.tail.max(if self.hinted { LAST_HINTS } else { 0 }), Rank::Body)
    }
}

#[cfg(test)]
mod tests {
    use super::super::form::Form;
    use super::*;

    fn cut(rules: &str) -> Declared {
        let form: Form = toml::from_str(&format!("about = 'x'\ncommand = 'x'\n{rules}")).expect("a filter");
        Declared::new(Arc::new(Program::new("x.toml", &form, false).expect("patterns")))
    }

    fn verdicts(cut: &mut Declared, text: &str) -> Vec<Verdict> {
        text.split('\n').enumerate().map(|(i, l)| cut.line(&Line::new(l.as_bytes(), i as u64 + 1))).collect()
    }

    /// What stands at `Top` of 300 rows around what failed.
    fn top(rules: &str, row: impl Fn(usize) -> String, failed: &str) -> Vec<String> {
        let mut lines: Vec<String> = (0..300).map(row).collect();
        lines.insert(150, failed.to_owned());
        let met = verdicts(&mut cut(rules), &lines.join("\n"));
        let is_top = |v: &Verdict| matches!(v, Verdict::Keep(Rank::Top) | Verdict::Fold { rank: Rank::Top, .. });
        lines.into_iter().zip(met).filter(|(_, v)| is_top(v)).map(|(l, _)| l).collect()
    }

    #[test]
    fn what_failed_is_a_finding_under_any_rule() {
        for rules in [
            "keep = [{ like = '.', rank = 'edge' }]",
            "keep = [{ like = '.', rank = 'body' }]",
            "max_lines = 9\nkeep = [{ like = '.', rank = 'edge' }]",
            "fold = [{ like = '^(..)', rank = 'detail' }]",
            "fold = [{ like = '(...)$', rank = 'body' }]\nkeep = [{ like = 'never' }]",
            "spare = [{ like = '.', noun = 'rows', signed = true }]",
            "drop = [{ like = '^[Er]', noun = 'rows', signed = true }]",
            "block = [{ open = '^row 0', close = '^never', rank = 'detail' }]",
            "block = [{ open = '^row 0', close = '^never', park = 'rows' }]",
            "rest = 'data'\nmax_lines = 9\nkeep = [{ like = 'never' }]",
        ] {
            let met = top(rules, |i| format!("row {i} of the list"), "Error: no such unit in the list");
            assert!(met.iter().any(|l| l.starts_with("Error: ")) && met.len() < 9, "{rules}: {met:?}");
        }
    }

    #[test]
    fn a_word_that_hints_begins_as_one() {
        let words = "not ready|Not yet available|Waiting for|waits on|retry|Retrying|Pending|Unavailable|unauthorized|unmet|Unsupported|\
            unhealthy|Missing|expired|Exceeds|forbidden|Back-off|backoff|Throttled|blocked|Stuck|broken|Insufficient|doesn't|did not";
        for word in words.split('|') {
            assert!(HINT.is_match(word.as_bytes()) && may_hint(word.as_bytes()), "{word}");
        }
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in std::fs::read_dir(root.join("src/filters")).expect("a folder").flatten() {
            let text = std::fs::read(file.path()).expect("a file");
            assert!(text.split(|b| *b == b'\n').all(|l| may_hint(l) || !HINT.is_match(l)));
        }
    }

    #[test]
    fn findings_are_few_where_words_are_data() {
        let rules = "keep = [{ like = '.', rank = 'edge' }]";
        assert_eq!(top(rules, |i| format!("src/error{i}.rs 0 errors"), "x").len(), 0);
        assert_eq!(top(rules, |i| format!("{i} failed"), "x").len(), OF_A_KIND as usize);
        let met = top(rules, |i| format!("{} failed", "x".repeat(i)), "Error: it");
        assert_eq!(met.len(), SIGNED as usize + 1);
        assert_eq!(top(&format!("quotes = true\n{rules}"), |i| format!("{i} failed"), "Error: it").len(), 0);
    }

    #[test]
    fn noise_that_hints_at_trouble_is_shown_first_and_last() {
        let mut cut = cut("keep = [{ like = '^Error: ', rank = 'top' }]\ndrop = [{ like = '^debug ', noun = 'debug lines' }]");
        let met = verdicts(&mut cut, "debug x\ndebug web is not ready 1\ndebug web is not ready 2\ndebug web is not ready 3\ndebug y");
        let (noise, kept) = (Verdict::Drop("debug lines"), Verdict::Keep(Rank::Body));
        assert_eq!(met, [noise, kept, kept, Verdict::Park("debug lines"), noise]);
        assert_eq!(cut.end(), (LAST_HINTS, Rank::Body));
        verdicts(&mut cut, "debug web is not ready 4");
        let failed = Verdict::KeepWith { rank: Rank::Top, lines: LAST_HINTS, with: Rank::Body };
        assert_eq!(verdicts(&mut cut, "Error: timed out"), [failed]);
        assert_eq!(cut.end(), (0, Rank::Body));
    }

    #[test]
    fn a_line_that_may_be_an_error_is_no_noise() {
        let mut cut = cut("drop = [{ like = '^step ', noun = 'steps' }]");
        let met = verdicts(&mut cut, "step 1\n\nstep 2 failed\n\nother");
        assert_eq!(
            met,
            [Verdict::Drop("steps"), Verdict::Drop(BLANKS), Verdict::Keep(Rank::Top), Verdict::Keep(Rank::Edge), Verdict::Pass]
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
}
