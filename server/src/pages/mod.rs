//! The pages that people use: sign in, enter the code of a device, approve or
//! deny it, set a password, sign out.
//!
//! No document describes them, so their routes are written by hand. They
//! work without scripts and need nothing but themselves: the stylesheet stands
//! in the page, and the content security policy allows that stylesheet and
//! nothing else, but for the one script that passkeys cannot do without. Nothing
//! is decided by opening a link: every change is a form
//! with a token that is bound to the browser it was given to.

mod account;
mod answer;
mod change;
mod confirm;
mod device;
mod page_request;
mod passkeys;
mod password;
mod signin;
mod signout;

use std::sync::Arc;

use dropshot::{ApiDescription, ApiDescriptionRegisterError};

use crate::app::App;

/// The stylesheet of every page.
pub const STYLE: &str = include_str!("../../templates/identity/style.css");

/// The script of the pages on which passkeys are made and used.
pub const PASSKEYS: &str = include_str!("../../templates/identity/passkeys.js");

/// Registers the pages.
///
/// # Errors
///
/// When one of the routes is taken.
pub fn register(api: &mut ApiDescription<Arc<App>>) -> Result<(), ApiDescriptionRegisterError> {
    api.register(device::show)?;
    api.register(device::submit)?;
    api.register(signin::show)?;
    api.register(signin::submit)?;
    api.register(signout::show)?;
    api.register(signout::submit)?;
    api.register(password::show)?;
    api.register(password::submit)?;
    api.register(account::show)?;
    api.register(account::submit)?;
    api.register(change::show)?;
    api.register(change::submit)?;
    api.register(passkeys::show)?;
    api.register(passkeys::submit)?;
    api.register(passkeys::sign_in)
}
