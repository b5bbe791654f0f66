//! The accelerators of the catalog, and one of them with the parts of its patterns.
//!
//! The catalog belongs to nobody. Users see it who have a grant on some project.

use askama::Template;
use http::StatusCode;

use super::drawing::Drawing;
use super::list::NoProjectsPage;
use super::places::Places;
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::patterns::accelerator::{self, Accelerator};
use crate::patterns::accelerators::{self, Listed};

#[derive(Template)]
#[template(path = "console/accelerators.html")]
struct AcceleratorsPage {
    frame: Frame,
    accelerators: Vec<Listed>,
}

#[derive(Template)]
#[template(path = "console/accelerator.html")]
struct AcceleratorPage {
    frame: Frame,
    accelerator: Accelerator,
    drawing: Drawing,
    can_create: bool,
}

/// The list.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn list(request: PageRequest) -> Result<PageResponse, PageError> {
    let places = Places::of(&request).await?;
    if places.all.is_empty() {
        let frame = request.frame();
        return request.page(StatusCode::OK, &NoProjectsPage { frame });
    }
    let accelerators = request.app.store.read(accelerators::list).await?;
    let page = AcceleratorsPage {
        frame: request.frame(),
        accelerators,
    };
    request.page(StatusCode::OK, &page)
}

/// The accelerator that the path names.
///
/// # Errors
///
/// When nobody is signed in, the user has no project, there is no such accelerator, or the store
/// fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let places = Places::of(&request).await?;
    let id = request.variable().parse().ok();
    let id = id.filter(|_| !places.all.is_empty());
    let accelerator = find(&request, id.ok_or(PageError::Unknown)?).await?;
    let page = AcceleratorPage {
        frame: request.frame(),
        drawing: Drawing::of(
            None,
            [&accelerator.name, &accelerator.version],
            &accelerator.integrations,
            &accelerator.roles,
        ),
        accelerator,
        can_create: !places.usable().is_empty(),
    };
    request.page(StatusCode::OK, &page)
}

/// The accelerator with this identifier.
///
/// # Errors
///
/// When there is none, or the store fails.
pub async fn find(request: &PageRequest, id: uuid::Uuid) -> Result<Accelerator, PageError> {
    let read = request.app.store.read(move |tx| accelerator::find(tx, id));
    read.await?.ok_or(PageError::Unknown)
}
