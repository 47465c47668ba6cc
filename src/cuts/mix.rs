//! A quick hash for what is counted by kind. The tables that use it are bounded, so that
//! nothing is gained by finding two texts with one hash.

use std::hash::Hasher;

/// An odd number with its bits well spread: 2^64 over the golden ratio.
pub const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Another such number, for what goes in beside: 2^64 times the root of two, its whole part left out.
const BESIDE: u64 = 0x6a09_e667_f3bc_c909;

/// Multiplies and folds the two halves of the product, eight bytes at a time.
#[derive(Clone, Copy, Default)]
pub struct Mix(u64);

impl Mix {
    fn add(&mut self, word: u64) {
        let product = u128::from(self.0.rotate_left(5) ^ word ^ SPREAD) * u128::from(SPREAD);
        self.0 = (product ^ product >> 64) as u64;
    }

    /// Takes a word, the first `len` bytes of a text, and what stands beside it. Quick where the
    /// text goes on behind the word; a word holds no zeros, and is not empty.
    #[inline]
    pub fn word(&mut self, text: &[u8], len: usize, beside: u64) {
        if len > 8 {
            return self.long_word(text, len, beside);
        }
        self.pair(eight(text) & u64::MAX >> (64 - 8 * len), beside);
    }

    #[inline(never)]
    fn long_word(&mut self, mut text: &[u8], mut len: usize, mut beside: u64) {
        while len > 8 {
            self.pair(eight(text), beside);
            (text, len, beside) = (&text[8..], len - 8, MORE);
        }
        self.word(text, len, beside);
    }

    /// Takes two numbers at once.
    #[inline]
    pub fn pair(&mut self, number: u64, beside: u64) {
        let product = u128::from(self.0.rotate_left(5) ^ number ^ SPREAD) * u128::from(beside ^ BESIDE);
        self.0 = (product ^ product >> 64) as u64;
    }
}

/// What stands beside the part of a word that follows its first eight bytes.
const MORE: u64 = 0xff << 56;

/// The first eight bytes of a text as a number.
#[inline]
fn eight(text: &[u8]) -> u64 {
    text.first_chunk().map_or_else(|| fewer(text), |first| u64::from_le_bytes(*first))
}

/// The same of a text that has fewer.
#[cold]
#[inline(never)]
fn fewer(text: &[u8]) -> u64 {
    text.iter().rev().fold(0, |all, b| all << 8 | u64::from(*b))
}

/// Fewer than eight bytes as a number: two halves that overlap, and no copy.
pub fn short(bytes: &[u8]) -> u64 {
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        (Some(first), Some(last)) => u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32,
        _ => match bytes {
            [] => 0,
            [a] => u64::from(*a),
            [a, .., b] => u64::from(*a) | u64::from(bytes[1]) << 8 | u64::from(*b) << 16,
        },
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.add(u64::from_le_bytes(word.try_into().unwrap_or_default()));
        }
        self.add(short(words.remainder()) ^ (bytes.len() as u64).wrapping_mul(SPREAD));
    }

    fn write_u8(&mut self, byte: u8) {
        self.add(u64::from(byte));
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn finish(&self) -> u64 {
        (self.0 ^ self.0 >> 32).wrapping_mul(SPREAD)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &[u8]) -> u64 {
        let mut mix = Mix::default();
        mix.write(text);
        mix.finish()
    }

    #[test]
    fn unlike_texts_have_unlike_hashes() {
        let texts: Vec<_> = (0..20_000u32).map(|i| hash(format!("line {i} of some text").as_bytes())).collect();
        let mut once = texts.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), texts.len(), "hashes");
        assert_ne!(hash(b"a"), hash(b"a\0"));
        let word = |text: &[u8], len| {
            let mut mix = Mix::default();
            mix.word(text, len, 0);
            mix.finish()
        };
        for len in 1..=20 {
            assert_eq!(word(b"abcdefghijklmnopqrst, and more", len), word(&b"abcdefghijklmnopqrst"[..len], len), "{len}");
        }
    }
}
