use super::*;
use crate::cuts::{marks, sniffs};

#[test]
fn errors_stay_with_what_led_to_them_and_repeats_go() {
    let line = |second: u32, rest: &str| format!("2026-03-04 07:00:{second:02} {rest}\n");
    let text: String = (0..6).map(|i| line(i, "INFO poll 1")).chain((6..13).map(|i| line(i, "ERROR disk 7 is full"))).collect();
    assert_eq!(marks(&LOG, text.trim_end()), "DEssssTTBBBss");
}

#[test]
fn a_kind_that_turns_up_late_is_a_finding() {
    let mut text: String =
        (0..200).map(|i| format!("Mar  4 07:00:00 host sshd[{i}]: Failed password for root from 10.0.0.{i}\n")).collect();
    text += "Mar  4 07:00:00 host sshd[9]: Accepted password for dev from 10.0.0.7";
    assert!(marks(&LOG, &text).ends_with("ssB"));
}

#[test]
fn a_trace_keeps_causes_and_own_frames() {
    let text = "2026-03-04 07:00:00 ERROR x\njava.io.IOException: a\n\tat java.net.A.b(A.java:1)\n\tat java.net.B.c(B.java:1)\n\tat com.example.C.d(C.java:1)\n\t... 18 more\nCaused by: java.lang.Error: b";
    assert_eq!(marks(&LOG, text), "TTBDT.T");
}

#[test]
fn what_is_a_log_and_what_is_not() {
    let log = |line: &str| (0..6).map(|i| format!("{line} {i}\n")).collect::<String>();
    assert!(sniffs(&LOG, &log("2026-03-04T07:00:00Z INFO x")) && sniffs(&LOG, &log("[    1.234567] usb 1-1: x")));
    assert!(!sniffs(&LOG, &log("    \"2026-03-04T07:00:00Z INFO x\",")) && !sniffs(&LOG, &log("At 07:00:00 it rained")));
}

#[test]
fn a_trace_goes_on_behind_its_writer_s_name() {
    let api = "api-1  | {\"level\":\"info\",\"ts\":1,\"msg\":\"request\"}";
    let lines = ["panic: boom", "[signal SIGSEGV: x]", "", "goroutine 34 [running]:", "main.run(0x1)", "\t/src/cmd/queue.go:58 +0x41"];
    let text: Vec<String> = lines.iter().map(|l| format!("{api}\nworker-1  | {l}")).collect();
    let said = marks(&LOG, &format!("{}\n{}", vec![api; 9].join("\n"), text.join("\n")));
    assert!(said.ends_with('T') || said.ends_with('B'), "{said}");
}

#[test]
fn what_is_said_once_stays_where_no_kind_comes_back() {
    let names = ["ember", "harbor", "raven", "onyx", "pixel", "cobalt", "willow"];
    let line = |i: usize| format!("2026-03-04 07:00:00 INFO [pool-{}] {} {} took {i}ms\n", i % 9, names[i % 7], names[i / 7 % 7]);
    let text: String = (0..300).map(line).collect();
    assert!(marks(&LOG, &format!("{text}2026-03-04 07:00:01 INFO [pool-3] switching to read-only mode")).ends_with("sB"));
}
