//! Commands that must not be wrapped: those that talk to a person, that never end, that run
//! on in the background, whose status 1 is a result, or that would undo the wrapping.

/// Programs that talk to a person, or draw the whole screen.
const INTERACTIVE: &[&str] = &[
    "ssh", "sftp", "ftp", "telnet", "mosh", "sudo", "su", "doas", "passwd", "login", "vi", "vim", "nvim", "nano", "emacs", "pico", "ed",
    "micro", "hx", "less", "more", "most", "man", "info", "fzf", "watch", "top", "htop", "btop", "iotop", "nethogs", "tmux", "screen",
    "dialog", "whiptail", "gdb", "lldb", "pdb", "tig", "lazygit", "k9s", "ncdu", "mc", "ranger", "script", "read", "select",
];
/// Programs that wait for input when they are given nothing to do.
const SHELLS: &[&str] = &[
    "python",
    "python3",
    "python2",
    "ipython",
    "node",
    "deno",
    "bun",
    "irb",
    "pry",
    "ghci",
    "lua",
    "php",
    "R",
    "julia",
    "scala",
    "bash",
    "sh",
    "zsh",
    "fish",
    "dash",
    "psql",
    "mysql",
    "sqlite3",
    "redis-cli",
    "mongo",
    "mongosh",
    "bc",
    "swipl",
    "erl",
    "iex",
    "gh-copilot",
];
/// Programs that serve or watch until they are stopped.
const SERVERS: &[&str] = &[
    "nodemon",
    "uvicorn",
    "gunicorn",
    "hypercorn",
    "daphne",
    "puma",
    "unicorn",
    "http-server",
    "live-server",
    "serve",
    "caddy",
    "nginx",
    "browser-sync",
    "entr",
    "watchexec",
    "fswatch",
    "inotifywait",
    "tcpdump",
    "ngrok",
    "redis-server",
    "postgres",
    "mysqld",
    "mongod",
    "ollama",
    "jupyter",
    "storybook",
];
/// Words after a program that make it serve or watch.
const SERVING: &[(&str, &[&str])] = &[
    ("npm", &["start", "dev", "serve", "watch", "preview"]),
    ("yarn", &["start", "dev", "serve", "watch", "preview"]),
    ("pnpm", &["start", "dev", "serve", "watch", "preview"]),
    ("bun", &["start", "dev", "serve", "watch", "preview"]),
    ("next", &["dev", "start"]),
    ("nuxt", &["dev", "start"]),
    ("astro", &["dev", "preview"]),
    ("vite", &["dev", "serve", "preview"]),
    ("ng", &["serve", "s"]),
    ("vue-cli-service", &["serve"]),
    ("webpack", &["serve", "watch"]),
    ("rails", &["server", "s", "console", "c"]),
    ("flask", &["run"]),
    ("django-admin", &["runserver"]),
    ("manage.py", &["runserver", "shell"]),
    ("hugo", &["server", "serve"]),
    ("jekyll", &["serve", "s"]),
    ("mkdocs", &["serve"]),
    ("cargo", &["watch"]),
    ("trunk", &["serve"]),
    ("php", &["-S"]),
    ("minikube", &["tunnel", "dashboard"]),
    ("kubectl", &["port-forward", "proxy", "edit", "attach"]),
    ("docker", &["attach", "events", "stats"]),
    ("podman", &["attach", "events", "stats"]),
];
/// A status of 1 is their answer, not their failure; harnesses know these by name.
const ANSWERS: &[&str] = &["grep", "rg", "egrep", "fgrep", "find", "diff", "test", "["];
/// What would run after, or instead of, the code around the command.
const SHELL_STATE: &[&str] = &["trap", "exec", "disown", "nohup", "setsid", "coproc", "bg", "fg"];
/// Words before the program proper.
const PREFIXES: &[&str] =
    &["env", "command", "builtin", "noglob", "time", "nice", "npx", "bunx", "!", "then", "do", "else", "{", "if", "while"];

/// How two commands are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    Pipe,
    Background,
    Other,
}

/// May the command be put into shell code that keeps its output back until its end?
#[must_use]
pub fn may_be_wrapped(command: &str) -> bool {
    if command.trim().is_empty() || super::is_filtered(command) {
        return false;
    }
    // The wrapping uses these descriptors.
    if [">&3", ">&4", "<&3", "<&4", " 3>", " 4>", " 3<", " 4<"].iter().any(|f| command.contains(f)) {
        return false;
    }
    let Some(commands) = split(command) else { return false };
    commands.iter().all(|(words, join)| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        *join != Join::Background && !is_refused(&words, *join == Join::Pipe)
    })
}

/// The command's words at each place where one can stand; `None` where quotes do not close.
fn split(text: &str) -> Option<Vec<(Vec<String>, Join)>> {
    let mut commands = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                if let Some(next) = chars.next().filter(|n| *n != '\n') {
                    word.get_or_insert_default().push(next);
                }
            }
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        q if q == c => break,
                        '\\' if c == '"' => word.push(chars.next()?),
                        other => word.push(other),
                    }
                }
            }
            '#' if word.is_none() => while chars.next_if(|n| *n != '\n').is_some() {},
            c if c.is_whitespace() && c != '\n' => words.extend(word.take()),
            // `2>&1`, `&>file`
            '&' if last == '>' || last == '<' || chars.peek() == Some(&'>') => word.get_or_insert_default().push(c),
            '\n' | ';' | '&' | '|' | '(' | ')' => {
                words.extend(word.take());
                let join = match c {
                    '|' if chars.next_if_eq(&'|').is_none() => {
                        chars.next_if_eq(&'&');
                        Join::Pipe
                    }
                    '&' if chars.next_if_eq(&'&').is_none() => Join::Background,
                    _ => Join::Other,
                };
                if !words.is_empty() {
                    commands.push((std::mem::take(&mut words), join));
                } else if join == Join::Background {
                    // `( ... ) &`
                    commands.push((vec!["true".into()], join));
                }
            }
            _ => word.get_or_insert_default().push(c),
        }
        last = c;
    }
    words.extend(word);
    if !words.is_empty() {
        commands.push((words, Join::Other));
    }
    Some(commands)
}

/// Is it a command of which one leaves one's hands? `piped`: another reads its output.
fn is_refused(words: &[&str], piped: bool) -> bool {
    let words = program(words);
    let Some((program, rest)) = words.split_first() else { return false };
    let name = program.rsplit('/').next().unwrap_or(program);
    let plain = |w: &&&str| !w.starts_with('-') && !w.contains(['>', '<']);
    let first = rest.iter().find(plain).copied().unwrap_or_default();
    let has = |flags: &[&str]| rest.iter().any(|w| flags.contains(w));
    let letter = |c: char| rest.iter().any(|w| w.starts_with('-') && !w.starts_with("--") && w.len() < 6 && w.contains(c));
    if INTERACTIVE.contains(&name) || SERVERS.contains(&name) || SHELL_STATE.contains(&name) {
        return true;
    }
    if !piped && ANSWERS.contains(&name) {
        return true;
    }
    if SERVING.iter().any(|(p, serving)| *p == name && rest.iter().take(3).any(|w| serving.contains(w))) {
        return true;
    }
    // `tsc -w` but not `wc -w`
    if has(&["--watch", "--watchAll", "--follow", "--interactive"]) || matches!(name, "tsc" | "rollup" | "esbuild") && has(&["-w"]) {
        return true;
    }
    match name {
        _ if SHELLS.contains(&name) => {
            let module = ["http.server", "pdb", "IPython", "flask", "uvicorn"];
            let served = has(&["-m"]) && rest.iter().any(|w| module.contains(w));
            let script = rest.iter().find(plain).is_some_and(|w| w.rsplit('/').next() == Some("manage.py"));
            let serving = script && has(&["runserver", "shell"]);
            served || serving || letter('i') && !name.contains("sql") || !rest.iter().any(|w| !w.contains(['>', '<']))
        }
        "tail" => letter('f') || letter('F'),
        "journalctl" | "dmesg" => letter('f') || letter('w'),
        "git" => {
            // `git -C dir diff`
            let skip = rest.iter().take_while(|w| matches!(**w, "-C" | "-c")).count() * 2;
            let first = rest.iter().skip(skip).find(plain).copied().unwrap_or_default();
            let edits = first == "commit" && !has(&["--no-edit", "--dry-run"]) && !letter('m') && !letter('F') && !letter('C');
            let message = rest.iter().any(|w| w.starts_with("--message") || w.starts_with("--file") || w.starts_with("--fixup"));
            let asks = (matches!(first, "rebase" | "add" | "clean") && letter('i'))
                || matches!(first, "add" | "checkout" | "reset" | "stash" | "restore") && (has(&["-p", "--patch"]));
            let answers = matches!(first, "diff" | "grep") && !piped;
            edits && !message || asks || answers || matches!(first, "mergetool" | "difftool" | "daemon")
        }
        "docker" | "podman" | "kubectl" | "docker-compose" | "nerdctl" | "oc" => container(name, rest, first),
        "az" | "gcloud" | "gh" | "aws" => {
            first == "login" || rest.windows(2).any(|w| w == ["auth", "login"]) || has(&["tail"]) && letter('f')
        }
        "next" | "vite" => first.is_empty() && !has(&["--version", "--help"]),
        "rm" | "cp" | "mv" => letter('i') || letter('I'),
        _ => false,
    }
}

/// Containers: logs that are followed, terminals, services in the foreground. `docker ps -f`
/// is a filter.
fn container(name: &str, rest: &[&str], first: &str) -> bool {
    let compose = name == "docker-compose" || first == "compose";
    let short = |c: char| rest.iter().any(|w| w.starts_with('-') && !w.starts_with("--") && w.len() < 5 && w.contains(c));
    let verb = |v: &str| rest.contains(&v);
    if verb("logs") && (short('f') || verb("--follow=true")) {
        return true;
    }
    if (verb("run") || verb("exec")) && (short('i') || short('t') || verb("--tty")) {
        return true;
    }
    compose && verb("up") && !short('d') && !verb("--detach") && !verb("--no-start") || verb("get") && (short('w') || verb("--watch-only"))
}

/// The words from the program on.
fn program<'a>(words: &'a [&'a str]) -> &'a [&'a str] {
    let mut words = words;
    while let [first, rest @ ..] = words {
        let is_setting = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !name.starts_with(|c: char| c.is_ascii_digit())
        });
        if is_setting || PREFIXES.contains(first) {
            words = rest;
        } else if matches!(*first, "timeout" | "stdbuf" | "xargs" | "ionice") {
            // `timeout 60 make`, `timeout -k 5 60 make`, `stdbuf -oL make`
            let skip = rest.iter().take_while(|w| w.starts_with('-') || w.starts_with(|c: char| c.is_ascii_digit())).count();
            words = &rest[skip..];
        } else if matches!(*first, "uv" | "poetry" | "pipenv" | "hatch" | "bundle") && matches!(rest.first(), Some(&("run" | "exec"))) {
            words = &rest[1..];
        } else {
            break;
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_talks_or_never_ends_is_left_alone() {
        for command in [
            "",
            "  ",
            "ssh host uptime",
            "sudo apt install x",
            "vim a",
            "less a.log",
            "cat a | less",
            "man ls",
            "fzf",
            "watch ls",
            "top",
            "htop",
            "python",
            "python3 -i x.py",
            "node",
            "irb",
            "psql",
            "bash",
            "bash -i",
            "docker run -it image sh",
            "docker exec -ti c sh",
            "kubectl exec -it pod -- sh",
            "git rebase -i HEAD~3",
            "git commit",
            "git commit --amend",
            "git add -p",
            "tail -f log",
            "tail -n 20 -f log",
            "tail -fn20 log",
            "tail -F log",
            "journalctl -f",
            "journalctl -fu ssh",
            "docker logs -f c",
            "podman logs --follow c",
            "kubectl logs -f pod",
            "docker compose logs -f",
            "docker compose up",
            "docker-compose up web",
            "npm start",
            "npm run dev",
            "yarn dev",
            "pnpm run serve",
            "npx next dev",
            "next dev",
            "vite",
            "ng serve",
            "rails s",
            "flask run",
            "uvicorn app:app",
            "python -m http.server 8000",
            "python manage.py runserver",
            "hugo server",
            "cargo watch -x test",
            "nodemon a.js",
            "tsc --watch",
            "tsc -w",
            "jest --watch",
            "kubectl get pods -w",
            "kubectl port-forward svc/a 80",
            "make & sleep 1",
            "server &",
            "nohup make",
            "(make) &",
            "make && npm start",
            "cd web && npm run dev",
            "FOO=1 vim a",
            "env A=1 top",
            "timeout 60 tail -f log",
            "time less a",
            "gh auth login",
            "rm -i a",
            "uv run uvicorn a:b",
            "if true; then vim a; fi",
            "gdb ./a",
        ] {
            assert!(!may_be_wrapped(command), "{command}");
        }
    }

    #[test]
    fn what_answers_by_its_status_is_left_alone() {
        for command in [
            "grep x f",
            "rg x",
            "egrep x f",
            "fgrep x f",
            "find . -name a",
            "diff a b",
            "test -f a",
            "[ -f a ]",
            "git diff",
            "git grep x",
            "cd src && grep x f",
            "cargo test | grep FAILED",
            "/usr/bin/grep x f",
            "git --no-pager diff",
            "git -C dir diff",
            "LC_ALL=C grep x f",
        ] {
            assert!(!may_be_wrapped(command), "{command}");
        }
    }

    #[test]
    fn what_would_undo_the_wrapping_is_left_alone() {
        for command in ["trap 'rm x' EXIT; make", "exec make", "make 3>&1", "make >&4", "make | toolshrink", "echo 'open", "make \""] {
            assert!(!may_be_wrapped(command), "{command}");
        }
    }

    #[test]
    fn all_else_is_wrapped() {
        for command in [
            "cargo test",
            "cargo test 2>&1 | tail -5",
            "npm test",
            "npm run build",
            "npm ci",
            "make -j8 check",
            "git status",
            "git log -p",
            "git commit -m 'x & y'",
            "git commit -am x",
            "git commit --amend --no-edit",
            "git rebase main",
            "python x.py",
            "python -m pytest",
            "python3 -c 'print(1)'",
            "node build.js",
            "bash ./run.sh",
            "sh -c 'make; make test'",
            "docker ps -f status=exited",
            "docker run image make",
            "docker compose up -d",
            "docker build .",
            "docker logs c",
            "kubectl logs pod",
            "kubectl get pods",
            "grep x f | head",
            "find . | wc -l",
            "psql -c 'select 1'",
            "sqlite3 a.db .tables",
            "echo 'vim & top'",
            "echo \"a; less b\"",
            "cat <<END\nhi\nEND",
            "exit 5",
            "tail -n 20 log",
            "wc -w a",
            "vite build",
            "tsc --noEmit",
            "make &> log",
            "make 2>&1 # a & b",
            "cd src && cargo build",
            "cargo test || true",
            "vitest run",
            "sed -i s/a/b/ f",
            "curl -f http://localhost",
            "rm -f a",
        ] {
            assert!(may_be_wrapped(command), "{command}");
        }
    }
}
