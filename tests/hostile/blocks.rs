//! Tool results in JSON: every byte but the texts stays, what is no JSON has no answer.

use crate::common::{follows, lent, shrunk};
use crate::dice::{fuzz, mutant, Dice};
use serde::de::IgnoredAny;
use serde_json::Value;
use toolshrink::blocks::{cut, slots};
use toolshrink::{marker, Hint, Level, Options};

/// A text as a JSON string, in one of the ways in which it can be written.
pub fn string(text: &str, dice: &mut Dice) -> String {
    let plain = Value::from(text).to_string();
    match dice.below(4) {
        0 => plain.replace('/', "\\/"),
        1 => {
            let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|u| format!("\\u{u:04X}")).collect::<String>();
            plain.chars().map(|c| if c.is_ascii() { c.to_string() } else { units(c) }).collect()
        }
        _ => plain,
    }
}

/// A text to be cut: a mutant, not too long.
pub fn words(dice: &mut Dice) -> String {
    let mut text = mutant(dice);
    text.truncate(dice.pick(&[0, 60, 6_000, 30_000]));
    String::from_utf8_lossy(&text).into_owned()
}

fn block(dice: &mut Dice) -> String {
    let text = words(dice);
    let text = string(&text, dice);
    match dice.below(8) {
        0 => r#"{"type":"image","source":{"data":"AAAA","text":"no"}}"#.into(),
        1 => format!(r#"{{"type":"text","text":{text},"cache_control":{{"type":"ephemeral"}}}}"#),
        2 => format!(r#"{{ "text" :{text} , "type": "text","x":1.50e+3 }}"#),
        3 => format!(r#"{{"type":"tool_result","tool_use_id":"t","is_error":{},"content":{text}}}"#, dice.one_in(2)),
        4 => format!(r#"{{"type":"input_text","text":{text}}}"#),
        5 => r#"{"type":"text","text":"\ud800"}"#.into(),
        _ => format!(r#"{{"type":"text","text":{text}}}"#),
    }
}

/// A tool result, whole or with wounds.
pub fn result(dice: &mut Dice) -> Vec<u8> {
    let blocks: Vec<String> = (0..dice.below(4)).map(|_| block(dice)).collect();
    let blocks = blocks.join(dice.pick(&[",", " , ", ",\n"]));
    let text = words(dice);
    let text = string(&text, dice);
    let json = match dice.below(8) {
        0 => format!(r#"{{"type":"tool_result","tool_use_id":"t","content":{text},"is_error":{}}}"#, dice.one_in(2)),
        1 => format!("{{\"content\" : [{blocks}],\n\"type\":\"tool_result\"}}"),
        2 => format!("\n [{blocks}] "),
        3 => format!(r#"{{"type":"function_call_output","call_id":"c","output":{text}}}"#),
        4 => format!(r#"{{"type":"function_call_output","output":[{blocks}]}}"#),
        5 => format!(r#"{{"role":"tool","tool_call_id":"c","content":{text},"z":0.0}}"#),
        6 => format!(r#"{{"content":[{blocks}],"structuredContent":{{"text":{text}}},"isError":false}}"#),
        _ => format!(r#"{{"role":"tool","content":[{blocks}]}}"#),
    };
    wounded(json, dice)
}

/// The JSON, in one case of three with bytes lost, doubled or changed.
pub fn wounded(json: String, dice: &mut Dice) -> Vec<u8> {
    let mut json = json.into_bytes();
    for _ in 0..if dice.one_in(3) { 1 + dice.below(4) } else { 0 } {
        // Near an end, where the structure is, or anywhere.
        let reach = if dice.one_in(2) { json.len() } else { json.len().min(80) };
        let mut at = dice.below(reach + 1);
        if dice.one_in(2) {
            at = json.len() - at;
        }
        match dice.below(4) {
            0 => json.truncate(at),
            1 if at < json.len() => json[at] = dice.byte(),
            2 => json
                .splice(at..at, dice.pick(&["\"", "\\", "{", "}", "[", "]", ",", "\\u", "null", "\"type\":\"text\","]).bytes())
                .for_each(drop),
            _ => json.drain(at..(at + 1 + dice.below(9)).min(json.len())).for_each(drop),
        }
    }
    json
}

/// The JSON without its texts.
fn frame(json: &str) -> Option<Vec<&str>> {
    let mut last = 0;
    let mut parts = Vec::new();
    for slot in slots(json)? {
        parts.push(json.get(last..slot.range.start)?);
        last = slot.range.end;
    }
    parts.push(json.get(last..)?);
    Some(parts)
}

#[test]
fn only_texts_change() {
    fuzz("blocks", result, |json, dice| {
        let Ok(json) = std::str::from_utf8(json) else { return Ok(()) };
        let level = dice.pick(&[Level::Conservative, Level::Aggressive]);
        let options = Options { level, max_bytes: dice.pick(&[None, Some(1_000)]), ..Options::default() };
        let hint = Hint::default();
        let budget = options.budget(&hint);
        let out = cut(json, (budget.bytes, budget.lines), &options, |slot, options| Some(shrunk(slot.text.as_bytes(), &hint, options)));
        let is_json = |text: &str| serde_json::from_str::<IgnoredAny>(text).is_ok();
        let Some(out) = out else { return Ok(()) };
        if !is_json(json) || !is_json(&out) {
            return Err(format!("an answer to what is no JSON, or one that is none: {out}"));
        }
        if frame(json) != frame(&out) {
            return Err("more than the texts has changed".into());
        }
        if out.len() > json.len() {
            return Err(format!("{} bytes of {}", out.len(), json.len()));
        }
        let (before, after) = (slots(json).unwrap_or_default(), slots(&out).unwrap_or_default());
        for (before, after) in before.iter().zip(&after) {
            let Some(clean) = lent(before.text.as_bytes()) else { continue };
            if after.text != before.text && !clean.split(|b| *b == b'\n').any(marker::is_marked) {
                follows(after.text.as_bytes(), &clean)?;
            }
        }
        Ok(())
    });
}
