//! The files of a diff: which one a head names, and whether people write it.

/// Files that a tool writes: their lines say little, that they changed says it all.
const WRITTEN_NAMES: &[&str] =
    &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum", "gradle.lockfile", "packages.lock.json", "bun.lockb"];
const WRITTEN_ENDS: &[&str] = &[
    ".lock",
    ".min.js",
    ".min.css",
    ".min.mjs",
    ".js.map",
    ".css.map",
    ".map",
    ".bundle.js",
    ".chunk.js",
    ".snap",
    ".pb.go",
    "_pb2.py",
    "_pb2_grpc.py",
    "_pb.js",
    "_pb.ts",
    ".pb.h",
    ".pb.cc",
    ".g.dart",
    ".freezed.dart",
    ".svg",
    ".designer.cs",
    ".tsbuildinfo",
];
const WRITTEN_PARTS: &[&str] =
    &[".generated.", "_generated.", ".gen.", "_gen.", "generated/", "__snapshots__/", "node_modules/", "dist/", "third_party/"];

/// Is the file a lock file, generated or minified?
pub(crate) fn is_written_by_a_tool(path: &[u8]) -> bool {
    let path = path.trim_ascii().to_ascii_lowercase();
    let path = path.strip_suffix(b"\"").unwrap_or(&path);
    let name = path.rsplit(|b| matches!(b, b'/' | b'\\')).next().unwrap_or_default();
    WRITTEN_NAMES.iter().any(|n| name == n.as_bytes())
        || WRITTEN_ENDS.iter().any(|e| name.ends_with(e.as_bytes()))
        || WRITTEN_PARTS.iter().any(|p| crate::line::find(path, p.as_bytes()).is_some())
}

/// Where the new path stands in a file's head: `diff --git a/x b/x`, `diff --cc x`,
/// `diff -ru a/x b/x`. Names may hold blanks, be quoted as a whole (`"b/x"`), or have no
/// prefix at all; what cannot be told apart is taken whole.
pub(crate) fn new_path(text: &[u8]) -> Option<(usize, usize)> {
    let all = text.len();
    if text.starts_with(b"diff --git ") {
        let from = "diff --git ".len();
        let names = &text[from..];
        // `x x`: the same name twice, whatever it holds. Each has a prefix of its own.
        let half = names.len() / 2;
        if names.len() % 2 == 1 && names[half] == b' ' {
            let (old, new) = (&names[..half], &names[half + 1..]);
            let skip = |name: &[u8]| name.iter().position(|b| *b == b'/').map_or(0, |n| n + 1);
            if old == new || old.get(skip(old)..) == new.get(skip(new)..) {
                return Some((from + half + 1, all));
            }
        }
        let at = [" \"b/", " b/", " \"w/", " w/", " \"", " "].iter().find_map(|s| memchr::memmem::rfind(names, s.as_bytes()));
        return at.map(|at| (from + at + 1, all));
    }
    for head in ["diff --cc ", "diff --combined "] {
        if text.starts_with(head.as_bytes()) && all > head.len() {
            return Some((head.len(), all));
        }
    }
    // `diff -ru old/x new/x`, `diff --recursive a b`
    if text.starts_with(b"diff -") && all < 4096 {
        let at = memchr::memrchr(b' ', text)?;
        let words = text.split(|b| *b == b' ').count();
        return (words >= 4 && at + 1 < all).then_some((at + 1, all));
    }
    None
}

/// A head that is beyond doubt: two names that make a pair, or a merge's.
pub(crate) fn opens_file(text: &[u8]) -> bool {
    if text.len() > 4096 {
        return false;
    }
    if let Some(names) = text.strip_prefix(b"diff --git ") {
        let pair = [("a/", " b/"), ("\"a/", " "), ("i/", " w/"), ("c/", " w/"), ("c/", " i/"), ("a/", " \"b/")];
        let half = names.len() / 2;
        return pair.iter().any(|(a, b)| names.starts_with(a.as_bytes()) && crate::line::find(names, b.as_bytes()).is_some())
            || names.len() > 4 && names.len() % 2 == 1 && names[half] == b' ' && names[..half] == names[half + 1..];
    }
    text.starts_with(b"diff --cc ") || text.starts_with(b"diff --combined ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> &str {
        let (from, to) = new_path(text.as_bytes()).unwrap_or_default();
        &text[from..to]
    }

    #[test]
    fn names_with_blanks_quotes_and_no_prefix() {
        assert_eq!(path("diff --git a/x y.c b/x y.c"), "b/x y.c");
        assert_eq!(path("diff --git \"a/t \\303\\251.csv\" \"b/t \\303\\251.csv\""), "\"b/t \\303\\251.csv\"");
        assert_eq!(path("diff --git src/a b.c src/a b.c"), "src/a b.c");
        assert_eq!(path("diff --git a/old.c b/new.c"), "b/new.c");
        assert_eq!(path("diff -ru old/x.c new/x.c"), "new/x.c");
        assert_eq!(path("diff --cc src/x.c"), "src/x.c");
    }

    #[test]
    fn a_head_needs_a_pair_of_names() {
        assert!(opens_file(b"diff --git i/x w/x") && opens_file(b"diff --git src/x src/x"));
        assert!(!opens_file(b"diff --git is the head of a file") && !opens_file(b" diff --git a/x b/x"));
    }

    #[test]
    fn who_writes_it() {
        assert!(is_written_by_a_tool(b"b/web/yarn.lock") && is_written_by_a_tool(b"b/dist/app.min.js"));
        assert!(!is_written_by_a_tool(b"b/src/lock.rs") && !is_written_by_a_tool(b"b/src/distance.rs"));
    }
}
