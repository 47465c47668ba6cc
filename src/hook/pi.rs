//! pi: the adapter hands over a `tool_result` event; the answer's `content` takes the place
//! of its own. A failing command's status is the last line, which stays as it is. A text
//! that was cut already lies in a file, and is read from there.

use super::{is_filtered, keeps_notices, shell, told_status, Desk};
use crate::format::json::quoted;
use crate::members::Members;
use serde_json::value::RawValue;
use std::fs::File;
use std::io::Read as _;

const STATUS: &str = "Command exited with code ";

pub(super) fn answer(json: &str, desk: &mut Desk<'_>) -> Option<String> {
    let hook = Members::of(json)?;
    if hook.text("toolName")? != "bash" {
        return None;
    }
    let command = hook.object("input")?.text("command")?;
    if is_filtered(&command) {
        return None;
    }
    let [block] = serde_json::from_str::<Vec<&RawValue>>(hook.get("content")?).ok()?[..] else { return None };
    let block = Members::of(block.get())?;
    if block.text("type")? != "text" {
        return None;
    }
    let text = block.text("text")?;
    let status = if hook.says("isError") { told_status(&text, STATUS) } else { Some(0) };
    let hint = shell(&command, status);
    let options = desk.options.clone();
    let full = hook.object("details").and_then(|d| d.text("fullOutputPath"));
    let cut = match full {
        Some(path) => {
            // Behind the last lines of the file stand pi's own.
            let notices: Vec<&str> = text.lines().rev().take(8).filter(|l| super::is_notice(l)).collect();
            let mut behind = String::new();
            for notice in notices.iter().rev() {
                behind = behind + "\n" + notice;
            }
            let mut whole = File::open(path).ok()?.chain(behind.as_bytes());
            let reduction = (desk.reduce)(&mut whole, &hint, &options)?;
            let content = String::from_utf8(reduction.content).ok()?;
            if content.len() >= text.len() || !keeps_notices(&text, &content) {
                return None;
            }
            desk.save(text.len(), content.len(), reduction.strategy);
            content
        }
        None => desk.cut(&text, &hint, &options)?,
    };
    Some(format!(r#"{{"content":[{}]}}"#, block.with(&[("text", quoted(&cut))])))
}
