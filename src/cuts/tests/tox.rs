//! tox (and nox): several test runs in one output; which environments failed, and how.

use super::pytest;
use crate::cut::{Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;
use Verdict::{Drop, Keep};

/// The row of tox: its own lines, and pytest between them.
pub const SHAPE: Shape = Shape {
    name: "tests",
    dialect: "tox",
    about: "tox: each environment's verdict and its failing tests",
    sniff,
    opens: Opens::colon(opens),
    cut: pytest::SHAPE.cut,
};

/// A command of an environment, or how one ended: a linter's output may stand between.
fn opens(line: &Line<'_>) -> bool {
    if command(line.text).is_some() || line.starts("  evaluation failed :(") {
        return true;
    }
    if !(line.ends(" seconds)") || line.has(" seconds) ")) {
        return false;
    }
    environment(line.text)
        .is_some_and(|(_, rest)| [b"exit ".as_slice(), b"FAIL code ", b"FAIL ", b"OK ("].iter().any(|w| rest.starts_with(w)))
}

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().any(|l| command(l.text).is_some())
}

/// `py312: commands[0]> pytest -q`, `lint: install_deps> python -I -m pip install flake8`
fn command(text: &[u8]) -> Option<&[u8]> {
    let (_, rest) = environment(text)?;
    let is = rest.starts_with(b"commands[") || rest.starts_with(b"commands_pre[") || rest.starts_with(b"commands_post[");
    is.then(|| rest.splitn(2, |b| *b == b'>').nth(1)).flatten()
}

/// `name: rest`, the name being one word.
fn environment(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let text = text.strip_prefix(b"  ").unwrap_or(text);
    let name = text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b',')).count();
    (name > 0).then(|| text[name..].strip_prefix(b": ").map(|rest| (&text[..name], rest))).flatten()
}

/// tox's own lines, wherever they stand.
pub(super) fn line(line: &Line<'_>) -> Option<Verdict> {
    let text = line.text;
    // `  evaluation failed :( (13.42 seconds)`, `  congratulations :) (3.20 seconds)`
    if line.starts("  evaluation failed :(") || line.starts("  congratulations :)") {
        return Some(Keep(Rank::Total));
    }
    if line.starts("nox > ") {
        let bad = line.has(" failed") || line.has(" error");
        return Some(Keep(if bad { Rank::Top } else { Rank::Edge }));
    }
    if !(line.has(": ") && (line.ends(" seconds)") || line.ends(" seconds") || line.has("> ") || line.has(": failed with ")))
        || !line.has(":")
    {
        return None;
    }
    let (_, rest) = environment(text)?;
    if command(text).is_some() {
        return Some(Keep(Rank::Detail));
    }
    // `py311: exit 1 (0.69 seconds) /home/dev/app> pytest -q pid=29262`
    if rest.starts_with(b"exit ") && crate::line::find(rest, b" seconds) ").is_some() {
        return Some(Keep(Rank::Top));
    }
    if rest.starts_with(b"failed with ") || rest.starts_with(b"skipped because ") {
        return Some(Keep(Rank::Top));
    }
    // `  py312: FAIL code 1 (5.25=setup[4.62]+cmd[0.63] seconds)`, `py312: FAIL ✖ in 5.25 seconds`
    if rest.starts_with(b"FAIL ") || rest.starts_with(b"OK ") || rest.starts_with(b"SKIP ") || rest.starts_with(b"IGNORED ") {
        return Some(if line.starts("  ") { Keep(Rank::Total) } else { Keep(Rank::Edge) });
    }
    let chores: [&[u8]; 7] = [
        b"install_deps> ",
        b"install_package",
        b"recreate env because ",
        b"remove tox env ",
        b"create virtual environment",
        b"freeze> ",
        b"_optional_hooks> ",
    ];
    chores.iter().any(|c| rest.starts_with(c)).then_some(Drop("set-up lines"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn environments_and_their_verdicts_stay() {
        let text = "py312: install_deps> pip install x\npy312: commands[0]> pytest -q\n.... [100%]\n4 passed in 0.1s\npy39: failed with no interpreter\n  py312: FAIL code 1 (5.25 seconds)\n  evaluation failed :( (13.42 seconds)";
        assert!(sniffs(&SHAPE, text) && !sniffs(&SHAPE, "a: b> c\nnote: x"));
        assert_eq!(marks(&SHAPE, text), ".Dp!T!!");
    }
}
