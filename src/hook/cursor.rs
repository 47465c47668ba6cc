//! Cursor: the output of its shell cannot be replaced, so a command is rewritten before it
//! runs. Results of MCP tools can be replaced. Nothing is said about permission: `allow`
//! would approve the command.

use super::{shell, Desk};
use crate::format::json::quoted;
use crate::members::Members;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    let tool = hook.text("tool_name")?;
    match hook.text("hook_event_name")?.as_str() {
        "preToolUse" if tool == "Shell" => {
            let input = hook.object("tool_input")?;
            let updated = input.with(&[("command", quoted(&desk.wrapped(&input)?))]);
            Some(format!(r#"{{"updated_input":{updated}}}"#))
        }
        "postToolUse" if tool.starts_with("MCP") => {
            let mut hint = shell("", None);
            hint.tool = tool;
            let updated = desk.cut_blocks(&hook.text("tool_output")?, &hint)?;
            Some(format!(r#"{{"updated_mcp_tool_output":{updated}}}"#))
        }
        _ => None,
    }
}
