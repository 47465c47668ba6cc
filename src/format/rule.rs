//! Which commands are safe to put into an envelope, and by which rule.
//!
//! Unsure means no: the text then passes as it is. A command line is read as words between
//! blanks, never as a shell would read it. What writes a file or runs a program besides is
//! refused (see `safe`).

use super::safe;

/// A rule that a command goes by.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule {
    /// `bash.cargo_test`
    pub id: String,
    /// The shapes that its output may have: only of those are facts believed.
    pub shapes: &'static [&'static str],
}

/// What `git status` may be asked for.
const STATUS: [&str; 5] = ["--short", "--porcelain", "--porcelain=v1", "-sb", "--branch"];

const TESTS: &[&str] = &["tests", "build", "stacktrace"];
const BUILD: &[&str] = &["build", "lint"];
const LINT: &[&str] = &["lint"];
const INSTALL: &[&str] = &["install"];
const SEARCH: &[&str] = &["search"];
const TREE: &[&str] = &["tree"];
const DOCKER: &[&str] = &["docker", "csv"];
const SQL: &[&str] = &["sql", "csv"];
const TABLE: &[&str] = &["csv"];
const LOG: &[&str] = &["log"];

/// Words that a command begins with, and the shapes that it prints. The rule is named
/// after the words.
const COMMANDS: &[(&str, &[&str])] = &[
    ("git status", &["gitstatus"]),
    ("git diff", &["diff"]),
    ("git show", &["diff", "gitlog"]),
    ("git log", &["gitlog"]),
    ("git grep", SEARCH),
    ("cargo check", BUILD),
    ("cargo build", BUILD),
    ("cargo clippy", BUILD),
    ("cargo test", TESTS),
    ("cargo nextest", TESTS),
    ("rustc", BUILD),
    ("pytest", TESTS),
    ("unittest", TESTS),
    ("tox", TESTS),
    ("jest", TESTS),
    ("vitest", TESTS),
    ("mocha", TESTS),
    ("ava", TESTS),
    ("playwright test", TESTS),
    ("npm test", TESTS),
    ("yarn test", TESTS),
    ("pnpm test", TESTS),
    ("go test", TESTS),
    ("go build", BUILD),
    ("go vet", BUILD),
    ("ctest", TESTS),
    ("rspec", TESTS),
    ("phpunit", TESTS),
    ("dotnet test", TESTS),
    ("dotnet build", BUILD),
    ("mvn", &["tests", "build"]),
    ("gradle", &["tests", "build"]),
    ("make", BUILD),
    ("cmake", BUILD),
    ("ninja", BUILD),
    ("gcc", BUILD),
    ("g++", BUILD),
    ("cc", BUILD),
    ("clang", BUILD),
    ("clang++", BUILD),
    ("javac", BUILD),
    ("tsc", BUILD),
    ("webpack", BUILD),
    ("vite build", BUILD),
    ("esbuild", BUILD),
    ("eslint", LINT),
    ("ruff", LINT),
    ("mypy", LINT),
    ("pyright", LINT),
    ("flake8", LINT),
    ("pylint", LINT),
    ("biome", LINT),
    ("oxlint", LINT),
    ("shellcheck", LINT),
    ("rubocop", LINT),
    ("golangci-lint", LINT),
    ("prettier", LINT),
    ("npm install", INSTALL),
    ("npm ci", INSTALL),
    ("yarn install", INSTALL),
    ("pnpm install", INSTALL),
    ("pip install", INSTALL),
    ("uv sync", INSTALL),
    ("poetry install", INSTALL),
    ("apt install", INSTALL),
    ("apt-get install", INSTALL),
    ("gem install", INSTALL),
    ("bundle install", INSTALL),
    ("composer install", INSTALL),
    ("brew install", INSTALL),
    ("grep", SEARCH),
    ("rg", SEARCH),
    ("ack", SEARCH),
    ("find", TREE),
    ("ls", TREE),
    ("tree", TREE),
    ("du", TREE),
    ("docker build", DOCKER),
    ("docker compose", DOCKER),
    ("docker pull", DOCKER),
    ("docker push", DOCKER),
    ("docker ps", DOCKER),
    ("docker logs", LOG),
    ("kubectl get", TABLE),
    ("kubectl describe", TABLE),
    ("kubectl logs", LOG),
    ("journalctl", LOG),
    ("jq", &["json"]),
    ("psql", SQL),
    ("mysql", SQL),
    ("sqlite3", SQL),
    ("ansible-playbook", &["repeat"]),
];

/// The rule for what a shell tool ran. `tool` empty counts as a shell.
#[must_use]
pub fn classify(tool: &str, command: &str) -> Option<Rule> {
    if !matches!(tool.to_ascii_lowercase().as_str(), "" | "bash" | "shell" | "sh" | "exec" | "terminal") {
        return None;
    }
    let command = command.trim();
    if command.contains(['\n', '\r', '<', '`']) || command.contains("$(") {
        return None;
    }
    let words: Vec<&str> = command.split_whitespace().filter(|w| !matches!(*w, "2>&1" | "1>&2")).collect();
    // A pipe without blanks around it may stand in quotes: unsure.
    if words.iter().any(|w| w.contains([';', '&', '>']) || w.contains('|') && *w != "|") {
        return None;
    }
    let mut stages = words.split(|w| *w == "|");
    let first = stages.next()?;
    if !stages.all(|stage| safe::words(stage).is_some_and(|words| safe::is_filter(&words))) {
        return None;
    }
    rule(first)
}

fn rule(words: &[&str]) -> Option<Rule> {
    let mut words: Vec<&str> = match words {
        ["python" | "python3", "-m", rest @ ..] | ["npx", rest @ ..] => rest.to_vec(),
        ["git", "--no-pager", rest @ ..] => [&["git"], rest].concat(),
        ["docker-compose", rest @ ..] => [&["docker", "compose"], rest].concat(),
        _ => words.to_vec(),
    };
    if let ["npm", "i" | "t", ..] = words[..] {
        words[1] = if words[1] == "i" { "install" } else { "test" };
    }
    if !safe::words(&words).is_some_and(|words| safe::is_harmless(&words)) {
        return None;
    }
    let (name, shapes) = COMMANDS.iter().find(|(name, _)| {
        let mut begin = name.split(' ').zip(&words);
        begin.all(|(a, b)| a == *b) && words.len() >= name.split(' ').count()
    })?;
    let rest = &words[name.split(' ').count()..];
    let accepted = match *name {
        "git status" => rest.iter().all(|w| STATUS.contains(w)),
        "git log" => rest.contains(&"--oneline"),
        _ => true,
    };
    accepted.then(|| Rule { id: format!("bash.{}", name.replace([' ', '-'], "_")), shapes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(command: &str) -> String {
        classify("bash", command).map_or_else(String::new, |r| r.id)
    }

    #[test]
    fn what_is_safe_has_a_rule() {
        for (command, rule) in [
            ("git status", "bash.git_status"),
            (" git --no-pager status --short --branch ", "bash.git_status"),
            ("git diff HEAD~1 -- src", "bash.git_diff"),
            ("git log --oneline -20", "bash.git_log"),
            ("cargo check --all 2>&1", "bash.cargo_check"),
            ("cargo test 2>&1 | tail -40", "bash.cargo_test"),
            ("cargo test 2>&1 | grep -v ok | sort | uniq | cut -c1-80 | tr a b | head -9", "bash.cargo_test"),
            ("cargo test 1>&2 | sed s/a/b/ | cat | wc -l | rg x", "bash.cargo_test"),
            ("python3 -m pytest -q", "bash.pytest"),
            ("npx tsc --noEmit", "bash.tsc"),
            ("docker-compose up", "bash.docker_compose"),
            ("golangci-lint run", "bash.golangci_lint"),
            ("npm i", "bash.npm_install"),
            ("git log --oneline --grep 'a b'", "bash.git_log"),
            ("find . -name '*.rs' | sort -u | head", "bash.find"),
            ("grep -rn x$ src", "bash.grep"),
            ("cargo test 2>&1 | sed -n '/failures:/,$p' | tail -n +3", "bash.cargo_test"),
        ] {
            assert_eq!(id(command), rule, "{command}");
        }
    }

    #[test]
    fn what_is_unsure_has_none() {
        for command in [
            "",
            "git status -v",
            "git status --porcelain=v2",
            "git log -5",
            "git log --pretty=oneline",
            "git -C dir status",
            "git",
            "cargo",
            "cargo test && git status",
            "cargo test || true",
            "cargo test; echo $?",
            "cargo test &",
            "cargo test > log",
            "cargo test >> log",
            "cargo test 2> log",
            "cargo test &> log",
            "cargo test < in",
            "cargo test $(cat args)",
            "cargo test `cat args`",
            "cargo test\nls",
            "cargo test\r\nls",
            "cargo test | awk 1",
            "cargo test | xargs echo",
            "cargo test | tee log",
            "cargo test | tail -3 | awk 1",
            "cargo test |",
            "| cat",
            "cargo test|cat",
            "cargo test |& tail",
            "grep 'a|b' file",
            "cargo test | sed -i s/a/b/ f",
            "cargo test | sed '1e date'",
            "cargo test | sort -o f",
            "cargo test | uniq - f",
            "cargo test | tail -f",
            "cargo test | tee >(cat)",
            "cargo test >(cat)",
            "cargo test > >(cat)",
            "cargo test $ARGS",
            "cargo test 'open",
            "find . -delete",
            "find . -name x -exec rm {} +",
            "find . -fprint f",
            "find . | sed -n 'w f'",
            "git diff --output=f",
            "git log --oneline --output f",
            "git grep -O x",
            "rg --pre cat x",
            "tree -o f",
            "journalctl --vacuum-time=1s",
            "journalctl -f",
            "kubectl logs -f x",
            "psql -o f -c x",
            "cd x",
            "RUST_LOG=x cargo test",
        ] {
            assert_eq!(id(command), "", "{command}");
        }
        assert_eq!(classify("read", "cargo test"), None);
        assert!(classify("", "cargo test").is_some() && classify("Bash", "cargo test").is_some());
    }
}
