//! Containers: image builds, compose runs, pulls and pushes, lists of containers. The
//! failing step with its output, the image, warnings and who is not well stay; layers and
//! transfers go.

mod build;
mod compose;
mod layers;
mod ps;

use crate::cut::Shape;
use crate::line::Line;

/// The rows, most certain first.
pub const SHAPES: &[&Shape] = &[&build::SHAPE, &compose::SHAPE, &layers::SHAPE, &ps::SHAPE];

/// Package managers inside a step: fetching and unpacking.
fn is_fetching(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    [
        b"Get:".as_slice(),
        b"Hit:",
        b"Selecting previously unselected",
        b"Preparing to unpack",
        b"Unpacking ",
        b"(Reading database",
        b"Setting up ",
        b"Processing triggers for ",
        b"Reading package lists",
        b"Building dependency tree",
        b"Reading state information",
        b"Collecting ",
        b"Downloading ",
        b"Using cached ",
        b"Requirement already satisfied",
        b"npm http ",
        b"fetch http",
        b"debconf: ",
    ]
    .iter()
    .any(|s| text.starts_with(s))
        || text.starts_with(b"(") && crate::line::find(text, b") Installing ").is_some_and(|n| n < 10)
}

/// `48c103939a52: Pull complete`, compose's `48c103939a52 Download complete`: a layer's state.
fn is_layer(line: &Line<'_>) -> bool {
    let text = line.trimmed();
    let text = text.strip_prefix("✔ ".as_bytes()).unwrap_or(text);
    let Some((id, rest)) = text.split_at_checked(12) else { return false };
    if !id.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let rest = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii_start();
    [
        b"Pulling fs layer".as_slice(),
        b"Waiting",
        b"Downloading",
        b"Verifying Checksum",
        b"Download complete",
        b"Extracting",
        b"Pull complete",
        b"Already exists",
        b"Preparing",
        b"Pushing",
        b"Pushed",
        b"Layer already exists",
        b"Mounted from ",
        b"Retrying in ",
    ]
    .iter()
    .any(|s| rest.starts_with(s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_layers() {
        let is = |t: &str| is_layer(&Line::new(t.as_bytes(), 1));
        assert!(is("48c103939a52: Pull complete") && is(" ✔ 48c103939a52 Download complete 1.2s"));
        assert!(!is("48c103939a52 is the commit") && !is("postgres: Pulling"));
    }
}
