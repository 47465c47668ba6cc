//! What the operating system has and the language has not: signals, file modes, one pipe
//! for two streams. What only Unix has stands in `unix`, its plain substitute in `other`.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
