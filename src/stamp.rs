//! Times that a carrier puts before each line of another's output: `docker logs -t`,
//! journald, `ts`, a build server.
//!
//! A log writes such times of its own: whether they are a carrier's is for the driver to say,
//! by what it recognises behind them.

use crate::line::Line;
use crate::prefix::blank_after;

/// How the time is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Time {
    /// `2026-08-22T10:15:30.123456789Z`, `2026-08-22 10:15:30`
    Dated,
    /// `10:15:30`
    Clock,
    /// `Aug 22 10:15:30`
    Month,
}

/// Who is named behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    /// `host unit[123]: text`, `app[web.1]: text`
    Unit,
}

/// A time before each line, and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    time: Time,
    who: Who,
    /// Two blanks follow.
    wide: bool,
}

impl Stamp {
    /// The stamp that the lines have in common; `most` says how many are enough.
    pub fn of(lines: &[Line<'_>], most: impl Fn(usize) -> bool) -> Option<Stamp> {
        let time = [Time::Dated, Time::Clock, Time::Month].into_iter().find(|t| most(behind(lines, *t).count()))?;
        if most(behind(lines, time).filter(|rest| unit(rest).is_some()).count()) {
            return Some(Stamp { time, who: Who::Unit, wide: false });
        }
        let wide = behind(lines, time).all(|rest| rest.is_empty() || rest.starts_with(b" "));
        Some(Stamp { time, who: Who::Nobody, wide })
    }

    /// How many bytes of it stand before a text.
    pub fn len(self, text: &[u8]) -> Option<usize> {
        let at = time_end(text, self.time)?;
        let rest = &text[at..];
        Some(match self.who {
            Who::Nobody => at + usize::from(self.wide && rest.starts_with(b" ")),
            Who::Unit => at + unit(rest)?,
        })
    }
}

/// Where a time of day at the start of a text ends, and the blank behind it.
pub fn clock(text: &[u8]) -> Option<usize> {
    time_end(text, Time::Clock)
}

/// What stands behind the times of those lines that have one.
fn behind<'t>(lines: &'t [Line<'t>], time: Time) -> impl Iterator<Item = &'t [u8]> + 't {
    lines.iter().filter_map(move |l| Some(&l.whole()[time_end(l.whole(), time)?..]))
}

/// Does a text begin so: `d` is a digit, `a` a letter, and all else itself?
pub fn fits(text: &[u8], shape: &[u8]) -> bool {
    let one = |(t, s): (&u8, &u8)| match s {
        b'd' => t.is_ascii_digit(),
        b'a' => t.is_ascii_alphabetic(),
        _ => t == s,
    };
    text.len() >= shape.len() && text.iter().zip(shape).all(one)
}

/// Where a time ends that is in brackets or not, and the blank behind it.
fn time_end(text: &[u8], time: Time) -> Option<usize> {
    let open = usize::from(text.first() == Some(&b'['));
    let said = &text[open..];
    let mut at = open
        + match time {
            Time::Dated => {
                let date = fits(said, b"dddd-dd-dd") && matches!(said.get(10), Some(b'T' | b' ')) && fits(&said[11..], b"dd:dd:dd");
                date.then_some(19)?
            }
            Time::Clock => fits(said, b"dd:dd:dd").then_some(8)?,
            Time::Month => {
                // Aug  2 10:15:30
                let day = fits(said, b"aaa dd ") || fits(said, b"aaa  d ");
                (day && said[0].is_ascii_uppercase() && fits(&said[7..], b"dd:dd:dd")).then_some(15)?
            }
        };
    if matches!(text.get(at), Some(b'.' | b',')) {
        at += 1 + text[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
    }
    if time == Time::Dated {
        at += match text.get(at) {
            Some(b'Z') => 1,
            Some(b'+' | b'-') if fits(&text[at + 1..], b"dd:dd") => 6,
            Some(b'+' | b'-') if fits(&text[at + 1..], b"dddd") => 5,
            _ => 0,
        };
    }
    if open > 0 {
        (text.get(at) == Some(&b']')).then(|| at += 1)?;
    }
    blank_after(text, at)
}

/// The length of `host unit[123]: ` or `app[web.1]: `
fn unit(text: &[u8]) -> Option<usize> {
    let near = &text[..text.len().min(160)];
    let end = memchr::memmem::find(near, b"]:")?;
    let open = memchr::memrchr(b'[', &near[..end])?;
    let (name, inner) = (&near[..open], &near[open + 1..end]);
    let blanks = name.iter().filter(|b| **b == b' ').count();
    let number = inner.iter().all(u8::is_ascii_digit);
    // make[2]: says make itself.
    let fits = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    let is_unit = match blanks {
        0 => !number && !name.is_empty() && name.iter().all(u8::is_ascii_lowercase),
        1 => number && !name.starts_with(b" ") && !name.ends_with(b" "),
        _ => false,
    };
    if !is_unit || inner.is_empty() || !inner.iter().all(fits) {
        return None;
    }
    blank_after(text, end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str) -> Option<&str> {
        let other = text.replace("  ok", "no").replace(" ok", "  no");
        let lines: Vec<_> = (0..6).map(|i| Line::new(if i % 2 == 0 { text } else { &other }.as_bytes(), i)).collect();
        Stamp::of(&lines, |n| n > 4)?.len(text.as_bytes()).map(|n| &text[n..])
    }

    #[test]
    fn a_time_that_all_lines_have_is_a_stamp() {
        for text in [
            "[2026-08-22T10:15:30.123Z]   ok",
            "2026-08-22T10:15:30.123456789Z   ok",
            "2026-08-22 10:15:30   ok",
            "2026-08-22T10:15:30+02:00 host run.sh[12]:   ok",
            "2026-08-22T10:15:30+00:00 app[web.1]:   ok",
            "Aug 22 10:15:30 host run.sh[4112]:   ok",
        ] {
            assert_eq!(rest(text), Some("  ok"), "{text}");
        }
        assert_eq!((rest("10:15:30  x"), rest("Aug  2 10:15:30 make[2]: y")), (Some("x"), Some("make[2]: y")));
    }

    #[test]
    fn a_date_in_data_is_none() {
        for text in ["2026-08-22 10:15:30,12,7", "2026-08-22", "Aug 22 2026 10:15", "10:15:30.5s", "[10:15:30 ok"] {
            assert_eq!(rest(text), None, "{text}");
        }
    }
}
