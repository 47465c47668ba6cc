//! Declared filters from the command line: named, the user's, the project's; faults; trust.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const FILTER: &str = r#"
about = "the shop's own tool"
command = "shopctl sync"
keep = [{ like = "^total ", rank = "total" }]
drop = [{ like = "^synced item ", noun = "synced items" }]
[[test]]
input = '''
synced item 1
total 9 failed
'''
marks = ".!"
"#;

/// A clean machine: its home, its settings, a project to stand in.
struct Machine {
    root: TempDir,
}

impl Machine {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        for folder in ["home", "config", "project/.toolshrink/filters"] {
            fs::create_dir_all(root.path().join(folder)).expect("a folder");
        }
        Machine { root }
    }

    fn write(&self, path: &str, text: &str) -> String {
        let path = self.root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("written");
        path.display().to_string()
    }

    fn toolshrink(&self, args: &[&str]) -> Command {
        let mut command = Command::cargo_bin("toolshrink").expect("the binary is built");
        for (name, _) in std::env::vars().filter(|(n, _)| n.starts_with("TOOLSHRINK_")) {
            command.env_remove(name);
        }
        command.env("HOME", self.root.path().join("home")).env("XDG_CONFIG_HOME", self.root.path().join("config"));
        command.current_dir(self.root.path().join("project")).args(args);
        command
    }

    /// What becomes of a run of the shop's tool.
    fn shrunk(&self, command: &str, more: &[&str]) -> String {
        let args: Vec<&str> = ["--command", command, "--explain"].iter().chain(more).copied().collect();
        let output = self.toolshrink(&args).write_stdin(run()).assert().success().get_output().clone();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }
}

fn run() -> String {
    let items: String = (0..300).map(|i| format!("synced item {i}\n")).collect();
    format!("{items}error: item 301 has no price\ntotal 300 items\n")
}

fn is_taken(text: &str) -> bool {
    text.contains("300 synced items") && text.contains("declared (") && text.contains("error: item 301 has no price")
}

#[test]
fn a_named_file_is_used_for_the_command_it_names() {
    let machine = Machine::new();
    let file = machine.write("my.toml", FILTER);
    for command in ["shopctl sync", "cd app && sudo -E /usr/bin/shopctl --fast sync 2>&1 | tail -400", "env A=1 shopctl sync"] {
        assert!(is_taken(&machine.shrunk(command, &["--filters", &file])), "{command}");
    }
    for command in ["shopctl list", "othertool sync", ""] {
        assert!(!is_taken(&machine.shrunk(command, &["--filters", &file])), "{command}");
    }
    assert!(!is_taken(&machine.shrunk("shopctl sync", &["--filters", &file, "--disable", "declared"])));
}

#[test]
fn the_users_folder_is_asked_by_the_files_names() {
    let machine = Machine::new();
    machine.write("config/toolshrink/filters/shopctl.toml", FILTER);
    machine.write("config/toolshrink/filters/other.toml", "not a filter at all");
    assert!(is_taken(&machine.shrunk("shopctl sync", &[])));
    let listed = machine.toolshrink(&["filters", "list"]).assert().success().get_output().stdout.clone();
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let row = |name: &str| listed.lines().find(|l| l.starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("shopctl ").contains("user      the shop's own tool (") && row("other ").contains("TOML parse error"), "{listed}");
    let text = machine.shrunk("shopctl sync", &["--level", "aggressive"]);
    assert!(text.contains("total 300 items"), "{text}");
}

#[test]
fn the_text_folder_is_asked_about_every_text() {
    let machine = Machine::new();
    machine.write("config/toolshrink/filters/text/shop.toml", &FILTER.replace("command = \"shopctl sync\"", "match = '^total \\d'"));
    let input = run().replace("synced item 0\n", "synced item 0\ntotal 7 so far\n");
    let output = machine.toolshrink(&["--explain"]).write_stdin(input).assert().success().get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("declared (shop)"), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_projects_file_is_used_only_while_it_is_trusted() {
    let machine = Machine::new();
    let file = machine.write("project/.toolshrink/filters/shopctl.toml", FILTER);
    assert!(!is_taken(&machine.shrunk("shopctl sync", &[])), "never picked up by itself");
    machine.toolshrink(&["filters", "trust", ".toolshrink/filters/shopctl.toml"]).assert().success();
    assert!(is_taken(&machine.shrunk("shopctl sync", &[])));
    let listed = machine.toolshrink(&["filters", "list"]).assert().success().get_output().stdout.clone();
    assert!(String::from_utf8_lossy(&listed).lines().any(|l| l.starts_with("shopctl ") && l.contains("project")));
    fs::write(Path::new(&file), FILTER.replace("'^total", "'^totals")).expect("written");
    fs::write(Path::new(&file), format!("{FILTER}# changed\n")).expect("written");
    assert!(!is_taken(&machine.shrunk("shopctl sync", &[])), "a change ends the trust");
}

#[test]
fn trust_checks_first_and_ends_that_in_older_versions() {
    let machine = Machine::new();
    let path = "project/.toolshrink/filters/shopctl.toml";
    let named = ".toolshrink/filters/shopctl.toml";
    machine.write(path, FILTER);
    machine.toolshrink(&["filters", "trust", named]).assert().success();
    for (text, words) in [
        (FILTER.replace("^synced item ", "^synced (item "), "shopctl.toml: drop[0].like: the pattern '^synced (item ' is wrong"),
        (FILTER.replace("\".!\"", "\".T\""), "test[0].marks: wants .T, is .!"),
        (format!("{FILTER}{}", "# long\n".repeat(200_000)), "it is larger than 1024 KiB"),
    ] {
        machine.write(path, &text);
        let output = machine.toolshrink(&["filters", "trust", named]).assert().code(2).get_output().clone();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words) && said.contains("is not trusted"), "{said}");
        assert!(!is_taken(&machine.shrunk("shopctl sync", &[])));
    }
    machine.write(path, FILTER);
    assert!(is_taken(&machine.shrunk("shopctl sync", &[])), "as it was trusted");
    machine.write(path, &format!("{FILTER}# newer\n"));
    machine.toolshrink(&["filters", "trust", named]).assert().success();
    assert!(is_taken(&machine.shrunk("shopctl sync", &[])));
    machine.write(path, FILTER);
    assert!(!is_taken(&machine.shrunk("shopctl sync", &[])), "the older version is trusted no more");
}

#[test]
fn trust_is_of_a_projects_filters() {
    let machine = Machine::new();
    let file = machine.write("project/shopctl.toml", FILTER);
    let output = machine.toolshrink(&["filters", "trust", &file]).assert().failure().get_output().clone();
    assert!(String::from_utf8_lossy(&output.stderr).contains("lies in no .toolshrink/filters"));
    machine.write("project/.toolshrink/filters/text/shopctl.toml", FILTER);
    machine.toolshrink(&["filters", "trust", ".toolshrink/filters/text/shopctl.toml"]).assert().success();
}

#[test]
fn only_regular_files_of_a_bounded_size_are_read() {
    let machine = Machine::new();
    let large = machine.write("large.toml", &format!("{FILTER}{}", "# long\n".repeat(200_000)));
    let mut paths = vec![(large, "it is larger than 1024 KiB")];
    if cfg!(unix) {
        let pipe = machine.root.path().join("pipe.toml").display().to_string();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success()));
        paths.extend([(pipe, "it is no regular file"), ("/dev/null".to_owned(), "it is no regular file")]);
    }
    for (path, words) in paths {
        for args in [vec!["--filters", &path], vec!["filters", "check", &path], vec!["filters", "trust", &path]] {
            let output =
                machine.toolshrink(&args).write_stdin("x\n").timeout(std::time::Duration::from_secs(20)).output().expect("it ends");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(!output.status.success() && said.contains(&path) && said.contains(words), "{args:?}: {said}");
        }
    }
}

#[test]
fn what_failed_survives_among_lines_that_a_filter_keeps() {
    let machine = Machine::new();
    for rule in ["keep = [{ like = '^row', rank = 'edge' }, { like = '.' }]", "fold = [{ like = '^(.)' }]"] {
        let file = machine.write("rows.toml", &format!("about = 'rows'\ncommand = 'rows'\n{rule}\n"));
        let rows =
            |from: usize| (from..from + 150).map(|i| format!("row {i} of a list that is long enough to be cut\n")).collect::<String>();
        let input = format!("{}Error: no unit named shop.service\n{}", rows(0), rows(150));
        let args = ["--filters", &file, "--command", "rows", "--level", "aggressive", "--exit-code", "1"];
        let output = machine.toolshrink(&args).write_stdin(input).assert().success().get_output().stdout.clone();
        assert!(String::from_utf8_lossy(&output).contains("Error: no unit named shop.service"), "{rule}");
    }
}

#[test]
fn a_bad_file_is_an_error_and_the_text_is_not_lost() {
    let machine = Machine::new();
    for (text, words) in [
        (FILTER.replace("^synced item ", "^synced (item "), "drop[0].like: the pattern '^synced (item ' is wrong: unclosed group"),
        (FILTER.replace("drop =", "dorp ="), "dorp"),
        (FILTER.replace("command = \"shopctl sync\"", ""), "command: it is never asked"),
        (FILTER.replace("\"total\" }", "\"highest\" }"), "highest"),
    ] {
        let file = machine.write("bad.toml", &text);
        let output = machine.toolshrink(&["--filters", &file]).write_stdin("one\ntwo\n").assert().code(2).get_output().clone();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("bad.toml") && said.contains(words), "{said}");
        assert_eq!(output.stdout, b"one\ntwo\n");
    }
    machine.toolshrink(&["--filters", "no/such.toml"]).write_stdin("x\n").assert().code(2).stdout("x\n");
}

#[test]
fn check_runs_the_tests_and_names_what_is_wrong() {
    let machine = Machine::new();
    let good = machine.write("good/shop.toml", FILTER);
    machine.toolshrink(&["filters", "check", &good]).assert().success().stdout("1 filters, 1 tests, 0 filters with faults\n");
    machine.write("good/bad.toml", &FILTER.replace("\".!\"", "\".T\""));
    machine.write("good/none.toml", FILTER.split("[[test]]").next().expect("a part"));
    let folder = machine.root.path().join("good").display().to_string();
    let output = machine.toolshrink(&["filters", "check", &folder]).assert().code(1).get_output().clone();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("test[0].marks: wants .T, is .!") && said.contains("total 9 failed"), "{said}");
    assert!(said.contains("none.toml: test: it has none"), "{said}");
    let misnamed = machine.write("config/toolshrink/filters/shop.toml", FILTER);
    machine.toolshrink(&["filters", "check", &misnamed]).assert().code(1);
}

#[test]
fn the_built_in_ones_are_listed_shown_and_checked() {
    let machine = Machine::new();
    machine.toolshrink(&["filters", "check"]).assert().success();
    let listed = machine.toolshrink(&["filters", "list"]).assert().success().get_output().stdout.clone();
    assert!(listed.iter().filter(|b| **b == b'\n').count() >= 90);
    let shown = machine.toolshrink(&["filters", "show", "helm"]).assert().success().get_output().stdout.clone();
    let file = machine.write("helm.toml", &String::from_utf8(shown).expect("UTF-8"));
    machine.toolshrink(&["filters", "check", &file]).assert().success();
    machine.toolshrink(&["filters", "show", "nosuch"]).assert().code(2);
}

#[test]
fn a_filter_of_ones_own_outranks_the_cuts_for_its_command_only() {
    let machine = Machine::new();
    let own = FILTER.replace("shopctl sync", "cargo test").replace("^synced item ", "^test .* ok$").replace("synced items", "short tests");
    let file = machine.write("own.toml", &own);
    let tests: String = (0..200).map(|i| format!("test case_{i} ... ok\n")).collect();
    let input = format!(
        "running 200 tests\n{tests}\ntest result: ok. 200 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.05s\n"
    );
    for (command, taken) in [("cargo test", true), ("make check", false)] {
        let output = machine.toolshrink(&["--command", command, "--filters", &file]).write_stdin(input.clone()).assert().success();
        let text = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
        assert_eq!(text.contains("200 short tests"), taken, "{command}: {text}");
    }
}

#[test]
fn the_example_of_the_readme_passes_its_tests() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).expect("README.md");
    let example = readme.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let machine = Machine::new();
    let file = machine.write("shopctl.toml", example);
    machine.toolshrink(&["filters", "check", &file]).assert().success();
}
