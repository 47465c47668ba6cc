//! Properties: whatever comes in, and whatever a cut says, the account is true.

mod common;

use common::{cleaned, follows, shrunk, Portions};
use proptest::collection::vec;
use proptest::prelude::*;
use toolshrink::budget::Budget;
use toolshrink::cut::{Rank, Verdict};
use toolshrink::ledger::{Ledger, Place};
use toolshrink::line::Line;
use toolshrink::{marker, shrink, Hint, Level, Options};

/// How many inputs: as many as usual, or as PROPTEST_CASES says.
fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// Text as tools print it and as no tool prints it, in pieces.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "\n",
        "\n\n\n",
        "\r\n",
        "\r",
        "\x1b[K",
        "\x1b[2K",
        "\x1b[1A",
        "\x1b[3B",
        "\x1b[1E",
        "\x1b[12G",
        "\x1b[0m",
        "\x1b[?25l",
        "\x1b]0;t\x07",
        "\x1b]8;;u\x1b\\",
        "\x1b(B",
        "\x1b[2J",
        "\x1b",
        "\x08",
        " ",
        "\t",
        "error: no such file",
        "warning: x",
        "ok",
        "test a ... ok\n",
        "é",
        "日本",
        "running 3 tests\n",
        "Traceback (most recent call last):\n",
        "... 2 lines, 9 bytes omitted ...\n",
        "a/b.rs:1:2: ",
        "{\"a\":1}\n",
        "section_start:1:x\r",
    ]);
    prop_oneof![
        6 => words.prop_map(|w| w.as_bytes().to_vec()),
        2 => vec(any::<u8>(), 0..20),
        2 => "[a-z ]{0,60}\n".prop_map(String::into_bytes),
        1 => (1usize..3_000, any::<u8>()).prop_map(|(n, b)| vec![b; n]),
    ]
}

/// Shown as text when a property fails.
#[derive(Clone)]
struct Text(Vec<u8>);

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

fn input() -> impl Strategy<Value = Text> {
    vec(piece(), 0..200).prop_map(|pieces| Text(pieces.concat()))
}

fn options() -> impl Strategy<Value = Options> {
    let level = prop_oneof![Just(Level::Conservative), Just(Level::Aggressive)];
    (level, prop::option::of(100usize..5_000), prop::option::of(1usize..60), prop::option::of(80usize..500)).prop_map(
        |(level, max_bytes, max_lines, max_line_bytes)| Options { level, max_bytes, max_lines, max_line_bytes, ..Options::default() },
    )
}

fn hint() -> impl Strategy<Value = Hint> {
    (prop::sample::select(vec!["", "bash", "read", "grep"]), prop::option::of(-1i32..3)).prop_map(|(tool, exit_code)| {
        let mut hint = Hint::default();
        hint.tool = tool.into();
        hint.exit_code = exit_code;
        hint
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1_500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_keep_the_promises(input in input(), options in options(), hint in hint(), size in 1usize..50) {
        let input = input.0;
        let once = shrunk(&input, &hint, &options);
        let clean = cleaned(&input);
        let budget = options.budget(&hint);
                prop_assert!(once.content.len() <= budget.bytes, "{} bytes", once.content.len());
        prop_assert!(once.content == clean || once.content.iter().filter(|b| **b == b'\n').count() <= budget.lines);
        prop_assert!(once.content.len() <= clean.len(), "grew from {} to {}", clean.len(), once.content.len());
        let (t, s) = (&once.tally, &once.stats);
        prop_assert_eq!(s.kept_bytes + s.omitted_bytes, t.clean_bytes);
        prop_assert_eq!(s.kept_lines + s.omitted_lines, t.clean_lines);
        // UTF-8 may take more bytes than UTF-16.
        let utf16 = input.starts_with(b"\xff\xfe") || input.starts_with(b"\xfe\xff");
        prop_assert!(utf16 || t.clean_bytes <= t.input_bytes && t.clean_lines <= t.input_lines);
        // Where the input imitates a marker, the reader of this test cannot tell whose it is.
        if !clean.split(|b| *b == b'\n').any(|l| marker::read_gap(l).is_some()) {
            follows(&once.content, &clean).map_err(TestCaseError::fail)?;
        }
        let again = shrunk(&once.content, &hint, &options);
        prop_assert_eq!(String::from_utf8_lossy(&again.content), String::from_utf8_lossy(&once.content), "a second pass");
        let parts = shrink(Portions { rest: &input, size }, &hint, &options).expect("a slice");
        prop_assert_eq!(&parts.content, &once.content, "reads of {}", size);
    }

    #[test]
    fn utf8_stays_utf8(text in "(\\PC|\n|\r){0,400}", options in options()) {
        let reduction = shrunk(text.repeat(8).as_bytes(), &Hint::default(), &options);
        prop_assert!(std::str::from_utf8(&reduction.content).is_ok());
    }

    #[test]
    fn escapes_are_what_another_crate_takes_them_for(text in "[a-z ]{1,30}", colour in 0u8..108) {
        let input = format!("\x1b[{colour}m{text}\x1b[0m\x1b]0;title\x07.");
        prop_assert_eq!(cleaned(input.as_bytes()), strip_ansi_escapes::strip(&input));
    }
}

fn verdict() -> impl Strategy<Value = Verdict> {
    let rank = prop::sample::select(Rank::ALL.to_vec());
    prop_oneof![
        rank.clone().prop_map(Verdict::Keep),
        (rank.clone(), 0u16..6, rank.clone()).prop_map(|(rank, lines, with)| Verdict::KeepWith { rank, lines, with }),
        (rank.clone(), 0usize..90, 0usize..90).prop_map(|(rank, from, to)| Verdict::Around { rank, from, to }),
        (rank, 0usize..5, 0usize..9).prop_map(|(rank, from, to)| Verdict::Fold { rank, from, to }),
        prop::sample::select(vec!["passing tests", "progress"]).prop_map(Verdict::Drop),
        Just(Verdict::Park("context")),
        Just(Verdict::Pass),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(3_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_verdict_breaks_the_account(
        lines in vec((verdict(), "[a-zé]{0,9}|error [a-z]{0,200}"), 1..150),
        options in options(),
        end in 0u16..9,
    ) {
        let budget: Budget = options.budget(&Hint::default());
        let (most, rows) = (budget.bytes, budget.lines);
        let mut ledger = Ledger::new(budget);
        let mut clean = Vec::new();
        for (i, (verdict, text)) in lines.iter().enumerate() {
            clean.extend_from_slice(text.as_bytes());
            clean.push(b'\n');
            ledger.book(&Line::new(text.as_bytes(), i as u64 + 1), *verdict, Place::default());
        }
        ledger.end_cut(end, Rank::Body, 0);
        let mut out = Vec::new();
        let stats = ledger.finish(&mut out, 0);
        prop_assert_eq!(stats.kept_lines + stats.omitted_lines, lines.len() as u64);
        prop_assert_eq!(stats.kept_bytes + stats.omitted_bytes, clean.len() as u64);
        prop_assert!(out.len() <= most && out.iter().filter(|b| **b == b'\n').count() <= rows);
        follows(&out, &clean).map_err(TestCaseError::fail)?;
    }
}
