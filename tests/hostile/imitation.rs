//! Texts that imitate our markers.
