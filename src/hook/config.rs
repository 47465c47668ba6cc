//! What to paste into a harness's settings, or a whole adapter. Nothing is written for the
//! user: what a harness runs is the user's to decide.

use super::Host;
use crate::format::json::quoted;

/// The text for a host; `flags` go behind the hook's name.
pub(super) fn config(host: Host, flags: &str) -> String {
    let name = match host {
        Host::ClaudeCode => "claude-code",
        Host::Codex => "codex",
        Host::Gemini => "gemini",
        Host::Copilot => "copilot",
        Host::Cursor => "cursor",
        Host::Opencode => "opencode",
        Host::Pi => "pi",
        Host::Cline => "cline",
        Host::Deepseek => "deepseek",
    };
    let text = match host {
        Host::ClaudeCode => CLAUDE_CODE,
        Host::Codex if flags.contains("--permission allow") => CODEX_BOTH,
        Host::Codex => CODEX,
        Host::Gemini => GEMINI,
        Host::Copilot => COPILOT,
        Host::Cursor => CURSOR,
        Host::Opencode => OPENCODE,
        Host::Pi => PI,
        Host::Cline => CLINE,
        Host::Deepseek => DEEPSEEK,
    };
    let call = format!("toolshrink hook {name}{flags}");
    let inner = quoted(&call);
    // `toolshrink hook pi --log 'a b'` as the words of a program started without a shell.
    let words: Vec<String> = split(&format!("hook {name}{flags}")).iter().map(|w| quoted(w)).collect();
    text.replace("@CALL@", &inner[1..inner.len() - 1]).replace("@ASK@", &ASK.replace("@WORDS@", &words.join(", ")))
}

/// The words of flags that were quoted for a shell.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for c in text.chars() {
        match c {
            _ if escaped => {
                escaped = false;
                words.last_mut().expect("there is one").push(c);
            }
            '\\' if !quoted => escaped = true,
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().expect("there is one").push(c),
        }
    }
    words
}

const CLAUDE_CODE: &str = r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "@CALL@", "timeout": 10 }] }
    ],
    "PostToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "@CALL@", "timeout": 10 }] }
    ]
  }
}
"#;

const CODEX: &str = r#"{
  "hooks": {
    "PostToolUse": [
      { "matcher": "^Bash$", "hooks": [{ "type": "command", "command": "@CALL@", "timeout": 10 }] }
    ]
  }
}
"#;

const CODEX_BOTH: &str = r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "^Bash$", "hooks": [{ "type": "command", "command": "@CALL@", "timeout": 10 }] }
    ],
    "PostToolUse": [
      { "matcher": "^Bash$", "hooks": [{ "type": "command", "command": "@CALL@", "timeout": 10 }] }
    ]
  }
}
"#;

// `|| exit 0`: where toolshrink is missing the status 127 would take the result away.
const GEMINI: &str = r#"{
  "hooks": {
    "BeforeTool": [
      {
        "matcher": "run_shell_command",
        "hooks": [{ "type": "command", "command": "@CALL@ 2>/dev/null || exit 0", "timeout": 10000 }]
      }
    ],
    "AfterTool": [
      {
        "matcher": "run_shell_command",
        "hooks": [{ "type": "command", "command": "@CALL@ 2>/dev/null || exit 0", "timeout": 10000 }]
      }
    ]
  }
}
"#;

// `|| true`: where toolshrink is missing the status 127 would deny the tool.
const COPILOT: &str = r#"{
  "version": 1,
  "hooks": {
    "preToolUse": [{ "type": "command", "bash": "@CALL@ || true", "matcher": "bash", "timeoutSec": 10 }],
    "postToolUse": [{ "type": "command", "bash": "@CALL@ || true", "matcher": "bash", "timeoutSec": 10 }]
  }
}
"#;

const CURSOR: &str = r#"{
  "version": 1,
  "hooks": {
    "preToolUse": [{ "command": "@CALL@", "matcher": "^Shell$", "timeout": 10 }],
    "postToolUse": [{ "command": "@CALL@", "matcher": "^MCP", "timeout": 10 }]
  }
}
"#;

/// Starts the filter and hands over an object; `null` is no answer.
const ASK: &str = r#"// toolshrink's answer, or null: then everything stays as it is.
function ask(event) {
  return new Promise((resolve) => {
    const options = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile("toolshrink", [@WORDS@], options, (error, stdout) => {
      try {
        resolve(error || !stdout ? null : JSON.parse(stdout))
      } catch {
        resolve(null)
      }
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(event))
  })
}"#;

const OPENCODE: &str = r#"// toolshrink for opencode 1.x: save as toolshrink.js in the plugin folder.
import { execFile } from "node:child_process"

@ASK@

export const Toolshrink = async () => ({
  "tool.execute.after": async ({ tool, args }, output) => {
    if (tool !== "bash" || typeof output?.output !== "string") return
    const answer = await ask({ tool, args, output: { output: output.output, metadata: output.metadata } })
    if (answer) output.output = answer.output
  },
})
"#;

const PI: &str = r#"// toolshrink for pi: save as toolshrink.js in the extension folder.
import { execFile } from "node:child_process"

@ASK@

export default function (pi) {
  pi.on("tool_result", async (event) => {
    if (event.toolName !== "bash") return
    const { toolName, input, content, details, isError } = event
    const answer = await ask({ toolName, input, content, details, isError })
    if (answer) return { content: answer.content }
  })
}
"#;

const CLINE: &str = r#"// toolshrink for the Cline SDK: a plugin to hand to the agent.
import { execFile } from "node:child_process"

@ASK@

export default {
  name: "toolshrink",
  hooks: {
    async afterTool({ tool, input, result }) {
      const name = typeof tool === "string" ? tool : tool?.name
      const answer = await ask({ tool: name, input, result })
      if (answer) return { result: answer.result }
    },
  },
}
"#;

const DEEPSEEK: &str = r#"// toolshrink for DeepSeek Harness: a plugin to mount by a row of the profile.
import { execFile } from "node:child_process"

@ASK@

export const name = "toolshrink"
export const inject = ["tools"]

export function apply(ctx) {
  ctx.on("tools/post-execute", async (exec, result, next) => {
    const decision = await next()
    try {
      // Nested calls, blocks, and what another listener has replaced stay.
      if (exec.parent || exec.name !== "bash" || decision?.kind !== "accept") return decision
      if (decision.content !== undefined || decision.value !== undefined) return decision
      const { content, value } = result
      const answer = await ask({ name: exec.name, arguments: exec.arguments, result: { content, value } })
      return answer ? { ...decision, content: answer.content } : decision
    } catch {
      return decision
    }
  })
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_json_and_carry_the_flags() {
        for host in [Host::ClaudeCode, Host::Codex, Host::Gemini, Host::Copilot, Host::Cursor] {
            let text = config(host, " --level aggressive --log '/a \"b/l'");
            let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert!(value["hooks"].is_object() && text.contains("--level aggressive --log '/a \\\"b/l'"), "{text}");
        }
        assert!(config(Host::Pi, " --log '/a b/l'").contains(r#"["hook", "pi", "--log", "/a b/l"]"#));
    }
}
