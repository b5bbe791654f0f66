//! The crates of a package.

/// A crate of the package.
pub(super) struct Crate {
    pub(super) name: &'static str,
    /// Its folder in the repository.
    pub(super) folder: &'static str,
    /// Its files and folders besides the manifest and the license.
    pub(super) content: &'static [&'static str],
}

/// The client, and the libraries that its code calls.
pub(super) const CRATES: [Crate; 4] = [
    Crate {
        name: "accord-client",
        folder: "client",
        content: &[
            "CHANGELOG.md",
            "COMMANDS.md",
            "README.md",
            "examples/first_calls",
            "examples/operations",
            "src",
        ],
    },
    Crate {
        name: "dropforge-client",
        folder: "openapi/forge/client",
        content: &["README.md", "src"],
    },
    Crate {
        name: "dropforge-events",
        folder: "openapi/forge/events",
        content: &["README.md", "src"],
    },
    Crate {
        name: "dropforge-fields",
        folder: "openapi/forge/fields",
        content: &["README.md", "src"],
    },
];
