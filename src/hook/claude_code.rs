//! Claude Code: the output of a command that succeeded is replaced after the tool; one that
//! may fail has to be wrapped before it, there is no way to replace a failing one's output.

use super::{is_filtered, shell, Desk, Permission};
use crate::format::json::quoted;
use crate::members::Members;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    if desk.is_guest {
        return None;
    }
    let hook = Members::of(json)?;
    match hook.text("hook_event_name")?.as_str() {
        "PreToolUse" => before(&hook, desk),
        "PostToolUse" => after(&hook, desk),
        _ => None,
    }
}

/// The value has to have the tool's own shape: for Bash an object, all its fields with it.
fn after(hook: &Members<'_>, desk: &mut Desk<'_>) -> Option<String> {
    let tool = hook.text("tool_name")?;
    let updated = if tool.starts_with("mcp__") {
        let mut hint = shell("", None);
        hint.tool = tool;
        desk.cut_blocks(hook.get("tool_response")?, &hint)?
    } else if tool == "Bash" {
        bash(hook, desk)?
    } else {
        return None;
    };
    Some(format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PostToolUse","updatedToolOutput":{updated}}}}}"#))
}

fn bash(hook: &Members<'_>, desk: &mut Desk<'_>) -> Option<String> {
    let command = hook.object("tool_input")?.text("command")?;
    let response = hook.object("tool_response")?;
    // An image, a preview of a text that lies in a file, a job that goes on.
    let kept = |key: &str| response.get(key).is_some_and(|v| v != "null");
    if is_filtered(&command) || response.says("isImage") || kept("persistedOutputPath") || kept("backgroundTaskId") {
        return None;
    }
    let (stdout, stderr) = (response.text("stdout")?, response.text("stderr")?);
    // Only valid results come here, but 1 is valid for some commands.
    let ended = !kept("returnCodeInterpretation") && !kept("timedOutAfterMs") && !response.says("interrupted");
    let hint = shell(&command, ended.then_some(0));
    let options = desk.options.clone();
    let mut others = Vec::new();
    for (key, text) in [("stdout", stdout), ("stderr", stderr)] {
        if let Some(content) = desk.cut(&text, &hint, &options) {
            others.push((key, quoted(&content)));
        }
    }
    // To hand back what came could undo what another hook has done.
    (!others.is_empty()).then(|| response.with(&others))
}

/// The input is replaced as a whole, so all of it goes back.
fn before(hook: &Members<'_>, desk: &mut Desk<'_>) -> Option<String> {
    if hook.text("tool_name")? != "Bash" {
        return None;
    }
    let input = hook.object("tool_input")?;
    let decision = match desk.permission {
        // Where nobody is asked, a question is a refusal.
        Permission::Ask if matches!(hook.text("permission_mode").as_deref(), Some("bypassPermissions" | "dontAsk")) => return None,
        Permission::Ask => r#""permissionDecision":"ask","#,
        Permission::Allow => r#""permissionDecision":"allow","#,
        Permission::Silent => "",
    };
    let updated = input.with(&[("command", quoted(&desk.wrapped(&input)?))]);
    Some(format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{decision}"updatedInput":{updated}}}}}"#))
}
