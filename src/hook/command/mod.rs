//! Commands that must not be wrapped: those that talk to a person, that never end, that run
//! on in the background, whose status 1 is a result, or that would undo the wrapping; and
//! lines that a shell would not take as a whole, for what stands behind them would join them.

mod row;
mod rows;
mod shell;
#[cfg(test)]
mod tests;

use crate::declared::{base, Runs};
use shell::{Simple, KEYWORDS};

/// Lines within lines that are read: `sh -c "eval '...'"`.
const DEPTH: usize = 8;

/// May the command be put into shell code that keeps its output back until its end?
#[must_use]
pub fn may_be_wrapped(command: &str) -> bool {
    // The wrapping uses these descriptors.
    let is_ours = |c: &str| [">&3", ">&4", "<&3", "<&4", " 3>", " 4>", " 3<", " 4<"].iter().any(|f| c.contains(f));
    !command.contains('\0') && !super::is_filtered(command) && !is_ours(command) && ends(command, true, 0)
}

/// Is it a whole line, all of whose commands end by themselves? `top`: its status is the result.
fn ends(line: &str, top: bool, depth: usize) -> bool {
    let Some(commands) = shell::read(line) else { return false };
    // `while read x; do ...; done < file`
    let fed_loop = commands.iter().any(|c| c.fed && c.words.first().is_some_and(|w| w == "done"));
    depth < DEPTH && !commands.is_empty() && commands.iter().all(|c| !c.background && !is_refused(c, top && !c.inner, fed_loop, depth))
}

/// Is it a command of which one leaves one's hands?
fn is_refused(command: &Simple, top: bool, fed_loop: bool, depth: usize) -> bool {
    let begin = command.words.iter().take_while(|w| KEYWORDS.contains(&w.as_str()) || *w == "-p").count();
    let (keywords, words) = command.words.split_at(begin);
    let is = |any: &[&str]| keywords.iter().any(|k| any.contains(&k.as_str()));
    let settings = words.iter().take_while(|w| is_setting(w)).count();
    let (settings, words) = words.split_at(settings);
    let Some(first) = words.first() else { return false };
    let is_loop = is(&["while", "until"]);
    // It ends with its reader.
    if first == "yes" && command.piped {
        return false;
    }
    if first == "read" || first == "mapfile" || first == "readarray" {
        return !(command.fed || is_loop && fed_loop);
    }
    // Nobody can tell when it ends.
    if is_loop || first == "for" && words.get(1).is_some_and(|w| is_endless(w)) {
        return true;
    }
    let is_asked = is(&["if", "elif"]);
    if first.starts_with('(') {
        return !is_asked && top;
    }
    let answers = top && !command.piped && !is_asked;
    let edits = !settings.iter().chain(words).any(|s| is_no_editor(s.trim_start_matches("core.")));
    candidates(words).into_iter().any(|candidate| match candidate {
        Candidate::Words(words) => is_listed(&words, command.fed, edits) || answers && is_answer(&words),
        Candidate::Line(line) => !ends(&line, false, depth + 1),
    })
}

/// `for ((;;))`, `for ((i = 0;; i++))`
fn is_endless(arithmetic: &str) -> bool {
    arithmetic.starts_with("((") && arithmetic.split(';').nth(1).is_none_or(|c| c.trim().is_empty())
}

/// What a command comes down to.
enum Candidate {
    Words(Vec<String>),
    /// Shell code.
    Line(String),
}

/// The command, and what its wrappers run; up to shell code, which is read as such.
fn candidates(words: &[String]) -> Vec<Candidate> {
    let quoted: Vec<String> = words.iter().map(|w| format!("'{}'", w.replace('\'', "'\\''"))).collect();
    if words[0] == "command" && words.get(1).is_some_and(|w| w == "-v" || w == "-V") {
        return Vec::new();
    }
    let mut layers = vec![words.to_vec()];
    layers.extend(Runs::of(&quoted.join(" ")).words.into_iter().rev().filter(|w| *w != words));
    let mut candidates = Vec::new();
    for mut words in layers {
        // `sudo -n vim`, `xargs -n 1 vim`
        if matches!(name(&words[0]).as_str(), "sudo" | "doas") {
            layers_of(&mut candidates, words.iter().position(|w| w == "-n" || w == "--non-interactive").map(|n| words[n + 1..].to_vec()));
        }
        if matches!(base(&words[0]), "xargs" | "parallel") {
            let from = words.iter().skip(1).position(|w| !w.starts_with('-') && w.parse::<u32>().is_err() && w != "{}");
            layers_of(&mut candidates, from.map(|n| words[n + 1..].to_vec()));
        }
        if words[0] == "eval" {
            candidates.push(Candidate::Line(words.split_off(1).join(" ")));
            break;
        }
        if let Some(line) = shell_code(&words) {
            candidates.push(Candidate::Line(line));
            break;
        }
        layers_of(&mut candidates, script(&words));
        candidates.push(Candidate::Words(words));
    }
    candidates
}

fn layers_of(candidates: &mut Vec<Candidate>, words: Option<Vec<String>>) {
    candidates.extend(words.filter(|w| !w.is_empty()).map(Candidate::Words));
}

/// The code in `bash -lc 'code'`.
fn shell_code(words: &[String]) -> Option<String> {
    if !matches!(name(&words[0]).as_str(), "sh" | "bash" | "zsh" | "dash" | "ksh" | "ash" | "fish") {
        return None;
    }
    let at = words.iter().position(|w| w.starts_with('-') && !w.starts_with("--") && w.ends_with('c'))?;
    let is_asked = words[..=at].iter().any(|w| w.starts_with('-') && !w.starts_with("--") && w.contains('i'));
    (!is_asked).then(|| words.get(at + 1).cloned()).flatten()
}

/// The script that an interpreter runs, as the command that it is: `php artisan serve`.
fn script(words: &[String]) -> Option<Vec<String>> {
    let interpreter = name(&words[0]);
    if !matches!(interpreter.as_str(), "python" | "ruby" | "php" | "node" | "perl" | "bash" | "sh" | "zsh") {
        return None;
    }
    let at = words.iter().skip(1).position(|w| !w.starts_with('-'))? + 1;
    let is_code = words[1..at].iter().any(|w| matches!(w.as_str(), "-c" | "-m" | "-e" | "-r" | "-p"));
    (!is_code).then(|| words[at..].to_vec())
}

/// A program's name: without path and ending, whatever the version of a package or an
/// interpreter.
fn name(word: &str) -> String {
    let word = word.trim_start_matches('\\');
    let word = word.rfind('@').filter(|at| *at > 0).map_or(word, |at| &word[..at]);
    let mut name = base(word);
    // `@angular/cli`
    if let Some((scope, "cli")) = word.strip_prefix('@').and_then(|w| w.split_once('/')) {
        name = scope;
    }
    let plain = if name == "py" { "python" } else { name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') };
    if matches!(plain, "python" | "pypy" | "php" | "ruby" | "lua" | "perl") {
        return plain.to_owned();
    }
    name.to_owned()
}

/// Is it in one of the tables?
fn is_listed(words: &[String], fed: bool, edits: bool) -> bool {
    let program = name(&words[0]);
    let mut rest: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    // `docker container run` is `docker run`.
    if matches!(program.as_str(), "docker" | "podman" | "nerdctl") && rest.first() == Some(&"container") {
        rest.remove(0);
    }
    if let Some(variable) = words[0].strip_prefix('$') {
        // What a command prints may be any program.
        if variable.starts_with("()") {
            return true;
        }
        let has = |what: &[&str]| what.iter().any(|w| variable.contains(w));
        return has(&["EDITOR", "VISUAL", "PAGER", "BROWSER"]) || has(&["SHELL"]) && rest.is_empty();
    }
    if rest.iter().any(|w| matches!(*w, "--version" | "--help")) && rest.len() == 1 {
        return false;
    }
    let flagged = |flag: &&str| rest.iter().any(|w| row::is_flag(w, flag)) && !(*flag == "--follow" && rows::LINKS.contains(&&*program));
    if rows::FLAGS.iter().any(flagged) {
        return true;
    }
    // `git -c core.editor=true commit`
    let edit = "git commit|rebase|merge|cherry-pick|revert|tag|notes !-p|--patch|--interactive";
    if !edits && row::applies(edit, &program, &rest, fed) {
        return false;
    }
    let numbers = rest.iter().filter(|w| w.parse::<f32>().is_ok()).count();
    rows::REPEATING.contains(&&*program) && numbers == 1
        || rows::KINDS.iter().flat_map(|kind| kind.iter()).any(|row| row::applies(row, &program, &rest, fed))
}

/// Is its status 1 an answer?
fn is_answer(words: &[String]) -> bool {
    let program = name(&words[0]);
    let is_own = words[0].contains('/') && !words[0].starts_with('/');
    !is_own && rows::ANSWERS.contains(&&*program)
        || row::applies("git diff|grep", &program, &words[1..].iter().map(String::as_str).collect::<Vec<_>>(), false)
}

/// `RUST_LOG=debug`
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        let name = name.strip_suffix('+').unwrap_or(name);
        !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

/// `GIT_EDITOR=true`, `core.editor=true`: what would open an editor does not.
fn is_no_editor(setting: &str) -> bool {
    let quiet = |editor: &str| matches!(base(editor), "true" | ":" | "cat" | "echo");
    setting.split_once('=').is_some_and(|(name, editor)| {
        (name.ends_with("EDITOR") || name == "VISUAL" || name == "editor") && quiet(editor.split(' ').next().unwrap_or_default())
    })
}
