//! The list of clients.

use askama::Template;
use http::StatusCode;

use crate::identity::registry::{self, Listing};
use crate::pages::day::day_of;
use crate::pages::operations::operator::require_operator;
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/clients.html")]
struct ClientsPage {
    frame: Frame,
    clients: Vec<Listing>,
}

impl ClientsPage {
    fn since(&self, client: &Listing) -> String {
        day_of(client.created_at)
    }
}

/// The list.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let clients = request.app.store.read(registry::list);
    let page = ClientsPage {
        frame: request.frame(),
        clients: clients.await?,
    };
    request.page(StatusCode::OK, &page)
}
