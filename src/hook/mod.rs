//! A harness's hook: its JSON comes in, its answer goes out, or nothing.
//!
//! Nothing is the answer whenever something is not as it is known to be: no saving, a shape
//! that is not known, a fault of ours. The call then goes on as if there were no hook.
//! What a harness wants, and what it does with it, is told in its own file.

mod claude_code;
mod cline;
mod codex;
mod command;
mod config;
mod copilot;
mod cursor;
mod deepseek;
mod gemini;
mod opencode;
mod pi;

pub use command::may_be_wrapped;

use crate::members::Members;
use crate::{Hint, Options, Reduction};
use std::io::Read;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A harness that toolshrink can be hooked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[non_exhaustive]
pub enum Host {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// GitHub Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
    /// opencode 1.x, by a plugin.
    Opencode,
    /// pi, by an extension.
    Pi,
    /// Cline, by a plugin of its SDK.
    Cline,
    /// DeepSeek Harness, by a plugin.
    Deepseek,
}

/// What a hook that rewrites a command says to the harness's permission check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Permission {
    /// The user is asked.
    #[default]
    Ask,
    /// The command is allowed: only by the user's explicit wish, the prompt is then gone.
    Allow,
    /// Nothing is said.
    Silent,
}

/// A text that was replaced.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Saving {
    /// Its bytes.
    pub before: u64,
    /// Those of what is in its place.
    pub after: u64,
    /// The cuts that did it.
    pub strategy: String,
}

/// Cuts a text that is told something of.
pub type Reduce<'a> = &'a mut dyn FnMut(&mut dyn Read, &Hint, &Options) -> Option<Reduction>;

/// What a hook works with.
pub struct Desk<'a> {
    /// How texts are cut.
    pub options: Options,
    /// What is said to the permission check.
    pub permission: Permission,
    /// Cuts a text.
    pub reduce: Reduce<'a>,
    /// Puts a command into shell code that filters its output.
    pub wrap: &'a dyn Fn(&str) -> String,
    /// Another harness runs this one's hooks, too, and has its own.
    pub is_guest: bool,
    /// What was replaced.
    pub savings: Vec<Saving>,
}

/// The answer to what a harness says on stdin. A fault inside is no answer.
#[must_use]
pub fn answer(host: Host, input: &[u8], desk: &mut Desk<'_>) -> Option<String> {
    guarded(|| {
        let json = std::str::from_utf8(input).ok()?;
        match host {
            Host::ClaudeCode => claude_code::answer(json, desk),
            Host::Codex => codex::answer(json, desk),
            Host::Gemini => gemini::answer(json, desk),
            Host::Copilot => copilot::answer(json, desk),
            Host::Cursor => cursor::answer(json, desk),
            Host::Opencode => opencode::answer(json, desk),
            Host::Pi => pi::answer(json, desk),
            Host::Cline => cline::answer(json, desk),
            Host::Deepseek => deepseek::answer(json, desk),
        }
    })
}

/// What to paste into a harness's settings, or a whole adapter; `flags` are those of the hook.
#[must_use]
pub fn config(host: Host, flags: &str) -> String {
    config::config(host, flags)
}

fn guarded(run: impl FnOnce() -> Option<String>) -> Option<String> {
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

/// Lines by which harnesses tell what is missing, where it is, or how a command ended: the
/// reader needs them, so a result without them is none.
const NOTICES: &[&str] = &[
    "tokens truncated",
    "chars truncated",
    "characters truncated",
    "characters omitted",
    "output truncated",
    "lines truncated",
    "bytes truncated",
    "Full output:",
    "full output:",
    "Exit Code: ",
    "Process exited with code ",
    "Command exited with code ",
    "[exit code: ",
];

fn is_notice(line: &str) -> bool {
    NOTICES.iter().any(|n| line.contains(n))
}

/// Notices near the ends, where harnesses put them, or in the middle of a cut text.
fn keeps_notices(before: &str, after: &str) -> bool {
    let lines: Vec<&str> = before.lines().collect();
    let ends = lines.iter().take(8).chain(lines.iter().rev().take(8)).filter(|l| is_notice(l));
    let middle = lines.iter().filter(|l| l.contains("truncated") && is_notice(l));
    ends.chain(middle).all(|notice| after.contains(notice.trim()))
}

impl Desk<'_> {
    /// The text cut, if it is smaller then.
    fn cut(&mut self, text: &str, hint: &Hint, options: &Options) -> Option<String> {
        let reduction = (self.reduce)(&mut text.as_bytes(), hint, options)?;
        let content = String::from_utf8(reduction.content).ok()?;
        if content.len() >= text.len() || !keeps_notices(text, &content) {
            return None;
        }
        self.save(text.len(), content.len(), reduction.strategy);
        Some(content)
    }

    fn save(&mut self, before: usize, after: usize, strategy: String) {
        self.savings.push(Saving { before: before as u64, after: after as u64, strategy });
    }

    /// The texts of a tool result cut, if it is smaller then.
    fn cut_blocks(&mut self, json: &str, hint: &Hint) -> Option<String> {
        let options = self.options.clone();
        let budget = options.budget(hint);
        let out = crate::blocks::cut(json, (budget.bytes, budget.lines), &options, |slot, options| {
            let mut reduction = (self.reduce)(&mut slot.text.as_bytes(), hint, options)?;
            let content = std::str::from_utf8(&reduction.content).ok()?;
            if content.len() >= slot.text.len() || !keeps_notices(&slot.text, content) {
                return None;
            }
            let strategy = std::mem::take(&mut reduction.strategy);
            self.save(slot.text.len(), reduction.content.len(), strategy);
            Some(reduction)
        })?;
        (out.len() < json.len()).then_some(out)
    }

    /// The input's command in the recipe, if it may be.
    fn wrapped(&self, input: &Members<'_>) -> Option<String> {
        let command = input.text("command").filter(|c| !is_background(input) && may_be_wrapped(c))?;
        Some((self.wrap)(&command))
    }
}

/// Does the tool's input say that the command is left running?
fn is_background(input: &Members<'_>) -> bool {
    let keys = ["run_in_background", "is_background", "isBackground", "background", "detach"];
    keys.iter().any(|key| input.says(key)) || input.text("mode").as_deref() == Some("async")
}

/// What is known of a shell command.
fn shell(command: &str, exit_code: Option<i32>) -> Hint {
    Hint { tool: "bash".into(), command: command.into(), exit_code, ..Hint::default() }
}

/// The status in the last line that tells one after `label`.
fn told_status(text: &str, label: &str) -> Option<i32> {
    let line = text.lines().rev().take(8).find(|l| l.contains(label))?;
    let rest = &line[line.find(label)? + label.len()..];
    let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit() && c != '-').next()?;
    digits.parse().ok()
}

/// Does the command filter its output already?
fn is_filtered(command: &str) -> bool {
    command.contains("toolshrink")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_inside_is_no_answer() {
        assert_eq!(guarded(|| panic!("a fault")), None);
        let mut reduce = |_: &mut dyn Read, _: &Hint, _: &Options| panic!("a fault");
        let mut desk = Desk {
            options: Options::default(),
            permission: Permission::Ask,
            reduce: &mut reduce,
            wrap: &|_| panic!("a fault"),
            is_guest: false,
            savings: Vec::new(),
        };
        let post = r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"x"},"tool_response":{"stdout":"a","stderr":"","interrupted":false}}"#;
        let pre = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}"#;
        assert_eq!(answer(Host::ClaudeCode, post.as_bytes(), &mut desk), None);
        assert_eq!(answer(Host::ClaudeCode, pre.as_bytes(), &mut desk), None);
        assert_eq!(answer(Host::ClaudeCode, b"\xff", &mut desk), None);
    }

    #[test]
    fn a_status_is_read_where_it_stands() {
        assert_eq!(told_status("x\nCommand exited with code 101\n", "Command exited with code "), Some(101));
        assert_eq!(told_status("x\nExit Code: -1", "Exit Code:"), Some(-1));
        assert_eq!(told_status("x", "Exit Code:"), None);
        assert_eq!(told_status("Exit Code: (none)", "Exit Code:"), None);
    }

    #[test]
    fn a_notice_must_stay() {
        assert!(keeps_notices("a\nExit Code: 1", "Exit Code: 1") && !keeps_notices("a\nExit Code: 1", "a"));
        let long = format!("{}…12 tokens truncated…\n{}", "x\n".repeat(50), "y\n".repeat(50));
        assert!(!keeps_notices(&long, "x\n") && keeps_notices(&long, "x\n…12 tokens truncated…\ny\n"));
    }
}
