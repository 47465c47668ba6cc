//! Hostile input: targets that look for a broken promise, and inputs made to hurt.
//!
//! Each target tries some hundred mutants in an ordinary run, for two seconds at most. To
//! look for longer, by the clock, with another seed each time:
//!
//! ```text
//! TOOLSHRINK_FUZZ_SECONDS=1200 TOOLSHRINK_FUZZ_SEED=7 cargo test --profile fuzz --test hostile -- --nocapture clean::
//! ```
//!
//! What a target finds is written to the target folder's `hostile/`, one file a mutant. A
//! panic is a find even where somebody catches it, and so is a mutant that takes too long.

#[path = "../common/mod.rs"]
mod common;

mod blocks;
mod clean;
mod cuts;
mod dice;
mod filters;
mod hooks;
mod imitation;
mod json;
#[cfg(target_os = "linux")]
mod sizes;
mod whole;
