//! Which tools a command line runs: wrappers are peeled, pipes and joints split.

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
    "alias", "shopt", "trap", "test", "[", "wait", "exit", "eval",
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
/// Words that run the rest of their line.
const WRAPPERS: &[&str] = &[
    "sudo",
    "doas",
    "env",
    "time",
    "nice",
    "ionice",
    "nohup",
    "stdbuf",
    "command",
    "exec",
    "unbuffer",
    "timeout",
    "gtimeout",
    "chronic",
    "caffeinate",
    "setsid",
    "xvfb-run",
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "pipx",
    "cross-env",
    "dotenv",
    "then",
    "do",
    "else",
    "if",
    "while",
    "until",
    "!",
    "{",
    "builtin",
    "strace",
    "catchsegv",
    "systemd-run",
    "taskset",
    "rtk",
    "proxychains",
    "watch",
];
/// Two words that do.
const PAIRS: &[(&str, &str)] = &[
    ("pnpm", "exec"),
    ("pnpm", "dlx"),
    ("npm", "exec"),
    ("npm", "x"),
    ("yarn", "exec"),
    ("yarn", "dlx"),
    ("yarn", "run"),
    ("bun", "x"),
    ("uv", "run"),
    ("poetry", "run"),
    ("pipenv", "run"),
    ("pdm", "run"),
    ("hatch", "run"),
    ("rye", "run"),
    ("conda", "run"),
    ("mamba", "run"),
    ("bundle", "exec"),
    ("mise", "exec"),
    ("mise", "x"),
    ("direnv", "exec"),
    ("nix", "develop"),
    ("nix-shell", "--run"),
    ("python", "-m"),
    ("composer", "exec"),
    ("dotnet", "tool"),
    ("op", "run"),
    ("doppler", "run"),
    ("pipx", "run"),
];
/// Those that run it in a container, after its name.
const CONTAINERS: &[&[&str]] = &[
    &["docker", "compose", "run"],
    &["docker", "compose", "exec"],
    &["docker-compose", "run"],
    &["docker-compose", "exec"],
    &["docker", "run"],
    &["docker", "exec"],
    &["podman", "run"],
    &["podman", "exec"],
    &["kubectl", "exec"],
    &["heroku", "run"],
    &["ssh"],
];
/// Flags of wrappers that take the next word.
const TAKING: &[&str] = &[
    "-u",
    "-n",
    "-c",
    "-C",
    "-k",
    "-s",
    "-p",
    "-g",
    "-w",
    "-e",
    "--with",
    "--from",
    "--package",
    "--user",
    "--env",
    "--directory",
    "-v",
    "--name",
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
    let second = words.get(1).map(String::as_str).unwrap_or_default();
    if is_setting(first) {
        return Some(Inner::Words(words[1..].to_vec()));
    }
    if matches!(tool, "sh" | "bash" | "zsh" | "dash" | "cmd" | "pwsh") {
        let at = words.iter().position(|w| w.starts_with('-') && w.ends_with('c') || w == "/c")?;
        return words.get(at + 1).map(|line| Inner::Line(line.clone()));
    }
    if tool.starts_with("python") || tool == "py" {
        let at = words.iter().position(|w| w == "-m")?;
        return Some(Inner::Words(words[at + 1..].to_vec()));
    }
    if let Some(head) = CONTAINERS.iter().find(|c| c.len() <= words.len() && c.iter().zip(words).all(|(a, b)| *a == base(b))) {
        let rest = after_flags(&words[head.len()..]);
        let rest = rest.get(1..).unwrap_or_default();
        return Some(Inner::Words(rest.iter().skip_while(|w| *w == "--").cloned().collect()));
    }
    if PAIRS.iter().any(|(a, b)| *a == tool && *b == second) {
        return Some(Inner::Words(after_flags(&words[2..]).to_vec()));
    }
    if WRAPPERS.contains(&tool) {
        let mut rest = after_flags(&words[1..]);
        while rest.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit())) {
            rest = &rest[1..];
        }
        return Some(Inner::Words(rest.to_vec()));
    }
    None
}

fn after_flags(mut words: &[String]) -> &[String] {
    while let Some(first) = words.first().filter(|w| w.starts_with('-')) {
        let takes = TAKING.contains(&first.as_str()) && words.len() > 2;
        words = &words[1 + usize::from(takes)..];
        if first == "--" {
            break;
        }
    }
    words
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
