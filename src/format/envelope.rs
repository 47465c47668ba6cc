//! A header of `key: value` lines and the facts of the rule, then the text.
//!
//! Made for commands that `rule::classify` takes. Field names and their order are fixed;
//! lists have fixed caps and say how many items are left out. Every item is a part of a
//! line of the input, as it stands there.

use super::Rule;
use crate::facts::Facts;
use crate::Reduction;
use std::io::Write as _;

/// What the header tells besides the facts.
#[derive(Clone, Debug, Default)]
pub struct Head<'a> {
    /// The harness's tool; empty is `bash`.
    pub tool: &'a str,
    /// The command line that it ran.
    pub command: &'a str,
    /// Its status, if it is known.
    pub exit_code: Option<i32>,
    /// The harness reports an error.
    pub is_error: bool,
    /// Bytes of stdout.
    pub stdout_bytes: u64,
    /// Bytes of stderr, where it came apart.
    pub stderr_bytes: u64,
    /// The input was ended before its end.
    pub early: bool,
}

/// Bytes that head and facts take at most.
pub const HEAD_BYTES: usize = 4_096;
/// Subjects of commits in a list,
const SUBJECTS: usize = 15;
/// files, status lines and diagnostics,
const ITEMS: usize = 20;
/// and failures.
const FAILURES: usize = 10;

/// Bytes of a budget that are set aside for head and facts; none of a tiny one.
#[must_use]
pub fn share(budget: usize) -> usize {
    let share = HEAD_BYTES.min(budget / 2);
    if share < crate::Options::LEAST_BYTES {
        return 0;
    }
    share
}

/// The envelope of a reduction, in `share` bytes beside the text.
#[must_use]
pub fn render(rule: &Rule, head: &Head<'_>, reduction: &Reduction, share: usize) -> Vec<u8> {
    if share == 0 {
        return reduction.content.clone();
    }
    let mut out = Writer { text: Vec::new(), most: share.saturating_sub(b"output:\n".len()) };
    let code = head.exit_code.map_or_else(|| "null".to_owned(), |c| c.to_string());
    let success = match head.exit_code {
        _ if head.is_error => "false",
        None => "null",
        Some(0) => "true",
        Some(_) => "false",
    };
    out.line(b"[tool_output_compression]");
    out.field("tool", if head.tool.is_empty() { "bash" } else { head.tool }.as_bytes());
    out.field("rule", rule.id.as_bytes());
    out.field("command", head.command.trim().as_bytes());
    out.field("success", success.as_bytes());
    out.field("exit_code", code.as_bytes());
    out.number("raw_stdout_bytes", head.stdout_bytes);
    out.number("raw_stderr_bytes", head.stderr_bytes);
    out.field("stdout_truncated", if head.early { b"true" } else { b"false" });
    out.field("stderr_truncated", b"false");
    out.field("compression", b"curated");
    let seen = reduction.parts.iter().any(|p| rule.shapes.contains(&p.shape));
    out.body(rule, &code, &reduction.facts, seen, reduction.tally.input_bytes == 0);
    let mut text = out.text;
    text.extend_from_slice(b"output:\n");
    text.extend_from_slice(&reduction.content);
    text
}

struct Writer {
    text: Vec<u8>,
    most: usize,
}

impl Writer {
    /// A line, where there is room for it.
    fn line(&mut self, line: &[u8]) {
        if self.text.len() + line.len() < self.most {
            self.text.extend_from_slice(line);
            self.text.push(b'\n');
        }
    }

    fn field(&mut self, key: &str, value: &[u8]) {
        self.line(&[key.as_bytes(), b": ", value].concat());
    }

    fn number(&mut self, key: &str, value: u64) {
        self.field(key, value.to_string().as_bytes());
    }

    /// A count, where the text told it.
    fn count(&mut self, key: &str, facts: &Facts, name: &str) {
        if let Some(n) = facts.count(name) {
            self.number(key, n);
        }
    }

    fn list(&mut self, key: &str, facts: &Facts, name: &str, cap: usize) {
        let places = facts.places(name);
        if places.is_empty() {
            return;
        }
        self.line(format!("{key}:").as_bytes());
        for place in places.iter().take(cap) {
            self.line(&[b"- ", &place.words[..]].concat());
        }
        if places.len() > cap {
            let mut more = Vec::new();
            let sign = if places.len() == crate::facts::LINES { "+" } else { "" };
            let _ = write!(more, "- ... {}{sign} more ...", places.len() - cap);
            self.line(&more);
        }
    }

    /// The facts of the rule. Nothing is said of a text that is not what the command prints.
    fn body(&mut self, rule: &Rule, code: &str, facts: &Facts, seen: bool, empty: bool) {
        match rule.id.as_str() {
            "bash.git_status" if seen || empty => {
                self.number("changed_files", facts.count("changed_files").unwrap_or(0));
                self.number("untracked_files", facts.count("untracked_files").unwrap_or(0));
                if let Some(branch) = facts.places("branch").first() {
                    self.field("branch", &branch.words);
                }
                self.list("status_lines", facts, "status_lines", ITEMS);
            }
            "bash.git_diff" if seen || empty => {
                for name in ["files", "hunks", "insertions", "deletions"] {
                    if let Some(n) = facts.count(name).or(empty.then_some(0)) {
                        self.number(name, n);
                    }
                }
                self.list("file_list", facts, "files", ITEMS);
                self.list("stat_lines", facts, "stat_lines", ITEMS);
            }
            "bash.git_log" if seen || empty => {
                self.number("commits", facts.count("commits").unwrap_or(0));
                self.list("subjects", facts, "subjects", SUBJECTS);
            }
            "bash.cargo_check" | "bash.cargo_test" | "bash.cargo_build" | "bash.cargo_clippy" => {
                self.field("exit_code", code.as_bytes());
                if seen {
                    self.cargo(facts);
                }
            }
            _ if seen => {
                for (name, n) in &facts.counts {
                    self.number(name, *n);
                }
                self.list("totals", facts, "totals", FAILURES);
                self.list("findings", facts, "findings", ITEMS);
            }
            _ => {}
        }
    }

    fn cargo(&mut self, facts: &Facts) {
        self.number("warnings", facts.count("warnings").unwrap_or(0));
        self.number("errors", facts.count("errors").unwrap_or(0));
        let codes: Vec<&[u8]> = facts.places("codes").iter().map(|p| &p.words[..]).filter(|w| w.starts_with(b"E")).collect();
        self.field("compiler_error_codes", if codes.is_empty() { b"none".to_vec() } else { codes.join(&b", "[..]) }.as_slice());
        if let Some(last) = facts.places("final_status").last() {
            self.field("final_status", &last.words);
        }
        self.list("diagnostics", facts, "diagnostics", ITEMS);
        for name in ["passed", "failed", "skipped"] {
            self.count(name, facts, name);
        }
        self.list("test_results", facts, "results", FAILURES);
        self.list("failed_tests", facts, "failed", ITEMS);
        self.list("failure_context", facts, "panics", FAILURES);
    }
}
