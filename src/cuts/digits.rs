//! Lines that differ in digits alone: most often the next line is like the last one.

/// Bytes that are compared at once.
const STEP: usize = 16;

/// Do two texts differ in nothing, or in digits that stand for digits?
#[must_use]
pub fn alone(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let (Some(end), Some(other_end)) = (one.last_chunk::<STEP>(), other.last_chunk::<STEP>()) else {
        return are_alike(one, other);
    };
    are_alike(end, other_end) && one.chunks_exact(STEP).zip(other.chunks_exact(STEP)).all(|(a, b)| are_alike(a, b))
}

/// All of the bytes are looked at, which takes less than to stop at the first one that is unlike.
#[inline(always)]
fn are_alike(one: &[u8], other: &[u8]) -> bool {
    let unlike = |(a, b): (&u8, &u8)| (a != b) & !(a.is_ascii_digit() & b.is_ascii_digit());
    !one.iter().zip(other).fold(false, |any, pair| any | unlike(pair))
}

#[cfg(test)]
mod tests {
    use super::alone;

    #[test]
    fn digits_alone_make_no_difference() {
        for (one, other, said) in [
            ("", "", true),
            ("a 1", "a 2", true),
            ("a 1", "a 12", false),
            ("a 1", "a b", false),
            ("a 1", "b 1", false),
            ("some text that nobody knows 1123", "some text that nobody knows 9876", true),
            ("some text that nobody knows 1123 ", "some text that nobody knows 9876.", false),
            ("some text that nobody knows 1123", "some text that n0body knows 1123", false),
            ("4 texts that are long enough for steps", "7 texts that are long enough for steps", true),
            ("a text that is long enough for steps 7", "b text that is long enough for steps 7", false),
        ] {
            assert_eq!(alone(one.as_bytes(), other.as_bytes()), said, "{one} {other}");
        }
    }
}
