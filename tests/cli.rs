//! The command line: flags, statuses, pipes, closed outputs.

mod common;

use assert_cmd::Command;
use common::failing_cargo_run;
use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::process::{Command as Process, Stdio};

fn toolshrink() -> Command {
    let mut command = Command::cargo_bin("toolshrink").expect("the binary is built");
    for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("TOOLSHRINK_")) {
        command.env_remove(name);
    }
    command
}

fn raw() -> Process {
    Process::new(assert_cmd::cargo::cargo_bin("toolshrink"))
}

fn out(command: &mut Command, input: impl Into<Vec<u8>>) -> String {
    let output = command.write_stdin(input.into()).assert().success().get_output().stdout.clone();
    String::from_utf8(output).expect("UTF-8")
}

#[test]
fn the_main_job() {
    let text = out(toolshrink().args(["--tool", "bash", "--command", "cargo test", "--exit-code", "101"]), failing_cargo_run());
    for fact in ["case_200", "panicked at src/lib.rs:9:5:", "  left: 1", " right: 2", "399 passed; 1 failed", "omitted"] {
        assert!(text.contains(fact), "{fact} is missing in {text}");
    }
    assert!(text.len() < 1_500, "{}", text.len());
}

#[test]
fn a_long_input_is_cut_the_same_however_it_arrives() {
    // From 4 MiB on it is cut beside its reading: one failure on each side, one where that begins.
    let mut text = String::from("running 200000 tests\n");
    for i in 0..200_000 {
        let begins = text.len() < 4 << 20 && text.len() + 40 > 4 << 20;
        let word = if i == 100 || begins || i == 199_000 { "FAILED" } else { "ok" };
        text += &format!("test case_{i}::holds ... {word}\n");
    }
    text += "\ntest result: FAILED. 199997 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s\n";
    let at_once = out(toolshrink().args(["--level", "aggressive"]), text.clone());
    assert_eq!(at_once.matches(" ... FAILED\n").count(), 3, "{at_once}");
    let options = toolshrink::Options { level: toolshrink::Level::Aggressive, ..Default::default() };
    for size in [999, 65_537] {
        let reader = common::Portions { rest: text.as_bytes(), size };
        let in_portions = toolshrink::shrink(reader, &toolshrink::Hint::default(), &options).expect("a slice can be read");
        assert!(in_portions.content == at_once.as_bytes(), "{size}");
    }
}

#[test]
fn small_and_empty_inputs_come_back_whole() {
    assert_eq!(out(&mut toolshrink(), ""), "");
    assert_eq!(out(toolshrink().args(["--level", "aggressive"]), "a\nb"), "a\nb");
    assert_eq!(out(&mut toolshrink(), "\x1b[31mred\x1b[0m\r\n"), "red\n");
}

#[test]
fn off_touches_no_byte() {
    let input = b"\x1b[31mred\r\n\n\n\n\n\xff\0 no end".to_vec();
    toolshrink().args(["--level", "off"]).write_stdin(input.clone()).assert().success().stdout(input);
}

#[test]
fn a_tool_error_is_only_cleaned_unless_a_limit_is_given() {
    let input = "line of a tool error\n".repeat(9_000);
    assert_eq!(out(toolshrink().arg("--is-error"), input.clone()), input);
    let cut = out(toolshrink().args(["--is-error", "--max-bytes", "4000"]), input);
    assert!(cut.len() <= 4_000 && cut.contains("omitted"));
    // Not even a line of any length, in any form.
    for line in ["x".repeat(700_000), format!("[{}1]", "{\"a\":1},".repeat(90_000))] {
        let input = format!("before\n{line}\nafter\n");
        assert!(out(toolshrink().arg("--is-error"), input.clone()) == input);
        let json = out(toolshrink().args(["--is-error", "--format", "json"]), input.clone());
        assert!(serde_json::from_str::<serde_json::Value>(&json).expect("JSON")["content"] == input.as_str());
        let envelope = out(toolshrink().args(["--is-error", "--format", "envelope", "--tool", "bash", "--command", "ls x"]), input.clone());
        assert!(envelope.ends_with(&input));
        let block = serde_json::json!({"type": "tool_result", "content": input, "is_error": true}).to_string();
        assert!(out(toolshrink().args(["--input", "blocks"]), block.clone()) == block);
    }
}

#[test]
fn limits_are_kept() {
    let text = out(toolshrink().args(["--max-lines", "7"]), (0..5_000).map(|i| format!("row {i} of it\n")).collect::<String>());
    assert!(text.lines().count() <= 7, "{text}");
    let text = out(toolshrink().args(["--max-line-bytes", "100"]), "x".repeat(9_000));
    assert!(text.len() <= 100 && text.contains("bytes omitted"), "{text}");
}

#[test]
fn a_usage_error_loses_no_input() {
    for args in [&["--levle", "off"][..], &["--max-bytes", "7"], &["--only", "nonsense"], &["--exit-code", "x"], &["stray"]] {
        let assert = toolshrink().args(args).write_stdin("precious\r\n").assert().code(2).stdout("precious\r\n");
        assert!(!assert.get_output().stderr.is_empty());
    }
    toolshrink().args(["--disable", "nonsense"]).write_stdin("x").assert().stderr(predicate("there is no cut 'nonsense'"));
}

fn predicate(part: &'static str) -> impl predicates_core::Predicate<str> {
    predicates::str::contains(part)
}

#[test]
fn flags_are_read_from_the_environment_and_empty_ones_are_unset() {
    let lines = |text: String| text.lines().count();
    assert!(lines(out(toolshrink().env("TOOLSHRINK_MAX_LINES", "5"), "some row\n".repeat(900))) <= 5);
    assert_eq!(out(toolshrink().env("TOOLSHRINK_EXIT_CODE", "").env("TOOLSHRINK_LEVEL", ""), "x"), "x");
    assert!(lines(out(toolshrink().env("TOOLSHRINK_MAX_LINES", "5").args(["--max-lines", "3"]), "some row\n".repeat(900))) <= 3);
}

#[test]
fn only_and_disable_choose_the_cuts() {
    let explained = |args: &[&str]| {
        let assert = toolshrink().arg("--explain").args(args).write_stdin(failing_cargo_run()).assert().success();
        String::from_utf8(assert.get_output().stderr.clone()).expect("UTF-8")
    };
    assert!(explained(&[]).contains("as tests"));
    assert!(explained(&["--disable", "tests,repeat"]).contains("as size"));
    assert!(explained(&["--only", "build,stacktrace"]).contains("as size"));
    assert!(explained(&["--only", "tests"]).contains("as tests"));
    assert!(explained(&["--tool", "read"]).contains("as size"));
}

#[test]
fn help_and_version_read_well() {
    let help = out(toolshrink().arg("--help"), "");
    assert!(help.contains("--exit-code <N>") && help.contains("tests") && help.contains("Exit status"));
    assert!(help.lines().all(|l| l.chars().count() <= 100), "{help}");
    assert_eq!(out(toolshrink().arg("-V"), ""), format!("toolshrink {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_man_page_is_the_one_that_is_shipped() {
    let shipped = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/man/toolshrink.1")).expect("man/toolshrink.1");
    let printed = out(toolshrink().arg("--man"), "");
    assert!(printed == shipped, "run: cargo run -- --man > man/toolshrink.1");
}

/// A reader that goes away is a quiet end, and the writer is still heard out.
#[cfg(unix)]
#[test]
fn a_closed_stdout_is_a_quiet_end() {
    for args in [&["--level", "off"][..], &["--level", "conservative"]] {
        let mut child = raw().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        for _ in 0..2_000 {
            stdin.write_all("some line that fills the pipe\n".repeat(100).as_bytes()).expect("stdin is read to its end");
        }
        drop(stdin);
        let mut said = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
        assert_eq!((child.wait().expect("it ends").code(), said.as_str()), (Some(0), ""));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_status_one_and_one_line() {
    for args in
        [&["--level", "off"][..], &["--level", "aggressive"], &["--is-error"], &["--format", "json"], &["run", "--", "echo", "text"]]
    {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
        let mut child = raw().args(args).stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn().expect("it starts");
        let _ = child.stdin.take().expect("a pipe").write_all(b"text\n");
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(said.starts_with("toolshrink: cannot write the output") && said.lines().count() == 1, "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_stdin_is_an_empty_input() {
    let bin = assert_cmd::cargo::cargo_bin("toolshrink");
    for end in ["<&-", "</dev/null", "<&- --spill --level aggressive"] {
        let output = Process::new("sh").args(["-c", &format!("\"$0\" {end}")]).arg(&bin).output().expect("sh runs");
        assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0), "{end}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_stdin_is_status_one() {
    let folder = std::fs::File::open(env!("CARGO_MANIFEST_DIR")).expect("a folder opens");
    let output = raw().stdin(folder).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot read the input"));
}

/// The recipes of README, under the shells that are here.
#[cfg(unix)]
#[test]
fn the_shell_recipes_keep_the_status() {
    let bin = assert_cmd::cargo::cargo_bin("toolshrink");
    let path = format!("{}:{}", bin.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let pipe = |cmd: &str| format!("set -o pipefail; {{ {cmd}\n}} 2>&1 | toolshrink --command 'x'");
    let kept = |cmd: &str| format!("{{ {cmd}\n}} > >(toolshrink --command 'x') 2>&1; toolshrink_s=$?; wait $!; (exit $toolshrink_s)");
    let file = |cmd: &str| {
        format!("toolshrink_f=$(mktemp) && {{ {cmd}\n}} >\"$toolshrink_f\" 2>&1; toolshrink_s=$?; toolshrink --exit-code \"$toolshrink_s\" --command 'x' <\"$toolshrink_f\" || [ $? -le 2 ] || cat \"$toolshrink_f\"; rm -f \"$toolshrink_f\"; (exit \"$toolshrink_s\")")
    };
    let run = |shell: &str, script: &str| {
        let output = Process::new(shell).args(["-c", script]).env("PATH", &path).output().expect("the shell runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    for (cmd, status) in [("echo hi", 0), ("echo hi; (exit 7)", 7), ("echo hi # a comment", 0), ("echo hi >&2; false", 1)] {
        for script in [pipe(cmd), kept(cmd), file(cmd)] {
            assert_eq!(run("bash", &script), (Some(status), "hi\n".into()), "{script}");
        }
        assert_eq!(run("sh", &file(cmd)), (Some(status), "hi\n".into()));
    }
    assert_eq!(run("bash", &(kept("cd /") + "; pwd")).1, "/\n");
}
