//! GitHub Copilot CLI: the result of a command that succeeded is replaced after the tool,
//! the command itself before it. The payload does not name the event: a result tells.

use super::{is_filtered, shell, Desk, Permission};
use crate::format::json::quoted;
use crate::members::Members;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if hook.text("toolName")? != "bash" {
        return None;
    }
    // Some versions hand the arguments over as JSON in a string.
    let inner = hook.text("toolArgs");
    let input = match &inner {
        Some(json) => Members::of(json)?,
        None => hook.object("toolArgs")?,
    };
    let command = input.text("command")?;
    if !hook.has("toolResult") {
        let decision = match desk.permission {
            Permission::Ask => r#""permissionDecision":"ask","#,
            Permission::Allow => r#""permissionDecision":"allow","#,
            Permission::Silent => "",
        };
        let updated = input.with(&[("command", quoted(&desk.wrapped(&input)?))]);
        return Some(format!(r#"{{{decision}"modifiedArgs":{updated}}}"#));
    }
    let result = hook.object("toolResult")?;
    if is_filtered(&command) || result.text("resultType")? != "success" {
        return None;
    }
    let options = desk.options.clone();
    let text = desk.cut(&result.text("textResultForLlm")?, &shell(&command, None), &options)?;
    Some(format!(r#"{{"modifiedResult":{}}}"#, result.with(&[("textResultForLlm", quoted(&text))])))
}
