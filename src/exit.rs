//! The exit statuses.

/// Done.
pub const DONE: u8 = 0;
/// The input could not be read or the output not written.
pub const FAILED: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
