use super::*;
use crate::cuts::{marks, sniffs};

const HEAD: &str = "diff --git a/x.c b/x.c\nindex 1..2 100644\n--- a/x.c\n+++ b/x.c\n";

#[test]
fn changes_stay_with_a_line_of_context() {
    let text = format!("{HEAD}@@ -1,6 +1,6 @@ f\n a\n b\n-c\n+d\n e\n f\n g\ndone");
    assert!(sniffs(&SHAPE, &text));
    assert_eq!(marks(&SHAPE, &text), "+EEEBEETTDEE?");
}

#[test]
fn a_removed_comment_is_no_head() {
    assert_eq!(marks(&SHAPE, &format!("{HEAD}@@ -1,2 +1,2 @@\n--- old\n+++ new\n x\n--- a/y\n+++ b/y")), "+EEEBTTDD+");
}

#[test]
fn a_diff_of_a_diff_is_one_hunk() {
    let text = format!("{HEAD}@@ -0,0 +1,3 @@\n+diff --git a/l.c b/l.c\n+--- a/l.c\n+@@ -1 +1 @@\nnext");
    assert_eq!(marks(&SHAPE, &text), "+EEEBTTT?");
}

#[test]
fn files_without_a_hunk_stay() {
    let text =
        "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\ndiff --git a/s b/s\nold mode 100644\nnew mode 100755\n\
                diff --git a/p b/p\nindex 1..2\nBinary files a/p and b/p differ\nSubmodule v 1..2:\n  > x";
    assert!(sniffs(&SHAPE, text));
    assert_eq!(marks(&SHAPE, text), "+EEE+TT+ETTT");
}

#[test]
fn lock_files_give_way() {
    let text = "diff --git a/yarn.lock b/yarn.lock\n--- a/yarn.lock\n+++ b/yarn.lock\n@@ -1,3 +1,3 @@\n-a\n+b\n-cc\n+dd\n e";
    assert_eq!(marks(&SHAPE, text), "+EEEDDEEE");
}

#[test]
fn what_quotes_a_diff_is_none() {
    assert!(!sniffs(&SHAPE, "# Notes\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\nAnd so on."));
    assert!(!sniffs(&SHAPE, "let s = \"\ndiff --git a/x b/x\n\";\nfn main() {\n  a();\n  b();\n  c();\n}\n"));
    assert!(!sniffs(&SHAPE, "--- expected\n+++ actual\nassert x\n"));
}

#[test]
fn a_test_verdict_after_a_diff_is_not_its() {
    assert_eq!(marks(&SHAPE, &format!("{HEAD}@@ -1 +1 @@\n-a\n+b\n--- FAIL: TestX (0.0s)\nok")), "+EEEBTT??");
}

#[test]
fn words_change_inside_lines() {
    let text = format!("{HEAD}@@ -1,3 +1,3 @@\nint a;\nint [-b-]{{+c+}};\n{{+int d;+}}\nint e;\nmore");
    assert!(sniffs(&SHAPE, &text));
    assert_eq!(marks(&SHAPE, &text), "+EEEBETTD?");
}

#[test]
fn a_plain_diff_and_its_lists() {
    let text = "diff -r a/x b/x\n5c5\n< old\n---\n> new\nOnly in b: z\nBinary files a/p and b/p differ";
    assert!(sniffs(&SHAPE, text));
    assert_eq!(marks(&SHAPE, text), "+BTDTTT");
}

#[test]
fn a_mail_keeps_its_subject() {
    let text = format!(
        "From f3beede3a3d9b952ccb350479138f8eb9e00529a Mon Sep 17 00:00:00 2001\nFrom: D <d@e>\nDate: x\nSubject: [PATCH] a\n b\n\nwhy\n---\n x.c | 2 +-\n \
         1 file changed\n\n{HEAD}@@ -1 +1 @@\n-a\n+b\n-- \n2.47.3\n"
    );
    assert!(sniffs(&SHAPE, &text));
    assert_eq!(marks(&SHAPE, &text), "DDETTEDEDBE+EEEBTTEEE");
}
