//! docker pull and push: the image, its digest, what went wrong; the states of layers go.

use super::is_layer;
use crate::cut::{Cut, Opens, Rank, Shape, Verdict};
use crate::hint::Hint;
use crate::line::Line;

/// The row.
pub const SHAPE: Shape = Shape {
    name: "docker",
    dialect: "layers",
    about: "docker pull and push: image, digest, status, errors; layers go",
    sniff,
    opens: Opens::flush_colon(|line| line.text.get(12) == Some(&b':') && is_layer(line)),
    cut: |_| Box::new(Layers),
};

fn sniff(_: &Hint, lines: &[Line<'_>]) -> bool {
    lines.iter().filter(|l| is_layer(l)).count() >= 3
}

struct Layers;

impl Cut for Layers {
    fn nests(&self) -> bool {
        true
    }

    fn line(&mut self, line: &Line<'_>) -> Verdict {
        if is_layer(line) {
            return Verdict::Drop("layers");
        }
        if line.is_blank() {
            return Verdict::Drop("blank");
        }
        if line.starts("Status: ") || line.has(": digest: sha256:") {
            return Verdict::Keep(Rank::Total);
        }
        // 15: Pulling from library/postgres | The push refers to repository [x] | Digest: sha256:...
        if line.has(": Pulling from ")
            || line.starts("The push refers to repository ")
            || line.starts("Digest: sha256:")
            || line.starts("Using default tag: ")
        {
            return Verdict::Keep(Rank::Top);
        }
        if line.is_error() || line.starts("unauthorized: ") || line.starts("toomanyrequests: ") {
            return Verdict::Keep(Rank::Top);
        }
        Verdict::Pass
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::{marks, sniffs};

    #[test]
    fn layers_go() {
        let text = "15: Pulling from library/x\n48c103939a52: Waiting\n48c103939a53: Waiting\n48c103939a52: Pull complete\nfailed to register layer: no space left on device";
        assert!(sniffs(&SHAPE, text));
        assert_eq!(marks(&SHAPE, text), "T...T");
    }

    #[test]
    fn checksums_are_not_taken() {
        assert!(!sniffs(&SHAPE, "48c103939a52: OK\n48c103939a53: FAILED\n48c103939a54: OK"));
    }
}
