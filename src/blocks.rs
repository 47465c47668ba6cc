//! A tool result in JSON: its text blocks are cut, every other byte stays as it was.
//!
//! Known are Anthropic's `tool_result` block and bare arrays of content blocks, OpenAI's
//! `function_call_output` and tool message, and MCP's `CallToolResult`. The JSON is never
//! written anew: texts are found by their place in it and only they are replaced, so key
//! order, number formats and blanks stay. What is not known has no slots.

use crate::format::json::quoted;
use crate::members::Members;
use crate::{Options, Reduction};
use serde_json::value::RawValue;
use std::ops::Range;

/// A text in the JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slot {
    /// The string's bytes in the JSON, quotes included.
    pub range: Range<usize>,
    /// The text that it stands for.
    pub text: String,
    /// The result that it belongs to is an error.
    pub is_error: bool,
}

/// The texts of a tool result that may be cut, in order; `None` for JSON of another kind.
#[must_use]
pub fn slots(json: &str) -> Option<Vec<Slot>> {
    let mut finder = Finder { json, slots: Vec::new() };
    let body = json.trim_start();
    let known = if body.starts_with('[') { finder.blocks(body, false, true) } else { finder.result(body) };
    known.then_some(finder.slots)
}

struct Finder<'a> {
    json: &'a str,
    slots: Vec<Slot>,
}

impl<'a> Finder<'a> {
    /// An object that is a tool result, whoever's.
    fn result(&mut self, json: &'a str) -> bool {
        let Some(members) = Members::of(json) else { return false };
        match (members.text("type").as_deref(), members.text("role").as_deref()) {
            (Some("tool_result"), _) => {
                // A result without content is legal, and has nothing to cut.
                !members.has("content") || self.content(members.get("content"), members.says("is_error"))
            }
            (Some("function_call_output"), _) => self.content(members.get("output"), false),
            (None, Some("tool")) => self.content(members.get("content"), false),
            (None, None) if !members.has("type") && !members.has("role") => {
                let content = members.get("content").filter(|c| c.starts_with('['));
                content.is_some_and(|c| self.blocks(c, members.says("isError"), false))
            }
            _ => false,
        }
    }

    /// The content of a result: a string, or a list of blocks.
    fn content(&mut self, content: Option<&'a str>, is_error: bool) -> bool {
        match content {
            Some(text) if text.starts_with('"') => {
                self.slot(text, is_error);
                true
            }
            Some(list) if list.starts_with('[') => self.blocks(list, is_error, false),
            _ => false,
        }
    }

    /// A list of blocks, each with a type; at the top, results may stand among them.
    fn blocks(&mut self, json: &'a str, is_error: bool, top: bool) -> bool {
        let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json) else { return false };
        let before = self.slots.len();
        for item in items {
            let members = Members::of(item.get());
            let Some((members, kind)) = members.and_then(|m| m.text("type").map(|kind| (m, kind))) else {
                self.slots.truncate(before);
                return false;
            };
            match kind.as_str() {
                "text" | "input_text" | "output_text" => {
                    if let Some(text) = members.get("text").filter(|t| t.starts_with('"')) {
                        self.slot(text, is_error);
                    }
                }
                "tool_result" | "function_call_output" if top => {
                    self.result(item.get());
                }
                _ => {}
            }
        }
        true
    }

    /// `json` lies within the whole: its place is told by its address.
    fn slot(&mut self, json: &'a str, is_error: bool) {
        let from = json.as_ptr() as usize - self.json.as_ptr() as usize;
        // Half a surrogate pair is no text that could be cut.
        if let Ok(text) = serde_json::from_str(json) {
            self.slots.push(Slot { range: from..from + json.len(), text, is_error });
        }
    }
}

/// Cuts the texts of a tool result; `cut` is given each text and its share of the budget.
/// `None` where the JSON is not known, or nothing in it changes.
pub fn cut(
    json: &str,
    budget: (usize, usize),
    options: &Options,
    mut cut: impl FnMut(&Slot, &Options) -> Option<Reduction>,
) -> Option<String> {
    let slots = slots(json)?;
    let bytes: Vec<usize> = slots.iter().map(|s| s.text.len()).collect();
    let lines: Vec<usize> = slots.iter().map(|s| usize::try_from(crate::format::lines(s.text.as_bytes())).unwrap_or(usize::MAX)).collect();
    let (bytes, lines) = (shares(&bytes, budget.0), shares(&lines, budget.1));
    let mut out = String::with_capacity(json.len());
    let mut last = 0;
    for (i, slot) in slots.iter().enumerate() {
        let mut options = options.clone();
        if slots.len() > 1 {
            options.max_bytes = Some(bytes[i].max(Options::LEAST_BYTES));
            options.max_lines = Some(lines[i].max(1));
        }
        let Some(content) = cut(slot, &options).and_then(|r| String::from_utf8(r.content).ok()) else { continue };
        if content != slot.text {
            out.push_str(&json[last..slot.range.start]);
            out.push_str(&quoted(&content));
            last = slot.range.end;
        }
    }
    if last == 0 {
        return None;
    }
    out.push_str(&json[last..]);
    Some(out)
}

/// Shares a budget out: who needs less than an even share leaves the rest to the others.
/// Where all fits, all have the whole budget.
fn shares(needs: &[usize], budget: usize) -> Vec<usize> {
    if needs.iter().fold(0, |sum: usize, n| sum.saturating_add(*n)) <= budget {
        return vec![budget; needs.len()];
    }
    let mut order: Vec<usize> = (0..needs.len()).collect();
    order.sort_by_key(|i| needs[*i]);
    let (mut shares, mut left) = (vec![0; needs.len()], budget);
    for (n, i) in order.iter().enumerate() {
        let even = left / (needs.len() - n);
        shares[*i] = needs[*i].min(even);
        left -= shares[*i];
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{shrink, Hint};

    fn texts(json: &str) -> Option<Vec<String>> {
        slots(json).map(|s| s.into_iter().map(|s| s.text).collect())
    }

    #[test]
    fn known_shapes_have_their_texts() {
        for (json, expected) in [
            (r#"{"type":"tool_result","tool_use_id":"t","content":"a\nb"}"#, vec!["a\nb"]),
            (r#" {"content":[{"type":"text","text":"a"},{"type":"image","text":"no"}],"type":"tool_result"}"#, vec!["a"]),
            (r#"{"type":"tool_result","tool_use_id":"t"}"#, vec![]),
            (r#"{"type":"tool_result","content":[]}"#, vec![]),
            (r#"[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"tool_result","content":"b"}]"#, vec!["a", "b"]),
            (r#"{"type":"function_call_output","call_id":"c","output":"a"}"#, vec!["a"]),
            (r#"{"type":"function_call_output","output":[{"type":"input_text","text":"a"},{"type":"input_image"}]}"#, vec!["a"]),
            (r#"{"role":"tool","tool_call_id":"c","content":"a"}"#, vec!["a"]),
            (r#"{"role":"tool","content":[{"type":"text","text":"a"}]}"#, vec!["a"]),
            (
                r#"{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"text":"no"}}],"structuredContent":{"text":"no"},"isError":false}"#,
                vec!["a"],
            ),
        ] {
            assert_eq!(texts(json), Some(expected.into_iter().map(str::to_owned).collect()), "{json}");
        }
    }

    #[test]
    fn unknown_json_has_none() {
        for json in [
            "",
            "{",
            "null",
            "3",
            "\"text\"",
            "{}",
            "[1]",
            "[{}]",
            r#"{"role":"user","content":"a"}"#,
            r#"{"type":"text","text":"a"}"#,
            r#"{"content":"a"}"#,
            r#"{"type":"tool_result","content":3}"#,
            r#"{"type":"tool_result","content":"a"} x"#,
            r#"{"type":"tool_result","content":"a","content":"b"}"#,
            r#"[{"type":"text","text":"a"},7]"#,
            r#"{"role":"tool","content":null}"#,
        ] {
            assert_eq!(texts(json), None, "{json}");
        }
        assert_eq!(texts(&("[".repeat(5_000) + &"]".repeat(5_000))), None);
        assert_eq!(texts(r#"[{"type":"text","text":"\ud800"}]"#), Some(vec![]));
    }

    #[test]
    fn errors_are_told() {
        let is_error = |json: &str| slots(json).expect("known").iter().map(|s| s.is_error).collect::<Vec<_>>();
        assert_eq!(is_error(r#"{"type":"tool_result","is_error":true,"content":"a"}"#), [true]);
        assert_eq!(is_error(r#"{"content":[{"type":"text","text":"a"}],"isError":true}"#), [true]);
        assert_eq!(is_error(r#"{"type":"tool_result","is_error":false,"content":"a"}"#), [false]);
        assert_eq!(is_error(r#"{"type":"tool_result","is_error":null,"content":"a"}"#), [false]);
        assert_eq!(is_error(r#"{"type":"tool_result","is_error":"true","content":"a"}"#), [true]);
    }

    #[test]
    fn all_else_stays_whatever_it_is() {
        let long = "a line that is repeated often enough\\n".repeat(300);
        for (before, after) in [
            ("\n\t {\r\n \"n\" : 1e400 , \"type\"\t:\n\"tool_result\" ,\"content\"   :  ", " , \"x\":[1E+400, -0, 0.10] }\r\n\t "),
            ("{\"a\":1,\"a\":2,\"type\":\"tool_result\",\"content\":", ",\"a\":3}"),
            ("{\"t\\u0079pe\":\"tool_result\",\"c\\u006fntent\":", ",\"k\":\"\\u00e9\\/\"}"),
        ] {
            let json = format!("{before}\"{long}\"{after}");
            let options = Options { max_bytes: Some(1_000), ..Options::default() };
            let out = cut(&json, (1_000, 100), &options, |s, o| shrink(s.text.as_bytes(), &Hint::default(), o).ok()).expect("it changes");
            assert!(out.starts_with(before) && out.ends_with(after) && out.contains("omitted"), "{out}");
        }
    }

    #[test]
    fn only_the_text_changes() {
        let long = "a line that is repeated often enough\\n".repeat(300);
        let json = format!("\n {{ \"n\" : 1.50e+3,\"content\" :[ {{\"type\":\"text\",  \"text\":\"{long}\", \"x\":\"\\u00e9\"}}, {{\"type\":\"image\",\"data\":\"{long}\"}} ],\"isError\":false , \"z\":00 }}\n").replace("00 }", "0 }");
        let options = Options { max_bytes: Some(1_000), ..Options::default() };
        let out = cut(&json, (1_000, 100), &options, |s, o| shrink(s.text.as_bytes(), &Hint::default(), o).ok()).expect("it changes");
        let slot = &slots(&out).expect("known")[0];
        assert!(slot.text.contains("omitted") && slot.text.len() <= 1_000);
        let before = &slots(&json).expect("known")[0];
        assert_eq!(out[..slot.range.start], json[..before.range.start]);
        assert_eq!(out[slot.range.end..], json[before.range.end..]);
        assert_eq!(cut(&out, (1_000, 100), &options, |s, o| shrink(s.text.as_bytes(), &Hint::default(), o).ok()), None);
    }

    #[test]
    fn a_budget_is_shared() {
        assert_eq!(shares(&[10, 10], 100), [100, 100]);
        assert_eq!(shares(&[10, 500, 500], 100), [10, 45, 45]);
        assert_eq!(shares(&[500, 1, 30], 100), [69, 1, 30]);
    }
}
