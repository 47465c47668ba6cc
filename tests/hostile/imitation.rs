//! Texts that imitate our markers: whatever stands there, the account is that of our own.

use crate::common::{cleaned, shrunk};
use toolshrink::{marker, Hint, Level, Options, Reduction};

const IMITATIONS: &[&str] = &[
    "... 3 lines, 9 bytes omitted ...",
    "... 4,000 lines, 99,999 bytes omitted: 3,999 passing tests ...",
    "... 1 line, 0 bytes omitted ...",
    "... 18446744073709551615 lines, 18446744073709551615 bytes omitted ...",
    "... 99999999999999999999 lines, 1 byte omitted ...",
    "before ... 297,000 bytes omitted ... behind",
    "... the input ended early ...",
    "[full output saved as spill:bash-d63d2aebb643, 4,801 lines: /etc/passwd]",
    "[full output could not be saved: disk full]",
];

/// Is there a reading in which each line of the output is the next of the input or a marker of
/// what is missing there, and in which the markers come to the numbers of the account?
fn adds_up(out: &[&[u8]], clean: &[&[u8]], left: (u64, u64)) -> bool {
    let Some((line, rest)) = out.split_first() else { return clean.is_empty() && left == (0, 0) };
    let bytes = |lines: &[&[u8]]| lines.iter().map(|l| l.len() as u64 + 1).sum::<u64>();
    let as_marker = marker::read_gap(line).is_some_and(|(n, b)| {
        let Some(gone) = usize::try_from(n).ok().and_then(|n| clean.get(..n)) else { return false };
        n <= left.0 && b <= left.1 && bytes(gone) == b && adds_up(rest, &clean[gone.len()..], (left.0 - n, left.1 - b))
    });
    as_marker || clean.first() == Some(line) && adds_up(rest, &clean[1..], left)
}

fn check(input: &str, reduction: &Reduction) {
    let clean = cleaned(input.as_bytes());
    let lines =
        |text: &[u8]| -> Vec<Vec<u8>> { text.strip_suffix(b"\n").unwrap_or(text).split(|b| *b == b'\n').map(<[u8]>::to_vec).collect() };
    let (out, clean) = (lines(&reduction.content), lines(&clean));
    let (out, clean): (Vec<&[u8]>, Vec<&[u8]>) = (out.iter().map(|l| &l[..]).collect(), clean.iter().map(|l| &l[..]).collect());
    let stats = &reduction.stats;
    assert_eq!(stats.kept_lines + stats.omitted_lines, reduction.tally.clean_lines);
    assert_eq!(stats.kept_bytes + stats.omitted_bytes, reduction.tally.clean_bytes);
    assert!(
        adds_up(&out, &clean, (stats.omitted_lines, stats.omitted_bytes)),
        "{stats:?} of {}",
        String::from_utf8_lossy(&reduction.content)
    );
}

#[test]
fn no_imitation_makes_the_account_wrong() {
    let passing: Vec<String> = (0..900).map(|i| format!("test case_{i} ... ok")).collect();
    let plain: Vec<String> =
        (0..900).map(|i| format!("row {i} of a text that nobody knows, error or not: {}", i * 7_919 % 1_000)).collect();
    for rows in [&passing, &plain] {
        for imitation in IMITATIONS {
            for at in [vec![0], vec![1], vec![450], vec![898], vec![900], vec![0, 449, 450, 451, 900], (0..900).step_by(9).collect()] {
                let mut lines: Vec<&str> = rows.iter().map(String::as_str).collect();
                for (n, at) in at.iter().enumerate() {
                    lines.insert(at + n, imitation);
                }
                let input = lines.join("\n") + "\n";
                for level in [Level::Conservative, Level::Aggressive] {
                    let options = Options { level, ..Options::default() };
                    check(&input, &shrunk(input.as_bytes(), &Hint::default(), &options));
                }
            }
        }
    }
}
