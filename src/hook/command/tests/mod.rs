//! The tables, by kind: what is left alone, and what stands next to it and is not.

mod asks;
mod lasts;
mod lines;
mod wrapped;

use super::may_be_wrapped;
use asks::{TALKS, WAITS};
use lasts::{FOLLOWS, SERVES};
use lines::{ANSWERS, SHELL};
use wrapped::WRAPPED;

fn check(expected: bool, commands: &[&str]) {
    let wrong: Vec<_> = commands.iter().filter(|c| may_be_wrapped(c) != expected).collect();
    assert!(wrong.is_empty(), "not {expected}: {wrong:#?}");
}

#[test]
fn what_talks_is_left_alone() {
    check(false, TALKS);
}

#[test]
fn what_waits_for_input_is_left_alone() {
    check(false, WAITS);
}

#[test]
fn what_follows_is_left_alone() {
    check(false, FOLLOWS);
}

#[test]
fn what_serves_is_left_alone() {
    check(false, SERVES);
}

#[test]
fn what_answers_by_its_status_is_left_alone() {
    check(false, ANSWERS);
}

#[test]
fn what_a_shell_reads_otherwise_is_left_alone() {
    check(false, SHELL);
}

#[test]
fn all_else_is_wrapped() {
    check(true, WRAPPED);
}

#[test]
fn the_tables_are_long() {
    let left = [TALKS, WAITS, FOLLOWS, SERVES, ANSWERS, SHELL].concat();
    let once: std::collections::BTreeSet<_> = left.iter().chain(WRAPPED).collect();
    assert_eq!(once.len(), left.len() + WRAPPED.len(), "one stands there twice");
    assert!(left.len() >= 150 && WRAPPED.len() >= 80, "{} {}", left.len(), WRAPPED.len());
}
