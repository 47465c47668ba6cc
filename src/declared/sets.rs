//! A filter's patterns, asked all at once of a line.

use super::firsts;
use super::program::plain;
use regex::bytes::{Regex, RegexSet};
use std::sync::OnceLock;

/// Patterns, compiled as two sets. Most of them begin where the line does, and at most bytes
/// of a line none of these is left; the others would have all be tried up to the line's end.
#[derive(Debug)]
pub(super) struct Sets {
    begin: (RegexSet, Vec<usize>),
    within: (RegexSet, Vec<usize>),
    singles: OnceLock<Singles>,
    /// What those of `begin` read.
    texts: Vec<String>,
}

impl Sets {
    pub fn new(texts: &[&str]) -> Result<Sets, regex::Error> {
        let (begin, within): (Vec<_>, Vec<_>) = (0..texts.len()).partition(|i| texts[*i].starts_with('^'));
        let set = |some: Vec<usize>| Ok((RegexSet::new(some.iter().map(|i| plain(texts[*i])))?, some));
        let read = begin.iter().map(|i| texts[*i].to_owned()).collect();
        Ok(Sets { begin: set(begin)?, within: set(within)?, singles: OnceLock::new(), texts: read })
    }

    /// Fills in the numbers of the patterns that match, in no order; `often`: so many lines were
    /// asked about, and more may come, that it pays to get ready for them.
    pub fn matches(&self, text: &[u8], often: bool, met: &mut Vec<usize>) {
        met.clear();
        match self.few(text, often) {
            Some((singles, few)) => met.extend(few.iter().filter(|i| singles.is_match(**i, &self.texts, text)).map(|i| self.begin.1[*i])),
            None => met.extend(self.begin.0.matches(text).iter().map(|i| self.begin.1[i])),
        }
        if !self.within.1.is_empty() && self.within.0.is_match(text) {
            met.extend(self.within.0.matches(text).iter().map(|i| self.within.1[i]));
        }
    }

    /// Those of `begin` that a line may match, if they are few.
    fn few(&self, text: &[u8], often: bool) -> Option<(&Singles, &[usize])> {
        let first = text.first().filter(|_| often)?;
        let singles = self.singles.get_or_init(|| Singles::new(&self.texts));
        let few = singles.by_first[usize::from(*first)].as_slice();
        (few.len() <= FEW).then_some((singles, few))
    }
}

/// So few patterns are asked one by one sooner than a set of many, which tells of each where it
/// ended, and takes memory for that.
const FEW: usize = 3;

/// Patterns one by one, by the bytes that a line begins with.
#[derive(Debug)]
struct Singles {
    /// Which may match, one more than `FEW` of them at most.
    by_first: Vec<Vec<usize>>,
    /// Compiled when they are first asked.
    compiled: Vec<OnceLock<Option<Regex>>>,
}

impl Singles {
    fn new(texts: &[String]) -> Singles {
        let mut by_first = vec![Vec::new(); 256];
        for (i, text) in texts.iter().enumerate() {
            let firsts = firsts::of(text);
            let may = by_first.iter_mut().zip(firsts).filter(|(few, may)| *may && few.len() <= FEW);
            may.for_each(|(few, _)| few.push(i));
        }
        Singles { by_first, compiled: texts.iter().map(|_| OnceLock::new()).collect() }
    }

    fn is_match(&self, at: usize, texts: &[String], text: &[u8]) -> bool {
        let regex = self.compiled[at].get_or_init(|| Regex::new(&plain(&texts[at])).ok());
        regex.as_ref().is_some_and(|r| r.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::builtin;

    #[test]
    fn one_by_one_they_say_what_all_at_once_do() {
        let filters: Vec<_> = builtin().collect();
        let of = |i: usize| filters[i].form.test.iter().flat_map(|t| t.input.lines());
        let all: Vec<_> = (0..filters.len()).flat_map(of).collect();
        assert!(all.len() > 500);
        let (mut met, mut single) = (Vec::new(), Vec::new());
        for (i, filter) in filters.iter().enumerate() {
            let program = filter.program().expect("patterns");
            for line in of(i).chain(all.iter().copied().skip(i % 23).step_by(23)) {
                program.sets.matches(line.as_bytes(), false, &mut met);
                program.sets.matches(line.as_bytes(), true, &mut single);
                met.sort_unstable();
                single.sort_unstable();
                assert_eq!(met, single, "{}: {line}", filter.name());
            }
        }
    }
}
