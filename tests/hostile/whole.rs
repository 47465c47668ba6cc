//! The whole filter: the budget holds, the account is true, a second pass changes nothing.

use crate::common::{follows, lent, shrunk};
use crate::dice::{fuzz, mutant, Dice};
use toolshrink::declared::Filters;
use toolshrink::{marker, Hint, Level, Options};

#[test]
fn mutants_break_no_promise() {
    fuzz("whole", mutant, |text, dice| check(text, dice, "", &Filters::default()));
}

/// Both levels, under a command and filters of the user's own.
pub fn check(text: &[u8], dice: &mut Dice, command: &str, filters: &Filters) -> Result<(), String> {
    let clean = lent(text);
    let imitates = clean.as_ref().is_none_or(|c| c.split(|b| *b == b'\n').any(marker::is_marked));
    for level in [Level::Conservative, Level::Aggressive] {
        let mut hint = Hint::default();
        hint.tool = (dice.pick(&["", "bash", "grep", "read", "ls"])).to_owned();
        command.clone_into(&mut hint.command);
        hint.exit_code = dice.pick(&[None, Some(0), Some(1)]);
        let max_bytes = dice.pick(&[None, None, Some(100), Some(1_000), Some(20_000)]);
        let options = Options { level, max_bytes, filters: filters.clone(), ..Options::default() };
        let once = shrunk(text, &hint, &options);
        if once.content.len() > options.budget(&hint).bytes || once.content.len() as u64 > once.tally.clean_bytes {
            return Err(format!("{level:?}: {} bytes of {}", once.content.len(), once.tally.clean_bytes));
        }
        if once.stats.kept_bytes + once.stats.omitted_bytes != once.tally.clean_bytes {
            return Err(format!("{level:?}: {:?} of {:?}", once.stats, once.tally));
        }
        if !imitates {
            follows(&once.content, clean.as_deref().unwrap_or_default()).map_err(|e| format!("{level:?} as {}: {e}", once.strategy))?;
        }
        // What stood before two bytes may be gone, and now they are a mark of UTF-16.
        let is_marked = once.content.starts_with(b"\xff\xfe") || once.content.starts_with(b"\xfe\xff");
        if !is_marked && shrunk(&once.content, &hint, &options).content != once.content {
            return Err(format!("{level:?} as {}: the second pass differs", once.strategy));
        }
    }
    Ok(())
}
