//! The way back, signals, and commands that are run.
#![cfg(unix)]

mod common;

use common::{fed, toolshrink};
use sha2::Digest as _;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{symlink, PermissionsExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Far over every budget, and unlike for each seed.
fn big(seed: u32) -> Vec<u8> {
    rows(seed, 6_000)
}

fn rows(seed: u32, count: u32) -> Vec<u8> {
    (0..count).map(|i| format!("row {i} of run {seed}: nothing to see\r\n")).collect::<String>().into_bytes()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn spilling(dir: &Path, level: &str) -> Command {
    toolshrink(&["--tool", "bash", "--level", level, "--spill", dir.to_str().expect("UTF-8")])
}

fn locator(out: &str) -> &str {
    let note = out.lines().last().unwrap_or_default();
    note.split([' ', ',']).find(|w| w.starts_with("spill:")).unwrap_or_else(|| panic!("no locator in {note}"))
}

#[test]
fn an_original_comes_back_exactly() {
    let dir = folder();
    for level in ["conservative", "aggressive"] {
        let out = fed(spilling(dir.path(), level), &big(1));
        let said = text(&out.stdout);
        assert!(out.status.success() && said.len() <= 50_000 && said.ends_with(".txt]\n"), "{said}");
        assert!(said.contains(", 6,000 lines: "), "{said}");
        let shown = fed(toolshrink(&["show", locator(&said), "--spill", dir.path().to_str().expect("UTF-8")]), b"");
        assert!(shown.stdout == big(1));
        let lines = fed(toolshrink(&["show", locator(&said), "--lines", "2-3", "--spill", dir.path().to_str().expect("UTF-8")]), b"");
        assert_eq!(text(&lines.stdout), "row 1 of run 1: nothing to see\r\nrow 2 of run 1: nothing to see\r\n");
        // The note is ours: a second pass leaves it and spills nothing more.
        assert_eq!(text(&fed(spilling(dir.path(), level), &out.stdout).stdout), said);
    }
    assert_eq!(dir.path().read_dir().expect("there").count(), 1);
}

#[test]
fn the_folder_is_private_and_small_texts_leave_nothing() {
    let dir = folder();
    let inner = dir.path().join("a/b");
    fed(spilling(&inner, "aggressive"), b"small\n");
    assert!(!inner.exists());
    fed(spilling(&inner, "aggressive"), &big(2));
    let mode = |p: &Path| p.metadata().expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    assert_eq!(mode(&inner.read_dir().expect("there").next().expect("a file").expect("it").path()), 0o600);
}

#[test]
fn without_a_folder_it_is_the_state_folder() {
    let home = folder();
    let mut command = toolshrink(&["--tool", "bash", "--spill"]);
    command.env("XDG_STATE_HOME", home.path());
    let said = text(&fed(command, &big(3)).stdout);
    let mut show = toolshrink(&["show", locator(&said)]);
    show.env("XDG_STATE_HOME", home.path());
    assert!(fed(show, b"").stdout == big(3));
    let mut homeless = toolshrink(&["--spill"]);
    homeless.env_remove("XDG_STATE_HOME").env_remove("HOME").env_remove("LOCALAPPDATA");
    let out = fed(homeless, b"x");
    assert_eq!((out.status.code(), text(&out.stdout).as_str()), (Some(1), "x"), "nothing is lost");
}

#[test]
fn a_wrong_locator_is_a_clear_error() {
    let dir = folder();
    std::fs::write(dir.path().join("secret.txt"), "secret").expect("written");
    let show = |name: &str| fed(toolshrink(&["show", name, "--spill", dir.path().to_str().expect("UTF-8")]), b"");
    let secret = dir.path().join("secret.txt").display().to_string();
    let note = format!("[full output saved as spill:bash-d63d2aebb643, 3 lines: {secret}]");
    for name in
        ["secret", "../x", "spill:../../etc/passwd", "bash-zzzzzzzzzzzz", "/etc/passwd", "", &secret, &note, "bash-111111111111.txt"]
    {
        let out = show(name);
        assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{name}");
        assert!(text(&out.stderr).contains("is no locator"), "{name}");
    }
    let out = show("spill:bash-000000000000");
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stderr).contains("nothing lies there"));
    symlink(dir.path().join("secret.txt"), dir.path().join("bash-111111111111.txt")).expect("linked");
    std::fs::write(dir.path().join("bash-222222222222.txt"), "secret").expect("written");
    let path = |name: &str| format!("{}/{name}.txt", dir.path().display());
    for name in
        ["bash-111111111111", &path("bash-111111111111"), "bash-222222222222", &path("bash-222222222222"), &path("../bash-222222222222")]
    {
        let out = show(name);
        assert_eq!((out.status.code(), out.stdout.len()), (Some(1), 0), "{name}");
        assert_eq!(text(&out.stderr).lines().count(), 1);
    }
}

/// All that the note prints names the original, from anywhere.
#[test]
fn the_note_is_a_way_back_as_it_is_printed() {
    let dir = folder();
    let said = text(&fed(spilling(dir.path(), "aggressive"), &big(7)).stdout);
    let note = said.lines().last().expect("a note");
    let path = note.rsplit_once(": ").expect("a path").1.trim_end_matches(']');
    for name in [path, note] {
        assert!(fed(toolshrink(&["show", name]), b"").stdout == big(7), "{name}");
    }
    let by_locator = fed(toolshrink(&["show", locator(&said), "--spill", dir.path().to_str().expect("UTF-8")]), b"");
    assert!(by_locator.stdout == big(7));
}

/// A link that lies where the original is to lie is replaced, and what it leads to stays.
#[test]
fn a_link_in_the_way_is_not_followed() {
    let dir = folder();
    let said = text(&fed(spilling(dir.path(), "aggressive"), &big(8)).stdout);
    let path = dir.path().join(format!("{}.txt", locator(&said).trim_start_matches("spill:")));
    let other = dir.path().join("other");
    std::fs::write(&other, "mine").expect("written");
    std::fs::remove_file(&path).and_then(|()| symlink(&other, &path)).expect("linked");
    assert_eq!(text(&fed(spilling(dir.path(), "aggressive"), &big(8)).stdout), said);
    assert!(path.symlink_metadata().expect("there").is_file() && std::fs::read(&other).expect("there") == b"mine");
}

/// The folder goes while the input comes; a file may not grow so large.
#[test]
fn a_fault_on_the_way_costs_no_output() {
    let dir = folder();
    let inner = dir.path().join("spill");
    let mut child = spilling(&inner, "aggressive").spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&rows(9, 20_000)).expect("written");
    while inner.read_dir().map_or(true, |d| d.count() == 0) {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::fs::remove_dir_all(&inner).expect("gone");
    stdin.write_all(&rows(10, 20_000)).expect("written");
    drop(stdin);
    let gone = child.wait_with_output().expect("it ends");
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -f 100; exec \"$0\" --level aggressive --spill \"$1\""]);
    limited.arg(assert_cmd::cargo::cargo_bin("toolshrink")).arg(dir.path());
    limited.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for out in [gone, fed(limited, &rows(11, 20_000))] {
        let said = text(&out.stdout);
        let last = said.lines().last().unwrap_or_default();
        assert!(out.status.success() && last.starts_with("[full output could not be saved"), "{:?}: {last}", out.status);
        assert!(said.starts_with("row 0 of run") && said.contains("row 19999 of run"));
    }
    assert!(dir.path().read_dir().expect("there").next().is_none(), "nothing is left half done");
}

/// Many at once sweep a folder that is too full, and none loses what it has just kept.
#[test]
fn sweeping_at_once_takes_only_what_is_old() {
    let dir = folder();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o700)).expect("ours");
    for i in 0..700 {
        let content = i.to_string();
        let digits: String = sha2::Sha256::digest(&content).iter().take(6).map(|b| format!("{b:02x}")).collect();
        let mut file = std::fs::File::create(dir.path().join(format!("bash-{digits}.txt"))).expect("created");
        file.write_all(content.as_bytes()).expect("written");
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(600 + i)).expect("set");
    }
    std::thread::scope(|s| {
        for thread in 0..8 {
            let dir = dir.path();
            s.spawn(move || {
                for run in 0..8 {
                    let input = rows(1_000 + thread * 100 + run, 700);
                    let said = text(&fed(spilling(dir, "aggressive"), &input).stdout);
                    assert!(fed(toolshrink(&["show", said.lines().last().expect("a note")]), b"").stdout == input);
                }
            });
        }
    });
    assert_eq!(dir.path().read_dir().expect("there").count(), 500);
}

/// No way to save it: the output is complete, cut with more care, and says so.
#[test]
fn a_spill_that_fails_costs_no_output() {
    let dir = folder();
    let link = dir.path().join("link");
    symlink("/etc", &link).expect("linked");
    let file = dir.path().join("file");
    std::fs::write(&file, "").expect("written");
    let careful = text(&fed(toolshrink(&["--tool", "bash"]), &big(4)).stdout).lines().count();
    for place in [link, file.join("below"), file, Path::new("/proc/none").to_owned(), Path::new("/dev/full").to_owned()] {
        let out = fed(spilling(&place, "aggressive"), &big(4));
        let said = text(&out.stdout);
        let last = said.lines().last().unwrap_or_default();
        assert!(out.status.success() && last.starts_with("[full output could not be saved") && last.ends_with(']'), "{place:?}: {last}");
        assert!(said.lines().count() + 5 > careful, "{place:?}: {} lines", said.lines().count());
        assert!(said.len() <= 50_000);
    }
}

#[test]
fn a_thousand_runs_lose_and_mix_nothing() {
    let dir = folder();
    let next = std::sync::atomic::AtomicU32::new(0);
    std::thread::scope(|s| {
        for _ in 0..8 {
            s.spawn(|| loop {
                let run = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if run >= 1_000 {
                    break;
                }
                // Every text is written by several at once, too.
                let input = rows(run / 4, 700);
                let said = text(&fed(spilling(dir.path(), "aggressive"), &input).stdout);
                let path = said.lines().last().and_then(|l| l.rsplit_once(": ")).map(|(_, p)| p.trim_end_matches(']').to_owned());
                let kept = std::fs::read(path.expect("a note")).expect("what the note names is there");
                assert!(kept == input, "run {run}");
            });
        }
    });
    let names: Vec<_> = dir.path().read_dir().expect("there").map(|e| e.expect("it").file_name().into_string().expect("UTF-8")).collect();
    assert!(names.iter().all(|n| n.starts_with("bash-")), "{names:?}");
}

fn signal(child: &Child, name: &str) {
    let done = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill runs");
    assert!(done.success());
}

/// Waits, but not for ever.
fn end(child: &mut Child) -> (ExitStatus, Duration) {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return (status, start.elapsed());
        }
        assert!(start.elapsed() < Duration::from_secs(30), "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_signal_prints_what_there_is() {
    for (name, args) in
        [("-TERM", &["--tool", "bash"][..]), ("-INT", &["--level", "aggressive"]), ("-TERM", &["--is-error"]), ("-HUP", &[])]
    {
        for lines in [3, 900] {
            let mut child = toolshrink(args).spawn().expect("it starts");
            let mut stdin = child.stdin.take().expect("a pipe");
            stdin.write_all(&b"step done\n".repeat(lines)).expect("written");
            std::thread::sleep(Duration::from_millis(300));
            signal(&child, name);
            let (status, took) = end(&mut child);
            let mut said = String::new();
            child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
            // 100 ms, and as much again as a machine may take that is busy with other tests.
            assert!(status.code() == Some(0) && took < Duration::from_secs(2), "{took:?}");
            assert!(said.starts_with("step done\n") && said.ends_with("\n... the input ended early ...\n"), "{said}");
            let again = fed(toolshrink(args), said.as_bytes());
            assert_eq!(text(&again.stdout), said, "a second pass changes nothing");
        }
    }
}

fn run(args: &[&str]) -> Output {
    fed(toolshrink(args), b"from stdin\n")
}

#[test]
fn run_ends_with_the_commands_status() {
    for (script, status) in [("true", 0), ("exit 1", 1), ("exit 2", 2), ("exit 101", 101), ("kill -KILL $$", 137), ("kill -TERM $$", 143)] {
        let out = run(&["run", "--", "sh", "-c", &format!("echo said; {script}")]);
        assert_eq!((out.status.code(), text(&out.stdout).as_str()), (Some(status), "said\n"), "{script}");
    }
    let out = run(&["run", "--", "no-such-command-here"]);
    assert_eq!(out.status.code(), Some(127));
    assert!(text(&out.stderr).contains("cannot run no-such-command-here"));
    assert_eq!(run(&["run", "--", "/etc/passwd"]).status.code(), Some(126));
    assert_eq!(run(&["run"]).status.code(), Some(2));
}

#[test]
fn run_merges_in_order_and_passes_stdin_on() {
    let out = run(&["run", "--", "sh", "-c", "for i in 1 2 3; do echo out $i; echo err $i >&2; done; cat"]);
    assert_eq!(text(&out.stdout), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\nfrom stdin\n");
    assert_eq!(text(&out.stderr), "");
    let out = run(&["run", "--level", "off", "--", "sh", "-c", "printf 'a\\r\\n\\n\\n\\n'; exit 3"]);
    assert_eq!((out.status.code(), text(&out.stdout).as_str()), (Some(3), "a\r\n\n\n\n"));
}

#[test]
fn run_knows_the_status_when_it_cuts() {
    let script = "for i in $(seq 900); do echo \"tick $i\"; done; exit 3";
    let out = run(&["run", "--explain", "--level", "aggressive", "--", "sh", "-c", script]);
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stdout).contains("omitted") && text(&out.stderr).contains("as "));
}

#[test]
fn run_waits_two_seconds_for_who_holds_the_pipe() {
    let start = Instant::now();
    // Who writes later is heard no more, and lives on.
    let folder = tempfile::tempdir().expect("a folder");
    let alive = folder.path().join("alive");
    let script = format!("(sleep 4; echo late; echo x >{}) & echo now", alive.display());
    let out = run(&["run", "--", "sh", "-c", &script]);
    assert_eq!((out.status.code(), text(&out.stdout).as_str()), (Some(0), "now\n... the input ended early ...\n"));
    assert!((Duration::from_secs(1)..Duration::from_secs(20)).contains(&start.elapsed()));
    let out = run(&["run", "--", "sh", "-c", "(sleep 1; echo late) & echo now"]);
    assert_eq!(text(&out.stdout), "now\nlate\n");
    std::thread::sleep(Duration::from_secs(2));
    assert!(alive.exists());
}

#[test]
fn run_hands_signals_on() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["TERM", "INT", "HUP"] {
        let script = format!("trap 'echo caught {name}; exit 7' {name}; echo ready; : > {name}; while :; do sleep 0.1; done");
        let mut child = toolshrink(&["run", "--", "sh", "-c", &script]).current_dir(&dir).spawn().expect("it starts");
        wait_for(&dir.path().join(name));
        signal(&child, &format!("-{name}"));
        let (status, _) = end(&mut child);
        let mut said = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("UTF-8");
        assert_eq!((status.code(), said), (Some(7), format!("ready\ncaught {name}\n... the input ended early ...\n")));
    }
    // One that the command does not catch is its end, and a second one cannot be resisted.
    for (name, script, status) in
        [("one", ": > one; exec sleep 60", 143), ("two", "trap '' TERM; : > two; while :; do sleep 0.1; done", 137)]
    {
        let mut child = toolshrink(&["run", "--", "sh", "-c", script]).current_dir(&dir).spawn().expect("it starts");
        wait_for(&dir.path().join(name));
        signal(&child, "-TERM");
        // Signals that come before the first one was heard are one with it.
        for _ in 0..20 {
            std::thread::sleep(Duration::from_millis(500));
            if child.try_wait().expect("it can be asked").is_some() {
                break;
            }
            signal(&child, "-TERM");
        }
        assert_eq!(end(&mut child).0.code(), Some(status), "{script}");
    }
}

/// Waits until a script has come to the place at which it makes this file.
fn wait_for(file: &Path) {
    let start = Instant::now();
    while !file.exists() {
        assert!(start.elapsed() < Duration::from_secs(30), "{file:?} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The recipes, under the shells that are here; `with` is whether the binary can be found.
#[test]
fn recipes_keep_status_and_text() {
    let bin = assert_cmd::cargo::cargo_bin("toolshrink");
    let path = std::env::var("PATH").unwrap_or_default();
    let found = format!("{}:{path}", bin.parent().expect("a folder").display());
    let cases = [
        ("echo hi", 0),
        ("echo hi; (exit 1)", 1),
        ("echo hi; (exit 2)", 2),
        ("echo hi >&2; (exit 101)", 101),
        ("echo hi; sh -c 'kill -KILL $$'", 137),
        ("echo hi; sh -c 'kill -TERM $$'", 143),
        ("echo hi # a comment", 0),
        ("cat <<END\nhi\nEND", 0),
        ("echo hi; exit 5", 5),
        ("echo 'h'\"i\"; false", 1),
    ];
    for (shell, name) in [("bash", "bash"), ("bash", "sh"), ("dash", "sh"), ("zsh", "zsh"), ("zsh", "sh"), ("fish", "fish")] {
        if Command::new(shell).args(["-c", "true"]).status().is_err() {
            continue;
        }
        for (command, status) in cases {
            let recipe = text(&fed(toolshrink(&["recipe", name, command]), b"").stdout);
            if shell == "fish" && (command.contains("<<") || command.contains("(exit")) {
                continue; // It has neither.
            }
            for path in [&found, &path] {
                let out = Command::new(shell).args(["-c", &recipe]).env("PATH", path).output().expect("the shell runs");
                let both = text(&out.stdout) + &text(&out.stderr);
                let killed = both.lines().filter(|l| *l == "hi").count();
                // A shell that is not ours to end may become its last command, and die as that does.
                let code = out.status.code().or(out.status.signal().map(|s| 128 + s));
                assert_eq!((code, killed), (Some(status), 1), "{shell}: {recipe}{}", text(&out.stderr));
            }
        }
    }
    let moved = text(&fed(toolshrink(&["recipe", "bash", "cd /"]), b"").stdout);
    let out = Command::new("bash").args(["-c", &(moved + "pwd")]).env("PATH", &found).output().expect("bash runs");
    assert_eq!(text(&out.stdout), "/\n");
    // The shell goes on behind a recipe.
    for (shell, name) in [("bash", "bash"), ("zsh", "zsh")] {
        let recipe = text(&fed(toolshrink(&["recipe", name, "echo hi"]), b"").stdout);
        if let Ok(out) = Command::new(shell).args(["-c", &(recipe + "echo on")]).env("PATH", &found).output() {
            assert_eq!(text(&out.stdout), "hi\non\n");
        }
    }
    let moved = text(&fed(toolshrink(&["recipe", "sh", "cd /\npwd"]), b"").stdout);
    let out = Command::new("sh").args(["-c", &moved]).env("PATH", &found).output().expect("sh runs");
    assert_eq!(text(&out.stdout), "/\n");
}

/// What a command can do to the shell that would lose its text.
#[test]
fn the_posix_recipe_loses_no_text() {
    let bin = assert_cmd::cargo::cargo_bin("toolshrink");
    let path = format!("{}:{}", bin.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("lib.sh"), "trap 'rm -f x' EXIT; say() { echo \"$@\"; }").expect("written");
    let all = "1 FAILED\nwarning\n2 done\n";
    let cases: &[(&str, &str, i32)] = &[
        ("sh -c 'echo 1 FAILED; echo warning >/dev/stderr; echo 2 done; exit 1'", all, 1),
        ("sh -c 'echo 1 FAILED; echo warning >>/dev/fd/1; echo 2 done'; exit 3", all, 3),
        ("echo hi; rm -rf \"$TMPDIR\"; false", "hi\n", 1),
        ("PATH=/nowhere; echo hi", "hi\n", 0),
        (". ./lib.sh; say hi; false", "hi\n", 1),
        ("set -x; echo hi 2>/dev/null; { set +x; } 2>/dev/null; exit 4", "+ echo hi\nhi\n", 4),
        ("rm() { echo no; }; echo hi", "hi\n", 0),
        ("sleep 0.2 & wait; echo hi", "hi\n", 0),
        ("echo hi; kill -KILL $$", "hi\n", -9),
        ("echo hi; kill -TERM $$", "hi\n", -15),
        ("(sleep 4; echo late) & echo hi; exit 6", "hi\n... the input ended early ...\n", 6),
    ];
    for shell in ["bash", "dash", "zsh"].into_iter().filter(|s| Command::new(s).args(["-c", ""]).status().is_ok()) {
        for (command, said, status) in cases {
            let tmp = tempfile::tempdir().expect("a folder");
            let recipe = text(&fed(toolshrink(&["recipe", "sh", command]), b"").stdout);
            let mut run = Command::new(shell);
            run.args(["-c", &recipe]).env("PATH", &path).env("TMPDIR", tmp.path()).current_dir(folder.path());
            let out = run.stdin(Stdio::null()).output().expect("the shell runs");
            let ended = out.status.code().unwrap_or_else(|| -out.status.signal().unwrap_or_default());
            let printed = text(&out.stdout).replace("+zsh:6> ", "+ ");
            assert_eq!((printed.as_str(), ended), (*said, *status), "{shell}: {command}");
            assert!(tmp.path().read_dir().map_or(0, |left| left.count()) == 0, "{shell}: {command}");
        }
    }
    if Command::new("zsh").args(["-c", ""]).status().is_ok() {
        let recipe = text(&fed(toolshrink(&["recipe", "sh", "echo hi; echo *.nomatch"]), b"").stdout);
        let out = Command::new("zsh").args(["-c", &recipe]).env("PATH", &path).output().expect("zsh runs");
        assert!(text(&out.stdout).starts_with("hi\nzsh:6: no matches"), "{}", text(&out.stdout));
    }
}
