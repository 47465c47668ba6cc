//! Writes the index of `src/filters/*.toml`: which filter names which tool, and what their
//! text patterns begin with. A filter that is no TOML or has no test does not build.

#[path = "src/declared/prefix.rs"]
mod prefix;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/declared/prefix.rs");
    println!("cargo::rerun-if-changed=src/filters");
    fix_addresses();
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let folder = Path::new(&root).join("src/filters");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("src/filters is there")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    names.sort();
    let mut code = String::from("static FILTERS: &[(&str, &str)] = &[\n");
    let (mut tools, mut beginnings) = (Vec::new(), Vec::new());
    for (i, name) in names.iter().enumerate() {
        let path = folder.join(format!("{name}.toml"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("src/filters/{name}.toml: {e}"));
        let form: toml::Table = toml::from_str(&text).unwrap_or_else(|e| panic!("src/filters/{name}.toml: {e}"));
        assert!(form.get("test").and_then(toml::Value::as_array).is_some_and(|t| !t.is_empty()), "src/filters/{name}.toml: no [[test]]");
        for command in texts(form.get("command")) {
            let tool = command.split_ascii_whitespace().next().unwrap_or_default();
            tools.push((tool.to_owned(), i));
        }
        for pattern in texts(form.get("match")) {
            let start = prefix::prefix(pattern);
            beginnings
                .push((start.unwrap_or_else(|| panic!("src/filters/{name}.toml: match: '{pattern}' begins with no plain letters")), i));
        }
        let _ = writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string());
    }
    code += "];\n";
    for (name, rows) in [("TOOLS", &mut tools), ("BEGINNINGS", &mut beginnings)] {
        rows.sort();
        rows.dedup();
        let _ = writeln!(code, "/// Sorted.\nstatic {name}: &[(&str, u16)] = &[");
        for (text, i) in rows.iter() {
            let _ = writeln!(code, "    ({text:?}, {i}),");
        }
        code += "];\n";
    }
    let out = Path::new(&env::var("OUT_DIR").expect("cargo names the folder")).join("filters.rs");
    fs::write(out, code).expect("the folder can be written");
}

/// Ten thousand addresses in the binary's tables would be set anew at each start, and the pages
/// that they stand on copied: half of what a start takes beyond `cat`. At fixed places nothing
/// is to be set. What is left of random are the stack, the heap and the libraries; there is no
/// `unsafe` code of ours to be shielded by more.
fn fix_addresses() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|v| v == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

/// A text, or a list of them.
fn texts(value: Option<&toml::Value>) -> Vec<&str> {
    match value {
        Some(toml::Value::String(text)) => vec![text],
        Some(toml::Value::Array(all)) => all.iter().filter_map(toml::Value::as_str).collect(),
        _ => Vec::new(),
    }
}
