//! The stylesheet, the scripts and the icon of the pages.
//!
//! Each is in the page itself: the content security policy allows only a stylesheet and scripts
//! with these hashes.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The stylesheet of every page.
pub const STYLE: &str = concat!(
    include_str!("../../templates/identity/style.css"),
    include_str!("../../templates/console/style.css")
);

/// The script of the pages on which passkeys are created and used.
pub const PASSKEYS: &str = include_str!("../../templates/identity/passkeys.js");

/// The script of the boxes that show passwords.
pub const REVEAL: &str = include_str!("../../templates/identity/reveal.js");

/// The script of the buttons that copy a secret.
pub const COPY: &str = include_str!("../../templates/console/copy.js");

/// The script of the field that reads a file.
pub const CHOOSE_FILE: &str = include_str!("../../templates/console/choose_file.js");

/// The script of the playground.
pub const PLAYGROUND: &str = include_str!("../../templates/console/playground.js");

/// The logo, as an element of the page.
pub const LOGO: &str = include_str!("../../templates/identity/logo.svg");

/// The logo as the icon of the page.
pub static ICON: LazyLock<String> = LazyLock::new(|| {
    let data = STANDARD.encode(LOGO);
    format!("data:image/svg+xml;base64,{data}")
});
