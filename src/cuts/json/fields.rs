//! What the fields of records usually hold, so that what is unusual can be told.

use crate::cuts::mix::Mix;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// Fields that are told apart; beyond that nothing is unusual.
const FIELDS: usize = 4096;
/// A field with more values than this has free ones: an id, a name.
const VALUES: usize = 12;
/// The kind of true and false, of which there are two only.
pub const TRUTH: u16 = 1 << 1;
/// Times that a field must have been met before it can surprise.
const USUAL: u32 = 6;
/// Surprises of one field that are told.
const SURPRISES: u8 = 8;

#[derive(Default)]
struct Field {
    met: u32,
    kinds: u16,
    values: Vec<u64>,
    free: bool,
    digits: u8,
    told: u8,
}

impl Field {
    /// Is a value new where few are, after so many?
    fn value(&mut self, value: u64, before: u32) -> bool {
        if self.values.contains(&value) {
            return false;
        }
        let distinct = self.values.len() as u32;
        self.values.push(value);
        if self.values.len() > VALUES {
            (self.free, self.values) = (true, Vec::new());
            return false;
        }
        distinct <= 1 + before / 25
    }
}

/// What all fields have held so far.
#[derive(Default)]
pub struct Fields {
    known: HashMap<u64, Field, BuildHasherDefault<Mix>>,
}

impl Fields {
    /// Takes a field's next value; is it unusual for this field? `kind` is a bit of its
    /// own for each kind of value, `value` its hash, which few fields want.
    #[inline]
    pub fn learn(&mut self, path: u64, kind: u16, value: impl FnOnce() -> u64, digits: u8) -> bool {
        if self.known.len() >= FIELDS && !self.known.contains_key(&path) {
            return false;
        }
        let field = self.known.entry(path).or_default();
        let before = field.met;
        field.met = field.met.saturating_add(1);
        let new_kind = field.kinds & kind == 0;
        field.kinds |= kind;
        let longer = digits > field.digits.saturating_add(1);
        field.digits = field.digits.max(digits);
        let mut new_value = false;
        if !field.free {
            new_value = field.value(value(), before);
        }
        let usual = if kind == TRUTH { 4 * USUAL } else { USUAL };
        let odd = before >= usual && (new_kind || new_value || longer && before >= 20) && field.told < SURPRISES;
        field.told += u8::from(odd);
        odd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_value_among_few_is_odd_and_one_among_many_is_not() {
        let mut fields = Fields::default();
        assert!((0..100).all(|i| !fields.learn(1, 1, || i, 2)));
        assert!((0..100).all(|_| !fields.learn(2, 1, || 7, 0)));
        assert!(fields.learn(2, 1, || 8, 0) && !fields.learn(2, 1, || 8, 0));
        assert!(fields.learn(1, 2, || 0, 2), "null where others have data");
        assert!(fields.learn(1, 1, || 9, 5), "a number longer than all before");
    }
}
