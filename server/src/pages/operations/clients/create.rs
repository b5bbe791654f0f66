//! The form that registers a client.

use askama::Template;

use super::secret::{of_form, shown};
use crate::identity::clients::{Algorithm, Client, ClientKey, Grant, Kind, Role, has_secret};
use crate::identity::registry::{self, Proof, RegistryError};
use crate::pages::operations::operator::{require_operator, write_as_operator};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::problems::Problems;
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::store::Tx;

/// The maximum number of characters of a name.
const MAX_NAME: usize = 255;

#[derive(Template)]
#[template(path = "console/new_client.html")]
struct NewClientPage {
    frame: Frame,
    /// The token against repetition.
    once: String,
    problems: Problems,
    draft: Draft,
}

/// The values of the form.
struct Draft {
    id: String,
    name: String,
    kind: Kind,
    roles: Vec<Role>,
    refreshes: bool,
    introspects: bool,
    key: String,
    /// The algorithm of the key; `None` for that of the key itself.
    algorithm: Option<Algorithm>,
    saml_issuer: String,
    is_strict: bool,
}

impl Draft {
    fn empty() -> Draft {
        Draft {
            id: String::new(),
            name: String::new(),
            kind: Kind::Confidential,
            roles: Vec::new(),
            refreshes: true,
            introspects: false,
            key: String::new(),
            algorithm: None,
            saml_issuer: String::new(),
            is_strict: false,
        }
    }

    /// # Errors
    ///
    /// When the form has no kind of client, or an unknown algorithm.
    fn of(form: &Form) -> Result<Draft, PageError> {
        let field = |name: &str| form.get(name).trim().to_owned();
        let is_chosen = |name: &str| form.get(name) == "yes";
        let roles = Role::ALL.into_iter();
        Ok(Draft {
            id: field("id"),
            name: field("name"),
            kind: Kind::parse(form.get("kind")).ok_or(PageError::Unreadable)?,
            roles: roles.filter(|role| is_chosen(role.as_str())).collect(),
            refreshes: is_chosen("refreshes"),
            introspects: is_chosen("introspects"),
            key: field("key"),
            algorithm: match form.get("algorithm") {
                "" => None,
                name => Some(Algorithm::parse(name).ok_or(PageError::Unreadable)?),
            },
            saml_issuer: field("saml_issuer"),
            is_strict: is_chosen("strict"),
        })
    }

    fn has_role(&self, role: &Role) -> bool {
        self.roles.contains(role)
    }

    fn has_algorithm(&self, algorithm: &Algorithm) -> bool {
        self.algorithm.as_ref() == Some(algorithm)
    }

    /// The client.
    fn client(&self, access_token_seconds: i64, problems: &mut Problems) -> Client {
        if !(1..=MAX_NAME).contains(&self.name.chars().count()) {
            problems.add("/name", "The name must have 1 to 255 characters.");
        }
        if self.roles.is_empty() {
            problems.add("/roles", "Choose at least one.");
        }
        if self.kind != Kind::Saml && !self.saml_issuer.is_empty() {
            problems.add(
                "/saml_issuer",
                "Only clients with SAML assertions have an issuer.",
            );
        }
        Client {
            id: self.id.clone(),
            name: self.name.clone(),
            kind: self.kind,
            roles: self.roles.clone(),
            grants: Grant::of_device(self.refreshes),
            introspects: self.introspects,
            access_token_seconds,
            strict: self.is_strict,
            saml_issuer: (!self.saml_issuer.is_empty()).then(|| self.saml_issuer.clone()),
        }
    }

    /// The credentials, unless the key does not fit the kind of client. The page does not repeat
    /// such a key, because it may be a private one.
    fn proof(&mut self, secret: &str, problems: &mut Problems) -> Proof {
        let has_key = matches!(self.kind, Kind::Assertion | Kind::Saml);
        match (has_key, self.key.is_empty()) {
            (true, true) => {
                problems.add("/key", "A client that signs assertions needs a key.");
                Proof::None
            }
            (false, false) => {
                problems.add("/key", "Only clients that sign assertions have a key.");
                self.key.clear();
                Proof::None
            }
            (false, true) if self.kind == Kind::Confidential => Proof::Secret(secret.to_owned()),
            (false, true) => Proof::None,
            (true, false) => match ClientKey::read_for(&self.key, self.algorithm) {
                Ok(keys) => Proof::Keys(keys),
                Err(error) => {
                    problems.add("/key", format!("The key cannot be used: {error}."));
                    self.key.clear();
                    Proof::None
                }
            },
        }
    }
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let once = request.app.random.token();
    page(&request, once, Draft::empty(), Problems::default())
}

/// Registers the client, and shows its secret if it has one. The same form does this once, and shows
/// the same secret again.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let mut draft = Draft::of(&form)?;
    let mut problems = Problems::default();
    let app = &request.app;
    let secret = of_form(&request, &form)?;
    let once = form.get("once").to_owned();
    let client = draft.client(app.config.identity.access_token_seconds, &mut problems);
    let proof = draft.proof(&secret, &mut problems);
    if !problems.is_empty() {
        return page(&request, once, draft, problems);
    }
    let (by, repeated) = (request.trail(), secret.clone());
    let write = move |tx: &mut Tx<'_>| match registry::register(tx, &by, &client, &proof) {
        Err(RegistryError::Taken(id)) => match has_secret(tx, by.server_keys(), &id, &repeated)? {
            true => Ok(()),
            false => Err(RegistryError::Taken(id)),
        },
        other => other,
    };
    match write_as_operator(&request, write).await? {
        Ok(()) if draft.kind == Kind::Confidential => shown(&request, &draft.id, &secret, false),
        Ok(()) => Ok(PageResponse::see_other(format!(
            "/ui/v1/operations/client?id={}&done=added",
            draft.id
        ))),
        Err(RegistryError::Server(error)) => Err(error.into()),
        Err(RegistryError::Taken(_)) => {
            let problem = "A client with this id exists already. Its page can add a secret.";
            problems.add("/id", problem);
            page(&request, once, draft, problems)
        }
        Err(error) => {
            problems.add("/id", format!("The client is not registered: {error}."));
            page(&request, once, draft, problems)
        }
    }
}

fn page(
    request: &PageRequest,
    once: String,
    draft: Draft,
    problems: Problems,
) -> Result<PageResponse, PageError> {
    let status = problems.status();
    let page = NewClientPage {
        frame: request.frame(),
        once,
        problems,
        draft,
    };
    request.page(status, &page)
}
