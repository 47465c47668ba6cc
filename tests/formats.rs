//! Forms: JSON and its schema, the envelope, blocks, the log and its account, facts.

mod common;

use assert_cmd::Command;
use common::failing_cargo_run;
use serde_json::{json, Value};
use std::path::Path;

fn toolshrink(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("toolshrink").expect("the binary is built");
    for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("TOOLSHRINK_")) {
        command.env_remove(name);
    }
    command.args(args);
    command
}

fn bytes(args: &[&str], input: impl Into<Vec<u8>>) -> Vec<u8> {
    toolshrink(args).write_stdin(input.into()).assert().success().get_output().stdout.clone()
}

fn out(args: &[&str], input: impl Into<Vec<u8>>) -> String {
    String::from_utf8(bytes(args, input)).expect("UTF-8")
}

fn json_of(args: &[&str], input: impl Into<Vec<u8>>) -> Value {
    let text = out(&[&["--format", "json"], args].concat(), input);
    assert!(text.ends_with('\n') && text.lines().count() == 1);
    let value = serde_json::from_str(&text).expect("JSON");
    let schema: Value = serde_json::from_str(&out(&["schema"], "")).expect("JSON");
    holds(&schema, &value, "$").unwrap_or_else(|why| panic!("{why}"));
    value
}

/// Does a value keep to a schema? As much of the language as the schema uses; a word that is
/// not known here is an error.
fn holds(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    for (word, rule) in schema.as_object().ok_or(format!("{at}: no schema"))? {
        match word.as_str() {
            "$schema" | "title" | "description" => {}
            "type" => {
                let kind = match value {
                    Value::Null => "null",
                    Value::Bool(_) => "boolean",
                    Value::Number(n) if n.is_u64() || n.is_i64() => "integer",
                    Value::Number(_) => "number",
                    Value::String(_) => "string",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                };
                let fits = rule == kind || rule.as_array().is_some_and(|r| r.contains(&json!(kind)));
                if !fits {
                    return Err(format!("{at} is {kind}, not {rule}"));
                }
            }
            "minimum" => {
                if value.as_i64() < rule.as_i64() {
                    return Err(format!("{at} is {value}"));
                }
            }
            "required" => {
                for key in rule.as_array().expect("a list") {
                    if value.is_object() && value.get(key.as_str().expect("a key")).is_none() {
                        return Err(format!("{at} has no {key}"));
                    }
                }
            }
            "properties" => {
                for (key, rule) in rule.as_object().expect("an object") {
                    if let Some(value) = value.get(key) {
                        holds(rule, value, &format!("{at}.{key}"))?;
                    }
                }
            }
            "additionalProperties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(key).is_some() {
                        continue;
                    }
                    if rule == false {
                        return Err(format!("{at} has {key}"));
                    }
                    holds(rule, value, &format!("{at}.{key}"))?;
                }
            }
            "items" => {
                for value in value.as_array().into_iter().flatten() {
                    holds(rule, value, &format!("{at}[]"))?;
                }
            }
            _ => return Err(format!("{at}: {word} is not known")),
        }
    }
    Ok(())
}

fn fixture(name: &str) -> (Vec<u8>, Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let case = std::fs::read(folder.join("case.json")).unwrap_or_else(|e| panic!("{name}: {e}"));
    (std::fs::read(folder.join("input.txt")).expect("input.txt"), serde_json::from_slice(&case).expect("JSON"))
}

#[test]
fn the_json_tells_what_became_of_the_input() {
    let value = json_of(&["--tool", "bash", "--command", "cargo test", "--exit-code", "101"], failing_cargo_run());
    let keys: Vec<&str> = vec!["content", "reduced", "strategy", "note", "stats", "facts", "spill"];
    let text = out(&["--format", "json"], failing_cargo_run());
    let at: Vec<_> = keys.iter().map(|k| text.find(&format!("\"{k}\":")).expect("a key")).collect();
    assert!(at.windows(2).all(|w| w[0] < w[1]), "the keys stand in their order");
    assert_eq!(
        value["content"].as_str(),
        Some(out(&["--tool", "bash", "--command", "cargo test", "--exit-code", "101"], failing_cargo_run()).as_str())
    );
    assert_eq!(
        (&value["reduced"], &value["strategy"], &value["note"], &value["spill"]),
        (&json!(true), &json!("tests"), &json!(null), &json!(null))
    );
    let stats = &value["stats"];
    assert_eq!(
        (stats["input_bytes"].as_u64(), stats["input_lines"].as_u64()),
        (Some(failing_cargo_run().len() as u64), Some(failing_cargo_run().lines().count() as u64))
    );
    assert_eq!(stats["output_bytes"].as_u64(), Some(value["content"].as_str().expect("text").len() as u64));
    let sum: u64 = ["kept_lines", "omitted_lines", "cleaned_lines"].iter().map(|k| stats[*k].as_u64().expect("a number")).sum();
    assert_eq!(sum, failing_cargo_run().lines().count() as u64);
    assert_eq!(stats["omitted"]["passing tests"], 399);
    let facts = &value["facts"];
    assert_eq!((&facts["passed"], &facts["failed"], &facts["lines"]["failed"]), (&json!(399), &json!(1), &json!([202])));
}

#[test]
fn any_input_gives_json_that_holds() {
    for input in [&b""[..], b"\xff\0\x1b[31mx", b"no end", &b"row\n".repeat(9_000)] {
        for args in [&[][..], &["--level", "off"], &["--is-error"], &["--level", "aggressive"]] {
            let value = json_of(args, input);
            assert_eq!(value["stats"]["input_bytes"], input.len());
        }
    }
    assert_eq!(json_of(&["--level", "off"], "\x1b[31mx\r\n")["content"], "\x1b[31mx\r\n");
    assert_eq!(json_of(&[], *b"\xff")["content"], "\u{fffd}");
}

#[test]
fn a_spill_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().to_str().expect("UTF-8");
    let value = json_of(&["--tool", "bash", "--spill", dir], "some row\n".repeat(9_000));
    let path = value["spill"]["path"].as_str().expect("a path");
    assert_eq!((std::fs::read(path).expect("it is there").len(), &value["spill"]["lines"]), (81_000, &json!(9_000)));
    assert!(value["spill"]["locator"].as_str().expect("text").starts_with("spill:bash-"));
    assert!(value["content"].as_str().expect("text").contains(path), "the text names it, too");
    let nowhere = json_of(&["--spill", "/dev/null/x"], "some row\n".repeat(9_000));
    assert!(nowhere["spill"]["error"].is_string() && nowhere["spill"].get("path").is_none(), "{nowhere}");
}

/// What the captures of `fixtures/` tell in numbers, read off their own closing lines.
#[test]
fn facts_are_those_of_the_tools() {
    let mut wrong = Vec::new();
    for (name, counts) in [
        ("tests-cargo-left-right", json!({"passed": 29, "failed": 16, "skipped": 2})),
        ("tests-cargo-no-fail-fast", json!({"passed": 34, "failed": 19, "skipped": 2})),
        ("tests-pytest-default-failures", json!({"failed": 11, "passed": 225, "skipped": 1})),
        ("tests-pytest-setup-teardown-errors", json!({"failed": 2, "passed": 42, "errors": 8})),
        ("tests-go-verbose", json!({"failed": 13, "passed": 24, "skipped": 1})),
        ("tests-jest-verbose-failures", json!({"failed": 7, "skipped": 2, "passed": 173})),
        ("tests-vitest3-failing", json!({"failed": 7, "passed": 164, "skipped": 2})),
        ("tests-maven-surefire", json!({"failed": 2, "errors": 3, "skipped": 1, "tests": 226})),
        ("tests-gtest-color", json!({"tests": 101, "passed": 61, "failed": 39})),
        ("tests-ctest-output-on-failure", json!({"failed": 45})),
        ("tests-catch2-failures", json!({"passed": 1, "failed": 5})),
        ("tests-node-tap", json!({"tests": 112, "passed": 104, "failed": 5})),
        ("tests-nextest-no-fail-fast", json!({"tests": 83, "passed": 78, "failed": 4, "skipped": 2})),
        ("build-cargo-errors-color", json!({"warnings": 11, "errors": 8})),
        ("build-cargo-short-format", json!({"warnings": 11, "errors": 8})),
        ("build-clang-color", json!({"errors": 13})),
        ("build-tsc-pretty-color", json!({"errors": 81, "files": 9})),
        ("build-gcc-errors-color", json!({"errors": 9, "warnings": 48})),
        ("diff-stat-list", json!({"files": 42, "insertions": 248, "deletions": 165})),
        ("diff-show-with-stat", json!({"files": 3, "insertions": 7, "deletions": 4})),
        ("gitlog-oneline-decorated", json!({"commits": 162})),
        ("gitlog-fuller", json!({"commits": 162})),
        ("gitstatus-short-crowd", json!({"changed_files": 408, "untracked_files": 403})),
        ("gitstatus-conflicts-long", json!({"conflicts": 8})),
        ("tree-tree-a", json!({"directories": 41, "files": 136})),
    ] {
        let (input, case) = fixture(name);
        let value = json_of(&["--tool", "bash", "--command", case["command"].as_str().unwrap_or_default()], input);
        for (key, count) in counts.as_object().expect("an object") {
            if value["facts"][key] != *count {
                wrong.push(format!("{name}: {key} is {}, not {count}", value["facts"][key]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn envelope(command: &str, code: Option<&str>, input: impl Into<Vec<u8>>) -> String {
    let mut args = vec!["--format", "envelope", "--tool", "bash", "--command", command];
    if let Some(code) = code {
        args.extend(["--exit-code", code]);
    }
    out(&args, input)
}

#[test]
fn a_git_status_keeps_its_columns() {
    let input = "## main...origin/main [ahead 1]\n M src/lib.rs\nM  src/main.rs\n?? notes.txt\n";
    assert_eq!(
        envelope(" git status --short --branch ", Some("0"), input),
        format!(
            "[tool_output_compression]\ntool: bash\nrule: bash.git_status\ncommand: git status --short --branch\nsuccess: true\nexit_code: 0\n\
             raw_stdout_bytes: {}\nraw_stderr_bytes: 0\nstdout_truncated: false\nstderr_truncated: false\ncompression: curated\n\
             changed_files: 3\nuntracked_files: 1\nbranch: main...origin/main [ahead 1]\nstatus_lines:\n-  M src/lib.rs\n- M  src/main.rs\n\
             - ?? notes.txt\noutput:\n{input}",
            input.len()
        )
    );
}

#[test]
fn a_closing_line_is_no_error() {
    let input = "error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^ not found in this scope\n\nwarning: unused variable: `y`\n --> src/main.rs:1:9\n\nerror: could not compile `a` (bin \"a\") due to 1 previous error; 1 warning emitted\n";
    let said = envelope("cargo check 2>&1", Some("101"), input);
    for line in [
        "rule: bash.cargo_check",
        "success: false",
        "exit_code: 101\nwarnings: 1\nerrors: 1\ncompiler_error_codes: E0425",
        "final_status: error: could not compile `a` (bin \"a\") due to 1 previous error; 1 warning emitted",
        "diagnostics:\n- error[E0425]: cannot find value `x` in this scope\n- warning: unused variable: `y`\n",
    ] {
        assert!(said.contains(&format!("\n{line}")), "{line} is missing in {said}");
    }
}

#[test]
fn the_other_rules_have_their_facts() {
    let said = envelope("cargo test 2>&1 | cat", Some("101"), failing_cargo_run());
    for line in [
        "rule: bash.cargo_test",
        "passed: 399\nfailed: 1\nskipped: 0",
        "test_results:\n- test result: FAILED. 399 passed; 1 failed;",
        "failed_tests:\n- case_200\n",
        "failure_context:\n- thread 'case_200' panicked at src/lib.rs:9:5:\n",
        "output:\n",
    ] {
        assert!(said.contains(&format!("\n{line}")), "{line} is missing in {said}");
    }
    let (diff, _) = fixture("diff-git-two-dozen-files");
    let said = envelope("git diff", None, diff);
    assert!(said.contains("\nsuccess: null\nexit_code: null\n"), "an unknown status is unknown");
    assert!(
        said.contains("\nfiles: 32\nhunks: 61\ninsertions: 84\ndeletions: 55\nfile_list:\n- ") && said.contains("\n- ... 12 more ...\n"),
        "{said}"
    );
    let log: String = (0..40).map(|i| format!("{:07x} Change number {i}\n", i + 0xabc_0000)).collect();
    let said = envelope("git --no-pager log --oneline", Some("0"), log);
    assert!(
        said.contains("\ncommits: 40\nsubjects:\n- abc0000 Change number 0\n") && said.contains("number 14\n- ... 25 more ...\noutput:\n"),
        "{said}"
    );
    let (pytest, _) = fixture("tests-pytest-default-failures");
    let said = envelope("python -m pytest", Some("1"), pytest);
    assert!(said.contains("\nrule: bash.pytest\n") && said.contains("\nfailed: 11\npassed: 225\n"), "{said}");
}

#[test]
fn what_is_not_safe_to_classify_passes_unchanged() {
    let input = b"\x1b[31mred\r\n\n\n\n\n\xff".repeat(3_000);
    for command in ["", "cargo test && git status", "git status -v", "git log -5", "cargo test | awk 1", "echo x"] {
        assert!(bytes(&["--format", "envelope", "--command", command], input.clone()) == input, "{command}");
    }
    assert!(bytes(&["--format", "envelope", "--command", "cargo test", "--level", "off"], input.clone()) == input);
    assert!(bytes(&["--format", "envelope", "--tool", "read", "--command", "cargo test"], input.clone()) == input);
}

#[test]
fn nothing_is_said_of_a_text_that_is_something_else() {
    let said = envelope("cargo test", Some("127"), "bash: cargo: command not found\n");
    assert!(said.ends_with("compression: curated\nexit_code: 127\noutput:\nbash: cargo: command not found\n"), "{said}");
    let said = envelope("git diff", Some("128"), "fatal: not a git repository\n");
    assert!(said.ends_with("compression: curated\noutput:\nfatal: not a git repository\n"), "{said}");
}

#[test]
fn an_envelope_is_within_the_budget() {
    let (diff, _) = fixture("diff-git-two-dozen-files");
    for budget in ["100", "150", "300", "1000", "5000"] {
        let said = out(&["--format", "envelope", "--command", "git diff", "--max-bytes", budget], diff.clone());
        assert!(said.len() <= budget.parse().expect("a number"), "{budget}: {}", said.len());
    }
}

#[test]
fn a_second_stream_is_counted_and_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("err");
    std::fs::write(&file, "second\n").expect("written");
    let path = file.to_str().expect("UTF-8");
    assert_eq!(out(&["--stderr", path], "first"), "first\nsecond\n");
    assert_eq!(out(&["--stderr", path, "--is-error"], "first\r\n"), "first\nsecond\n");
    let said = out(&["--format", "envelope", "--command", "make", "--stderr", path], "first\n");
    assert!(said.contains("\nraw_stdout_bytes: 6\nraw_stderr_bytes: 7\n") && said.ends_with("output:\nfirst\nsecond\n"), "{said}");
    assert_eq!(out(&["--format", "envelope", "--command", "x y", "--stderr", path], "first\r\n"), "first\r\nsecond\n");
    let assert = toolshrink(&["--stderr", "/no/such/file"]).write_stdin("first\n").assert().code(1);
    let output = assert.get_output();
    assert!(output.stdout.starts_with(b"first\n") && String::from_utf8_lossy(&output.stderr).contains("/no/such/file"));
}

#[test]
fn run_has_the_forms_too() {
    let text = out(&["run", "--format", "json", "--", "printf", "a\\nb\\n"], "");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON")["content"], "a\nb\n");
}

#[test]
fn blocks_come_back_with_their_text_cut() {
    let rows = "some row that says little\n".repeat(4_000);
    for (shape, at) in [
        (json!({"type": "tool_result", "tool_use_id": "t", "is_error": false, "content": rows}), "/content"),
        (
            json!({"type": "tool_result", "content": [{"type": "text", "text": rows, "cache_control": {"type": "ephemeral"}}, {"type": "image"}]}),
            "/content/0/text",
        ),
        (json!([{"type": "text", "text": rows}]), "/0/text"),
        (json!({"type": "function_call_output", "call_id": "c", "output": rows, "status": "completed"}), "/output"),
        (json!({"role": "tool", "tool_call_id": "c", "content": rows}), "/content"),
        (json!({"content": [{"type": "text", "text": rows}], "structuredContent": {"rows": rows}, "isError": false}), "/content/0/text"),
    ] {
        let mut value: Value = serde_json::from_str(&out(&["--input", "blocks", "--tool", "bash"], shape.to_string())).expect("JSON");
        let text = value.pointer_mut(at).expect("the text");
        assert!(text.as_str().expect("a string").contains("omitted") && text.as_str().expect("a string").len() < rows.len() / 4);
        *text = json!(rows);
        assert_eq!(value, shape, "all else is as it was");
    }
}

#[test]
fn unknown_json_passes_untouched() {
    let rows = "some row\\n".repeat(9_000);
    for input in [
        format!("{{\"any\": \"{rows}\" , \"n\": 1.0}}\n"),
        format!("{{\"role\":\"user\",\"content\":\"{rows}\"}}"),
        format!("[{{\"type\":\"text\",\"text\":\"{rows}\"}}"),
        rows.clone(),
        String::new(),
    ] {
        assert_eq!(out(&["--input", "blocks"], input.clone()), input);
    }
    let error = json!({"type": "tool_result", "is_error": true, "content": "row\n".repeat(30_000)}).to_string();
    assert_eq!(out(&["--input", "blocks"], error.clone()), error, "a tool error is not cut");
    assert_eq!(bytes(&["--input", "blocks"], b"{\xff}".to_vec()), b"{\xff}");
    let known = json!([{"type": "text", "text": "row\n".repeat(30_000)}]).to_string();
    assert_eq!(out(&["--input", "blocks", "--level", "off"], known.clone()), known);
    toolshrink(&["--input", "blocks", "--format", "json"]).write_stdin("x").assert().code(2).stdout("x");
}

#[test]
fn blocks_share_one_budget() {
    let rows: String = (0..4_000).map(|i| format!("row {i} has its own text {}\n", i * 31)).collect();
    let input = json!([{"type": "text", "text": rows}, {"type": "text", "text": "short"}, {"type": "text", "text": rows}]).to_string();
    let value: Value = serde_json::from_str(&out(&["--input", "blocks", "--max-bytes", "4000"], input)).expect("JSON");
    let texts: Vec<usize> = (0..3).map(|i| value[i]["text"].as_str().expect("text").len()).collect();
    assert!(texts.iter().sum::<usize>() <= 4_000 && texts[1] == 5 && texts[0] > 300 && texts[2] > 300, "{texts:?}");
}

#[test]
fn a_log_line_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let log = log.to_str().expect("UTF-8");
    let shown = out(&["--tool", "bash", "--log", log], failing_cargo_run());
    out(&["--log", log, "--level", "off"], "four");
    out(&["--tool", "a b", "--log", log, "--is-error"], "four");
    out(&["--tool", "bash", "--log", log, "--format", "json"], "four");
    out(&["--tool", "mcp", "--log", log, "--input", "blocks"], "{}");
    let text = std::fs::read_to_string(log).expect("a log");
    let first = format!("bash {} -> {} via tests", failing_cargo_run().len(), shown.len());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], [first.as_str(), "unknown 4 -> 4 via none", "a_b 4 -> 4 via none"]);
    assert_eq!(lines[3..], ["bash 4 -> 4 via none", "mcp 2 -> 2 via none"]);
    let value: Value = serde_json::from_str(&out(&["gain", "--json", log], "")).expect("JSON");
    assert_eq!((&value["runs"], &value["by_cut"][0]["cut"], &value["unread_lines"]), (&json!(5), &json!("tests"), &json!(0)));
    assert!(out(&["gain", log, log], "").starts_with("10 runs: "));
    toolshrink(&["gain", "/no/such/log"]).assert().code(1);
    // A log that cannot be written costs nothing.
    let assert = toolshrink(&["--log", "/no/such/folder/log"]).write_stdin("x").assert().success().stdout("x");
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("cannot write the log"));
}

#[test]
fn many_processes_share_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    std::thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| {
                for _ in 0..25 {
                    out(&["--tool", "bash", "--log", log.to_str().expect("UTF-8")], "four");
                }
            });
        }
    });
    let text = std::fs::read_to_string(&log).expect("a log");
    assert!(text.lines().count() == 200 && text.lines().all(|l| l == "bash 4 -> 4 via none"));
}
