//! Walks `fixtures/` and holds every case to the laws, at both levels.
//!
//! A case is `fixtures/SHAPE-WHAT/{input.txt,case.json}`. Nobody lists them. `keep` must
//! survive at both levels; what a tight budget may shed is named in `shed`, and shapes that
//! are as good as `cut` in `or`.

mod common;

use common::{cleaned, follows, shrunk, Portions};
use serde_json::Value;
use std::path::PathBuf;
use toolshrink::{shrink, Hint, Level, Options};

struct Case {
    name: String,
    input: Vec<u8>,
    json: Value,
}

impl Case {
    fn words(&self, key: &str) -> Vec<String> {
        let all = self.json[key].as_array().into_iter().flatten();
        all.map(|v| v.as_str().expect("a list of strings").to_owned()).collect()
    }

    fn hint(&self) -> Hint {
        let text = |key: &str| self.json[key].as_str().unwrap_or_default().to_owned();
        let mut hint = Hint::default();
        (hint.tool, hint.command) = (text("tool"), text("command"));
        hint.exit_code = self.json["exit_code"].as_i64().map(|n| i32::try_from(n).expect("a status"));
        hint.path = self.json["path"].as_str().map(str::to_owned);
        hint
    }
}

fn cases() -> Vec<Case> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: Vec<_> = std::fs::read_dir(root).expect("fixtures/").map(|e| e.expect("an entry").path()).collect();
    folders.sort();
    let read = |folder: PathBuf| Case {
        name: folder.file_name().expect("a name").to_string_lossy().into_owned(),
        input: std::fs::read(folder.join("input.txt")).unwrap_or_else(|e| panic!("{}: {e}", folder.display())),
        json: serde_json::from_slice(&std::fs::read(folder.join("case.json")).expect("case.json")).expect("JSON"),
    };
    folders.into_iter().map(read).collect()
}

const LEVELS: [Level; 2] = [Level::Conservative, Level::Aggressive];

/// Runs a check on every case at both levels and reports all that fail, not the first.
fn each(check: impl Fn(&Case, &Hint, &Options) -> Result<(), String>) {
    let cases = cases();
    assert!(cases.len() >= 40, "fixtures are missing");
    let mut wrong = Vec::new();
    for case in &cases {
        for level in LEVELS {
            let options = Options { level, ..Options::default() };
            if let Err(why) = check(case, &case.hint(), &options) {
                wrong.push(format!("{} at {level:?}: {why}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn facts_survive() {
    each(|case, hint, options| {
        let text = String::from_utf8_lossy(&shrunk(&case.input, hint, options).content).into_owned();
        let shed = if options.level == Level::Aggressive { case.words("shed") } else { Vec::new() };
        let lost: Vec<_> = case.words("keep").into_iter().filter(|k| !text.contains(k.as_str()) && !shed.contains(k)).collect();
        if lost.is_empty() {
            Ok(())
        } else {
            Err(format!("lost {lost:?}"))
        }
    });
}

#[test]
fn nothing_false_is_said() {
    each(|case, hint, options| {
        let text = String::from_utf8_lossy(&shrunk(&case.input, hint, options).content).into_owned();
        for never in case.words("never") {
            let pattern = fancy_regex::Regex::new(&format!("(?m){never}")).map_err(|e| e.to_string())?;
            if pattern.is_match(&text).map_err(|e| e.to_string())? {
                return Err(format!("says {never}"));
            }
        }
        Ok(())
    });
}

#[test]
fn the_shape_is_the_expected_one() {
    each(|case, hint, options| {
        let cut = case.json["cut"].as_str().unwrap_or_default();
        let reduction = shrunk(&case.input, hint, options);
        if cut == "none" {
            return if reduction.content == cleaned(&case.input) { Ok(()) } else { Err("is not whole".into()) };
        }
        let shapes: Vec<_> = reduction.parts.iter().map(|p| p.shape).collect();
        let or = case.words("or");
        if shapes.iter().any(|s| *s == cut || or.iter().any(|o| o == s)) {
            Ok(())
        } else {
            Err(format!("is taken for {shapes:?}, not {cut}"))
        }
    });
}

#[test]
fn the_account_is_true() {
    each(|case, hint, options| {
        let reduction = shrunk(&case.input, hint, options);
        let (t, s) = (&reduction.tally, &reduction.stats);
        let clean = cleaned(&case.input);
        if t.input_bytes != case.input.len() as u64 || t.clean_bytes != clean.len() as u64 {
            return Err(format!("{t:?}"));
        }
        if s.kept_lines + s.omitted_lines != t.clean_lines || s.kept_bytes + s.omitted_bytes != t.clean_bytes {
            return Err(format!("{s:?} of {t:?}"));
        }
        follows(&reduction.content, &clean)
    });
}

#[test]
fn the_budget_holds_and_nothing_grows() {
    each(|case, hint, options| {
        let clean = cleaned(&case.input).len();
        for max_bytes in [None, Some(100), Some(333), Some(1_500), Some(6_000)] {
            let options = Options { max_bytes, max_lines: max_bytes.map(|n| n / 50), ..options.clone() };
            let content = shrunk(&case.input, hint, &options).content;
            let budget = options.budget(hint);
            let lines = content.iter().filter(|b| **b == b'\n').count();
            // A text that is shorter than a marker comes back whole, however many its lines.
            let rows = lines <= budget.lines || content.len() == clean;
            if content.len() > budget.bytes || !rows || content.len() > clean {
                return Err(format!("{} bytes, {lines} lines of {clean} with {max_bytes:?}", content.len()));
            }
        }
        Ok(())
    });
}

#[test]
fn a_second_pass_changes_nothing() {
    each(|case, hint, options| {
        let once = shrunk(&case.input, hint, options).content;
        if shrunk(&once, hint, options).content == once {
            Ok(())
        } else {
            Err("the second pass differs".into())
        }
    });
}

#[test]
fn read_sizes_make_no_difference() {
    each(|case, hint, options| {
        let whole = shrunk(&case.input, hint, options).content;
        for size in [1, 7, 64 * 1024] {
            let reduction = shrink(Portions { rest: &case.input, size }, hint, options).map_err(|e| e.to_string())?;
            if reduction.content != whole {
                return Err(format!("differs for reads of {size}"));
            }
        }
        Ok(())
    });
}

#[test]
fn any_prefix_runs() {
    each(|case, hint, options| {
        for part in 1..16 {
            let prefix = &case.input[..case.input.len() * part / 16];
            let reduction = shrunk(prefix, hint, options);
            follows(&reduction.content, &cleaned(prefix)).map_err(|e| format!("{part}/16: {e}"))?;
        }
        Ok(())
    });
}
