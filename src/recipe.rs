//! Shell code that runs a command through toolshrink and keeps its status.
//!
//! The line break before a closing brace is needed: a comment or a here-document at the
//! command's end would swallow the brace. Where toolshrink is missing or cannot be run the text
//! passes whole; with status 1 and 2 it has written what there is itself. The variables have
//! names that no command uses: a loop over `$f` would have its last file shown, and removed.

use crate::cli::RecipeShell;

/// The recipe for a shell, around `command`; `flags` are further ones of the filter.
pub fn recipe(shell: RecipeShell, command: &str, flags: &str) -> String {
    recipe_for(shell, command, flags, None)
}

/// The same; `failed` is the budget for a command that fails, where the recipe knows that.
pub fn recipe_for(shell: RecipeShell, command: &str, flags: &str, failed: Option<usize>) -> String {
    let quoted = quote(command);
    let filter = format!("{{ command -v toolshrink >/dev/null && exec toolshrink --tool bash{flags} --command {quoted}; exec cat; }}");
    match shell {
        RecipeShell::Bash => format!("{{ {command}\n}} > >({filter}) 2>&1; toolshrink_s=$?; wait $!; (exit $toolshrink_s)\n"),
        RecipeShell::Sh if cfg!(unix) => pipes(command, flags, failed),
        RecipeShell::Sh => file(command, flags, failed),
        // The last of a pipeline is the shell itself there, and would be replaced by the filter.
        RecipeShell::Zsh => format!("setopt pipefail; {{ {command}\n}} 2>&1 | ({filter})\n"),
        RecipeShell::Fish => {
            let quoted = command.replace('\\', "\\\\").replace('\'', "\\'");
            let filter =
                format!("begin; if command -q toolshrink; toolshrink --tool bash{flags} --command '{quoted}'; else; cat; end; end");
            // In a shell of its own: an exit in a block would end this one before its text is out.
            format!("fish -c '{quoted}' 2>&1 | {filter}; exit $pipestatus[1]\n")
        }
    }
}

/// Three named pipes, gone again as soon as both sides hold them: the output, the status, and
/// the word that all is written. A file would not do: who opens `/dev/stderr` by its name starts
/// it anew. The filter is nobody's child, so that a `wait` of the command does not wait for it.
/// What stands in the trap are the shell's own commands: the command may have spoilt `PATH`.
fn pipes(command: &str, flags: &str, failed: Option<usize>) -> String {
    let failed = failed.map_or(String::new(), |n| format!(" --failed-max-bytes {n}"));
    let quoted = quote(command);
    format!(
        "if toolshrink --version >/dev/null 2>&1 && toolshrink_d=$(mktemp -d 2>/dev/null); then \
         if mkfifo \"$toolshrink_d/o\" \"$toolshrink_d/s\" \"$toolshrink_d/e\" 2>/dev/null; then\n\
         (toolshrink --shell \"$$\"{failed} --tool bash{flags} --command {quoted} \
         <\"$toolshrink_d/o\" 3<\"$toolshrink_d/s\" 4>\"$toolshrink_d/e\" 2>/dev/null &)\n\
         exec >\"$toolshrink_d/o\" 2>&1 3>\"$toolshrink_d/s\" 4<\"$toolshrink_d/e\"\n\
         trap '{{ toolshrink_s=$?; set +xv; trap \"\" PIPE; }} 2>/dev/null; printf \"%s\\n\" \"$toolshrink_s\" >&3; exec >/dev/null 2>&1 3>&1; \
         read -r toolshrink_e <&4 || :; exit \"$toolshrink_s\"' EXIT\n\
         fi; command rm -rf \"$toolshrink_d\"; fi\n{command}\n"
    )
}

/// Where there are no named pipes: a file, read at the end.
fn file(command: &str, flags: &str, failed: Option<usize>) -> String {
    let chosen = failed.map_or(String::new(), |n| format!("set --; [ \"$toolshrink_s\" = 0 ] || set -- --max-bytes {n}; "));
    format!(
        "if toolshrink_f=$(mktemp 2>/dev/null); then exec 3>&1 4>&2 >\"$toolshrink_f\" 2>&1\n\
         trap 'toolshrink_s=$?; exec >&3 2>&4; {chosen}toolshrink --tool bash{} --exit-code \"$toolshrink_s\" --command {}{} <\"$toolshrink_f\" 2>/dev/null || [ $? -le 2 ] || cat \"$toolshrink_f\"; \
         rm -f \"$toolshrink_f\"; exit \"$toolshrink_s\"' EXIT; fi\n{command}\n",
        inner(flags),
        inner(&quote(command)),
        if failed.is_some() { " \"$@\"" } else { "" }
    )
}

/// The text as it stands within single quotes.
fn inner(text: &str) -> String {
    text.replace('\'', "'\\''")
}

/// Single quotes, for a POSIX shell.
pub fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A word as it is where no shell would read it differently, else in quotes.
pub fn quote_if_needed(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=+@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        quote(word)
    }
}
