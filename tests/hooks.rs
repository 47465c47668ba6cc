//! Hooks: each harness's JSON and what answers it, the adapters under node, and the
//! commands that come out, under a shell.
#![cfg(unix)]

mod common;

use common::{failing_run, fed, toolshrink};
use serde_json::{json, Value};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The hook's answer; `None` where it prints nothing. The status is 0, whatever comes.
fn hook(args: &[&str], input: &str) -> Option<Value> {
    let out = fed(toolshrink(&[&["hook"], args].concat()), input.as_bytes());
    assert_eq!(out.status.code(), Some(0), "{args:?} {input}");
    assert_eq!(String::from_utf8_lossy(&out.stderr), "", "{args:?} {input}");
    (!out.stdout.is_empty()).then(|| serde_json::from_slice(&out.stdout).expect("one object"))
}

fn is_shrunk(text: &Value) -> bool {
    let text = text.as_str().expect("a string");
    text.contains("panicked at src/lib.rs:9:5:") && text.contains("omitted") && text.len() < failing_run().len() / 4
}

fn claude(response: Value) -> String {
    json!({"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "t1", "duration_ms": 412,
        "tool_input": {"command": "cargo test", "description": "d", "timeout": 120_000}, "tool_response": response})
    .to_string()
}

fn claude_answer(response: Value) -> Option<Value> {
    let answer = hook(&["claude-code"], &claude(response))?;
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PostToolUse");
    assert_eq!(answer.as_object().expect("an object").len(), 1);
    Some(answer["hookSpecificOutput"]["updatedToolOutput"].clone())
}

#[test]
fn claude_code_gets_the_tools_own_object() {
    let response =
        json!({"stdout": failing_run(), "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false, "x": 1.0});
    let mut updated = claude_answer(response.clone()).expect("it is shrunk");
    assert!(is_shrunk(&updated["stdout"]));
    updated["stdout"] = failing_run().into();
    assert_eq!(updated, response, "all other fields are as they were");
    let both = claude_answer(json!({"stdout": "short", "stderr": failing_run(), "interrupted": false})).expect("it is shrunk");
    assert!(both["stdout"] == "short" && is_shrunk(&both["stderr"]));
}

#[test]
fn claude_code_keeps_numbers_and_order() {
    let response = format!(r#"{{"zeta":1.50e3,"stdout":{},"stderr":"","interrupted":false,"alpha":[1 , 2]}}"#, Value::from(failing_run()));
    let input = claude(json!("@")).replace("\"@\"", &response);
    let out = fed(toolshrink(&["hook", "claude-code"]), input.as_bytes());
    let text = String::from_utf8(out.stdout).expect("UTF-8");
    assert!(text.contains(r#""updatedToolOutput":{"zeta":1.50e3,"stdout":""#) && text.ends_with(r#","alpha":[1 , 2]}}}"#), "{text}");
}

#[test]
fn claude_code_is_told_nothing_of_other_shapes() {
    for response in [
        json!(failing_run()),
        json!(null),
        json!([{"type": "text", "text": failing_run()}]),
        json!({}),
        json!({"stdout": failing_run()}),
        json!({"stdout": 7, "stderr": "", "interrupted": false}),
        json!({"stdout": "short", "stderr": "", "interrupted": false}),
        json!({"stdout": failing_run(), "stderr": "", "interrupted": false, "isImage": true}),
        json!({"stdout": failing_run(), "stderr": "", "interrupted": false, "persistedOutputPath": "/t/x"}),
        json!({"stdout": failing_run(), "stderr": "", "interrupted": false, "backgroundTaskId": "b1"}),
    ] {
        assert_eq!(claude_answer(response.clone()), None, "{response}");
    }
    let whole = claude(json!({"stdout": failing_run(), "stderr": "", "interrupted": false}));
    assert!(hook(&["claude-code"], &whole).is_some());
    for input in [
        "",
        "{",
        "null",
        "[]",
        "\u{1}",
        &whole[..whole.len() - 2],
        &whole.replace("PostToolUse", "PostToolUseFailure"),
        &whole.replace("PostToolUse", "Stop"),
        &whole.replace("\"Bash\"", "\"Read\""),
        &whole.replace("cargo test", "cargo test | toolshrink"),
    ] {
        assert_eq!(hook(&["claude-code"], input), None, "{input}");
    }
    assert_eq!(hook(&["claude-code", "--level", "off"], &whole), None);
    let mut guest = toolshrink(&["hook", "claude-code"]);
    guest.env("CURSOR_VERSION", "1");
    assert_eq!(fed(guest, whole.as_bytes()).stdout, b"");
    assert_eq!(fed(toolshrink(&["hook", "claude-code"]), b"\xff\xfe{").status.code(), Some(0));
}

#[test]
fn claude_codes_mcp_results_keep_their_shape() {
    let input = |response: Value| {
        json!({"hook_event_name": "PostToolUse", "tool_name": "mcp__ci__log", "tool_input": {}, "tool_response": response}).to_string()
    };
    let answer = hook(&["claude-code"], &input(json!([{"type": "text", "text": failing_run()}, {"type": "image", "data": "x"}])))
        .expect("it is shrunk");
    let updated = &answer["hookSpecificOutput"]["updatedToolOutput"];
    assert!(is_shrunk(&updated[0]["text"]) && updated[1] == json!({"type": "image", "data": "x"}));
    assert_eq!(hook(&["claude-code"], &input(json!(failing_run()))), None);
}

fn claude_before(command: &str, mode: &str) -> String {
    json!({"hook_event_name": "PreToolUse", "permission_mode": mode, "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d", "timeout": 120_000}})
    .to_string()
}

#[test]
fn claude_code_is_asked_and_never_allows_by_itself() {
    let input = claude_before("cargo test", "default");
    let answer = hook(&["claude-code"], &input).expect("it is wrapped");
    let said = &answer["hookSpecificOutput"];
    assert_eq!((&said["hookEventName"], &said["permissionDecision"]), (&json!("PreToolUse"), &json!("ask")));
    assert_eq!((&said["updatedInput"]["description"], &said["updatedInput"]["timeout"]), (&json!("d"), &json!(120_000)));
    assert!(said["updatedInput"]["command"].as_str().expect("a string").contains("\ncargo test\n"));
    let decision = |args: &[&str]| hook(args, &input).expect("wrapped")["hookSpecificOutput"]["permissionDecision"].clone();
    assert_eq!(decision(&["claude-code", "--permission", "allow"]), "allow");
    assert_eq!(decision(&["claude-code", "--permission", "none"]), Value::Null);
    for mode in ["bypassPermissions", "dontAsk"] {
        assert_eq!(hook(&["claude-code"], &claude_before("cargo test", mode)), None);
    }
    for command in ["vim a", "tail -f log", "grep x f", "npm run dev", "make &"] {
        assert_eq!(hook(&["claude-code"], &claude_before(command, "default")), None, "{command}");
    }
    let background =
        |value: &str| hook(&["claude-code"], &input.replace("\"description\"", &format!("\"run_in_background\":{value},\"description\"")));
    for value in ["true", "\"true\"", "\"yes\"", "1", "{}", "true,\"run_in_background\":false"] {
        assert_eq!(background(value), None, "{value}");
    }
    assert!(["false", "null", "\"false\""].iter().all(|value| background(value).is_some()));
}

/// The way a harness runs a command and reads the directory back.
fn as_harness(command: &str, folder: &Path) -> (Option<i32>, String, String) {
    let bin = assert_cmd::cargo::cargo_bin("toolshrink");
    let path = format!("{}:{}", bin.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let quoted = command.replace('\'', "'\\''");
    let script = format!("eval '{quoted}' && pwd -P >| {}/cwd", folder.display());
    let out = Command::new("bash").args(["-c", &script]).current_dir(folder).env("PATH", path).output().expect("bash runs");
    let cwd = std::fs::read_to_string(folder.join("cwd")).unwrap_or_default();
    (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned(), cwd.trim_end().to_owned())
}

#[test]
fn a_wrapped_command_keeps_text_status_and_directory() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("run.txt"), failing_run()).expect("written");
    let wrapped = |command: &str| {
        let answer = hook(&["claude-code"], &claude_before(command, "default")).expect("it is wrapped");
        answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().expect("a string").to_owned()
    };
    let (status, text, _) = as_harness(&wrapped("cat run.txt; exit 101"), folder.path());
    assert!(status == Some(101) && is_shrunk(&text.clone().into()), "{status:?} {text}");
    let (status, text, cwd) = as_harness(&wrapped("cd / && echo 'it'\"'s\" here # there"), folder.path());
    assert_eq!((status, text.as_str(), cwd.as_str()), (Some(0), "it's here\n", "/"));
    let (status, text, _) = as_harness(&wrapped("cat <<'END'\nits $x\nEND\nfalse"), folder.path());
    assert_eq!((status, text.as_str()), (Some(1), "its $x\n"));
    // The command's variables are its own: the last file of a loop is neither shown nor removed.
    let (status, text, _) = as_harness(&wrapped("s=5; for f in run.txt; do wc -l < $f; done"), folder.path());
    assert_eq!((status, text.trim()), (Some(0), failing_run().lines().count().to_string().as_str()));
    let left: Vec<_> = folder.path().read_dir().expect("there").map(|e| e.expect("it").file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // A second hook leaves it as it is.
    assert_eq!(hook(&["claude-code"], &claude_before(&wrapped("make"), "default")), None);
}

/// Claude Code cuts a failing result over 10,000 characters in the middle.
#[test]
fn a_failing_result_fits_what_claude_code_shows() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String = (0..1_500_u32).map(|i| format!("entry {i}: {:x}\n", u64::from(i & 1_023) * 7_919 * u64::from(i))).collect();
    std::fs::write(folder.path().join("rows.txt"), &rows).expect("written");
    for (end, status) in [("true", 0), ("exit 3", 3)] {
        for args in [&["claude-code"][..], &["claude-code", "--max-bytes", "30000", "--log", "my log"]] {
            let answer = hook(args, &claude_before(&format!("cat rows.txt; {end}"), "default")).expect("it is wrapped");
            let command = answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().expect("a string");
            let (code, text, _) = as_harness(command, folder.path());
            assert_eq!((code, text.len() <= 9_900), (Some(status), status != 0), "{} of {} bytes", text.len(), rows.len());
        }
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("my log")).expect("a log").lines().count(), 2);
}

fn codex(event: &str, response: Value) -> String {
    json!({"session_id": "s", "turn_id": "1", "transcript_path": null, "cwd": "/", "hook_event_name": event, "model": "m",
        "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": "cargo test"}, "tool_response": response, "tool_use_id": "c"})
    .to_string()
}

#[test]
fn codex_gets_a_short_reason_or_nothing() {
    let answer = hook(&["codex"], &codex("PostToolUse", json!(failing_run()))).expect("it is shrunk");
    assert_eq!(answer["decision"], "block");
    assert!(is_shrunk(&answer["reason"]) && answer.as_object().expect("an object").len() == 2);
    assert!(hook(&["codex"], &codex("PostToolUse", json!({"output": failing_run(), "metadata": {}}))).is_some());
    let text = format!("{}Process exited with code 101\n", failing_run());
    assert!(hook(&["codex"], &codex("PostToolUse", json!(text))).expect("shrunk")["reason"]
        .as_str()
        .expect("text")
        .ends_with("Process exited with code 101\n"));
    // However long the text is, the reason is under 2,500 tokens, with a roomier budget too.
    let rows: String = (0..9_000).map(|i| format!("row {i} says something else {}\n", i * 7)).collect();
    for args in [&["codex"][..], &["codex", "--max-bytes", "40000"]] {
        let reason = hook(args, &codex("PostToolUse", json!(rows))).expect("it is shrunk")["reason"].as_str().expect("text").len();
        assert!(reason <= 10_000, "{reason}");
    }
    let word =
        |n: usize| (0..3 + n % 9).map(|k| char::from(b'a' + u8::try_from(n * n / 7 * (k + 3) % 26).expect("a letter"))).collect::<String>();
    let plain: String = (0..900)
        .map(|n| {
            word(n * 13)
                + if word(n).len() > 8 {
                    "
"
                } else {
                    " "
                }
        })
        .collect();
    for response in [json!("short"), json!(plain), json!(null), json!([failing_run()]), json!({"stdout": failing_run()}), json!(7)] {
        assert_eq!(hook(&["codex"], &codex("PostToolUse", response.clone())), None, "{response}");
    }
    assert_eq!(hook(&["codex"], &codex("PostToolUse", json!(failing_run())).replace("\"Bash\"", "\"apply_patch\"")), None);
    // It may only rewrite what it allows: so only when the user says so.
    assert_eq!(hook(&["codex"], &codex("PreToolUse", Value::Null)), None);
    let answer = hook(&["codex", "--permission", "allow"], &codex("PreToolUse", Value::Null)).expect("it is wrapped");
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "allow");
    assert!(answer["hookSpecificOutput"]["updatedInput"]["command"].as_str().expect("text").contains("cargo test"));
}

#[test]
fn a_text_that_was_cut_before_keeps_the_notice() {
    let text = failing_run().replace("test case_100 ... ok\n", "…4211 tokens truncated…\n");
    let answer = hook(&["codex"], &codex("PostToolUse", json!(text)));
    assert!(answer.is_none_or(|a| a["reason"].as_str().expect("text").contains("…4211 tokens truncated…")));
}

fn gemini(event: &str, response: Value) -> String {
    json!({"session_id": "s", "hook_event_name": event, "timestamp": "t", "tool_name": "run_shell_command",
        "tool_input": {"command": "cargo test", "description": "d"}, "tool_response": response})
    .to_string()
}

#[test]
fn gemini_gets_json_and_no_success_becomes_an_error() {
    let answer = hook(&["gemini"], &gemini("BeforeTool", Value::Null)).expect("it is wrapped");
    let input = answer["hookSpecificOutput"]["tool_input"].as_object().expect("an object").clone();
    assert!(input.len() == 1 && input["command"].as_str().expect("text").contains("cargo test") && answer.get("decision").is_none());
    let text = |code: i32| format!("Output: {}\nExit Code: {code}\n", failing_run());
    for content in [json!(text(101)), json!([{"text": text(101)}])] {
        let answer = hook(&["gemini"], &gemini("AfterTool", json!({"llmContent": content, "returnDisplay": ""}))).expect("it failed");
        assert!(answer["decision"] == "deny" && is_shrunk(&answer["reason"]), "{answer}");
        assert!(answer["reason"].as_str().expect("text").contains("Exit Code: 101"));
    }
    for response in [
        json!({"llmContent": text(0)}),
        json!({"llmContent": failing_run()}),
        json!({"llmContent": null}),
        json!({"llmContent": []}),
        json!({"llmContent": [{"text": text(1)}, {"text": text(1)}]}),
        json!({}),
        json!(text(1)),
        json!(null),
        json!([]),
    ] {
        assert_eq!(hook(&["gemini"], &gemini("AfterTool", response.clone())), None, "{response}");
    }
}

fn copilot(result: Option<Value>, arguments: Value) -> String {
    let mut input = json!({"sessionId": "s", "timestamp": 1, "cwd": "/", "toolName": "bash", "toolArgs": arguments});
    if let Some(result) = result {
        input["toolResult"] = result;
    }
    input.to_string()
}

#[test]
fn copilot_gets_a_modified_result() {
    let arguments = json!({"command": "cargo test", "description": "d"});
    let success = json!({"resultType": "success", "textResultForLlm": failing_run(), "more": 1});
    for arguments in [arguments.clone(), json!(arguments.to_string())] {
        let answer = hook(&["copilot"], &copilot(Some(success.clone()), arguments.clone())).expect("it is shrunk");
        assert!(is_shrunk(&answer["modifiedResult"]["textResultForLlm"]));
        assert_eq!((&answer["modifiedResult"]["resultType"], &answer["modifiedResult"]["more"]), (&json!("success"), &json!(1)));
        let answer = hook(&["copilot"], &copilot(None, arguments)).expect("it is wrapped");
        assert!(
            answer["modifiedArgs"]["command"].as_str().expect("text").contains("cargo test")
                && answer["modifiedArgs"]["description"] == "d"
        );
        assert_eq!(answer["permissionDecision"], "ask");
    }
    for result in [
        json!({"resultType": "failure", "textResultForLlm": failing_run()}),
        json!({"resultType": "success", "textResultForLlm": "short"}),
        json!({"resultType": "success", "textResultForLlm": null}),
        json!({"resultType": "success"}),
        json!(failing_run()),
        json!(null),
        json!([]),
    ] {
        assert_eq!(hook(&["copilot"], &copilot(Some(result.clone()), arguments.clone())), None, "{result}");
    }
    for arguments in [json!({"command": "vim a"}), json!({"command": "make", "mode": "async"}), json!({"command": "make", "detach": true})]
    {
        assert_eq!(hook(&["copilot"], &copilot(None, arguments.clone())), None, "{arguments}");
    }
}

#[test]
fn cursors_shell_is_rewritten_and_its_mcp_results_replaced() {
    let before =
        json!({"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {"command": "cargo test", "cwd": "/"}}).to_string();
    let answer = hook(&["cursor"], &before).expect("it is wrapped");
    assert!(answer["updated_input"]["command"].as_str().expect("text").contains("cargo test") && answer["updated_input"]["cwd"] == "/");
    assert!(answer.as_object().expect("an object").len() == 1, "nothing is allowed");
    let after = |tool: &str, output: Value| {
        json!({"hook_event_name": "postToolUse", "tool_name": tool, "tool_input": {}, "tool_output": output.to_string()}).to_string()
    };
    assert_eq!(hook(&["cursor"], &after("Shell", json!({"output": failing_run(), "exitCode": 0}))), None);
    let answer = hook(&["cursor"], &after("MCP:log", json!({"content": [{"type": "text", "text": failing_run()}], "isError": false})))
        .expect("it is shrunk");
    assert!(is_shrunk(&answer["updated_mcp_tool_output"]["content"][0]["text"]) && answer["updated_mcp_tool_output"]["isError"] == false);
    assert_eq!(hook(&["cursor"], &after("MCP:log", json!(failing_run()))), None);
    let read = json!({"hook_event_name": "beforeShellExecution", "command": "cargo test"}).to_string();
    assert_eq!(hook(&["cursor"], &read), None);
}

#[test]
fn pi_keeps_the_status_line_and_reads_the_whole_text() {
    let event = |text: &str, details: Value, is_error: bool| {
        json!({"toolName": "bash", "input": {"command": "cargo test"}, "content": [{"type": "text", "text": text}], "details": details, "isError": is_error}).to_string()
    };
    let failed = format!("{}\n\nCommand exited with code 101", failing_run());
    let answer = hook(&["pi"], &event(&failed, Value::Null, true)).expect("it is shrunk");
    assert!(
        is_shrunk(&answer["content"][0]["text"])
            && answer["content"][0]["text"].as_str().expect("text").ends_with("\nCommand exited with code 101")
    );
    let folder = tempfile::tempdir().expect("a folder");
    let full = folder.path().join("pi-bash-1.log");
    std::fs::write(&full, failing_run()).expect("written");
    // The event has only the end: what was told before it stands in the file.
    let late: String =
        failing_run().lines().skip(390).map(|l| format!("{l}\n")).collect::<String>().replace("panicked at src/lib.rs:9:5:", "panicked");
    let end =
        format!("{}\n[Showing lines 1-2000 of 2400. Full output: {}]\n\nCommand exited with code 101", late.repeat(20), full.display());
    let answer = hook(&["pi"], &event(&end, json!({"fullOutputPath": full}), true)).expect("it is shrunk");
    let text = answer["content"][0]["text"].as_str().expect("text");
    assert!(
        text.contains("panicked at src/lib.rs:9:5:") && text.contains("Full output: ") && text.ends_with("\nCommand exited with code 101"),
        "{text}"
    );
    assert_eq!(hook(&["pi"], &event(&end, json!({"fullOutputPath": "/no/such/file"}), true)), None);
    for content in [json!(failing_run()), json!(null), json!([]), json!([{"type": "image"}]), json!({})] {
        let input = json!({"toolName": "bash", "input": {"command": "x"}, "content": content, "isError": false}).to_string();
        assert_eq!(hook(&["pi"], &input), None);
    }
}

#[test]
fn clines_file_hooks_get_no_answer() {
    let input = json!({"clineVersion": "3", "hookName": "PostToolUse", "taskId": "t",
        "postToolUse": {"toolName": "execute_command", "parameters": {}, "result": failing_run(), "success": true}})
    .to_string();
    assert_eq!(hook(&["cline"], &input), None);
}

/// Each host's inputs with an answer, and the members without which there is none.
fn answered() -> Vec<(&'static [&'static str], String, &'static [&'static str])> {
    let failed = format!("{}\nCommand exited with code 101", failing_run());
    let blocks = json!([{"type": "text", "text": failing_run()}]);
    let told = json!({"llmContent": format!("Output: {}\nExit Code: 1\n", failing_run())});
    let shell = json!({"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {"command": "cargo test"}});
    let success = json!({"resultType": "success", "textResultForLlm": failing_run()});
    let command = json!({"command": "cargo test"});
    vec![
        (
            &["claude-code"],
            claude(json!({"stdout": failing_run(), "stderr": "", "interrupted": false})),
            &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command", "/tool_response", "/tool_response/stdout"],
        ),
        (
            &["claude-code"],
            claude_before("cargo test", "default"),
            &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command"],
        ),
        (
            &["codex"],
            codex("PostToolUse", json!(failing_run())),
            &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command", "/tool_response"],
        ),
        (
            &["codex", "--permission", "allow"],
            codex("PreToolUse", json!(null)),
            &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command"],
        ),
        (
            &["gemini"],
            gemini("AfterTool", told),
            &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command", "/tool_response", "/tool_response/llmContent"],
        ),
        (&["gemini"], gemini("BeforeTool", json!(null)), &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command"]),
        (
            &["copilot"],
            copilot(Some(success), command.clone()),
            &["/toolName", "/toolArgs", "/toolArgs/command", "/toolResult", "/toolResult/resultType", "/toolResult/textResultForLlm"],
        ),
        (&["copilot"], copilot(None, command.clone()), &["/toolName", "/toolArgs", "/toolArgs/command"]),
        (&["cursor"], shell.to_string(), &["/hook_event_name", "/tool_name", "/tool_input", "/tool_input/command"]),
        (
            &["opencode"],
            json!({"tool": "bash", "args": command, "output": {"output": failing_run()}}).to_string(),
            &["/tool", "/args", "/args/command", "/output", "/output/output"],
        ),
        (
            &["pi"],
            json!({"toolName": "bash", "input": command, "content": [{"type": "text", "text": failed}], "isError": true}).to_string(),
            &["/toolName", "/input", "/input/command", "/content", "/content/0", "/content/0/type", "/content/0/text"],
        ),
        (
            &["cline"],
            json!({"tool": "bash", "input": command, "result": {"output": failing_run()}}).to_string(),
            &["/tool", "/result", "/result/output"],
        ),
        (
            &["deepseek"],
            json!({"name": "bash", "arguments": command, "result": {"content": blocks}}).to_string(),
            &["/name", "/arguments", "/arguments/command", "/result", "/result/content", "/result/content/0", "/result/content/0/text"],
        ),
    ]
}

#[test]
fn no_host_is_told_anything_of_another_shape() {
    for (args, input, members) in answered() {
        assert!(hook(args, &input).is_some(), "{args:?}");
        for part in [1, input.len() / 4, input.len() / 2, input.len() - 1] {
            assert_eq!(hook(args, &input[..part]), None, "{args:?} {part}");
        }
        assert_eq!(hook(args, &format!("{input}{{}}")), None, "{args:?}");
        for member in members {
            let all = [json!("another"), json!(null), json!([]), json!({}), json!(7), json!(true), json!(["cargo test"])];
            // A command may be any word, and an object is the arguments' shape.
            for other in all.iter().filter(|o| !(o.is_string() && member.ends_with("command"))) {
                let mut changed: Value = serde_json::from_str(&input).expect("JSON");
                *changed.pointer_mut(member).expect("it is there") = other.clone();
                assert_eq!(hook(args, &changed.to_string()), None, "{args:?} {member} {other}");
            }
        }
    }
}

/// A wrong flag in a hook must not stop the harness; a person is told.
#[test]
fn a_typo_in_a_hook_is_no_refusal() {
    let out = fed(toolshrink(&["hook", "claude-code", "--levle", "off"]), &vec![b'x'; 1 << 20]);
    assert_eq!((out.status.code(), out.stdout.len()), (Some(0), 0));
    assert!(!out.stderr.is_empty());
}

#[test]
fn savings_of_hooks_are_logged() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let args = ["claude-code", "--log", log.to_str().expect("UTF-8")];
    hook(&args, &claude(json!({"stdout": failing_run(), "stderr": "", "interrupted": false})));
    hook(&args, &claude(json!({"stdout": "short", "stderr": "", "interrupted": false})));
    let text = std::fs::read_to_string(log).expect("a log");
    assert!(
        text.starts_with(&format!("bash {} -> ", failing_run().len())) && text.ends_with(" via tests\n") && text.lines().count() == 1,
        "{text}"
    );
}

// The adapters, with the harness played by a script.

fn node(script: &str, adapter: &str) -> Option<String> {
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("node is not here: the adapter is not run");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let printed = fed(toolshrink(&["hook", adapter, "--print-config"]), b"").stdout;
    std::fs::write(folder.path().join("adapter.mjs"), printed).expect("written");
    std::fs::write(folder.path().join("text.txt"), failing_run()).expect("written");
    let script = format!("import {{ readFileSync }} from 'node:fs'\nconst text = readFileSync('text.txt', 'utf8')\n{script}");
    std::fs::write(folder.path().join("main.mjs"), script).expect("written");
    let bin: PathBuf = assert_cmd::cargo::cargo_bin("toolshrink");
    let path = format!("{}:{}", bin.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let out = Command::new("node").arg("main.mjs").current_dir(folder.path()).env("PATH", path).output().expect("node runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8(out.stdout).expect("UTF-8"))
}

#[test]
fn the_opencode_adapter_runs() {
    let script = "import { Toolshrink } from './adapter.mjs'
const hooks = await Toolshrink({})
const output = { title: 't', output: text, metadata: { exit: 101 } }
await hooks['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c', args: { command: 'cargo test' } }, output)
const other = { output: text }
await hooks['tool.execute.after']({ tool: 'read', args: {} }, other)
if (other.output !== text) throw new Error('other tools are left alone')
await hooks['tool.execute.after']({ tool: 'bash', args: { command: 'x' } }, undefined)
process.stdout.write(JSON.stringify(output))";
    if let Some(text) = node(script, "opencode") {
        let output: Value = serde_json::from_str(&text).expect("JSON");
        assert!(is_shrunk(&output["output"]) && output["title"] == "t");
    }
}

#[test]
fn the_pi_adapter_runs() {
    let script = "import start from './adapter.mjs'
let handler
start({ on: (name, f) => { if (name === 'tool_result') handler = f } })
const event = (t, isError) => ({ toolName: 'bash', toolCallId: 'c', input: { command: 'cargo test' }, content: [{ type: 'text', text: t }], details: undefined, isError })
if (await handler(event('short', false), {}) !== undefined) throw new Error('nothing to save')
process.stdout.write(JSON.stringify(await handler(event(text + '\\nCommand exited with code 101', true), {})))";
    if let Some(text) = node(script, "pi") {
        let patch: Value = serde_json::from_str(&text).expect("JSON");
        assert!(is_shrunk(&patch["content"][0]["text"]) && patch.as_object().expect("an object").len() == 1);
    }
}

#[test]
fn the_cline_adapter_runs() {
    let script = "import plugin from './adapter.mjs'
const call = (tool, output) => plugin.hooks.afterTool({ tool, toolCall: {}, input: { command: 'cargo test' }, result: { output, isError: false } })
if (await call('bash', 'short') !== undefined) throw new Error('nothing to save')
if (await call('read_file', text) !== undefined) throw new Error('other tools are left alone')
await call({ name: 'bash' }, text)
process.stdout.write(JSON.stringify(await call('bash', text)))";
    if let Some(text) = node(script, "cline") {
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        assert!(is_shrunk(&answer["result"]["output"]) && answer["result"]["isError"] == false);
    }
}

#[test]
fn the_deepseek_adapter_runs() {
    let script = "import { apply, name, inject } from './adapter.mjs'
if (name !== 'toolshrink' || inject[0] !== 'tools') throw new Error('a plugin has a name')
let listener
apply({ on: (event, f) => { if (event === 'tools/post-execute') listener = f } }, {})
const exec = { name: 'bash', arguments: { command: 'cargo test' } }
const result = (t) => ({ content: [{ type: 'text', text: t + '[exit code: 101]\\n' }], value: { kind: 'foreground', exitCode: 101 } })
const accept = async () => ({ kind: 'accept' })
const block = await listener(exec, result(text), async () => ({ kind: 'block', feedback: 'f' }))
if (block.kind !== 'block' || block.content) throw new Error('a block stays')
if ((await listener({ ...exec, parent: {} }, result(text), accept)).content) throw new Error('nested calls stay')
if ((await listener(exec, result('short'), accept)).content) throw new Error('nothing to save')
process.stdout.write(JSON.stringify(await listener(exec, result(text), accept)))";
    if let Some(text) = node(script, "deepseek") {
        let decision: Value = serde_json::from_str(&text).expect("JSON");
        assert!(decision["kind"] == "accept" && is_shrunk(&decision["content"][0]["text"]));
        assert!(decision["content"][0]["text"].as_str().expect("text").ends_with("[exit code: 101]\n"));
    }
}
