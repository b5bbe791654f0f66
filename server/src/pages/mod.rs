//! The pages for people: sign in, enter the code of a device, approve or deny
//! it, set a password, sign out.
//!
//! No document describes them, so their routes are written by hand. They work
//! without scripts and load nothing: the stylesheet is in the page, and the
//! content security policy allows only this stylesheet, and the one script that
//! passkeys require. Opening a link changes nothing: every change is a form
//! with a token that is bound to one browser.

mod account;
mod assets;
mod change;
mod confirm;
mod device;
mod page_request;
mod passkey_signin;
mod passkeys;
mod password;
mod response;
mod signin;
mod signout;
mod tab;

use std::sync::Arc;

use dropshot::{ApiDescription, ApiDescriptionRegisterError};

use crate::app::App;

/// Registers the pages.
///
/// # Errors
///
/// When one of the routes exists already.
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
    api.register(passkey_signin::submit)
}
