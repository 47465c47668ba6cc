//! Gemini CLI: a command is rewritten before the tool. After it, a result can only be
//! replaced by an error; so that is done where the command failed, and never where it did not.

use super::{is_filtered, shell, told_status, Desk};
use crate::format::json::quoted;
use crate::members::Members;
use serde_json::value::RawValue;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if hook.text("tool_name")? != "run_shell_command" {
        return None;
    }
    let input = hook.object("tool_input")?;
    let command = input.text("command")?;
    match hook.text("hook_event_name")?.as_str() {
        "BeforeTool" => {
            // It is merged over the arguments: the others stay without being named.
            let command = quoted(&desk.wrapped(&input)?);
            Some(format!(r#"{{"hookSpecificOutput":{{"hookEventName":"BeforeTool","tool_input":{{"command":{command}}}}}}}"#))
        }
        "AfterTool" if !is_filtered(&command) => {
            let text = content(hook.object("tool_response")?.get("llmContent")?)?;
            let status = told_status(&text, "Exit Code:").filter(|s| *s != 0)?;
            let options = desk.options.clone();
            let reason = desk.cut(&text, &shell(&command, Some(status)), &options)?;
            Some(format!(r#"{{"decision":"deny","reason":{}}}"#, quoted(&reason)))
        }
        _ => None,
    }
}

/// A string, or a list of one part with a text.
fn content(json: &str) -> Option<String> {
    if let Ok(text) = serde_json::from_str(json) {
        return Some(text);
    }
    match serde_json::from_str::<Vec<&RawValue>>(json).ok()?[..] {
        [part] => Members::of(part.get())?.text("text"),
        _ => None,
    }
}
