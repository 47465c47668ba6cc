//! Outputs of several tools in one text: parts, steps, prefixes, and what stays between them.

mod common;

use common::{cleaned, follows, shrunk};
use std::path::Path;
use toolshrink::{Hint, Level, Options, Reduction};

fn input(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name).join("input.txt");
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn cut(input: &[u8], level: Level) -> (String, Reduction) {
    let reduction = shrunk(input, &Hint::default(), &Options { level, ..Options::default() });
    (String::from_utf8_lossy(&reduction.content).into_owned(), reduction)
}

fn aggressive(name: &str) -> (String, Reduction) {
    cut(&input(name), Level::Aggressive)
}

fn shapes(reduction: &Reduction) -> Vec<&'static str> {
    let mut shapes: Vec<_> = reduction.parts.iter().map(|p| p.shape).collect();
    shapes.dedup();
    shapes
}

#[test]
fn each_part_is_cut_as_what_it_is() {
    let (_, reduction) = aggressive("joined-lint-build-test");
    assert_eq!(shapes(&reduction), ["lint", "build", "tests"]);
    let (_, reduction) = aggressive("joined-banners-ruff-mypy-pytest");
    assert_eq!(shapes(&reduction), ["lint", "tests"]);
    let ends: Vec<_> = reduction.parts.iter().map(|p| (p.from, p.to)).collect();
    assert!(ends.windows(2).all(|w| w[0].1 + 1 == w[1].0), "{ends:?}");
    assert_eq!(reduction.strategy, "lint+tests");
}

#[test]
fn what_is_short_and_last_is_still_known() {
    let (text, reduction) = aggressive("joined-tests-then-git");
    assert!(shapes(&reduction).ends_with(&["gitstatus", "gitlog"]), "{:?}", shapes(&reduction));
    assert!(text.contains("Step 45 of the ledger"));
}

#[test]
fn words_to_the_runner_stay_in_their_order() {
    let input = input("ci-actions-inside-a-step");
    let said = |text: &str| text.lines().filter(|l| l.starts_with("::")).map(str::to_owned).collect::<Vec<_>>();
    let want = said(&String::from_utf8_lossy(&input));
    assert!(want.len() >= 9);
    for level in [Level::Conservative, Level::Aggressive] {
        assert_eq!(said(&cut(&input, level).0), want);
    }
}

#[test]
fn steps_that_passed_shrink_to_heading_warnings_and_totals() {
    let (text, _) = aggressive("ci-actions-tests-fail-middle");
    let from = text.find("##[group]Run npx jest test/unit").expect("the heading of a step that passed");
    let step: Vec<_> = text[from..].lines().take_while(|l| !l.contains("##[group]Run pip")).collect();
    assert!(step.len() <= 6 && step.iter().any(|l| l.ends_with("Tests:       240 passed, 240 total")), "{step:#?}");
    assert!(!text.contains("[command]/usr/bin/git"), "the runner's own steps go");
}

#[test]
fn the_failing_step_outranks_the_others_where_little_fits() {
    for (name, fact) in [
        ("ci-actions-tests-fail-middle", "Received: 99.99"),
        ("ci-actions-build-fails-two-jobs", "error TS2322"),
        ("ci-gitlab-pytest-fails", "shop/tax.py:13: TypeError"),
    ] {
        let options = Options { level: Level::Aggressive, max_bytes: Some(2_500), ..Options::default() };
        let text = shrunk(&input(name), &Hint::default(), &options).content;
        assert!(text.len() <= 2_500 && String::from_utf8_lossy(&text).contains(fact), "{name}");
    }
}

#[test]
fn writers_are_told_apart_and_their_names_come_back() {
    let (text, reduction) = aggressive("joined-concurrently-jest-node");
    let dialects: Vec<_> = reduction.parts.iter().map(|p| p.dialect).collect();
    assert!(dialects.contains(&"jest") && dialects.contains(&"node"), "{dialects:?}");
    let named = |l: &&str| l.starts_with("[web] ") || l.starts_with("[api] ") || l.contains(" omitted");
    assert_eq!(text.lines().find(|l| !named(l)), None);
}

#[test]
fn the_account_is_true_with_prefixes_and_a_small_budget() {
    for name in
        ["joined-turbo-three-tasks", "joined-compose-tests-and-db", "ci-gitlab-stamps-cargo-fails", "ci-actions-pytest-fails-last-tabs"]
    {
        let input = input(name);
        let clean = cleaned(&input);
        for max_bytes in [300, 1_000, 4_000, 20_000] {
            let options = Options { level: Level::Aggressive, max_bytes: Some(max_bytes), max_line_bytes: Some(100), ..Options::default() };
            let reduction = shrunk(&input, &Hint::default(), &options);
            let stats = &reduction.stats;
            assert_eq!(stats.kept_bytes + stats.omitted_bytes, clean.len() as u64, "{name} at {max_bytes}");
            assert!(reduction.content.len() <= max_bytes, "{name} at {max_bytes}: {}", reduction.content.len());
            follows(&reduction.content, &clean).unwrap_or_else(|e| panic!("{name} at {max_bytes}: {e}"));
        }
    }
}

#[test]
fn the_same_lines_make_the_same_cut_at_any_step() {
    // A step's lines come in windows: their ends lie elsewhere when the log is longer.
    let log = String::from_utf8(input("ci-actions-cargo-between")).expect("UTF-8");
    let doubled = format!("{log}{}", log.trim_start_matches('\u{feff}'));
    let (text, _) = cut(doubled.as_bytes(), Level::Aggressive);
    assert_eq!(text.matches("##[error]Process completed with exit code 101.").count(), 2);
    assert_eq!(text.matches("panicked at src/parse.rs:19:9:").count(), 2);
}
