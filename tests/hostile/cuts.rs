//! Every cut on lines that it never asked for, its verdicts booked: nothing panics, what is
//! kept are lines of the input in their order, the markers count the rest, the budget holds.

use crate::common::{follows, lent as lent_text};
use crate::dice::{fuzz, mutant, Dice};
use toolshrink::cut::Shape;
use toolshrink::ledger::{Ledger, Place};
use toolshrink::line::{Hole, Line};
use toolshrink::{cuts, each_line, marker, Hint, Level, Options};

/// Cuts that a mutant is given to, besides those that would take it.
const EACH: usize = 10;

/// A line as it is lent.
struct Lent {
    text: Vec<u8>,
    hole: Option<Hole>,
    ended: bool,
}

#[test]
fn no_line_breaks_a_cut() {
    let shapes: Vec<_> = cuts::shapes().chain([&cuts::size::SHAPE]).collect();
    fuzz("cuts", mutant, |text, dice| {
        let mut lent = Vec::new();
        let tally =
            each_line(text, |l| lent.push(Lent { text: l.text.to_vec(), hole: l.hole, ended: l.ended })).map_err(|e| e.to_string())?;
        let clean = lent_text(text);
        let lines: Vec<_> = lent.iter().zip(1..).map(line).collect();
        let hint = Hint::default();
        let window = &lines[..lines.len().min(200)];
        let mut chosen: Vec<_> = shapes.iter().copied().filter(|s| (s.sniff)(&hint, window)).collect();
        chosen.extend((0..EACH).map(|_| dice.pick(&shapes)));
        let imitates = clean.as_ref().is_none_or(|c| c.split(|b| *b == b'\n').any(marker::is_marked));
        for shape in chosen {
            let said = booked(shape, &lines, dice).map_err(|e| format!("{} ({}): {e}", shape.name, shape.dialect))?;
            let (out, stats) = said;
            let counted = (stats.kept_bytes + stats.omitted_bytes, stats.kept_lines + stats.omitted_lines);
            if counted != (tally.clean_bytes, lines.len() as u64) {
                return Err(format!("{} ({}): {stats:?} of {tally:?}", shape.name, shape.dialect));
            }
            if !imitates {
                follows(&out, clean.as_deref().unwrap_or_default()).map_err(|e| format!("{} ({}): {e}", shape.name, shape.dialect))?;
            }
        }
        Ok(())
    });
}

fn line((lent, number): (&Lent, u64)) -> Line<'_> {
    let mut line = Line::new(&lent.text, number);
    (line.hole, line.ended) = (lent.hole, lent.ended);
    line
}

fn booked(shape: &Shape, lines: &[Line<'_>], dice: &mut Dice) -> Result<(Vec<u8>, toolshrink::Stats), String> {
    let level = dice.pick(&[Level::Conservative, Level::Aggressive]);
    let options = Options { level, max_bytes: dice.pick(&[None, Some(100), Some(3_000)]), ..Options::default() };
    let budget = options.budget(&Hint::default());
    let (bytes, rows) = (budget.bytes, budget.lines);
    let mut ledger = Ledger::new(budget);
    let mut cut = (shape.cut)(&Hint::default());
    let mut place = Place::default();
    place.watch = dice.one_in(2);
    for line in lines {
        let _ = (shape.opens.by(line), cut.ends_before(line), cut.yields(), cut.is_amid());
        let verdict = cut.line(line);
        place.quotes = cut.quotes();
        ledger.book(line, verdict, place);
    }
    let (last, with) = cut.end();
    ledger.end_cut(last, with, 0);
    let mut out = Vec::new();
    let stats = ledger.finish(&mut out, 0);
    if out.len() > bytes {
        return Err(format!("{} bytes in {bytes}", out.len()));
    }
    if out.iter().filter(|b| **b == b'\n').count() > rows {
        return Err("more lines than the budget has".into());
    }
    Ok((out, stats))
}
