//! The form for a new user.

use accord_accounts_server::types::{CollabUserRequest, CreateUserResponse, HubUserRequest};
use askama::Template;
use http::StatusCode;
use serde_json::json;

use super::administrator::{Administrator, NewUser, problem, profile_problems};
use super::fields;
use crate::accounts::directory::{self, Listed, Workplace};
use crate::area::Area;
use crate::kernel::language::LANGUAGES;
use crate::pages::once::once;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::store::Tx;

#[derive(Template)]
#[template(path = "console/new_user.html")]
struct NewUserPage {
    frame: Frame,
    once: String,
    problems: Problems,
    draft: Draft,
    organizations: Vec<Listed>,
    workplaces: Vec<Workplace>,
    /// The languages of mail, which the form suggests.
    languages: [(&'static str, &'static str); 7],
}

impl NewUserPage {
    fn is_chosen(&self, workplace: &Workplace) -> bool {
        self.draft.workplace == format!("{}:{}", workplace.instance_id, workplace.id)
    }
}

#[derive(Template)]
#[template(path = "console/created_user.html")]
struct CreatedUserPage {
    frame: Frame,
    name: String,
    email: String,
    /// Whether the user gets a mail.
    is_mailed: bool,
    problems: Vec<String>,
}

/// The values of the form.
#[derive(Debug, Default)]
struct Draft {
    email: String,
    first_name: String,
    middle_name: String,
    last_name: String,
    language: String,
    organization: String,
    sends_mail: bool,
    /// The collab organization: `INSTANCE:ID`, or empty.
    workplace: String,
    projects: String,
}

impl Draft {
    fn of(form: &Form) -> Draft {
        let field = |name: &str| form.get(name).trim().to_owned();
        Draft {
            email: field("email"),
            first_name: field("first_name"),
            middle_name: field("middle_name"),
            last_name: field("last_name"),
            language: field("language"),
            organization: field("organization"),
            sends_mail: form.get("mail") == "yes",
            workplace: field("workplace"),
            projects: field("projects"),
        }
    }

    /// The body of the operation.
    fn user(&self) -> Result<NewUser, PageError> {
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        let mut collab_users: Vec<CollabUserRequest> =
            fields::profiles(&self.workplace).map_err(|_| PageError::Unreadable)?;
        for profile in &mut collab_users {
            let projects = fields::projects(&self.projects);
            profile.project_ids = (!projects.is_empty()).then_some(projects);
        }
        Ok(NewUser {
            hub_user: HubUserRequest {
                email_address: self.email.clone(),
                first_name: self.first_name.clone(),
                middle_name: given(&self.middle_name),
                last_name: self.last_name.clone(),
                language: self.language.clone(),
                hub_organization_id: self
                    .organization
                    .parse()
                    .map_err(|_| PageError::Unreadable)?,
                set_password: self.sends_mail,
                email_for_communication: None,
            },
            collab_users,
        })
    }
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user administers no organization, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let administrator = Administrator::of(&request).await?;
    let draft = Draft {
        language: "en".to_owned(),
        organization: request.query("organization").unwrap_or_default().to_owned(),
        sends_mail: true,
        ..Draft::default()
    };
    let once = request.app.random.token();
    page(&request, administrator, once, draft, Problems::default()).await
}

/// Creates the user. The same form does this once.
///
/// # Errors
///
/// When nobody is signed in, the user administers no organization, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let administrator = Administrator::of(&request).await?;
    let once = once(&form)?.to_owned();
    let draft = Draft::of(&form);
    let new = draft.user()?;
    let mut problems = Problems::of(Area::Accounts, "createUser", &json!(new));
    if draft.workplace.is_empty() && !draft.projects.is_empty() {
        problems.add("/collabUsers", "needs a collab organization");
    }
    if problems.is_empty() {
        let key = format!("console-{once}");
        match administrator.create(&request, &key, new).await {
            Ok((response, _)) => return created(&request, &draft, &response),
            Err(error) => {
                let (status, text) = problem(error)?;
                problems.fail(status, text);
            }
        }
    }
    page(&request, administrator, once, draft, problems).await
}

fn created(
    request: &PageRequest,
    draft: &Draft,
    response: &CreateUserResponse,
) -> Result<PageResponse, PageError> {
    let page = CreatedUserPage {
        frame: request.frame(),
        name: response.hub_user.display_name.clone(),
        email: response.hub_user.email_address.clone(),
        is_mailed: draft.sends_mail,
        problems: profile_problems(response),
    };
    request.page(StatusCode::OK, &page)
}

async fn page(
    request: &PageRequest,
    administrator: Administrator,
    once: String,
    draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let id = administrator.user.id;
    let read = move |tx: &mut Tx<'_>| directory::workplaces(tx, &id);
    let workplaces = request.app.store.read(read).await?;
    let status = problems.status();
    let page = NewUserPage {
        frame: request.frame(),
        once,
        problems,
        draft,
        organizations: administrator.organizations,
        workplaces,
        languages: LANGUAGES,
    };
    request.page(status, &page)
}
