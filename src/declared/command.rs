//! Which tools a command line runs: wrappers are peeled, pipes and joints split.

use super::wrappers::{Wrapper, ANY, WRAPPERS};

/// A tool and its words, as they stand on the command line.
pub type Words = Vec<String>;

/// What is known of a command line.
#[derive(Debug, Default)]
pub struct Runs {
    /// Each tool that may have printed, most deeply wrapped first.
    pub words: Vec<Words>,
    /// Only one tool ran that prints.
    pub sole: bool,
}

/// Commands that print nothing worth a filter.
const SILENT: &[&str] = &[
    "cd", "export", "set", "source", ".", "mkdir", "pushd", "popd", "true", "unset", "rm", "cp", "mv", "touch", "sleep", "umask", "ulimit",
    "alias", "shopt", "trap", "test", "[", "wait", "exit",
];
/// Stages of a pipe that pass lines on.
const PAGERS: &[&str] = &[
    "tail",
    "head",
    "cat",
    "tee",
    "less",
    "more",
    "grep",
    "egrep",
    "fgrep",
    "rg",
    "sed",
    "awk",
    "sort",
    "uniq",
    "cut",
    "tr",
    "ts",
    "column",
    "nl",
    "toolshrink",
];
impl Runs {
    /// Reads a command line.
    pub fn of(command: &str) -> Runs {
        let mut runs = Runs::default();
        let mut printing = 0;
        let mut before = 0;
        for stage in stages(command) {
            let tool = stage.words.first().map(|w| base(w)).unwrap_or_default();
            if stage.words.is_empty() || SILENT.contains(&tool) {
                continue;
            }
            if stage.piped {
                if PAGERS.contains(&tool) {
                    continue;
                }
                // What the stage before printed was this one's input.
                runs.words.truncate(before);
                printing -= i32::from(printing > 0);
            }
            printing += 1;
            before = runs.words.len();
            runs.peel(stage.words, 0);
        }
        runs.sole = printing == 1;
        runs
    }

    /// Notes the words, then what they wrap, more deeply wrapped first.
    fn peel(&mut self, words: Words, depth: usize) {
        let at = self.words.len();
        let inner = (depth < 8).then(|| inner(&words)).flatten();
        self.words.push(words);
        match inner {
            Some(Inner::Words(rest)) if !rest.is_empty() => self.peel_before(at, rest, depth),
            Some(Inner::Line(line)) => {
                for stage in stages(&line) {
                    if !stage.words.is_empty() && !stage.piped {
                        self.peel_before(at, stage.words, depth);
                    }
                }
            }
            _ => {}
        }
    }

    fn peel_before(&mut self, at: usize, words: Words, depth: usize) {
        let outer = self.words.split_off(at);
        self.peel(words, depth + 1);
        self.words.extend(outer);
    }
}

/// A tool's name without path and ending.
pub fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    [".exe", ".cmd", ".bat", ".sh"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
}

/// Do these words begin with the words of `pattern`, flags aside? `*` in a pattern's word
/// stands for any letters.
pub fn names(words: &[String], pattern: &str) -> bool {
    let mut wanted = pattern.split_ascii_whitespace();
    let (Some(tool), Some(first)) = (wanted.next(), words.first()) else { return false };
    if !alike(base(first), tool) {
        return false;
    }
    let mut rest = words[1..].iter();
    'wanted: for want in wanted {
        let mut may_skip = false;
        for word in rest.by_ref() {
            if alike(word, want) {
                continue 'wanted;
            }
            if word.starts_with('-') {
                // A flag, and perhaps its value.
                may_skip = !word.contains('=');
            } else if !std::mem::take(&mut may_skip) {
                return false;
            }
        }
        return false;
    }
    true
}

fn alike(word: &str, want: &str) -> bool {
    match want.split_once('*') {
        None => word == want,
        Some((head, tail)) => word.len() >= head.len() + tail.len() && word.starts_with(head) && word.ends_with(tail),
    }
}

enum Inner {
    Words(Words),
    Line(String),
}

/// What a command wraps, if it is a wrapper.
fn inner(words: &[String]) -> Option<Inner> {
    let first = words.first()?;
    let tool = base(first);
    if is_setting(first) {
        return Some(Inner::Words(words[1..].to_vec()));
    }
    if matches!(tool, "sh" | "bash" | "zsh" | "dash" | "ash" | "ksh" | "fish" | "cmd" | "pwsh" | "powershell") {
        let runs = |w: &String| w.starts_with('-') && w.ends_with('c') || matches!(w.as_str(), "/c" | "/C" | "-Command");
        let at = words.iter().position(runs)?;
        return words.get(at + 1).map(|line| Inner::Line(line.clone()));
    }
    if tool.starts_with("python") || matches!(tool, "py" | "pypy" | "pypy3") {
        let at = words.iter().position(|w| w == "-m")?;
        return Some(Inner::Words(words[at + 1..].to_vec()));
    }
    if matches!(tool, "find" | "fd" | "fdfind") {
        let runs = |w: &String| matches!(w.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec" | "--exec-batch");
        let rest = &words[words.iter().position(runs)? + 1..];
        return Some(Inner::Words(rest.iter().take_while(|w| !matches!(w.as_str(), ";" | "+")).cloned().collect()));
    }
    WRAPPERS.iter().find_map(|wrapper| wrapped(wrapper, words))
}

/// The command that a wrapper runs, if it is this one.
fn wrapped(wrapper: &Wrapper, words: &[String]) -> Option<Inner> {
    let mut head = wrapper.head.split(' ');
    if head.next() != words.first().map(|w| base(w)) {
        return None;
    }
    let mut rest = &words[1..];
    for word in head {
        while let Some(flag) = rest.first().filter(|w| is_flag(w)) {
            rest = rest.get(1 + usize::from(is_among(flag, wrapper.taking))..)?;
        }
        if rest.first()? != word {
            return None;
        }
        rest = &rest[1..];
    }
    let mut own = wrapper.own;
    while let Some(word) = rest.first() {
        if word == "--" {
            rest = &rest[1..];
            break;
        }
        if let Some(value) = word.split_once('=').filter(|(flag, _)| is_flag(word) && is_among(flag, wrapper.line)) {
            return Some(Inner::Line(value.1.to_owned()));
        }
        if is_flag(word) && is_among(word, wrapper.line) {
            return Some(said(&rest[1..]));
        }
        if is_flag(word) {
            rest = rest.get(1 + usize::from(is_among(word, wrapper.taking))..)?;
        } else if own > 0 {
            own -= 1;
            rest = &rest[1..];
        } else {
            break;
        }
    }
    if wrapper.own == ANY && rest.is_empty() {
        return None;
    }
    let mut inner = rest.to_vec();
    if let Some(first) = inner.first_mut() {
        // `eslint@9`, and `test:pytest` of hatch.
        if let Some((name, _)) = first.split_once('@').filter(|(name, _)| !name.is_empty()) {
            *first = name.to_owned();
        } else if let Some((_, name)) = first.split_once(':').filter(|_| wrapper.head == "hatch run") {
            *first = name.to_owned();
        }
    }
    Some(said(&inner))
}

/// A command in words, or as one that a shell reads.
fn said(words: &[String]) -> Inner {
    match words {
        [line] | [line, _] if line.contains(' ') => Inner::Line(line.clone()),
        words => Inner::Words(words.to_vec()),
    }
}

fn is_flag(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// Is the flag one of these, alone or as the last of several letters (`-qc`, `-dp`)?
fn is_among(flag: &str, flags: &str) -> bool {
    let among = |flag: &str| flags.split_ascii_whitespace().any(|f| f == flag);
    let letters = flag.strip_prefix('-').filter(|l| l.len() > 1 && l.bytes().all(|b| b.is_ascii_alphabetic()));
    among(flag)
        || letters.is_some_and(|l| {
            let (first, last) = l.split_at(l.len() - 1);
            among(&format!("-{last}")) && !first.chars().any(|c| among(&format!("-{c}")))
        })
}

/// `RUST_LOG=debug`
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

struct Stage {
    words: Words,
    /// It reads what the stage before prints.
    piped: bool,
}

/// Splits a line at joints and pipes; quotes are taken off, redirections left out.
fn stages(line: &str) -> Vec<Stage> {
    let mut stages = vec![Stage { words: Vec::new(), piped: false }];
    let mut word = String::new();
    let mut open = false;
    let mut quote = None;
    let mut chars = line.chars().peekable();
    let end_word = |word: &mut String, open: &mut bool, stages: &mut Vec<Stage>| {
        let text = std::mem::take(word);
        if let Some(stage) = stages.last_mut().filter(|_| std::mem::take(open)) {
            stage.words.push(text);
        }
    };
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some('"') | None, '\\') => word.extend(chars.next().filter(|n| *n != '\n')),
            (Some(_), c) => word.push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                open = true;
            }
            (None, '>' | '<') => {
                // `2>&1`, `>file`, `> file`
                if !word.bytes().all(|b| b.is_ascii_digit()) {
                    end_word(&mut word, &mut open, &mut stages);
                }
                open = false;
                word.clear();
                while chars.next_if(|n| matches!(n, '>' | '<' | '&' | '|')).is_some() {}
                while chars.next_if(|n| *n == ' ').is_some() {}
                while chars.next_if(|n| !n.is_whitespace() && !matches!(n, ';' | '|' | '&' | '<' | '>')).is_some() {}
            }
            (None, ' ' | '\t') => end_word(&mut word, &mut open, &mut stages),
            (None, '|' | '&' | ';' | '\n' | '(' | ')') => {
                end_word(&mut word, &mut open, &mut stages);
                let doubled = chars.next_if(|n| *n == c || c == '|' && *n == '&') == Some(c);
                stages.push(Stage { words: Vec::new(), piped: c == '|' && !doubled });
            }
            (None, c) => {
                open = true;
                word.push(c);
            }
        }
    }
    end_word(&mut word, &mut open, &mut stages);
    stages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(command: &str) -> String {
        Runs::of(command).words.first().map(|w| w.join(" ")).unwrap_or_default()
    }

    #[test]
    fn wrappers_are_peeled() {
        for command in [
            "helm upgrade x",
            "sudo -E helm upgrade x",
            "env A=1 B=2 helm upgrade x",
            "cd app && KUBECONFIG=/a/b time helm upgrade x 2>&1 | tail -50",
            "timeout 60 helm upgrade x > out.txt 2>&1",
            "npx -y helm upgrade x",
            "pnpm exec helm upgrade x",
            "uv run --with a helm upgrade x",
            "poetry run helm upgrade x",
            "python3 -m helm upgrade x",
            "bundle exec helm upgrade x",
            "docker compose run --rm tools helm upgrade x",
            "bash -lc 'helm upgrade x'",
            "sudo bash -c \"env A=1 helm upgrade x\"",
        ] {
            assert_eq!(first(command), "helm upgrade x", "{command}: {:?}", Runs::of(command));
        }
    }

    #[test]
    fn wrappers_with_flags_and_words_of_their_own_are_peeled() {
        for before in [
            "docker compose -f a.yml run x",
            "docker compose --profile p run --rm -e A=b x",
            "docker compose -p shop -f a.yml -f b.yml exec -T x",
            "docker-compose run --rm --entrypoint '' x",
            "docker run --rm -it -v /a:/b -w /b node:22",
            "docker run -dp 80:80 --name n img",
            "docker --context c exec -u root x",
            "podman run --rm img",
            "kubectl -n shop exec deploy/x -c web --",
            "kubectl exec -it pod/x --",
            "heroku run -a shop",
            "ssh -p 22 -i key dev@example.com",
            "/usr/bin/time -v",
            "time -p",
            "time -f %e",
            "yarn",
            "yarn run",
            "yarn dlx",
            "yarn dlx -q -p x",
            "yarn workspace web",
            "yarn workspaces foreach -A run",
            "pnpm dlx",
            "pnpm --filter web exec",
            "pnpm -r exec",
            "npx -y",
            "npx --yes",
            "npx -p pkg",
            "npx --package=pkg --",
            "npm exec --package=pkg --",
            "bunx --bun",
            "bun x",
            "xargs -n1",
            "xargs -0 -n 1 -P 4",
            "xargs -I {}",
            "nice -n 5",
            "nice -5",
            "ionice -c 3",
            "ionice -c2 -n 7 nice",
            "chrt -b 0",
            "taskset -c 0-3",
            "stdbuf -oL",
            "stdbuf -o L -e L",
            "timeout 5m",
            "timeout -k 5 --signal=KILL 60",
            "nohup",
            "setsid -w",
            "watch -n 5",
            "flock -n /tmp/x",
            "unbuffer",
            "strace -f -o out.txt",
            "uvx",
            "uvx --from pkg",
            "uv run --with a --python 3.12",
            "uv run -m",
            "uv tool run",
            "pipx run --spec pkg",
            "pipx run",
            "hatch run",
            "hatch -e test run",
            "hatch run test:",
            "rye run",
            "pdm run",
            "poetry -C app run",
            "pipenv run",
            "conda run -n env --no-capture-output",
            "coverage run -m",
            "direnv exec .",
            "nix develop -c",
            "nix develop .#shop --command",
            "nix shell nixpkgs#x -c",
            "guix shell x --",
            "mise exec --",
            "mise x node@20 --",
            "asdf exec",
            "rbenv exec bundle exec",
            "rustup run nightly",
            "doas",
            "doas -u dev",
            "sudo -u x -E",
            "sudo -nu x",
            "sudo A=b",
            "su-exec dev",
            "runuser -u dev --",
            "env -i A=b",
            "env -u A -C app",
            "cross-env A=b",
            "dotenv -e .env --",
            "op run --env-file=.env --",
            "aws-vault exec prod --",
            "systemd-run --scope -p MemoryMax=1G",
            "chroot /mnt",
            "find . -name '*.x' -exec",
            "perf stat -e cycles",
        ] {
            let glue = if before.ends_with(':') { "" } else { " " };
            let command = format!("{before}{glue}helm upgrade x");
            assert_eq!(first(&command), "helm upgrade x", "{command}: {:?}", Runs::of(&command));
        }
        for command in [
            "script -qc 'helm upgrade x' /dev/null",
            "script -q -c \"helm upgrade x\" out.txt",
            "script -q /dev/null helm upgrade x",
            "su - dev -c 'helm upgrade x'",
            "ssh dev@example.com 'cd app && helm upgrade x'",
            "watch 'helm upgrade x'",
            "eval \"helm upgrade x\"",
            "npx -c 'helm upgrade x'",
            "nix-shell -p helm --run 'helm upgrade x'",
            "flock /tmp/x -c 'helm upgrade x'",
            "vagrant ssh web -c 'helm upgrade x'",
            "npx helm@3 upgrade x",
            "find . -name a -exec helm upgrade x \\;",
            "find . -print0 | xargs -0 helm upgrade x",
            "sudo docker compose run --rm x bash -lc 'time helm upgrade x'",
        ] {
            assert_eq!(first(command), "helm upgrade x", "{command}: {:?}", Runs::of(command));
        }
    }

    #[test]
    fn joints_and_pipes_are_told_apart() {
        assert!(Runs::of("cd a; terraform plan -no-color 2>&1 | tee plan.txt").sole);
        assert!(!Runs::of("terraform init && terraform plan").sole);
        let runs = Runs::of("kubectl get pods -o json | jq .items");
        assert!(runs.sole && runs.words == [["jq", ".items"]]);
        assert_eq!(Runs::of("").words.len(), 0);
    }

    #[test]
    fn words_match_around_flags() {
        let words = |text: &str| -> Words { text.split(' ').map(str::to_owned).collect() };
        assert!(names(&words("/usr/bin/kubectl -n prod get pods"), "kubectl get"));
        assert!(names(&words("kubectl --context=x get pods"), "kubectl get pods"));
        assert!(!names(&words("kubectl describe get"), "kubectl get"));
        assert!(names(&words("aws ec2 describe-instances"), "aws * describe-*"));
        assert!(!names(&words("helmfile upgrade"), "helm upgrade"));
    }
}
