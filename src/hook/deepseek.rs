//! DeepSeek Harness: the adapter hands over an execution and its result; the answer's
//! `content` is what is shown in the place of the result's.

use super::{is_filtered, shell, Desk};
use crate::members::Members;

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if hook.text("name")? != "bash" {
        return None;
    }
    let command = hook.object("arguments")?.text("command")?;
    if is_filtered(&command) {
        return None;
    }
    let result = hook.object("result")?;
    let status = result.object("value").and_then(|v| v.number("exitCode"));
    let content = desk.cut_blocks(result.get("content")?, &shell(&command, status))?;
    Some(format!(r#"{{"content":{content}}}"#))
}
