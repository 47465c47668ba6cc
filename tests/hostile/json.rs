//! JSON in one line: its pieces joined are the line, and a break between two of them changes
//! no value. What is no JSON loses nothing either.

use crate::common::Portions;
use crate::dice::{fuzz, Dice};
use serde_json::{Map, Number, Value};
use toolshrink::each_line;

const WORDS: &[&str] = &[
    "id",
    "name",
    "a, [b] \" }",
    "\\",
    "\\\"",
    "é日\u{a0}",
    "error",
    "{\"x\":[1,2]}",
    "line\nend",
    "\u{1}",
    "\u{1b}[31m",
    "items",
    "",
    "[",
    "]",
    "}",
    "{",
    ",",
    ":",
    "null",
    "-0",
    "\u{2028}",
    "\u{feff}",
];

fn text(dice: &mut Dice) -> String {
    match dice.below(60) {
        0 => "A".repeat(dice.below(6_000)),
        1 => "é\\\"".repeat(dice.below(500)),
        2 if dice.one_in(4) => "z".repeat(dice.below(300_000)),
        _ => (0..dice.below(4)).map(|_| dice.pick(WORDS)).collect(),
    }
}

fn value(dice: &mut Dice, depth: usize, left: &mut usize) -> Value {
    *left = left.saturating_sub(1);
    let leaf = depth == 0 || *left == 0;
    match if leaf { dice.below(5) } else { dice.below(11) } {
        0 => Value::Null,
        1 => Value::Bool(dice.one_in(2)),
        2 => Value::Number(dice.next().into()),
        3 => Number::from_f64(f64::from(dice.byte()) / 8.0 - 9.0).map_or(Value::Null, Value::Number),
        4 => Value::String(text(dice)),
        5..8 => {
            let count = dice.pick(&[0, 1, 2, 5, 40, 300]);
            Value::Array((0..count).map_while(|_| (*left > 0).then(|| value(dice, depth - 1, left))).collect())
        }
        _ => {
            let mut map = Map::new();
            for i in 0..dice.below(8) {
                map.insert(format!("{}{i}", dice.pick(WORDS)), value(dice, depth - 1, left));
            }
            Value::Object(map)
        }
    }
}

/// Blanks where JSON may have them, but no line break.
fn spaced(json: &str, dice: &mut Dice) -> String {
    let (mut out, mut string, mut escaped) = (String::with_capacity(json.len()), false, false);
    for c in json.chars() {
        if !string && dice.one_in(6) && !out.ends_with(|c: char| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
            out.push_str(dice.pick(&[" ", "  ", "\t"]));
        }
        out.push(c);
        if escaped {
            escaped = false;
        } else if string && c == '\\' {
            escaped = true;
        } else if c == '"' {
            string = !string;
        }
    }
    out
}

fn line(dice: &mut Dice) -> Vec<u8> {
    let mut left = dice.pick(&[5, 60, 600]);
    let depth = dice.pick(&[3, 6, 12, 90]);
    let mut all = value(dice, depth, &mut left);
    if dice.one_in(8) {
        for _ in 0..dice.below(90) {
            all = Value::Array(vec![all]);
        }
    }
    let records = dice.below(40);
    let mut items = vec![all.clone(); 1 + records];
    items.push(value(dice, 3, &mut 40));
    let mut json =
        if dice.one_in(3) { Value::Array(items) } else { serde_json::json!({"total": records, "items": items, "next": all}) }.to_string();
    json.truncate((0..=json.len().min(1_000_000)).rev().find(|i| json.is_char_boundary(*i)).unwrap_or(0));
    if dice.one_in(3) {
        json = spaced(&json, dice);
    }
    if dice.one_in(10) {
        json.insert(0, '\u{feff}');
    }
    let mut line = json.into_bytes();
    if dice.one_in(2) {
        return line;
    }
    for _ in 0..=dice.below(20) {
        let at = dice.below(line.len() + 1);
        match dice.below(5) {
            0 => line.truncate(at),
            1 => {
                let to = (at + dice.below(20)).min(line.len());
                line.drain(at..to);
            }
            2 => line
                .splice(at..at, dice.pick(&["{", "}", "[", "]", "\"", "\\", ",", ":", "]]]]]]", "[[[[[[", "{\"a\":", " x ", "\0"]).bytes())
                .for_each(drop),
            3 if at < line.len() => line[at] = dice.byte(),
            _ => line.splice(at..at, b"[".repeat(dice.below(3_000))).for_each(drop),
        }
    }
    line.retain(|b| !matches!(b, b'\n' | b'\r' | 0x1b | 0x08));
    line
}

type Piece = (Vec<u8>, Option<(usize, u64)>, bool);

fn pieces(text: &[u8], size: usize) -> Vec<Piece> {
    let mut out = Vec::new();
    let tally = each_line(Portions { rest: text, size }, |l| out.push((l.text.to_vec(), l.hole.map(|h| (h.at, h.bytes)), l.ended)));
    assert_eq!(tally.expect("a slice can be read").input_bytes, text.len() as u64);
    out
}

#[test]
fn a_break_changes_no_value() {
    fuzz("json", line, |text, dice| {
        let out = pieces(text, usize::MAX);
        for size in [1, 1 + dice.below(600), 1 + dice.below(200_000)] {
            if pieces(text, size) != out {
                return Err(format!("portions of {size} make a difference"));
            }
        }
        let told: u64 = out.iter().map(|(t, hole, ended)| t.len() as u64 + hole.map_or(0, |h| h.1) + u64::from(*ended)).sum();
        // UTF-16 it is not, and no blank line that could go.
        let is_text = !text.starts_with(b"\xff\xfe") && !text.starts_with(b"\xfe\xff");
        if is_text && told != text.len() as u64 {
            return Err(format!("{told} bytes of {}", text.len()));
        }
        if out.iter().any(|p| p.1.is_some()) {
            return Ok(());
        }
        let joined: Vec<&[u8]> = out.iter().map(|p| &p.0[..]).collect();
        if is_text && joined.concat() != text {
            return Err("the pieces are not the line".into());
        }
        let bare = |t: &[u8]| serde_json::from_slice::<Value>(t.strip_prefix("\u{feff}".as_bytes()).unwrap_or(t));
        match (bare(text), bare(&joined.join(&b'\n'))) {
            (Ok(a), Ok(b)) if a != b => Err("another value".into()),
            (Ok(_), Err(e)) => Err(format!("no JSON any more: {e}")),
            _ => Ok(()),
        }
    });
}
