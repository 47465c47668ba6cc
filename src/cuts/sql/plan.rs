//! Plans: the nodes that take the time, and where rows were misjudged.

use crate::cut::Rank;

/// A node that takes less than this share of the whole, in percent, is cheap.
const SHARE: f64 = 10.0;
/// Rows misjudged by this factor are worth a look.
const MISJUDGED: f64 = 50.0;

/// What is known of the plan so far.
#[derive(Default)]
pub(super) struct Plan {
    /// Time (or cost) of the root.
    whole: Option<f64>,
    /// Was the last node kept?
    kept: bool,
    /// Does it read a table? Then its filter is why it takes the time.
    scans: bool,
    /// Inside the plan: lines below a node belong to it.
    pub inside: bool,
    /// Closing lines have begun (`Planning Time`, `JIT:`).
    closing: bool,
}

impl Plan {
    /// The rank of a node's line.
    ///
    /// ```text
    /// ->  Seq Scan on invoice i2  (cost=0.00..378.00 rows=4 width=6) (actual time=0.504..2.933 rows=4 loops=20)
    /// ```
    pub fn node(&mut self, text: &[u8]) -> Option<Rank> {
        let cost = after(text, b"(cost=");
        let actual = after(text, b"(actual time=").or_else(|| after(text, b"(actual rows="));
        if cost.is_none() && actual.is_none() {
            return None;
        }
        self.inside = true;
        self.closing = false;
        // Actual time is told per loop.
        let loops = after(text, b" loops=").and_then(number).unwrap_or(1.0);
        let time = after(text, b"(actual time=").and_then(upper).map(|t| t * loops.max(1.0));
        let takes = time.or_else(|| if actual.is_none() { cost.and_then(upper) } else { None });
        let whole = *self.whole.get_or_insert(takes.unwrap_or(0.0));
        let guessed = after(text, b" rows=").and_then(number);
        let came = actual.and_then(|a| after(a, b"rows=")).and_then(number);
        let misjudged = match (guessed, came) {
            (Some(a), Some(b)) => a.max(b) >= 1000.0 && (a.max(1.0) / b.max(1.0)).max(b.max(1.0) / a.max(1.0)) >= MISJUDGED,
            _ => false,
        };
        let dear = takes.is_none_or(|t| t * 100.0 >= whole * SHARE);
        self.kept = (dear || misjudged) && !ends(text, b"(never executed)");
        self.scans = crate::line::find(text, b"Scan on ").is_some() || crate::line::find(text, b"Scan using ").is_some();
        Some(if self.kept { Rank::Top } else { Rank::Edge })
    }

    /// The rank of a line below a node, or after the plan.
    pub fn detail(&mut self, text: &[u8]) -> Rank {
        let text = text.trim_ascii_start();
        if ["Execution Time:", "Planning Time:", "Execution time:", "Planning time:", "Total runtime:"]
            .iter()
            .any(|p| text.starts_with(p.as_bytes()))
        {
            self.closing = true;
            return Rank::Total;
        }
        if [&b"JIT:"[..], b"Planning:", b"Trigger ", b"Settings:"].iter().any(|p| text.starts_with(p)) {
            self.closing = true;
            return Rank::Body;
        }
        if self.closing {
            return Rank::Detail;
        }
        if !self.kept {
            return Rank::Edge;
        }
        const TELL: [&str; 16] = [
            "Filter:",
            "Rows Removed",
            "Index Cond:",
            "Hash Cond:",
            "Join Filter:",
            "Recheck Cond:",
            "Merge Cond:",
            "Sort Key:",
            "Sort Method:",
            "Heap Fetches:",
            "Buffers:",
            "SubPlan",
            "InitPlan",
            "CTE ",
            "Workers Launched:",
            "Cache Key:",
        ];
        match TELL.iter().any(|p| text.starts_with(p.as_bytes())) {
            true if self.scans => Rank::Top,
            true => Rank::Body,
            false => Rank::Edge,
        }
    }

    /// The plan has ended.
    pub fn end(&mut self) {
        *self = Plan::default();
    }
}

fn after<'a>(text: &'a [u8], mark: &[u8]) -> Option<&'a [u8]> {
    crate::line::find(text, mark).map(|at| &text[at + mark.len()..])
}

fn ends(text: &[u8], end: &[u8]) -> bool {
    text.trim_ascii_end().ends_with(end)
}

/// `0.504..2.933 rows`: the second number.
fn upper(text: &[u8]) -> Option<f64> {
    number(after(text, b"..")?)
}

fn number(text: &[u8]) -> Option<f64> {
    let len = text.iter().take_while(|b| b.is_ascii_digit() || **b == b'.').count();
    std::str::from_utf8(&text[..len]).ok()?.parse().ok()
}
