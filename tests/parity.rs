//! Nothing can be forgotten: every shape has its rows and its fixtures.

#[path = "bench/grow.rs"]
mod grow;

use std::collections::BTreeMap;
use std::path::Path;
use toolshrink::{cuts, shrink, Hint, Level, Options};

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// How many fixtures are named after each shape.
fn fixtures() -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for entry in std::fs::read_dir(root).expect("fixtures/") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        let shape = name.split('-').next().unwrap_or_default().to_owned();
        *counts.entry(shape).or_default() += 1;
    }
    counts
}

#[test]
fn every_shape_has_three_fixtures_a_readme_row_and_a_man_row() {
    let (fixtures, readme, man) = (fixtures(), read("README.md"), read("man/toolshrink.1"));
    for name in cuts::names() {
        assert!(fixtures.get(name).copied().unwrap_or_default() >= 3, "fixtures/{name}-*: three or more are needed");
        assert!(readme.contains(&format!("\n| {name} |")), "README.md: no row for {name}");
        assert!(man.lines().any(|l| l.split_whitespace().next() == Some(name)), "man/toolshrink.1: no row for {name}");
    }
}

#[test]
fn every_shape_has_a_bench_that_it_takes() {
    let options = Options { level: Level::Aggressive, ..Options::default() };
    for name in cuts::names().into_iter().filter(|n| *n != "declared") {
        let input = grow::grown(name, 100_000);
        let reduction = shrink(input.as_slice(), &Hint::default(), &options).expect("a slice can be read");
        assert!(input.len() >= 100_000 && reduction.strategy.contains(name), "{name}: taken for {}", reduction.strategy);
    }
    assert!(grow::OTHERS.iter().all(|name| grow::grown(name, 1_000).len() >= 1_000));
}

#[test]
fn dialects_are_told_apart_and_described() {
    let mut seen = Vec::new();
    for shape in cuts::shapes() {
        assert!(!seen.contains(&(shape.name, shape.dialect)), "{}: {} stands twice", shape.name, shape.dialect);
        seen.push((shape.name, shape.dialect));
        assert!(!shape.about.is_empty() && !shape.about.ends_with('.') && shape.about.len() <= 130, "{}: {}", shape.dialect, shape.about);
    }
}

/// First words of fixtures that are of no single shape.
const OTHERS: &[&str] = &["none", "seam", "joined", "ci"];

#[test]
fn every_fixture_is_named_after_its_cut() {
    let names = cuts::names();
    for shape in fixtures().keys() {
        assert!(OTHERS.contains(&shape.as_str()) || names.contains(&shape.as_str()), "fixtures/{shape}-*: there is no such cut");
    }
}

#[test]
fn no_path_of_the_capturing_machine_is_left() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for entry in std::fs::read_dir(root).expect("fixtures/") {
        let folder = entry.expect("an entry").path();
        for file in ["input.txt", "case.json"] {
            let bytes = std::fs::read(folder.join(file)).expect("both files are there");
            let text = String::from_utf8_lossy(&bytes);
            for word in
                [concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("pyp", "i.org"), concat!("npm", "js"), concat!("index.cra", "tes")]
            {
                assert!(!text.contains(word), "{}/{file} holds {word}", folder.display());
            }
        }
    }
}
