use super::*;
use crate::cuts::{marks, sniffs};

#[test]
fn totals_samples_and_odd_records_stay() {
    let mut text = String::from("{\n \"total\": 12,\n \"items\": [\n");
    for i in 0..12 {
        let state = if i == 9 { "blocked" } else { "open" };
        text += &format!("  {{\"id\": {i}, \"state\": \"{state}\"}},\n");
    }
    text += "  null\n ],\n \"next\": \"c\"\n}";
    assert_eq!(marks(&JSON, &text), "TTTBEEssssssTssTETE");
}

#[test]
fn what_is_json_and_what_is_not() {
    assert!(sniffs(&JSON, "HTTP/1.1 200 OK\n\n{\n  \"a\": [1, 2]\n}") && sniffs(&JSON, "{\"a\":1}\n{\"a\":2}"));
    assert!(!sniffs(&JSON, "[INFO] a\n[INFO] b") && !sniffs(&JSON, "{\n  a: 1\n}") && !sniffs(&JSON, "note\n{\"a\":1}\nb\nc"));
    assert!(!sniffs(&JSON, "{\"level\":30,\"time\":1,\"msg\":\"a\"}\n{\"level\":30,\"time\":2,\"msg\":\"b\"}"));
    assert!(!sniffs(&JSON, "{\"Time\":\"x\",\"Action\":\"run\",\"Package\":\"a\"}"));
}
