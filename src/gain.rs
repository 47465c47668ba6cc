//! What was saved: the log's lines, and the account over them.
//!
//! ```text
//! bash 64151 -> 2942 via tree+size
//! ```
//!
//! A line is appended in one write to a file opened for appending, so many processes may
//! share a log.

use crate::format::json::quoted;
use bstr::ByteSlice as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write as _};
use std::path::Path;

/// Bytes that are taken for a token.
pub const TOKEN: u64 = 4;
/// Columns of the account.
const COLUMNS: usize = 80;
/// Letters of a name in the account.
const NAME: usize = 18;

/// The log's line of a run, its line end included. `strategy` is that of the reduction.
#[must_use]
pub fn line(tool: &str, before: u64, after: u64, strategy: &str) -> String {
    let word = |text: &str| text.split(|c: char| c.is_whitespace() || c.is_control()).collect::<Vec<_>>().join("_");
    let tool = if tool.is_empty() { "unknown".to_owned() } else { word(tool) };
    format!("{tool} {before} -> {after} via {}\n", word(strategy))
}

/// Appends a line to a log; the file is made where there is none.
///
/// # Errors
/// Those of opening and writing.
pub fn append(log: &Path, line: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(log)?.write_all(line.as_bytes())
}

/// Runs and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sum {
    /// How many runs.
    pub runs: u64,
    /// Bytes that came in.
    pub before: u64,
    /// Bytes that went out.
    pub after: u64,
}

impl Sum {
    fn add(&mut self, before: u64, after: u64) {
        self.runs += 1;
        self.before = self.before.saturating_add(before);
        self.after = self.after.saturating_add(after);
    }

    /// Bytes that did not go out.
    #[must_use]
    pub fn saved(&self) -> u64 {
        self.before.saturating_sub(self.after)
    }

    /// Share that was saved, in tenths of a percent, rounded down.
    #[must_use]
    pub fn permille(&self) -> u64 {
        u64::try_from(u128::from(self.saved()) * 1_000 / u128::from(self.before.max(1))).unwrap_or(1_000)
    }

    fn json(&self) -> String {
        let (saved, share) = (self.saved(), share(self.permille()));
        format!(
            "\"runs\":{},\"before\":{},\"after\":{},\"saved\":{saved},\"saved_percent\":{share},\"saved_tokens_estimate\":{}",
            self.runs,
            self.before,
            self.after,
            saved / TOKEN
        )
    }
}

fn share(permille: u64) -> String {
    format!("{}.{}", permille / 10, permille % 10)
}

/// The account over logs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gain {
    /// All runs.
    pub total: Sum,
    /// By what cut the text: `tests`, `build+tests`, `none` where it came back whole.
    pub cuts: BTreeMap<String, Sum>,
    /// By tool.
    pub tools: BTreeMap<String, Sum>,
    /// Lines that are no log lines.
    pub unread: u64,
}

impl Gain {
    /// Takes in a log.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn read(&mut self, mut log: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if log.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let line = line.to_str_lossy();
            match parse(line.trim_end_matches(['\n', '\r'])) {
                Some((tool, before, after, cut)) => {
                    self.total.add(before, after);
                    self.cuts.entry(cut.to_owned()).or_default().add(before, after);
                    self.tools.entry(tool.to_owned()).or_default().add(before, after);
                }
                None => self.unread += u64::from(!line.trim().is_empty()),
            }
        }
    }

    /// The account as JSON, its line end included.
    #[must_use]
    pub fn json(&self) -> String {
        let list = |sums: &BTreeMap<String, Sum>, key: &str| {
            let rows: Vec<String> =
                sorted(sums).iter().map(|(name, sum)| format!("{{\"{key}\":{},{}}}", quoted(name), sum.json())).collect();
            format!("[{}]", rows.join(","))
        };
        let (cuts, tools) = (list(&self.cuts, "cut"), list(&self.tools, "tool"));
        format!("{{{},\"by_cut\":{cuts},\"by_tool\":{tools},\"unread_lines\":{}}}\n", self.total.json(), self.unread)
    }

    /// The account for a terminal of 80 columns.
    #[must_use]
    pub fn text(&self) -> String {
        let total = &self.total;
        let mut text = format!(
            "{} {}: {} -> {} bytes, {} % saved\nabout {} tokens saved (estimated as bytes / {TOKEN})\n",
            number(total.runs),
            if total.runs == 1 { "run" } else { "runs" },
            number(total.before),
            number(total.after),
            share(total.permille()),
            number(total.saved() / TOKEN)
        );
        for (head, sums) in [("by cut", &self.cuts), ("by tool", &self.tools)] {
            if !sums.is_empty() {
                table(&mut text, head, sums);
            }
        }
        if self.unread > 0 {
            let _ = writeln!(text, "\n{} lines are no log lines", number(self.unread));
        }
        text
    }
}

/// `bash 64151 -> 2942 via tree+size`
fn parse(line: &str) -> Option<(&str, u64, u64, &str)> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        [tool, before, "->", after, "via", cut] if !tool.is_empty() && !cut.is_empty() => {
            Some((tool, before.parse().ok()?, after.parse().ok()?, cut))
        }
        _ => None,
    }
}

/// The most saved first.
fn sorted(sums: &BTreeMap<String, Sum>) -> Vec<(&str, &Sum)> {
    let mut rows: Vec<_> = sums.iter().map(|(name, sum)| (name.as_str(), sum)).collect();
    rows.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.saved()));
    rows
}

/// A row a name, with a bar as long as its part of the most saved.
fn table(text: &mut String, head: &str, sums: &BTreeMap<String, Sum>) {
    let rows = sorted(sums);
    let most = rows.first().map_or(0, |(_, sum)| sum.saved()).max(1);
    let widest = |value: fn(&Sum) -> u64, least: usize| rows.iter().map(|r| number(value(r.1)).len()).max().unwrap_or(0).max(least);
    let (runs, before, after) = (widest(|s| s.runs, 4), widest(|s| s.before, 6), widest(|s| s.after, 5));
    let bar = COLUMNS.saturating_sub(NAME + runs + before + after + 16).max(4);
    let _ = writeln!(text, "\n{head:<NAME$}  {:>runs$}  {:>before$}  {:>after$}  {:>6}", "runs", "before", "after", "saved");
    for (name, sum) in rows {
        let name = shown(name);
        let length = usize::try_from(u128::from(sum.saved()) * bar as u128 / u128::from(most)).unwrap_or(bar);
        let length = if sum.saved() > 0 { length.max(1) } else { 0 };
        let row = format!(
            "{name}  {:>runs$}  {:>before$}  {:>after$}  {:>5}%  {}",
            number(sum.runs),
            number(sum.before),
            number(sum.after),
            share(sum.permille()),
            "#".repeat(length)
        );
        let _ = writeln!(text, "{}", row.trim_end());
    }
}

/// A name in its columns, nothing in it that a terminal would obey.
fn shown(name: &str) -> String {
    let columns = |c: char| if is_wide(c) { 2 } else { 1 };
    let mut text: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    let mut width: usize = text.chars().map(columns).sum();
    if width > NAME {
        while width >= NAME {
            width -= text.pop().map_or(width, columns);
        }
        text.push('~');
        width += 1;
    }
    text + &" ".repeat(NAME - width)
}

/// Does a terminal give the letter two columns?
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE6F | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6 | 0x1F300..=0x1FAFF | 0x20000..=0x3FFFD)
}

/// A number with thousands commas.
fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(log: &str) -> Gain {
        let mut gain = Gain::default();
        gain.read(log.as_bytes()).expect("a slice");
        gain
    }

    #[test]
    fn what_is_written_is_read() {
        let log = line("bash", 64_151, 2_942, "tree+size") + &line("", 10, 10, "none") + &line("web fetch\n", 100, 50, "json");
        assert!(log.starts_with("bash 64151 -> 2942 via tree+size\n"));
        let gain = gain(&(log + "\nnonsense\nbash x -> 3 via y\nbash 3 -> 3 via\n"));
        assert_eq!((gain.total, gain.unread), (Sum { runs: 3, before: 64_261, after: 3_002 }, 3));
        assert_eq!(gain.tools.keys().collect::<Vec<_>>(), ["bash", "unknown", "web_fetch_"]);
        assert_eq!(gain.cuts["tree+size"].permille(), 954);
    }

    #[test]
    fn the_account_fits_eighty_columns() {
        let huge = format!("bash {} -> 0 via tests+build+lint+stacktrace+log\nbash 5 -> 9 via none\n", u64::MAX);
        for log in [&huge[..], "", "a 0 -> 0 via none\n", "é 1000 -> 10 via tests\nb 500 -> 10 via size\n"] {
            let text = gain(log).text();
            assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        }
    }

    #[test]
    fn names_stay_in_their_columns() {
        for (name, expected) in [
            ("bash", "bash              "),
            ("mcp__a_server__some_tool", "mcp__a_server__so~"),
            ("a\u{1b}[31mred", "a?[31mred         "),
            ("\u{30c4}\u{30fc}\u{30eb}", "\u{30c4}\u{30fc}\u{30eb}            "),
            (&"\u{30c4}".repeat(20), &("\u{30c4}".repeat(8) + "~ ")),
        ] {
            assert_eq!(shown(name), expected);
        }
    }

    #[test]
    fn the_bars_are_to_scale() {
        let text = gain("a 1000 -> 0 via tests\nb 500 -> 0 via size\nc 7 -> 7 via none\n").text();
        let bar = |name: &str| text.lines().find(|l| l.starts_with(name)).map_or(0, |l| l.matches('#').count());
        assert!(bar("tests").abs_diff(2 * bar("size")) <= 1 && bar("tests") > 20 && bar("none") == 0, "{text}");
    }

    #[test]
    fn the_json_is_json() {
        let json = gain("ba\"sh 1000 -> 10 via tests\n").json();
        let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((&value["by_tool"][0]["tool"], &value["saved_tokens_estimate"]), (&"ba\"sh".into(), &247.into()));
        assert_eq!(value["saved_percent"], 99.0);
    }
}
