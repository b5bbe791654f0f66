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
    /// Whether callers use its items, and not only the other crates of the package, which require its exact version.
    pub(super) is_for_callers: bool,
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
        is_for_callers: true,
    },
    Crate {
        name: "accord-testing",
        folder: "client/testing",
        content: &["README.md", "examples", "src"],
        generated: Some(Side::Server),
        is_for_callers: true,
    },
    library("dropforge-client", "openapi/forge/client", true),
    library("dropforge-events", "openapi/forge/events", true),
    library("dropforge-fields", "openapi/forge/fields", true),
    library("dropforge-runtime", "openapi/forge/runtime", false),
];

const fn library(name: &'static str, folder: &'static str, is_for_callers: bool) -> Crate {
    Crate {
        name,
        folder,
        content: &["README.md", "src"],
        generated: None,
        is_for_callers,
    }
}
