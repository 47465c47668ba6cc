//! opencode 1.x: the adapter hands over what `tool.execute.after` is given, and puts the
//! answer's `output` in the place of the tool's.

use super::{is_filtered, shell, Desk};
use crate::format::json::quoted;
use crate::members::Members;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if hook.text("tool")? != "bash" {
        return None;
    }
    let command = hook.object("args")?.text("command")?;
    let output = hook.object("output")?;
    let status = output.object("metadata").and_then(|m| m.number("exit"));
    if is_filtered(&command) {
        return None;
    }
    let options = desk.options.clone();
    let text = desk.cut(&output.text("output")?, &shell(&command, status), &options)?;
    Some(format!(r#"{{"output":{}}}"#, quoted(&text)))
}
