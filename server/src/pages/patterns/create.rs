//! The form for a new pattern.

use askama::Template;
use http::StatusCode;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::accelerators;
use super::places::{Place, Places};
use crate::area::Area;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::patterns::accelerator::Accelerator;
use crate::patterns::error::CreateError;
use crate::patterns::id::PatternId;
use crate::patterns::pattern::{self, NewPattern};

#[derive(Template)]
#[template(path = "console/new_pattern.html")]
struct NewPatternPage {
    frame: Frame,
    problems: Problems,
    draft: Draft,
    accelerator: Accelerator,
    /// The projects that can be chosen.
    places: Vec<Place>,
}

/// The values of the form.
#[derive(Debug, Default)]
struct Draft {
    project: String,
    code: String,
    version: String,
    name: String,
    description: String,
    guidelines: String,
    iterations: String,
}

impl Draft {
    fn empty(project: &str) -> Draft {
        Draft {
            project: project.to_owned(),
            version: "01.00.0000".to_owned(),
            ..Draft::default()
        }
    }

    fn of(form: &Form) -> Draft {
        let field = |name: &str| form.get(name).trim().to_owned();
        // Browsers send the lines of a text with CR and LF.
        let text = |name: &str| field(name).replace("\r\n", "\n");
        Draft {
            project: field("project"),
            code: field("code"),
            version: field("version"),
            name: field("name"),
            description: text("description"),
            guidelines: text("guidelines"),
            iterations: field("iterations"),
        }
    }

    /// Checks the values as the operation does. An empty field is left out, so that the value of
    /// the accelerator counts.
    fn check(&self, place: &Place, accelerator: Uuid) -> Problems {
        let mut body = Map::from_iter([
            ("patternCode".to_owned(), json!(self.code)),
            ("patternVersion".to_owned(), json!(self.version)),
            ("projectCode".to_owned(), json!(place.code)),
            ("id".to_owned(), json!(accelerator)),
        ]);
        for (member, text) in [
            ("name", &self.name),
            ("description", &self.description),
            ("guidelines", &self.guidelines),
        ] {
            if !text.is_empty() {
                body.insert(member.to_owned(), json!(text));
            }
        }
        if !self.iterations.is_empty() {
            let number = self.iterations.parse::<i64>();
            let number = number.map_or(json!(self.iterations), |number| json!(number));
            body.insert("maxIteration".to_owned(), number);
        }
        let operation = "createPatternFromAccelerator";
        Problems::of(Area::Patterns, operation, &Value::Object(body))
    }

    /// The pattern, once its values are known to be valid.
    fn pattern(&self, place: &Place, accelerator: Uuid) -> NewPattern {
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        NewPattern {
            id: PatternId {
                code: self.code.clone(),
                version: self.version.clone(),
            },
            project_code: place.code.clone(),
            accelerator,
            name: given(&self.name),
            description: given(&self.description),
            guidelines: given(&self.guidelines),
            max_iteration: self.iterations.parse().ok(),
        }
    }
}

/// The form for the accelerator that the query names.
///
/// # Errors
///
/// When nobody is signed in, the user has no project, there is no such accelerator, or the store
/// fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let places = Places::of(&request).await?;
    let id = request.query("accelerator").and_then(|id| id.parse().ok());
    let id = id.filter(|_| !places.all.is_empty());
    let accelerator = accelerators::find(&request, id.ok_or(PageError::Unknown)?).await?;
    let draft = Draft::empty(request.query("project").unwrap_or_default());
    page(&request, &places, accelerator, draft, Problems::default())
}

/// Creates the pattern.
///
/// # Errors
///
/// When nobody is signed in, the user may not create patterns in the project, there is no such
/// accelerator, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let places = Places::of(&request).await?;
    let draft = Draft::of(&form);
    let place = places.find(&draft.project)?.clone();
    let id: Uuid = form
        .get("accelerator")
        .parse()
        .map_err(|_| PageError::Unreadable)?;
    let mut problems = draft.check(&place, id);
    if problems.is_empty() {
        let new = draft.pattern(&place, id);
        let (trail, user_id, there) = (request.trail(), places.user_id.clone(), place.clone());
        let create = request.app.store.write(move |tx| {
            let there = [there.instance.as_str(), there.id.as_str()];
            pattern::create_for(tx, &trail, &user_id, there, &new)
        });
        match create.await {
            Ok(made) => {
                pattern::count(&request.app.metrics, "created");
                let query = [("project", place.id.as_str()), ("done", "created")];
                // Neither a code nor a version has other characters that an address cannot have.
                let id = made.id.to_string().replace('|', "%7C");
                let path = format!("/ui/v1/patterns/{id}");
                return Ok(PageResponse::see_other_with(&path, &query));
            }
            Err(CreateError::Exists { .. }) => {
                problems.add("/patternCode", "exists already in this project and version");
                problems.fail(
                    StatusCode::CONFLICT,
                    "The project has this pattern already.",
                );
            }
            Err(CreateError::Pattern(error)) => return Err(error.into()),
            Err(CreateError::UnknownAccelerator(_) | CreateError::OtherProject) => {
                return Err(PageError::Unknown);
            }
        }
    }
    let accelerator = accelerators::find(&request, id).await?;
    page(&request, &places, accelerator, draft, problems)
}

fn page(
    request: &PageRequest,
    places: &Places,
    accelerator: Accelerator,
    draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let status = problems.status();
    let page = NewPatternPage {
        frame: request.frame(),
        problems,
        draft,
        accelerator,
        places: places.usable(),
    };
    request.page(status, &page)
}
