//! What stands before a log line's message: prefixes of carriers, time, level.

use super::record::Record;

/// How bad a line says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It does not say.
    Unsaid,
    /// Trace, debug, info, notice.
    Low,
    /// Warning.
    Warn,
    /// Error and above.
    Bad,
}

/// The head of a log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many bytes of it a carrier put there: `web-1  | `, `[pod/app-7/web] `.
    pub carried: usize,
    /// Where the text after time and level begins.
    pub body: usize,
    /// What the line says of itself.
    pub level: Level,
    /// A line of a CI service, whose body is some tool's text.
    pub ci: bool,
    /// Is there a time in it, or only a level?
    pub timed: bool,
    /// The status of an access log's request.
    pub status: u16,
    /// The body is a record of JSON that was read as a whole.
    pub record: Option<Record>,
}

/// Bytes at either end of a record of JSON that are read for its head.
const NEAR: usize = 2048;

/// The level that a word names, in capitals or not.
pub(super) fn named(word: &[u8]) -> Option<Level> {
    // The first letters of the names below, by their length.
    let first: &[u8] = match word.len() {
        3 => b"tdilwef",
        4 => b"dfiwc",
        5 => b"tdefap",
        6 => b"nsd",
        7 => b"sw",
        8 => b"c",
        11 => b"i",
        _ => return None,
    };
    if !first.contains(&word[0].to_ascii_lowercase()) {
        return None;
    }
    let mut lower = [0; 11];
    let lower = lower.get_mut(..word.len())?;
    for (to, from) in lower.iter_mut().zip(word) {
        *to = from.to_ascii_lowercase();
    }
    match &*lower {
        b"trace" | b"trc" | b"debug" | b"dbg" | b"dbug" | b"fine" => Some(Level::Low),
        b"info" | b"inf" | b"information" | b"notice" | b"log" | b"success" => Some(Level::Low),
        b"warn" | b"warning" | b"wrn" => Some(Level::Warn),
        b"error" | b"err" | b"ftl" | b"fail" | b"critical" | b"crit" | b"fatal" | b"severe" => Some(Level::Bad),
        b"alert" | b"emerg" | b"panic" | b"dpanic" => Some(Level::Bad),
        _ => None,
    }
}

/// The level that a single letter names.
pub(super) fn letter(byte: u8) -> Option<Level> {
    match byte {
        b'V' | b'D' | b'I' => Some(Level::Low),
        b'W' => Some(Level::Warn),
        b'E' | b'F' | b'C' => Some(Level::Bad),
        _ => None,
    }
}

/// Reads the head of a log line, if it has one.
#[must_use]
pub fn read(text: &[u8]) -> Option<Head> {
    let (start, ci) = carrier(text);
    let rest = &text[start..];
    if rest.first() == Some(&b'{') {
        return json(rest).map(|(level, record)| Head { carried: start, body: start, level, ci, timed: true, status: 0, record });
    }
    if ci {
        // 2026-03-04T09:12:30.1234567Z ##[error]Process completed with exit code 1.
        let body = start + time(rest)?;
        let body = body + usize::from(text.get(body) == Some(&b' '));
        let level = match &text[body..] {
            t if t.starts_with(b"##[error]") => Level::Bad,
            t if t.starts_with(b"##[warning]") => Level::Warn,
            _ => Level::Unsaid,
        };
        return Some(Head { carried: start, body, level, ci, timed: true, status: 0, record: None });
    }
    if let Some((end, level)) = lettered(rest) {
        return Some(Head { carried: start, body: start + end, level, ci, timed: true, status: 0, record: None });
    }
    if let Some(mut end) = time(rest) {
        // A carrier's time may stand before the program's own: docker logs -t.
        if let Some(more) = rest.get(end + 1..).and_then(time) {
            end += 1 + more;
        }
        // 2026-03-04T09:12:30Z,12,7: a row of data.
        if matches!(rest.get(end), Some(b',' | b';')) {
            return None;
        }
        let (body, level) = level_after(rest, end);
        // A column of times, TAB between: data, unless a level follows.
        if rest.get(end) == Some(&b'\t') && level == Level::Unsaid {
            return None;
        }
        return Some(Head { carried: start, body: start + body, level, ci, timed: true, status: 0, record: None });
    }
    if let Some((body, status)) = access(rest) {
        let level = if status >= 500 { Level::Bad } else { Level::Low };
        return Some(Head { carried: start, body: start + body, level, ci, timed: true, status, record: None });
    }
    if let Some((level, timed)) = logfmt(rest) {
        return Some(Head { carried: start, body: start, level, ci, timed, status: 0, record: None });
    }
    if let Some((body, level)) = level_first(rest) {
        let timed = time(&rest[body..]).map(|t| body + t);
        return Some(Head {
            carried: start,
            body: start + timed.unwrap_or(body),
            level,
            ci,
            timed: timed.is_some(),
            status: 0,
            record: None,
        });
    }
    // `web-1  | text`: the carrier alone is a head.
    (start > 0).then_some(Head { carried: start, body: start, level: Level::Unsaid, ci, timed: false, status: 0, record: None })
}

/// The length of a carrier's prefix: docker compose's `web-1  | `, `kubectl logs --prefix`,
/// `gh run view --log` with `job<TAB>step<TAB>`; and whether a CI service carried it.
fn carrier(text: &[u8]) -> (usize, bool) {
    let bom = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let rest = &text[bom..];
    // 2026-03-04T09:12:30.1234567Z text
    if rest.first().is_some_and(u8::is_ascii_digit) && rest.len() >= 28 && rest[27] == b'Z' && rest[19] == b'.' && is_zulu(rest) {
        return (bom, true);
    }
    // What begins with a date has nobody's name before it.
    if matches!(rest, [b'0'..=b'9', _, _, _, b'-', _, _, b'-', _, _, b'T' | b' ', b'0'..=b'9', ..]) {
        return (bom, false);
    }
    // test (20)<TAB>Set up job<TAB>2026-03-04T09:12:30.0408405Z text
    let mut tabs = memchr::memchr_iter(b'\t', &rest[..rest.len().min(240)]);
    if let (Some(first), Some(second)) = (tabs.next(), tabs.next()) {
        let step = rest[second + 1..].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&rest[second + 1..]);
        if first > 0 && second > first + 1 && step.first().is_some_and(u8::is_ascii_digit) && is_zulu(step) {
            return (text.len() - step.len(), true);
        }
    }
    // web-1  | text
    let near = &rest[..rest.len().min(64)];
    let name = near.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')).count();
    let bar = name + near[name..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    if bar > name && near.get(bar) == Some(&b'|') && matches!(rest.get(bar + 1), None | Some(b' ')) && ends_in_index(&near[..name]) {
        return (bom + (bar + 2).min(rest.len()), false);
    }
    // [pod/checkout-dbb5994bf-45wjs/app] text
    if rest.starts_with(b"[pod/") {
        if let Some(end) = memchr::memchr(b']', &rest[..rest.len().min(200)]) {
            return (bom + (end + 2).min(rest.len()), false);
        }
    }
    (bom, false)
}

/// `web-1`, `web_1`: compose names end in the container's index.
fn ends_in_index(name: &[u8]) -> bool {
    let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && name.len() > digits + 1 && matches!(name[name.len() - digits - 1], b'-' | b'_')
}

fn is_zulu(text: &[u8]) -> bool {
    let Some(end) = time(text) else { return false };
    text.get(10) == Some(&b'T') && text[end - 1] == b'Z'
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|b| b.is_ascii_digit()).count()
}

/// The length of a time at the start of the text, its brackets included.
#[must_use]
pub fn time(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b'[' => {
            // [   12.345678]  and  [Tue Mar  4 09:12:30 2026]  and  [2026-03-04 07:00:00,123]
            let inner = 1 + text[1..].iter().take_while(|b| **b == b' ').count();
            let mut end = inner + stamp(&text[inner..]).or_else(|| uptime(&text[inner..]))?;
            if text.get(end) == Some(&b']') {
                end += 1;
            }
            Some(end)
        }
        _ => stamp(text),
    }
}

/// `12.345678` with six decimals.
fn uptime(text: &[u8]) -> Option<usize> {
    let whole = digits(text);
    let end = whole + 1 + digits(text.get(whole + 1..)?);
    (whole > 0 && text[whole] == b'.' && end == whole + 7 && text.get(end) == Some(&b']')).then_some(end)
}

fn stamp(text: &[u8]) -> Option<usize> {
    if text.first()?.is_ascii_digit() {
        return numeric(text);
    }
    // Tue Mar  4 09:12:30 2026, Mar  4 09:12:30
    let mut at = 0;
    if is_weekday(text) {
        at = 3 + usize::from(text.get(3) == Some(&b','));
        at += usize::from(text.get(at) == Some(&b' '));
    }
    let rest = &text[at..];
    if is_month(rest) {
        let blanks = rest[3..].iter().take_while(|b| **b == b' ').count();
        let day = digits(rest.get(3 + blanks..)?);
        let clock_at = 3 + blanks + day + 1;
        if !(1..=2).contains(&blanks) || !(1..=2).contains(&day) || rest.get(clock_at - 1) != Some(&b' ') {
            return None;
        }
        let end = at + clock_at + clock(rest.get(clock_at..)?)?;
        // A year may follow.
        let year = text[end..].starts_with(b" 20") && digits(&text[end + 1..]) == 4;
        return Some(if year { end + 5 } else { end });
    }
    (at > 0).then(|| numeric(rest).map(|n| at + n)).flatten()
}

fn is_weekday(text: &[u8]) -> bool {
    let Some([name @ .., _]) = text.first_chunk::<4>() else { return false };
    matches!(name, b"Mon" | b"Tue" | b"Wed" | b"Thu" | b"Fri" | b"Sat" | b"Sun")
}

fn is_month(text: &[u8]) -> bool {
    let Some([name @ .., _]) = text.first_chunk::<4>() else { return false };
    matches!(name, b"Jan" | b"Feb" | b"Mar" | b"Apr" | b"May" | b"Jun" | b"Jul" | b"Aug" | b"Sep" | b"Oct" | b"Nov" | b"Dec")
}

/// How most writers write the time; a blank may stand for the `T`.
const ISO: &[u8; 19] = b"0000-00-00T00:00:00";

fn is_iso(text: &[u8]) -> bool {
    let Some(stamp) = text.first_chunk::<{ ISO.len() }>() else { return false };
    let is_so = |(byte, like): (&u8, &u8)| match like {
        b'0' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b' '),
        _ => byte == like,
    };
    stamp.iter().zip(ISO).all(is_so) && !text.get(ISO.len()).is_some_and(u8::is_ascii_digit)
}

/// `2026-03-04T07:00:00.123Z`, `26/03/04 07:00:00`, `03-17 16:13:38.157`, `04/Mar/2026:07:00:00 +0000`,
/// `04 Mar 2026 07:00:00.123`, `081109 203615`, `07:00:00.123`.
fn numeric(text: &[u8]) -> Option<usize> {
    if is_iso(text) {
        return Some(after_seconds(text, ISO.len()));
    }
    let first = digits(text);
    let sign = *text.get(first)?;
    match (first, sign) {
        (1..=2, b':') => clock(text).filter(|_| text.get(first + 3) == Some(&b':')),
        (6, b' ') if digits(&text[7..]) == 6 && text.get(13) == Some(&b' ') => Some(13),
        (1 | 2 | 4, b'-' | b'/' | b'.') => {
            let rest = &text[first + 1..];
            let month = if is_month(rest) { 3 } else { digits(rest) };
            if !(1..=3).contains(&month) {
                return None;
            }
            let mut at = first + 1 + month;
            if text.get(at) == Some(&sign) {
                let last = digits(&text[at + 1..]);
                if !(1..=4).contains(&last) {
                    return None;
                }
                at += 1 + last;
            }
            let sep = *text.get(at)?;
            let gap = if text[at..].starts_with(b", ") { 2 } else { 1 };
            if !matches!(sep, b' ' | b'T' | b':' | b'_' | b',') {
                return None;
            }
            Some(at + gap + clock(text.get(at + gap..)?)?)
        }
        (1..=2, b' ') if is_month(&text[first + 1..]) => {
            let at = first + 5;
            let year = digits(text.get(at..)?);
            (year == 4).then_some(())?;
            Some(at + 5 + clock(text.get(at + 5..)?)?)
        }
        _ => None,
    }
}

/// `07:00:00.123456Z`, `07:00:00,123 +0100`, `9:12:30 AM`.
fn clock(text: &[u8]) -> Option<usize> {
    let hour = digits(text);
    let two = |at: usize| text.get(at) == Some(&b':') && text.get(at + 1..).map(digits).is_some_and(|n| n == 2);
    if !(1..=2).contains(&hour) || !two(hour) {
        return None;
    }
    let minutes = hour + 3;
    Some(after_seconds(text, if two(minutes) { minutes + 3 } else { minutes }))
}

/// Where a time ends whose seconds end at `at`: its fraction and its zone included.
fn after_seconds(text: &[u8], mut at: usize) -> usize {
    if matches!(text.get(at), Some(b'.' | b',')) {
        let fraction = digits(&text[at + 1..]);
        if fraction > 0 {
            at += 1 + fraction;
        }
    }
    let rest = &text[at..];
    let zone = match rest {
        [b'Z', ..] => 1,
        [b' ', b'A' | b'P', b'M', ..] => 3,
        [b' ', b'C', b'E', b'S', b'T', ..] => 5,
        [b' ', b'U', b'T', b'C', ..]
        | [b' ', b'G', b'M', b'T', ..]
        | [b' ', b'C', b'E', b'T', ..]
        | [b' ', b'E' | b'P', b'S', b'T', ..] => 4,
        _ => 0,
    };
    if zone > 0 && !rest.get(zone).is_some_and(u8::is_ascii_alphanumeric) {
        return at + zone;
    }
    let signed = usize::from(rest.first() == Some(&b' '));
    if matches!(rest.get(signed), Some(b'+' | b'-')) {
        let zone = &rest[signed + 1..];
        let n = zone.iter().take_while(|b| b.is_ascii_digit() || **b == b':').count();
        if matches!(n, 2 | 4 | 5) {
            at += signed + 1 + n;
        }
    }
    at
}

/// Levels of one letter: glog and klog `E0304 07:00:00.0`, logcat, ruby's `E, [2026-...`,
/// redis `31:M 04 Mar 2026 07:00:00.123 # text`.
fn lettered(text: &[u8]) -> Option<(usize, Level)> {
    let first = *text.first()?;
    if let Some(level) = letter(first) {
        if digits(&text[1..]) == 4 && text.get(5) == Some(&b' ') {
            return Some((6 + clock(text.get(6..)?)?, level));
        }
        if text[1..].starts_with(b", [") {
            return Some((3 + time(&text[3..])?, level));
        }
    }
    if !first.is_ascii_digit() {
        return None;
    }
    // 03-17 16:13:38.157  1702  4988 I chatty  : text
    if text.get(2) == Some(&b'-') && text.get(5) == Some(&b' ') {
        let mut at = 6 + clock(text.get(6..)?)?;
        for _ in 0..2 {
            at += text[at..].iter().take_while(|b| **b == b' ').count();
            let n = digits(&text[at..]);
            (n > 0).then_some(())?;
            at += n;
        }
        let level = letter(*text.get(at + 1)?)?;
        return (text[at] == b' ' && text.get(at + 2) == Some(&b' ')).then_some((at + 3, level));
    }
    let pid = digits(text);
    if text.get(pid) == Some(&b':') && matches!(text.get(pid + 1), Some(b'M' | b'S' | b'C' | b'X')) && text.get(pid + 2) == Some(&b' ') {
        let end = pid + 3 + numeric(&text[pid + 3..])?;
        return Some((end, if text.get(end + 1) == Some(&b'#') { Level::Warn } else { Level::Low }));
    }
    None
}

/// The bytes that end a word among which a level is looked for.
const ENDS: [bool; 256] = {
    let (mut ends, all, mut i) = ([false; 256], b" \t]|)", 0);
    while i < all.len() {
        ends[all[i] as usize] = true;
        i += 1;
    }
    ends
};

/// The level among the first words after the time, and where the message begins.
fn level_after(text: &[u8], from: usize) -> (usize, Level) {
    let stop = text.len().min(from + 90);
    let mut at = from;
    for _ in 0..7 {
        while at < stop && !text[at].is_ascii_alphanumeric() {
            at += 1;
        }
        let end = at + text[at..stop].iter().take_while(|b| !ENDS[usize::from(**b)]).count();
        if at >= end {
            break;
        }
        let word = &text[at..end];
        let bare = word.strip_suffix(b":").unwrap_or(word);
        let fenced =
            at > 0 && matches!(text[at - 1], b'[' | b'(' | b'|' | b'"' | b'<') || text.get(end) == Some(&b']') || bare.len() < word.len();
        let first = at <= from + 4;
        // Amid others a small word is none.
        let may_be = match bare.last() {
            Some(b'A'..=b'Z') => true,
            Some(b'a'..=b'z') => fenced || first || bare.starts_with(b"level="),
            _ => false,
        };
        // [proxy:error], production.ERROR, app/ERROR
        let tail = if may_be { bare.rsplit(|b| matches!(b, b':' | b'.' | b'/' | b'=')).next().unwrap_or(bare) } else { b"" };
        if let Some(level) = named(tail) {
            let upper = tail.iter().all(u8::is_ascii_uppercase);
            if upper || fenced || tail.len() < bare.len() && bare.starts_with(b"level=") || first && tail.len() == bare.len() {
                return (end + usize::from(end < text.len() && text[end] == b']'), level);
            }
        }
        at = end;
    }
    (from, Level::Unsaid)
}

/// `ERROR:root:text`, `[WARN] text`, `INFO:     text`, `ERROR [main] text`.
fn level_first(text: &[u8]) -> Option<(usize, Level)> {
    let open = usize::from(matches!(text.first(), Some(b'[' | b'<')));
    let len = text[open..].iter().take_while(|b| b.is_ascii_uppercase()).count();
    let level = named(&text[open..open + len]).filter(|_| len > 2)?;
    let at = open + len;
    match text.get(at)? {
        b']' | b'>' if open == 1 => Some((at + 1 + usize::from(text.get(at + 1) == Some(&b' ')), level)),
        b':' if open == 0 && text.get(at + 1) != Some(&b' ') || text[at..].starts_with(b":    ") => Some((at + 1, level)),
        b' ' if open == 0 && matches!(text.get(at + 1), Some(b'[' | b' ' | b'0'..=b'9')) => {
            Some((at + text[at..].iter().take_while(|b| **b == b' ').count(), level))
        }
        _ => None,
    }
}

/// `10.0.0.7 - dev [04/Mar/2026:07:00:00 +0000] "GET /a HTTP/1.1" 500 12 ...`
fn access(text: &[u8]) -> Option<(usize, u16)> {
    let near = &text[..text.len().min(160)];
    let open = memchr::memchr(b'[', near)?;
    let who = &text[..open];
    if open < 6 || who.iter().filter(|b| **b == b' ').count() < 3 && !who.ends_with(b"- ") {
        return None;
    }
    let end = open + 1 + numeric(text.get(open + 1..)?)?;
    let quote = end + memchr::memchr(b'"', text.get(end..end + 4.min(text.len() - end))?)?;
    let close = quote + 1 + memchr::memchr(b'"', text.get(quote + 1..)?)?;
    let status = text.get(close + 2..close + 5).filter(|s| s.iter().all(u8::is_ascii_digit))?;
    let number = status.iter().fold(0, |n, b| n * 10 + u16::from(b - b'0'));
    (100..600).contains(&number).then_some((quote + 1, number))
}

/// `ts=2026-03-04T07:00:00Z level=info msg="..."`: its level, and whether it has a time.
fn logfmt(text: &[u8]) -> Option<(Level, bool)> {
    let key = text.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'@')).count();
    if key == 0 || text.get(key) != Some(&b'=') {
        return None;
    }
    let near = &text[..text.len().min(1024)];
    let timed = matches!(&text[..key], b"ts" | b"time" | b"t" | b"timestamp" | b"at")
        || find_key(near, &[b" ts=", b" time=", b" timestamp="]).is_some();
    let level = if text.starts_with(b"level=") { Some(6) } else { find_key(near, &[b" level=", b" lvl=", b" severity="]) };
    let Some(at) = level else { return (timed && memchr::memchr_iter(b'=', near).count() > 2).then_some((Level::Unsaid, timed)) };
    let word = text[at..].strip_prefix(b"\"").unwrap_or(&text[at..]);
    let len = word.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    Some((named(&word[..len])?, timed))
}

fn find_key(text: &[u8], keys: &[&[u8]]) -> Option<usize> {
    keys.iter().find_map(|k| crate::line::find(text, k).map(|at| at + k.len()))
}

/// The level of a JSON log record, and the record if that is all that there is.
fn json(text: &[u8]) -> Option<(Level, Option<Record>)> {
    if text.get(1) != Some(&b'"') {
        return None;
    }
    let Some(rest) = text.get(NEAR..) else {
        let record = Record::read(text);
        return Some((record.level(text)?, Some(record)));
    };
    let ends = [&text[..NEAR], &rest[rest.len().saturating_sub(NEAR)..]];
    Record::level_of(ends).map(|level| (level, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Option<Level> {
        read(text.as_bytes()).map(|h| h.level)
    }

    #[test]
    fn levels_of_many_writers_are_read() {
        for text in [
            "2026-02-03 17:41:51,793 - ERROR [SyncThread:1:NIOServerCnxn@180] - Unexpected Exception:",
            "{\"level\":50,\"time\":1772600000123,\"pid\":7,\"msg\":\"x\"}",
            "{\"event\": \"x\", \"timestamp\": \"2026-03-04T07:00:00Z\", \"level\": \"error\"}",
            "{\"t\":{\"$date\":\"2026-03-04T07:00:00.123+00:00\"},\"s\":\"E\",\"c\":\"NETWORK\",\"msg\":\"x\"}",
            "03-17 16:13:38.157  1702  4988 E AndroidRuntime: FATAL EXCEPTION: main",
            "E0304 07:00:00.012345       1 controller.go:12] x",
            "[Tue Mar 04 09:12:30.123456 2026] [proxy:error] [pid 7] x",
            "2026/03/04 09:12:30 [error] 31#31: *1 x",
            "2026-03-04 07:00:00.123 | ERROR    | app:run:12 - x",
            "[2026-03-04 09:12:30] production.ERROR: x",
            "E, [2026-03-04T07:00:00.123 #12] ERROR -- : x",
            "2026-03-04 09:12:30.123 UTC [123] ERROR:  relation does not exist",
            "081109 203615 148 ERROR dfs.DataNode: x",
            "26/03/04 07:00:00 ERROR Executor: x",
            "ts=2026-03-04T07:00:00Z level=error msg=x",
            "time=\"2026-03-04T07:00:00Z\" level=fatal msg=\"x\"",
            "ERROR:root:x",
            "[2026-03-04T07:00:00Z ERROR app::db] x",
            "10.0.0.7 - - [04/Mar/2026:07:00:00 +0000] \"GET /a HTTP/1.1\" 502 500 \"-\" \"curl\"",
            "web-1  | 2026-03-04T07:00:00.123Z ERROR x",
            "2026-03-04T07:00:00.1234567Z ##[error]Process completed with exit code 1.",
            "test (20)\tRun npm test\t2026-03-04T07:00:00.1234567Z ##[error]x",
        ] {
            assert_eq!(level(text), Some(Level::Bad), "{text}");
        }
    }

    #[test]
    fn lines_without_a_level_are_timed_all_the_same() {
        for text in
            ["Mar  4 07:00:00 host sshd[12]: x", "[    0.006336] pci 0000:00:15.0: x", "07:00:00.123 x", "[Tue Mar  4 09:12:30 2026] x"]
        {
            assert_eq!(level(text), Some(Level::Unsaid), "{text}");
        }
    }

    #[test]
    fn data_and_prose_have_no_head() {
        for text in [
            "2026-03-04T07:00:00Z,12,7",
            "At 07:00:00 the train left.",
            "-rw-r--r-- 1 dev dev 12 Mar  4 07:00 a",
            "  \"2026-03-04 07:00:00 ERROR x\",",
            "{\"id\":1,\"name\":\"x\"}",
            "12.5 | 3",
            "error: x",
            "  File \"a.py\", line 3",
        ] {
            assert_eq!(level(text), None, "{text}");
        }
    }
}
