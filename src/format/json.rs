//! One JSON object for harnesses: the text, and what became of the input in numbers.
//!
//! JSON is UTF-8: bytes of the content that are none become U+FFFD in this form, and only
//! in this one. `SCHEMA` describes it, and a test holds the one to the other.

use super::lines;
use crate::facts::Facts;
use crate::{marker, Reduction};
use bstr::ByteSlice as _;
use std::fmt::Write as _;

/// The JSON Schema of what `render` writes.
pub const SCHEMA: &str = include_str!("json.schema.json");

/// An object in the making, its keys in the order of the calls.
struct Object(String);

impl Object {
    fn new() -> Object {
        Object("{".into())
    }

    fn key(&mut self, key: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&quoted(key));
        self.0.push(':');
    }

    fn text(&mut self, key: &str, value: &str) -> &mut Object {
        self.raw(key, &quoted(value))
    }

    fn raw(&mut self, key: &str, value: &str) -> &mut Object {
        self.key(key);
        self.0.push_str(value);
        self
    }

    fn number(&mut self, key: &str, value: u64) -> &mut Object {
        self.key(key);
        let _ = write!(self.0, "{value}");
        self
    }

    fn end(&mut self) -> String {
        self.0.push('}');
        std::mem::take(&mut self.0)
    }
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A reduction as one line of JSON, its line end included.
#[must_use]
pub fn render(reduction: &Reduction) -> String {
    let (tally, stats) = (&reduction.tally, &reduction.stats);
    let mut omitted = Object::new();
    for (noun, count) in &stats.omitted {
        omitted.number(noun, *count);
    }
    let stats = Object::new()
        .number("input_bytes", tally.input_bytes)
        .number("input_lines", tally.input_lines)
        .number("output_bytes", reduction.content.len() as u64)
        .number("output_lines", lines(&reduction.content))
        .number("kept_lines", stats.kept_lines)
        .number("omitted_lines", stats.omitted_lines)
        .number("cleaned_lines", tally.input_lines.saturating_sub(tally.clean_lines))
        .raw("omitted", &omitted.end())
        .end();
    let mut text = Object::new()
        .text("content", &reduction.content.to_str_lossy())
        .raw("reduced", if reduction.reduced { "true" } else { "false" })
        .text("strategy", &reduction.strategy)
        .raw("note", &reduction.note.map_or_else(|| "null".into(), quoted))
        .raw("stats", &stats)
        .raw("facts", &facts(&reduction.facts))
        .raw("spill", &reduction.spill.as_deref().map_or_else(|| "null".into(), spill))
        .end();
    text.push('\n');
    text
}

fn facts(facts: &Facts) -> String {
    let mut object = Object::new();
    for (name, count) in &facts.counts {
        object.number(name, *count);
    }
    let mut references = Object::new();
    for (name, places) in &facts.lines {
        let numbers: Vec<String> = places.iter().map(|p| p.line.to_string()).collect();
        references.raw(name, &format!("[{}]", numbers.join(",")));
    }
    object.raw("lines", &references.end()).end()
}

fn spill(note: &[u8]) -> String {
    let mut object = Object::new();
    if let Some((locator, lines, path)) = marker::read_saved(note) {
        object.text("locator", &locator.to_str_lossy()).number("lines", lines).text("path", &path.to_str_lossy());
    } else {
        object.text("error", &marker::read_unsaved(note).unwrap_or_default().to_str_lossy());
    }
    object.end()
}
