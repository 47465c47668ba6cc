//! Cline: the adapter, a plugin of its SDK, hands over what `afterTool` is given, and puts the
//! answer's `result` in the place of the tool's. File hooks cannot replace anything, and get
//! no answer.

use super::{is_filtered, shell, Desk};
use crate::format::json::quoted;
use crate::members::Members;

/// Names under which commands are run.
const SHELLS: &[&str] = &["bash", "shell", "execute_command", "run_commands", "run_command"];

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if !SHELLS.contains(&hook.text("tool")?.as_str()) {
        return None;
    }
    let command = hook.object("input").and_then(|i| i.text("command")).unwrap_or_default();
    if is_filtered(&command) {
        return None;
    }
    let result = hook.object("result")?;
    let output = result.get("output")?;
    let hint = shell(&command, None);
    let options = desk.options.clone();
    let cut = match serde_json::from_str::<String>(output) {
        Ok(text) => quoted(&desk.cut(&text, &hint, &options)?),
        Err(_) => desk.cut_blocks(output, &hint)?,
    };
    Some(format!(r#"{{"result":{}}}"#, result.with(&[("output", cut)])))
}
