//! The stylesheet and the script of the pages.

/// The stylesheet of every page.
pub const STYLE: &str = include_str!("../../templates/identity/style.css");

/// The script of the pages on which passkeys are created and used.
pub const PASSKEYS: &str = include_str!("../../templates/identity/passkeys.js");
