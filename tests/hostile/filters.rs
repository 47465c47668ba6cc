//! Declared filters: whatever the file says, it is a filter or an error, and its verdicts
//! keep the promises on any text.

use crate::dice::{fuzz, mutant, Dice};
use crate::whole;
use toolshrink::declared::{self, Filters};

const PATTERNS: &[&str] = &[
    "^error",
    "",
    ".",
    ".*",
    "(",
    ")",
    "[",
    "a{99999999}",
    "(a*)*b",
    "(?i)^x",
    "^",
    "$",
    "\\d+",
    "\\p{Greek}",
    "[^é]",
    "(?P<n>a)",
    "^(\\S+) ",
    "é",
    "\\",
    "(.*)(.*)(.*)$",
    "\\bx\\b",
    "x|",
    "^test ",
    "^   *",
    "[[:alpha:]]",
    "(?x) a b",
    "^warning: (.+)$",
    "^[0-9]{1,4}:",
    "\0",
    "(?-u:\\xff)",
    "a{0}",
];
const NOUNS: &[&str] = &["steps", "", "a\nb", "error lines", "... 3 lines, 9 bytes omitted ...", "\u{1b}[31m", "x"];
const RANKS: &[&str] = &["edge", "detail", "body", "top", "total", "all"];

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn patterns(dice: &mut Dice) -> String {
    let own = |dice: &mut Dice| (0..1 + dice.below(2)).map(|_| dice.pick(PATTERNS)).collect::<String>();
    if dice.one_in(2) {
        return quoted(&own(dice));
    }
    let all: Vec<String> = (0..dice.below(4)).map(|_| quoted(&own(dice))).collect();
    format!("[{}]", all.join(", "))
}

fn made(dice: &mut Dice) -> String {
    let mut toml = String::from("about = \"x\"\n");
    if !dice.one_in(6) {
        let command = dice.pick(&["x", "x y", "x*", "*", "", "x -- --a", "é", "x\ty"]);
        toml += &format!("command = {}\n", quoted(command));
    }
    if dice.one_in(3) {
        toml += &format!("match = {}\n", quoted(dice.pick(&["^abcd", "^ab", "^test (", "^running [0-9]", "x", "^(?:abcd|test)"])));
    }
    for (key, value) in
        [("last", "true"), ("quotes", "true"), ("rest", "\"data\""), ("max_lines", "3"), ("max_lines", "0"), ("tail", "65535")]
    {
        if dice.one_in(5) {
            toml += &format!("{key} = {value}\n");
        }
    }
    for _ in 0..dice.below(6) {
        let like = patterns(dice);
        let (rank, noun) = (quoted(dice.pick(RANKS)), quoted(dice.pick(NOUNS)));
        toml += &match dice.below(7) {
            0 => format!("[[keep]]\nlike = {like}\nrank = {rank}\nbefore = {}\nafter = {}\n", dice.below(70_000), dice.below(9)),
            1 => format!("[[head]]\nlike = {like}\n"),
            2 => format!("[[drop]]\nlike = {like}\nnoun = {noun}\nsigned = {}\n", dice.one_in(2)),
            3 => format!("[[fold]]\nlike = {like}\nrank = {rank}\n"),
            4 => format!("[[spare]]\nlike = {like}\nnoun = {noun}\n"),
            5 => format!("[[block]]\nopen = {like}\nclose = {}\npark = {noun}\n", patterns(dice)),
            _ => format!("[[block]]\nopen = {like}\nrank = {rank}\n"),
        };
    }
    for _ in 0..dice.below(3) {
        let mut input = mutant(dice);
        input.truncate(dice.below(900));
        toml += &format!("[[test]]\ninput = {}\nmarks = \"..T!hs+\"\n", quoted(&String::from_utf8_lossy(&input)));
    }
    toml
}

/// A filter of ours with wounds, or one made of nothing but what could be wrong.
fn filter(dice: &mut Dice) -> Vec<u8> {
    let mut toml = if dice.one_in(2) {
        let names: Vec<_> = declared::builtin().map(|f| f.name()).collect();
        declared::builtin_text(dice.pick(&names)).unwrap_or_default().to_owned()
    } else {
        made(dice)
    };
    for _ in 0..dice.below(3) {
        let at = (0..=dice.below(toml.len() + 1)).rev().find(|i| toml.is_char_boundary(*i)).unwrap_or(0);
        match dice.below(4) {
            0 => toml.truncate(at),
            1 => toml.insert_str(at, dice.pick(PATTERNS)),
            2 => toml.insert_str(
                at,
                dice.pick(&["[", "]", "\"", "'''", "\"\"\"", "=", "\n", "#", "{ ", "like", "999999999999999999999", "-1", "true"]),
            ),
            _ => {
                let rows: Vec<&str> = toml.split_inclusive('\n').collect();
                let (a, b) = (dice.below(rows.len()), dice.below(rows.len()));
                let mut rows = rows;
                if !rows.is_empty() {
                    rows.swap(a, b);
                }
                toml = rows.concat();
            }
        }
    }
    toml.into_bytes()
}

#[test]
fn a_filter_works_or_is_refused() {
    fuzz("filters", filter, |toml, dice| {
        let toml = String::from_utf8_lossy(toml);
        let checked = declared::check("x", "x.toml", &toml);
        let filters = Filters::default().with("x", &toml);
        if checked.is_ok() && filters.is_err() {
            return Err(format!("it checks and does not load: {filters:?}"));
        }
        let Ok(filters) = filters else { return Ok(()) };
        let command =
            toml.lines().find_map(|l| l.strip_prefix("command = ")).unwrap_or("x").trim_matches(|c| "[]\" ".contains(c)).to_owned();
        let command = command.split('"').next().unwrap_or("x").to_owned();
        for _ in 0..3 {
            let text = mutant(dice);
            whole::check(&text, dice, &command, &filters)?;
        }
        Ok(())
    });
}
