//! The crates of a package.

use super::areas::Side;

/// A crate of the package.
pub(super) struct Crate {
    pub(super) name: &'static str,
    /// Its folder in the repository.
    pub(super) folder: &'static str,
    /// Its files and folders besides the manifest and the license.
    pub(super) content: &'static [&'static str],
    /// The side of the documents whose code it has.
    pub(super) generated: Option<Side>,
}

/// The client, the fake service for tests of its callers, and the libraries that their code calls.
pub(super) const CRATES: [Crate; 6] = [
    Crate {
        name: "accord-client",
        folder: "client",
        content: &[
            "CHANGELOG.md",
            "COMMANDS.md",
            "COMPARED.md",
            "README.md",
            "examples/first_calls",
            "examples/operations",
            "src",
        ],
        generated: Some(Side::Client),
    },
    Crate {
        name: "accord-testing",
        folder: "client/testing",
        content: &["README.md", "examples", "src"],
        generated: Some(Side::Server),
    },
    library("dropforge-client", "openapi/forge/client"),
    library("dropforge-events", "openapi/forge/events"),
    library("dropforge-fields", "openapi/forge/fields"),
    library("dropforge-runtime", "openapi/forge/runtime"),
];

const fn library(name: &'static str, folder: &'static str) -> Crate {
    Crate {
        name,
        folder,
        content: &["README.md", "src"],
        generated: None,
    }
}
