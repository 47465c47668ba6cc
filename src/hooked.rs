//! Answers a harness's hook. Whatever happens, the status is 0: harnesses take others for a
//! refusal of the call.

use crate::cli::{FilterArgs, PermissionArg, RecipeShell};
use crate::filter::{self, Reducer};
use crate::recipe;
use crate::{exit, forms};
use std::io::{self, Read, Write as _};
use std::process::ExitCode;
use toolshrink::hook::{self, Desk, Host, Permission};
use toolshrink::system::Stdin;
use toolshrink::{Hint, Level, Options};

/// Bytes of a failing result that Claude Code shows whole, with its own line before them.
const FAILED_BYTES: usize = 9_900;

/// Reads the hook's JSON and answers, or prints what to paste.
pub fn hook(host: Host, args: &FilterArgs, permission: PermissionArg, print_config: bool) -> ExitCode {
    let (permission, said) = match permission {
        PermissionArg::Ask => (Permission::Ask, ""),
        PermissionArg::Allow => (Permission::Allow, " --permission allow"),
        PermissionArg::None => (Permission::Silent, " --permission none"),
    };
    let flags = args.words();
    if print_config {
        return filter::status(io::stdout().write_all(hook::config(host, &format!("{flags}{said}")).as_bytes()));
    }
    // A failing result over 10,000 characters is cut again by Claude Code, in the middle.
    let fits = args.plain_options().max_bytes.is_some_and(|n| n <= FAILED_BYTES) || !matches!(host, Host::ClaudeCode);
    let failed = (!fits).then_some(FAILED_BYTES);
    // To its end, always: a harness that cannot write all of it takes that for a failure.
    let mut input = Vec::new();
    if Stdin.read_to_end(&mut input).is_err() || args.plain_options().level == Level::Off {
        return ExitCode::from(exit::DONE);
    }
    let mut reduce = |text: &mut dyn Read, hint: &Hint, options: &Options| {
        let mut reducer = Reducer::new(hint, options, args.spill_for(&hint.tool).ok()?);
        let mut text = text;
        reducer.read(&mut text).ok()?;
        Some(reducer.finish(false))
    };
    let mut desk = Desk {
        options: args.plain_options(),
        permission,
        reduce: &mut reduce,
        wrap: &|command| recipe::recipe_for(RecipeShell::Sh, command, &flags, failed),
        is_guest: std::env::var_os("CURSOR_VERSION").is_some(),
        savings: Vec::new(),
    };
    if let Some(answer) = hook::answer(host, &input, &mut desk) {
        // One object and no line end: some read on for a second one.
        let mut stdout = io::stdout().lock();
        let _ = stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush());
        for saving in &desk.savings {
            forms::append(args, "bash", saving.before, saving.after, &saving.strategy);
        }
    }
    ExitCode::from(exit::DONE)
}

/// Reads stdin to its end.
pub fn drain() {
    let _ = io::copy(&mut Stdin, &mut io::sink());
}
