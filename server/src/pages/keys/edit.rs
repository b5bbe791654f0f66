//! The form for name, description and tags of an API key.

use askama::Template;
use serde_json::json;

use super::fields::{TAGS, is_same_text, tags, tags_text};
use crate::area::Area;
use crate::inference::keys::access::Verb;
use crate::inference::keys::change::{self, Attributes, Tags};
use crate::inference::keys::tags::check_names;
use crate::pages::caller::Caller;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/edit_key.html")]
struct EditPage {
    frame: Frame,
    id: String,
    version: String,
    problems: Problems,
    name: String,
    description: String,
    tags: String,
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user may not change the key, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let key = caller.key_for(&request, Verb::Use).await?.key;
    let page = EditPage {
        frame: request.frame(),
        version: key.etag(),
        problems: Problems::default(),
        name: key.display_name,
        description: key.description.unwrap_or_default(),
        tags: tags_text(&key.freeform_tags),
        id: key.id,
    };
    request.page(page.problems.status(), &page)
}

/// Changes the key. A field that the user has not edited changes nothing: the form cannot show every
/// value that the operation accepts, such as a tag with a line break.
///
/// # Errors
///
/// When nobody is signed in, the user may not change the key, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let present = caller.key_for(&request, Verb::Use).await?.key;
    let mut problems = Problems::default();
    let tags = match is_same_text(form.get("tags"), &tags_text(&present.freeform_tags)) {
        true => None,
        false => Some(tags(form.get("tags"), &mut problems)),
    };
    let (name, description) = (form.get("name").trim(), form.get("description"));
    if problems.is_empty() {
        let mut body = json!({"displayName": name, "description": description.trim()});
        if let Some(tags) = &tags {
            body["freeformTags"] = json!(tags);
        }
        problems = Problems::of(Area::Inference, "updateApiKey", &body);
    }
    let target = caller.target(&request, &form);
    let mut version = form.get("version").to_owned();
    if problems.is_empty() {
        let attributes = Attributes {
            display_name: Some(name.to_owned()),
            description: edited(description, present.description.as_deref()),
            tags: Tags {
                freeform: tags.clone(),
                defined: None,
            },
        };
        let updated = async {
            if let Some(tags) = &tags {
                check_names(tags, TAGS)?;
            }
            change::update(&request.app.inference, target, attributes).await
        };
        match updated.await {
            Ok(response) => {
                let id = response.key.id;
                return Ok(PageResponse::see_other(format!(
                    "/ui/v1/keys/{id}?done=changed"
                )));
            }
            Err(error) => problems = Problems::try_from(error)?,
        }
        // After a refusal because of another version, the form is about the present one.
        version = caller.key_for(&request, Verb::Use).await?.key.etag();
    }
    let page = EditPage {
        frame: request.frame(),
        id: request.variable().to_owned(),
        version,
        problems,
        name: name.to_owned(),
        description: description.to_owned(),
        tags: form.get("tags").to_owned(),
    };
    request.page(page.problems.status(), &page)
}

/// The new description, if the user has edited the field. Browsers remove line breaks from a field
/// with one line.
fn edited(field: &str, present: Option<&str>) -> Option<String> {
    let shown = present.unwrap_or_default().replace(['\r', '\n'], "");
    (field != shown).then(|| field.trim().to_owned())
}
