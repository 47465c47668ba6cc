//! Lines that are coloured and no more: all that goes is their colour.
//!
//! Most escapes that come are those, and a terminal is a costly way to leave them out.

const EACH: u64 = u64::from_le_bytes([1; 8]);

/// Writes a line without its colours (`ESC [ 1 ; 31 m`, and `ESC [ K` behind its text, as
/// grep has it) to `shown`; `special` bytes of it are plain. False if there is more to it.
pub fn without(line: &[u8], special: usize, shown: &mut Vec<u8>) -> bool {
    shown.clear();
    let (mut plain, mut rest) = line.split_at(special);
    loop {
        shown.extend_from_slice(plain);
        let [0x1b, b'[', escape @ ..] = rest else { return rest.is_empty() };
        let given = escape.iter().take_while(|b| matches!(b, 0x20..=0x3f)).count();
        let Some((end, text)) = escape[given..].split_first() else { return false };
        // Where no letter stands before it, it erases what are no letters.
        let erases = *end == b'K' && given == 0 && shown.first().is_none_or(|b| b & 0xc0 != 0x80);
        if *end != b'm' && !erases {
            return false;
        }
        (plain, rest) = text.split_at(near_special(text));
    }
}

/// How many bytes stand before the first one that a terminal heeds. For the short texts
/// between two colours: eight bytes at a time, and nothing is called.
fn near_special(text: &[u8]) -> usize {
    let is_special = |b: &u8| matches!(b, 0x1b | b'\r' | 0x08);
    let mut rest = text;
    while let Some(eight) = rest.first_chunk::<8>() {
        // Is any of them a control byte?
        let bytes = u64::from_le_bytes(*eight);
        if bytes.wrapping_sub(EACH * 0x20) & !bytes & (EACH << 7) != 0 {
            if let Some(at) = eight.iter().position(is_special) {
                return text.len() - rest.len() + at;
            }
        }
        rest = &rest[8..];
    }
    text.len() - rest.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> Option<String> {
        let (mut shown, special) = (Vec::new(), line.find('\x1b').unwrap_or(line.len()));
        without(line.as_bytes(), special, &mut shown).then(|| String::from_utf8_lossy(&shown).into_owned())
    }

    #[test]
    fn colours_go_and_nothing_else() {
        for (line, text) in [
            ("\x1b[32m   Compiling\x1b[0m a v1", "   Compiling a v1"),
            ("\x1b[35m\x1b[Ksrc/a_long_name.rs\x1b[m\x1b[K:\t3", "src/a_long_name.rs:\t3"),
            ("plain", "plain"),
            ("x\x1b[1;38;5;10m", "x"),
        ] {
            assert_eq!(shown(line).as_deref(), Some(text));
        }
    }

    #[test]
    fn whatever_moves_or_erases_is_left_to_the_screen() {
        for line in
            ["\x1b[2Kx", "a\x1b[31mb\rc", "a\x1b[3Cb", "\x1b]0;t\x07x", "x\x1b[31", "x\x1b", "\x1b[?25lx", "\x1b[1mlong text and\x08"]
        {
            assert_eq!(shown(line), None, "{line:?}");
        }
    }
}
