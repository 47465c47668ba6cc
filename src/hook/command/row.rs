//! One row of the tables: which commands it speaks of.
//!
//! ```text
//! git rebase +-i|--interactive
//! docker compose up !-d|--detach
//! redis-cli < @1 =-h|-p
//! ```
//!
//! First the program, then the words that follow it, flags and their values aside. Then:
//! `+a|b` one of these has to follow (`*a` and `a*` for words that end or begin so), `!a|b`
//! none of these may, `=a|b` flags that take the next word, `^` only flags before the next
//! plain word count, `@2` not with two plain words more, `<` not where it is fed, `$` the
//! next word names a script that serves, `$*` any word does.

/// Does a row speak of the command?
pub(super) fn applies(row: &str, name: &str, rest: &[&str], fed: bool) -> bool {
    let mut tokens = row.split_ascii_whitespace();
    if !tokens.next().is_some_and(|programs| programs.split('|').any(|p| p == name)) {
        return false;
    }
    let tokens: Vec<&str> = tokens.collect();
    let takes: Vec<&str> = tokens.iter().filter_map(|t| t.strip_prefix('=')).flat_map(|t| t.split('|')).collect();
    let mut at = 0;
    for word in tokens.iter().filter(|t| !t.starts_with(['+', '!', '=', '^', '@', '<', '$'])) {
        match next(rest, at, &takes, |w| *word == "*" && !w.starts_with('-') || word.split('|').any(|a| a == w)) {
            Some(after) => at = after,
            None => return false,
        }
    }
    let rest = &rest[at..];
    let plain = plain(rest, &takes);
    // What stands behind `--` is another's.
    let own = rest.iter().position(|w| *w == "--").unwrap_or(rest.len());
    let flags = if tokens.contains(&"^") { &rest[..plain.first().copied().unwrap_or(own).min(own)] } else { &rest[..own] };
    tokens.iter().all(|token| match token.split_at(1) {
        ("+", any) => any.split('|').any(|a| flags.iter().any(|w| is_flag(w, a))),
        ("!", none) => !none.split('|').any(|a| flags.iter().any(|w| is_flag(w, a))),
        ("@", most) => most.parse().is_ok_and(|n: usize| plain.len() < n),
        ("<", _) => !fed,
        ("$", "*") => plain.iter().any(|p| serves(rest[*p])),
        ("$", _) => next(rest, 0, &takes, serves).is_some(),
        _ => true,
    })
}

/// Where it goes on after the next plain word, if that is the one. What stands behind a flag
/// may be its value.
fn next(rest: &[&str], at: usize, takes: &[&str], is: impl Fn(&str) -> bool) -> Option<usize> {
    let (mut is_value, mut may_be) = (false, false);
    for (i, word) in rest.iter().enumerate().skip(at) {
        if std::mem::take(&mut is_value) {
            continue;
        }
        if is(word) {
            return Some(i + 1);
        }
        if word.starts_with('-') {
            is_value = takes.contains(word);
            may_be = !is_value && *word != "--" && !word.contains('=');
        } else if !std::mem::take(&mut may_be) {
            return None;
        }
    }
    None
}

/// The plain words' places.
fn plain(rest: &[&str], takes: &[&str]) -> Vec<usize> {
    let mut is_value = false;
    let is_plain = |(i, word): (usize, &&str)| {
        let is_flag = word.starts_with('-');
        let plain = !std::mem::replace(&mut is_value, is_flag && takes.contains(word)) && !is_flag;
        plain.then_some(i)
    };
    rest.iter().enumerate().filter_map(is_plain).collect()
}

/// `-f` in `-f`, `-fn20`, `-uf`; `--follow` in `--follow=true`; other words as they are.
pub(super) fn is_flag(word: &str, flag: &str) -> bool {
    if let Some(tail) = flag.strip_prefix('*') {
        return word.ends_with(tail);
    }
    if let Some(head) = flag.strip_suffix('*') {
        return word.starts_with(head);
    }
    if word == flag {
        return true;
    }
    if !flag.starts_with('-') {
        return false;
    }
    if let Some(value) = word.strip_prefix(flag).and_then(|v| v.strip_prefix('=')) {
        return !matches!(value, "false" | "0" | "no" | "never" | "off");
    }
    let mut letters = flag.chars().skip(1);
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter != '-' && !word.starts_with("--") => {
            let together = word.len() < 6 && word.bytes().skip(1).all(|b| b.is_ascii_alphanumeric());
            word.starts_with(flag) || word.starts_with('-') && together && word.contains(letter)
        }
        _ => false,
    }
}

/// Scripts, targets and tasks that serve or watch, by the words of their name.
pub(super) fn serves(name: &str) -> bool {
    const ENDLESS: &[&str] = &["watch", "watcher", "watching", "live", "livereload", "hot"];
    const ENDING: &[&str] = &[
        "build",
        "test",
        "tests",
        "lint",
        "check",
        "stop",
        "install",
        "clean",
        "deploy",
        "generate",
        "gen",
        "deps",
        "setup",
        "format",
        "fmt",
        "types",
        "typecheck",
        "compile",
        "bundle",
        "docker",
        "image",
        "reset",
        "migrate",
        "seed",
        "publish",
        "release",
        "export",
    ];
    const SERVING: &[&str] = &["start", "dev", "develop", "devel", "serve", "serving", "server", "preview", "storybook", "runserver"];
    let words: Vec<&str> = name.split([':', '-', '_', '.', '/']).collect();
    let has = |list: &[&str]| words.iter().any(|w| list.contains(w));
    !name.starts_with('-') && (has(ENDLESS) || !has(ENDING) && has(SERVING))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(row: &str, command: &str) -> bool {
        let words: Vec<&str> = command.split(' ').collect();
        applies(row, words[0], &words[1..], false)
    }

    #[test]
    fn words_are_found_around_flags() {
        let row = "git|hub commit !-m|--message|--no-edit";
        assert!(is(row, "git commit") && is(row, "git -C dir commit -v") && is(row, "hub commit --amend"));
        assert!(!is(row, "git commit -am x") && !is(row, "git commit --message=x") && !is(row, "git log commit") && !is(row, "git"));
        assert!(is("yarn workspace * $", "yarn workspace web dev") && !is("yarn workspace * $", "yarn workspace web build"));
    }

    #[test]
    fn flags_are_read_as_they_are_written() {
        for command in ["t -f", "t -fn20", "t -n 5 -f", "t -uf x", "t --follow", "t --follow=name"] {
            assert!(is("t +-f|--follow", command), "{command}");
        }
        for command in ["t", "t f", "t -n 5", "t --follow=false", "t --force", "t -profile"] {
            assert!(!is("t +-f|--follow", command), "{command}");
        }
        assert!(is("t +-i ^ =-e", "t -e a -i b") && !is("t +-i ^ =-e", "t -e a b -i"));
        assert!(is("t @2 =-h", "t -h x a") && !is("t @2 =-h", "t -h x a b") && !applies("t <", "t", &[], true));
        assert!(is("g +*bootRun|run", "g clean :app:bootRun") && !is("g +*bootRun|run", "g rerun"));
    }

    #[test]
    fn what_serves_says_so() {
        for name in ["dev", "start:web", "watch", "test:watch", "storybook", "web-serve", "runserver"] {
            assert!(serves(name), "{name}");
        }
        for name in ["build", "build:dev", "test", "build-storybook", "stop", "restart", "lint:watchers", "start-docker", "devices"] {
            assert!(!serves(name), "{name}");
        }
    }
}
