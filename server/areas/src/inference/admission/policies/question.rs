//! The request that policies decide: a key, an action and a model.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;
use std::sync::LazyLock;

use cedar_policy::{
    Context, Entities, Entity, EntityId, EntityTypeName, EntityUid, Request, RestrictedExpression,
    Schema,
};

use super::error::PolicyError;
use crate::inference::gateway::models::Model;

/// The schema of policies.
pub const SCHEMA: &str = include_str!("../policies.cedarschema");

/// [`SCHEMA`], parsed.
pub(super) static PARSED_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let parsed = Schema::from_cedarschema_str(SCHEMA);
    // The text is part of the program, and every test of this module parses it.
    parsed.expect("the schema of policies is valid").0
});

/// An action on a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Chat completions.
    Chat,
    /// Responses.
    Respond,
}

crate::names! {
    /// The action's name in policies.
    Action { Chat = "chat", Respond = "respond" }
}

impl Action {
    /// The action's name for people.
    pub fn words(self) -> &'static str {
        match self {
            Action::Chat => "Chat completions",
            Action::Respond => "Responses",
        }
    }
}

/// The facts about a model that policies can use.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its family.
    pub family: &'a str,
    /// Its provider.
    pub owner: &'a str,
    /// The location of an external provider, if the model has one.
    pub external: Option<&'a str>,
    /// The region of the service.
    pub region: &'a str,
}

impl<'a> Resource<'a> {
    /// The facts about a model of the catalog that policies can use.
    pub fn of(model: &'a Model) -> Resource<'a> {
        Resource {
            name: &model.name,
            family: &model.family,
            owner: &model.owned_by,
            external: model.external.as_deref(),
            region: &model.region,
        }
    }
}

/// A request of a key for an action on a model.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The key.
    pub key_id: &'a str,
    /// The key's compartment.
    pub compartment_id: &'a str,
    /// The action.
    pub action: Action,
    /// The model.
    pub model: Resource<'a>,
}

/// The name of an entity of one of the schema's kinds.
pub(super) fn uid(kind: &str, id: &str) -> EntityUid {
    let kind = EntityTypeName::from_str(kind);
    // The kinds are constants of the program, and are in the schema.
    let kind = kind.expect("a name of the schema");
    EntityUid::from_type_name_and_id(kind, EntityId::new(id))
}

/// A question as a request of Cedar.
pub(super) fn cedar_request(question: &Question<'_>) -> Result<(Request, Entities), PolicyError> {
    let failed = |error: &dyn std::fmt::Display| PolicyError::Question(error.to_string());
    let Question {
        key_id,
        compartment_id,
        action,
        model,
    } = *question;
    let key = uid("Key", key_id);
    let compartment = uid("Compartment", compartment_id);
    let resource = uid("Model", model.name);
    let text = |text: &str| RestrictedExpression::new_string(text.to_owned());
    let attributes = HashMap::from([
        ("family".to_owned(), text(model.family)),
        ("owner".to_owned(), text(model.owner)),
        (
            "external".to_owned(),
            RestrictedExpression::new_bool(model.external.is_some()),
        ),
        (
            "location".to_owned(),
            text(model.external.unwrap_or(model.region)),
        ),
    ]);
    let entities = [
        Entity::new_no_attrs(key.clone(), HashSet::from([compartment.clone()])),
        Entity::new_no_attrs(compartment, HashSet::new()),
        Entity::new(resource.clone(), attributes, HashSet::new()).map_err(|e| failed(&e))?,
    ];
    let schema = Some(&*PARSED_SCHEMA);
    let entities = Entities::from_entities(entities, schema).map_err(|e| failed(&e))?;
    let action = uid("Action", action.as_str());
    let request = Request::new(key, action, resource, Context::empty(), schema);
    Ok((request.map_err(|e| failed(&e))?, entities))
}
