//! What a harness says to its hook: no panic, and the answer is one JSON object or nothing.

use crate::blocks::{result, string, words, wounded};
use crate::common::shrunk;
use crate::dice::{fuzz, Dice};
use serde::de::IgnoredAny;
use std::io::Read;
use toolshrink::hook::{answer, may_be_wrapped, Desk, Host, Permission};
use toolshrink::{Hint, Level, Options};

const HOSTS: &[Host] =
    &[Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Copilot, Host::Cursor, Host::Opencode, Host::Pi, Host::Cline, Host::Deepseek];

const COMMANDS: &[&str] = &[
    "cargo test",
    "cd x && make -j8 2>&1 | tail",
    "cat <<'E'\nx\nE",
    "cat <<E",
    "echo 'a",
    "echo \"$(ls `pwd`)\" & wait",
    "a # b",
    "toolshrink",
    "",
    "\\",
    "x=${y:-\"}\"}; for i in 1 2; do echo $i; done",
    "é \u{1} \0",
    "<<<<<<",
    "((((",
];

/// What each host says, with `@` for a text, `#` for a command, `$` for a tool result.
const SAID: &[&str] = &[
    r##"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":#},"tool_response":{"stdout":@,"stderr":@,"interrupted":false}}"##,
    r##"{"hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","tool_input":{"command":#,"timeout":1}}"##,
    r##"{"hook_event_name":"PostToolUse","tool_name":"mcp__a__b","tool_input":{},"tool_response":$}"##,
    r##"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":#},"tool_response":@}"##,
    r##"{"hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":#},"tool_response":{"llmContent":@}}"##,
    r##"{"hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":#},"tool_response":{"llmContent":[{"text":@}]}}"##,
    r##"{"hook_event_name":"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":#}}"##,
    r##"{"toolName":"bash","toolArgs":{"command":#},"toolResult":{"resultType":"success","textResultForLlm":@}}"##,
    r##"{"toolName":"bash","toolArgs":{"command":#}}"##,
    r##"{"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":#}}"##,
    r##"{"hook_event_name":"postToolUse","tool_name":"MCP:x","tool_output":%}"##,
    r##"{"tool":"bash","args":{"command":#},"output":{"output":@,"metadata":{"exit":1}}}"##,
    r##"{"toolName":"bash","input":{"command":#},"content":[{"type":"text","text":@}],"isError":true}"##,
    r##"{"tool":"execute_command","input":{"command":#},"result":{"output":@}}"##,
    r##"{"tool":"bash","input":{"command":#},"result":{"output":$}}"##,
    r##"{"name":"bash","arguments":{"command":#},"result":{"content":$,"value":{"exitCode":2}}}"##,
];

fn said(dice: &mut Dice) -> Vec<u8> {
    let mut json = String::new();
    for c in dice.pick(SAID).chars() {
        match c {
            '@' => {
                let mut text = words(dice);
                text += dice.pick(&["", "\nExit Code: 1", "\nCommand exited with code 99999999999", "\nProcess exited with code -1"]);
                json += &string(&text, dice);
            }
            '#' => json += &string(dice.pick(COMMANDS), dice),
            '$' => json += &String::from_utf8_lossy(&result(dice)),
            '%' => {
                let inner = String::from_utf8_lossy(&result(dice)).into_owned();
                json += &string(&inner, dice);
            }
            c => json.push(c),
        }
    }
    wounded(json, dice)
}

#[test]
fn a_hook_answers_in_json_or_not_at_all() {
    fuzz("hooks", said, |json, dice| {
        for command in COMMANDS {
            let _ = may_be_wrapped(command);
        }
        for host in HOSTS {
            let mut reduce = |text: &mut dyn Read, hint: &Hint, options: &Options| {
                let mut all = Vec::new();
                text.read_to_end(&mut all).ok()?;
                Some(shrunk(&all, hint, options))
            };
            let level = dice.pick(&[Level::Conservative, Level::Aggressive]);
            let mut desk = Desk {
                options: Options { level, ..Options::default() },
                permission: dice.pick(&[Permission::Ask, Permission::Allow, Permission::Silent]),
                reduce: &mut reduce,
                wrap: &|command| format!("( {command}\n) | toolshrink"),
                is_guest: dice.one_in(9),
                savings: Vec::new(),
            };
            let Some(answer) = answer(*host, json, &mut desk) else { continue };
            // Half a surrogate pair is JSON, too.
            if !answer.starts_with('{') || serde_json::from_str::<IgnoredAny>(&answer).is_err() {
                return Err(format!("{host:?}: no object: {answer}"));
            }
            if serde_json::from_slice::<IgnoredAny>(json).is_err() {
                return Err(format!("{host:?}: an answer to what is no JSON: {answer}"));
            }
            if desk.savings.iter().any(|s| s.after >= s.before) {
                return Err(format!("{host:?}: it saves nothing: {:?}", desk.savings));
            }
        }
        Ok(())
    });
}
