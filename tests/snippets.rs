//! README's snippets, run as they stand there.
#![cfg(unix)]

use serde_json::{json, Value};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("README.md")
}

/// The first block of a language below a heading.
fn block(heading: &str, language: &str) -> String {
    let text = readme();
    let below = text.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("README has no {heading}")).1.to_owned();
    let fence = format!("```{language}\n");
    let body = below.split_once(&fence).unwrap_or_else(|| panic!("no {language} below {heading}")).1;
    body.split_once("```").expect("it ends").0.to_owned()
}

fn path() -> String {
    let bin = assert_cmd::cargo::cargo_bin("toolshrink");
    format!("{}:{}", bin.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default())
}

fn is_here(program: &str, flag: &str) -> bool {
    let here = Command::new(program).arg(flag).output().is_ok_and(|o| o.status.success());
    if !here {
        eprintln!("{program} is not here: its snippet is not run");
    }
    here
}

fn run(program: &str, args: &[&str], folder: &std::path::Path) -> Output {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("TOOLSHRINK_")) {
        command.env_remove(name);
    }
    command.args(args).current_dir(folder).env("PATH", path()).output().expect("it runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const FAILING: &str = "i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo \"test case_$i ... ok\"; done; \
    printf '\\ntest result: FAILED. 400 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s\\n'; exit 101";

/// What hands out a failing run under a name that is not ours to know.
fn fake(folder: &std::path::Path, name: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let file = folder.join(name);
    std::fs::write(&file, format!("#!/bin/sh\necho 'running 401 tests'\n{FAILING}\n")).expect("written");
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).expect("set");
}

#[test]
fn the_settings_are_the_ones_that_are_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    for (heading, host) in [
        ("### Claude Code", "claude-code"),
        ("### Codex", "codex"),
        ("### Gemini CLI", "gemini"),
        ("### GitHub Copilot CLI", "copilot"),
        ("### Cursor", "cursor"),
    ] {
        let printed = text(&run("toolshrink", &["hook", host, "--print-config"], folder.path()).stdout);
        assert_eq!(block(heading, "json"), printed, "{heading}");
        serde_json::from_str::<Value>(&printed).expect("JSON");
    }
}

/// As a new user would: the commands that stand in the settings, given what Claude Code gives.
#[test]
fn claude_code_is_set_up_from_the_readme_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings: Value = serde_json::from_str(&block("### Claude Code", "json")).expect("JSON");
    let call = |event: &str, input: Value| {
        let entry = &settings["hooks"][event][0];
        assert_eq!(entry["matcher"], "Bash");
        let command = entry["hooks"][0]["command"].as_str().expect("a command");
        let mut child = Command::new("sh")
            .args(["-c", command])
            .env("PATH", path())
            .env_remove("CURSOR_VERSION")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("a pipe").write_all(input.to_string().as_bytes()).expect("it is read");
        let out = child.wait_with_output().expect("it ends");
        assert!(out.status.success());
        serde_json::from_slice::<Value>(&out.stdout).expect("JSON")["hookSpecificOutput"].clone()
    };
    let rows: String = (1..=3_000).map(|i| format!("{i}\n")).collect();
    let after = call(
        "PostToolUse",
        json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "seq 3000"},
        "tool_response": {"stdout": rows, "stderr": "", "interrupted": false, "isImage": false}}),
    );
    let shown = after["updatedToolOutput"]["stdout"].as_str().expect("text");
    let gap = shown.lines().find(|l| l.contains("omitted")).expect("a marker");
    assert!(readme().contains(&format!("has a line `{gap}`")), "{gap}");
    fake(folder.path(), "check");
    let before = call("PreToolUse", json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "./check"}}));
    let out = run("bash", &["-c", before["updatedInput"]["command"].as_str().expect("a command")], folder.path());
    let said = text(&out.stdout);
    assert!(out.status.code() == Some(101) && said.contains("passing tests") && said.contains("1 failed") && said.len() < 500, "{said}");
}

#[test]
fn the_actions_step_fails_with_its_tests() {
    let folder = tempfile::tempdir().expect("a folder");
    fake(folder.path(), "npm");
    let yaml = block("### GitHub Actions", "yaml");
    assert!(yaml.contains("shell: bash"));
    let step = yaml.lines().find_map(|l| l.trim().strip_prefix("run: ")).expect("a step");
    std::fs::write(folder.path().join("step.sh"), step).expect("written");
    let script = "PATH=.:$PATH; bash --noprofile --norc -e -o pipefail step.sh";
    check_job(&run("bash", &["-c", script], folder.path()), folder.path());
}

#[test]
fn the_gitlab_job_fails_with_its_tests() {
    let folder = tempfile::tempdir().expect("a folder");
    fake(folder.path(), "npm");
    let yaml = block("### GitLab CI", "yaml");
    let line = yaml.lines().find_map(|l| l.trim().strip_prefix("- ")).expect("a line of script");
    check_job(&run("bash", &["-c", &format!("PATH=.:$PATH; {line}")], folder.path()), folder.path());
}

fn check_job(out: &Output, folder: &std::path::Path) {
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(101), "{said}");
    assert!(said.contains("passing tests") && said.contains("1 failed"), "{said}");
    assert_eq!(std::fs::read_to_string(folder.join("full.log")).expect("a log").lines().count(), 403);
}

#[test]
fn the_python_snippet_runs() {
    if !is_here("python3", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fake(folder.path(), "cargo");
    let snippet = block("### In a harness of your own", "python");
    assert!(snippet.lines().count() <= 5);
    std::fs::write(folder.path().join("a.py"), format!("command = './cargo test'\n{snippet}")).expect("written");
    let out = run("python3", &["a.py"], folder.path());
    let said = text(&out.stdout);
    assert!(out.status.success() && said.contains("passing tests") && said.trim_end().ends_with(" 1"), "{said}{}", text(&out.stderr));
}

#[test]
fn the_node_snippet_runs() {
    if !is_here("node", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let snippet = block("### In a harness of your own", "js");
    assert!(snippet.lines().count() <= 5);
    let call = "const rows = Array.from({ length: 3000 }, (_, i) => `row ${i} of it`).join('\\n')
const result = shrink({ type: 'tool_result', tool_use_id: 't', is_error: false, content: [{ type: 'text', text: rows }] })
console.log(JSON.stringify([result, shrink({ any: 'thing' })]))";
    std::fs::write(folder.path().join("a.cjs"), format!("{snippet}{call}")).expect("written");
    let out = run("node", &["a.cjs"], folder.path());
    assert!(out.status.success(), "{}", text(&out.stderr));
    let said: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert!(said[0]["content"][0]["text"].as_str().expect("text").contains("omitted") && said[0]["tool_use_id"] == "t");
    assert_eq!(said[1], json!({"any": "thing"}));
}

#[test]
fn the_go_snippet_runs() {
    if !is_here("go", "version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let snippet = block("### In a harness of your own", "go");
    let head = "package main\n\nimport (\n\t\"bytes\"\n\t\"os\"\n\t\"os/exec\"\n\t\"strconv\"\n)\n\n";
    let main = "\nfunc main() {\n\tos.Stdout.Write(shrink(\"make\", bytes.Repeat([]byte(\"some row of it\\n\"), 3000), 2))\n}\n";
    std::fs::write(folder.path().join("a.go"), format!("{head}{snippet}{main}")).expect("written");
    let out = run("go", &["run", "a.go"], folder.path());
    let said = text(&out.stdout);
    assert!(out.status.success() && said.contains("omitted") && said.len() < 30_000, "{said}{}", text(&out.stderr));
}

/// The account in README is what `gain` says of such a log.
#[test]
fn the_account_reads_as_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = "bash 110300 -> 3200 via tests+build\nbash 64151 -> 2942 via tree+size\nbash 10019 -> 3169 via diff\n";
    std::fs::write(folder.path().join("log"), log).expect("written");
    let said = text(&run("toolshrink", &["gain", "log"], folder.path()).stdout);
    assert_eq!(block("## What it saved", ""), said);
}
