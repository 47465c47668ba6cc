//! Codex CLI: a reason that blocks takes the output's place, failing commands included. Over
//! 2,500 tokens it would be moved to a file, so it stays under that. A rewritten command has
//! to be allowed, so that is done only by explicit wish.

use super::{is_filtered, shell, told_status, Desk, Permission};
use crate::format::json::quoted;
use crate::members::Members;
use crate::Options;

/// Bytes of a reason: Codex takes four for a token, and 2,500 tokens at most.
const REASON: usize = 9_900;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if hook.text("tool_name")? != "Bash" {
        return None;
    }
    let input = hook.object("tool_input")?;
    let command = input.text("command")?;
    match hook.text("hook_event_name")?.as_str() {
        "PreToolUse" if desk.permission == Permission::Allow => {
            let updated = input.with(&[("command", quoted(&desk.wrapped(&input)?))]);
            Some(format!(
                r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{updated}}}}}"#
            ))
        }
        "PostToolUse" if !is_filtered(&command) => {
            let text = hook.text("tool_response").or_else(|| hook.object("tool_response")?.text("output"))?;
            let status = told_status(&text, "Process exited with code ").or_else(|| told_status(&text, "Exit code: "));
            let bytes = desk.options.max_bytes.map_or(REASON, |n| n.min(REASON));
            let options = Options { max_bytes: Some(bytes), ..desk.options.clone() };
            let reason = desk.cut(&text, &shell(&command, status), &options)?;
            // Less than a third is not worth what blocking looks like.
            if reason.len() > REASON || reason.len() * 3 > text.len() * 2 {
                return None;
            }
            Some(format!(r#"{{"decision":"block","reason":{}}}"#, quoted(&reason)))
        }
        _ => None,
    }
}
