//! The pages by their paths.

use http::Method;

use super::operations::{clients, grants, policies};
use super::page_request::{Form, PageRequest};
use super::response::{PageError, PageResponse};
use super::{
    account, change, device, elsewhere, forgot, home, keys, operations, passkey_signin, passkeys,
    password, patterns, playground, signin, signout, usage, users,
};

/// The work of a page in progress.
pub type Running = futures::future::BoxFuture<'static, Result<PageResponse, PageError>>;

/// What a page does with a request.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Shows something, and changes nothing.
    Show(fn(PageRequest) -> Running),
    /// Takes a form that this service has issued to the browser.
    Submit(fn(PageRequest, Form) -> Running),
}

impl Handler {
    /// The methods of its requests. The first one names the page.
    pub fn methods(self) -> &'static [Method] {
        match self {
            Handler::Show(_) => &[Method::GET, Method::HEAD],
            Handler::Submit(_) => &[Method::POST],
        }
    }
}

/// A handler that shows something.
macro_rules! show {
    ($function:path) => {
        Handler::Show(|request| Box::pin($function(request)))
    };
}

/// A handler of a form.
macro_rules! submit {
    ($function:path) => {
        Handler::Submit(|request, form| Box::pin($function(request, form)))
    };
}

/// Every page. A segment in braces is a variable; of two paths that match, the first one counts.
pub const ROUTES: &[(&str, Handler)] = &[
    ("/ui", show!(home::show)),
    ("/ui/v1", show!(home::show)),
    ("/ui/v1/keys", show!(keys::list)),
    ("/ui/v1/keys/new", show!(keys::new)),
    ("/ui/v1/keys/new", submit!(keys::create)),
    ("/ui/v1/keys/{id}", show!(keys::show)),
    ("/ui/v1/keys/{id}/state", submit!(keys::set_state)),
    ("/ui/v1/keys/{id}/revoke", show!(keys::confirm_revocation)),
    ("/ui/v1/keys/{id}/renew", show!(keys::renewal)),
    ("/ui/v1/keys/{id}/renew", submit!(keys::renew)),
    ("/ui/v1/keys/{id}/edit", show!(keys::edit)),
    ("/ui/v1/keys/{id}/edit", submit!(keys::update)),
    ("/ui/v1/keys/{id}/move", show!(keys::relocation)),
    ("/ui/v1/keys/{id}/move", submit!(keys::relocate)),
    ("/ui/v1/keys/{id}/delete", show!(keys::removal)),
    ("/ui/v1/keys/{id}/delete", submit!(keys::remove)),
    ("/ui/v1/usage", show!(usage::show)),
    ("/ui/v1/usage.csv", show!(usage::download)),
    ("/ui/v1/playground", show!(playground::show)),
    ("/ui/v1/patterns", show!(patterns::list)),
    (
        "/ui/v1/patterns/accelerators",
        show!(patterns::accelerators),
    ),
    (
        "/ui/v1/patterns/accelerators/{id}",
        show!(patterns::accelerator),
    ),
    ("/ui/v1/patterns/new", show!(patterns::new)),
    ("/ui/v1/patterns/new", submit!(patterns::create)),
    ("/ui/v1/patterns/{id}", show!(patterns::show)),
    ("/ui/v1/users", show!(users::list)),
    ("/ui/v1/users/new", show!(users::new)),
    ("/ui/v1/users/new", submit!(users::create)),
    ("/ui/v1/users/import", show!(users::import_form)),
    ("/ui/v1/users/import", submit!(users::import)),
    ("/ui/v1/operations", show!(operations::show)),
    ("/ui/v1/operations/verify", submit!(operations::verify)),
    ("/ui/v1/operations/policies", show!(policies::list)),
    ("/ui/v1/operations/policies", submit!(policies::explain)),
    ("/ui/v1/operations/policies/new", show!(policies::new)),
    ("/ui/v1/operations/policies/new", submit!(policies::create)),
    ("/ui/v1/operations/policy", show!(policies::show)),
    ("/ui/v1/operations/policy/delete", submit!(policies::delete)),
    ("/ui/v1/operations/clients", show!(clients::list)),
    ("/ui/v1/operations/clients/new", show!(clients::new)),
    ("/ui/v1/operations/clients/new", submit!(clients::create)),
    ("/ui/v1/operations/client", show!(clients::show)),
    ("/ui/v1/operations/client", submit!(clients::change)),
    ("/ui/v1/operations/grants", show!(grants::list)),
    ("/ui/v1/operations/grants", submit!(grants::set)),
    ("/ui/v1/operations/grants/remove", submit!(grants::remove)),
    ("/ui/v1/operations/users", show!(operations::users::list)),
    (
        "/ui/v1/operations/users",
        submit!(operations::users::administrator),
    ),
    (
        "/ui/v1/operations/users/state",
        submit!(operations::users::state),
    ),
    ("/ui/v1/device", show!(device::show)),
    ("/ui/v1/device", submit!(device::submit)),
    ("/ui/v1/signin", show!(signin::show)),
    ("/ui/v1/signin", submit!(signin::submit)),
    ("/ui/v1/signin/passkey", submit!(passkey_signin::submit)),
    ("/ui/v1/signout", show!(signout::show)),
    ("/ui/v1/signout", submit!(signout::submit)),
    ("/ui/v1/forgot", show!(forgot::show)),
    ("/ui/v1/forgot", submit!(forgot::submit)),
    ("/ui/v1/password", show!(password::show)),
    ("/ui/v1/password", submit!(password::submit)),
    ("/ui/v1/account", show!(account::show)),
    ("/ui/v1/account", submit!(account::submit)),
    ("/ui/v1/account/disconnect", show!(account::disconnection)),
    ("/ui/v1/account/elsewhere", show!(elsewhere::show)),
    ("/ui/v1/account/elsewhere", submit!(elsewhere::submit)),
    ("/ui/v1/account/password", show!(change::show)),
    ("/ui/v1/account/password", submit!(change::submit)),
    ("/ui/v1/account/passkeys", show!(passkeys::show)),
    ("/ui/v1/account/passkeys", submit!(passkeys::submit)),
    ("/ui/v1/account/passkeys/remove", show!(passkeys::removal)),
];
