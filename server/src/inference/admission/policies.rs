//! Which keys may call which models, as Cedar policies.
//!
//! Nothing is allowed unless a policy permits it, and what one forbids none can
//! permit. A policy is checked against a schema and evaluated before it is written.
//! Should one fail all the same, it fails alone: one that permits is left out, and
//! one that forbids denies the calls that it may be about. A decision takes some ten
//! microseconds and is made once for each key, model and action: callers remember
//! it for as long as they hold the same policies.

use std::collections::{HashMap, HashSet};
use std::str::FromStr;
use std::sync::LazyLock;

use cedar_policy::{
    AuthorizationError, Authorizer, Context, Decision, Effect, Entities, Entity, EntityId,
    EntityTypeName, EntityUid, PolicyId, PolicySet, Request, Response, RestrictedExpression,
    Schema, ValidationMode, Validator,
};
use chrono::{DateTime, Utc};

use super::policy_size::{self, on_deep_stack};
use crate::params;
use crate::store::{StoreError, Tx};

/// What policies can speak of.
pub const SCHEMA: &str = include_str!("policies.cedarschema");

static PARSED_SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let parsed = Schema::from_cedarschema_str(SCHEMA);
    // The program's own text, read by every test of this module.
    parsed.expect("the schema of policies is valid").0
});

/// What is done with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Chat completions.
    Chat,
    /// Responses.
    Respond,
}

impl Action {
    /// Every action.
    pub const ALL: [Action; 2] = [Action::Chat, Action::Respond];

    /// The name that policies use.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Chat => "chat",
            Action::Respond => "respond",
        }
    }
}

/// A policy as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its id.
    pub id: String,
    /// One policy in Cedar's language.
    pub text: String,
}

/// The commonest policy: what is absent is open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The compartment whose keys it is for.
    pub compartment_id: Option<String>,
    /// The one key it is for.
    pub key_id: Option<String>,
    /// The one model it is for.
    pub model: Option<String>,
}

impl Scope {
    /// The policy that permits every call in this scope.
    pub fn permit(&self) -> String {
        let compartment = self.compartment_id.as_deref();
        let compartment = compartment.map(|id| format!("principal in {}", uid("Compartment", id)));
        let key = self.key_id.as_deref();
        let key = key.map(|id| format!("principal == {}", uid("Key", id)));
        let (principal, condition) = match (key, compartment) {
            (Some(key), Some(compartment)) => (key, format!(" when {{ {compartment} }}")),
            (Some(one), None) | (None, Some(one)) => (one, String::new()),
            (None, None) => ("principal".to_owned(), String::new()),
        };
        let resource = match &self.model {
            Some(name) => format!("resource == {}", uid("Model", name)),
            None => "resource".to_owned(),
        };
        let action = uid("Action", "call");
        format!("permit ({principal}, action in {action}, {resource}){condition};")
    }
}

/// What is known of a model.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its family.
    pub family: &'a str,
    /// Who provides it.
    pub owner: &'a str,
    /// Where its provider serves it, if that is who does.
    pub external: Option<&'a str>,
    /// The region of the service.
    pub region: &'a str,
}

/// Who wants to do what with which model.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The key.
    pub key_id: &'a str,
    /// The compartment that holds it.
    pub compartment_id: &'a str,
    /// What it wants to do.
    pub action: Action,
    /// The model.
    pub model: Resource<'a>,
}

/// The answer, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it is allowed.
    pub allowed: bool,
    /// The policies that decided: those that forbid, or else those that permit.
    pub because: Vec<String>,
    /// The policies that failed, so that what they would say is not known.
    pub failed: Vec<String>,
}

/// What policies say of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// It is permitted, and not forbidden.
    Allowed,
    /// It is not permitted, or forbidden.
    Refused,
    /// It is denied because a policy that may be about it failed.
    Failed,
}

/// Why a policy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolicyError {
    /// It is not in Cedar's language.
    #[error("policy {id}: {message}")]
    Syntax {
        /// Its id.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// It speaks of what the schema does not have.
    #[error("policy {id}: {message}")]
    Schema {
        /// Its id.
        id: String,
        /// What is wrong.
        message: String,
    },
    /// It is too large, or too deep.
    #[error("policy {id}: {message}")]
    TooLarge {
        /// Its id.
        id: String,
        /// What is too large, and where.
        message: String,
    },
    /// It fails when it is evaluated.
    #[error("policy {id}: it cannot be evaluated: {message}")]
    Evaluation {
        /// Its id.
        id: String,
        /// Why.
        message: String,
    },
    /// The question cannot be put.
    #[error("policies cannot be asked: {0}")]
    Question(String),
}

/// All policies, ready to be asked.
#[derive(Debug, Default)]
pub struct Policies {
    set: PolicySet,
    /// Those that cannot be read, and permit.
    unread: Vec<String>,
    /// Those that cannot be read, and may forbid anything.
    unread_forbidding: Vec<String>,
}

impl Policies {
    /// Reads policies.
    ///
    /// # Errors
    ///
    /// The first that cannot be read.
    pub fn new(all: &[Statement]) -> Result<Policies, PolicyError> {
        let policies = all.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        Policies::of(policies)
    }

    /// Reads those policies that can be read. The others are logged: one that only
    /// permits is left out, and any other denies every call.
    ///
    /// # Errors
    ///
    /// When two policies have one id.
    pub fn read(all: &[Statement]) -> Result<Policies, PolicyError> {
        let mut policies = Vec::new();
        let (mut unread, mut unread_forbidding) = (Vec::new(), Vec::new());
        for statement in all {
            match parse(statement) {
                Ok(policy) => policies.push(policy),
                Err(error) => {
                    let policy = &statement.id;
                    let permits = only_permits(&statement.text);
                    tracing::error!(policy, permits, %error, "a policy cannot be read; see accord-server policy check");
                    match permits {
                        true => unread.push(policy.clone()),
                        false => unread_forbidding.push(policy.clone()),
                    }
                }
            }
        }
        Ok(Policies {
            unread,
            unread_forbidding,
            ..Policies::of(policies)?
        })
    }

    fn of(policies: Vec<cedar_policy::Policy>) -> Result<Policies, PolicyError> {
        let set = PolicySet::from_policies(policies);
        let set = set.map_err(|error| PolicyError::Question(error.to_string()))?;
        Ok(Policies {
            set,
            ..Policies::default()
        })
    }

    /// Whether a call is allowed, and which policies say so.
    ///
    /// # Errors
    ///
    /// When the policies cannot be asked: then nothing is allowed.
    pub fn decide(&self, question: &Question<'_>) -> Result<Verdict, PolicyError> {
        self.evaluate(question).map(|(verdict, _)| verdict)
    }

    fn authorize(&self, question: &Question<'_>) -> Result<Response, PolicyError> {
        let (request, entities) = ask(question)?;
        let authorize = || Authorizer::new().is_authorized(&request, &self.set, &entities);
        Ok(on_deep_stack(authorize))
    }

    fn evaluate(&self, question: &Question<'_>) -> Result<(Verdict, Ruling), PolicyError> {
        let response = self.authorize(question)?;
        let diagnostics = response.diagnostics();
        let mut failed: Vec<String> = self.unread_forbidding.clone();
        let mut may_be_forbidden = !failed.is_empty();
        for error in diagnostics.errors() {
            let AuthorizationError::PolicyEvaluationError(error) = error;
            let id = error.policy_id();
            tracing::error!(policy = %id, %error, "a policy cannot be evaluated");
            failed.push(id.to_string());
            let policy = self.set.policy(id);
            // What is not known to permit may forbid.
            may_be_forbidden |= policy.is_none_or(|policy| policy.effect() != Effect::Permit);
        }
        let mut because: Vec<String> = diagnostics.reason().map(ToString::to_string).collect();
        because.sort();
        // Cedar leaves policies that fail out of its decision.
        let permitted = response.decision() == Decision::Allow;
        let ruling = match (permitted, may_be_forbidden) {
            (true, false) => Ruling::Allowed,
            (true, true) => Ruling::Failed,
            // Forbidden by another policy.
            (false, _) if !because.is_empty() => Ruling::Refused,
            (false, _) if failed.is_empty() && self.unread.is_empty() => Ruling::Refused,
            // Perhaps one of those that failed permits it.
            (false, _) => Ruling::Failed,
        };
        failed.extend(self.unread.iter().cloned());
        let verdict = Verdict {
            allowed: ruling == Ruling::Allowed,
            because,
            failed,
        };
        Ok((verdict, ruling))
    }

    /// [`decide`](Self::decide), and a denial where that fails.
    pub fn ruling(&self, question: &Question<'_>) -> Ruling {
        match self.evaluate(question) {
            Ok((_, ruling)) => ruling,
            Err(error) => {
                tracing::error!(%error, "a call is denied");
                Ruling::Failed
            }
        }
    }
}

/// Whether a policy that cannot be read can do nothing but permit. So it is when
/// the word that makes it forbid stands nowhere in it.
fn only_permits(text: &str) -> bool {
    text.contains("permit") && !text.contains("forbid")
}

/// What is wrong with a policy that is to be written; nothing when it can be.
///
/// # Errors
///
/// All that does not go with the schema, or why it fails when it is evaluated.
pub fn check(statement: &Statement) -> Result<(), PolicyError> {
    let policies = Policies::new(std::slice::from_ref(statement))?;
    let validator = Validator::new(PARSED_SCHEMA.clone());
    let errors: Vec<String> = on_deep_stack(|| {
        let result = validator.validate(&policies.set, ValidationMode::Strict);
        result
            .validation_errors()
            .map(ToString::to_string)
            .collect()
    });
    match errors.is_empty() {
        true => try_out(statement, &policies),
        false => Err(PolicyError::Schema {
            id: statement.id.clone(),
            message: errors.join("; "),
        }),
    }
}

/// How many of each kind that a policy names it is tried out with.
const TRIED: usize = 6;

/// Evaluates a policy with what it names, and with what it does not.
fn try_out(statement: &Statement, policies: &Policies) -> Result<(), PolicyError> {
    let names = names(statement)?;
    let of_kind = |kind: &str| {
        let named = names.iter().filter(|(one, _)| one == kind);
        let named = named.map(|(_, id)| id.clone()).take(TRIED);
        named.chain(["trial".to_owned()]).collect::<Vec<_>>()
    };
    let (keys, compartments) = (of_kind("Key"), of_kind("Compartment"));
    let callers = keys.iter().flat_map(|key| {
        compartments
            .iter()
            .map(move |compartment| (key, compartment))
    });
    let callers: Vec<_> = callers.collect();
    for name in of_kind("Model") {
        for external in [None, Some("trial")] {
            for (key_id, compartment_id) in &callers {
                for action in Action::ALL {
                    let model = Resource {
                        name: &name,
                        family: "trial",
                        owner: "trial",
                        external,
                        region: "trial",
                    };
                    let response = policies.authorize(&Question {
                        key_id,
                        compartment_id,
                        action,
                        model,
                    })?;
                    if let Some(error) = response.diagnostics().errors().next() {
                        return Err(PolicyError::Evaluation {
                            id: statement.id.clone(),
                            message: error.to_string(),
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// What a policy names, as kind and id: `("Key", "apikey.local.x")`.
///
/// # Errors
///
/// When it cannot be read.
pub fn names(statement: &Statement) -> Result<Vec<(String, String)>, PolicyError> {
    let policy = parse(statement)?;
    let literals = on_deep_stack(|| policy.entity_literals()).into_iter();
    let mut names: Vec<_> = literals
        .map(|uid| (uid.type_name().to_string(), uid.id().unescaped().to_owned()))
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Whether a policy permits; otherwise it forbids.
///
/// # Errors
///
/// When it cannot be read.
pub fn permits(statement: &Statement) -> Result<bool, PolicyError> {
    Ok(parse(statement)?.effect() == Effect::Permit)
}

/// Writes a policy. Replicas follow once the change is announced.
///
/// # Errors
///
/// When the store fails.
pub fn insert(
    tx: &mut Tx<'_>,
    statement: &Statement,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    tx.execute(
        "INSERT INTO inference_policies (id, statement, created_at) VALUES ($1, $2, $3)",
        params![&statement.id, &statement.text, now],
    )?;
    Ok(())
}

fn parse(statement: &Statement) -> Result<cedar_policy::Policy, PolicyError> {
    let Statement { id, text } = statement;
    policy_size::check(text).map_err(|message| PolicyError::TooLarge {
        id: id.clone(),
        message,
    })?;
    on_deep_stack(|| {
        let parsed = cedar_policy::Policy::parse(Some(PolicyId::new(id)), text);
        parsed.map_err(|error| PolicyError::Syntax {
            id: id.clone(),
            message: error.to_string(),
        })
    })
}

fn uid(kind: &str, id: &str) -> EntityUid {
    let kind = EntityTypeName::from_str(kind);
    // The kinds are the program's own, and stand in the schema.
    let kind = kind.expect("a name of the schema");
    EntityUid::from_type_name_and_id(kind, EntityId::new(id))
}

fn ask(question: &Question<'_>) -> Result<(Request, Entities), PolicyError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn question(action: Action, external: Option<&'static str>) -> Question<'static> {
        Question {
            key_id: "k",
            compartment_id: "c",
            action,
            model: Resource {
                name: "m",
                family: "acme",
                owner: "acme inc",
                external,
                region: "local",
            },
        }
    }

    fn decide(policies: &[&str], question: &Question<'_>) -> Verdict {
        let named = policies.iter().enumerate().map(|(index, text)| Statement {
            id: format!("p{index}"),
            text: (*text).to_owned(),
        });
        let all: Vec<_> = named.collect();
        for statement in &all {
            check(statement).unwrap_or_else(|error| panic!("{error}"));
        }
        let policies = Policies::new(&all).unwrap();
        policies.decide(question).unwrap()
    }

    fn complaint(text: &str) -> String {
        let statement = Statement {
            id: "p".into(),
            text: text.into(),
        };
        check(&statement).unwrap_err().to_string()
    }

    #[test]
    fn nothing_is_allowed_without_a_policy() {
        let verdict = decide(&[], &question(Action::Chat, None));
        assert_eq!((verdict.allowed, verdict.because.len()), (false, 0));
    }

    #[test]
    fn what_a_scope_names_must_match_and_what_it_leaves_open_need_not() {
        for (compartment, key, model, allowed) in [
            (Some("c"), None, None, true),
            (None, None, None, true),
            (Some("c"), Some("k"), Some("m"), true),
            (None, Some("k"), None, true),
            (Some("d"), None, None, false),
            (Some("d"), Some("k"), None, false),
            (Some("c"), Some("l"), None, false),
            (Some("c"), None, Some("n"), false),
        ] {
            let scope = Scope {
                compartment_id: compartment.map(Into::into),
                key_id: key.map(Into::into),
                model: model.map(Into::into),
            };
            for action in Action::ALL {
                let verdict = decide(&[&scope.permit()], &question(action, None));
                assert_eq!(verdict.allowed, allowed, "{scope:?}");
            }
        }
    }

    #[test]
    fn what_one_policy_forbids_none_permits() {
        let open = Scope::default().permit();
        let forbid = "forbid (principal, action, resource) when { resource.external };";
        let inside = decide(&[&open, forbid], &question(Action::Chat, None));
        assert_eq!(
            (inside.allowed, &*inside.because),
            (true, &["p0".to_owned()][..])
        );
        let outside = decide(&[&open, forbid], &question(Action::Chat, Some("elsewhere")));
        assert_eq!(
            (outside.allowed, &*outside.because),
            (false, &["p1".to_owned()][..])
        );
    }

    #[test]
    fn actions_and_properties_of_models_can_be_told_apart() {
        let chat = "permit (principal, action == Action::\"chat\", resource) \
                    when { resource.family == \"acme\" && resource.location == \"local\" };";
        assert!(decide(&[chat], &question(Action::Chat, None)).allowed);
        assert!(!decide(&[chat], &question(Action::Respond, None)).allowed);
        assert!(!decide(&[chat], &question(Action::Chat, Some("eu"))).allowed);
    }

    #[test]
    fn a_policy_that_would_fail_later_is_refused_now() {
        assert!(complaint("permit everything").contains("policy p: "));
        assert!(
            complaint("permit (principal, action, resource) when { resource.price < 3 };")
                .contains("price")
        );
        assert!(complaint("permit (principal == User::\"x\", action, resource);").contains("User"));
    }

    #[test]
    fn names_hold_what_they_hold_and_nothing_more() {
        let hostile = "x\"); permit (principal, action, resource); //";
        let scope = Scope {
            key_id: Some(hostile.into()),
            ..Scope::default()
        };
        let statement = Statement {
            id: "p".into(),
            text: scope.permit(),
        };
        check(&statement).unwrap();
        assert!(
            names(&statement)
                .unwrap()
                .contains(&("Key".to_owned(), hostile.to_owned()))
        );
        assert!(!decide(&[&statement.text], &question(Action::Chat, None)).allowed);
    }

    const PERMIT: &str = "permit (principal, action, resource);";
    const FAILING: &str = "(principal, action, resource) when { 9223372036854775807 + 1 == 2 };";

    fn read(policies: &[&str]) -> Policies {
        let named = policies.iter().enumerate().map(|(index, text)| Statement {
            id: format!("p{index}"),
            text: (*text).to_owned(),
        });
        Policies::read(&named.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_policy_that_fails_when_it_is_evaluated_is_not_accepted() {
        let message = complaint(&format!("permit {FAILING}"));
        assert!(message.contains("cannot be evaluated"), "{message}");
        // Only where it is about what it names.
        let message = complaint(
            "permit (principal == Key::\"k\", action, resource == Model::\"m\") \
             when { 9223372036854775807 + 1 == 2 };",
        );
        assert!(message.contains("cannot be evaluated"), "{message}");
    }

    #[test]
    fn a_policy_that_fails_fails_alone() {
        let ask = |policies: &[&str]| read(policies).ruling(&question(Action::Chat, None));
        let (permit, forbid) = (format!("permit {FAILING}"), format!("forbid {FAILING}"));
        assert_eq!(ask(&[PERMIT, &permit]), Ruling::Allowed);
        assert_eq!(ask(&[&permit]), Ruling::Failed);
        assert_eq!(ask(&[PERMIT, &forbid]), Ruling::Failed);
        assert_eq!(
            ask(&["forbid (principal, action, resource);", &permit]),
            Ruling::Refused
        );
        assert_eq!(ask(&[]), Ruling::Refused);
        // About other calls, it is not asked.
        let elsewhere = "forbid (principal, action, resource == Model::\"n\") \
                         when { 9223372036854775807 + 1 == 2 };";
        assert_eq!(ask(&[PERMIT, elsewhere]), Ruling::Allowed);
    }

    #[test]
    fn a_policy_that_cannot_be_read_fails_alone_unless_it_may_forbid() {
        let ask = |policies: &[&str]| read(policies).ruling(&question(Action::Chat, None));
        let deep = format!("{}true{}", "(".repeat(5_000), ")".repeat(5_000));
        let permit = format!("permit (principal, action, resource) when {{ {deep} }};");
        let forbid = permit.replace("permit", "forbid");
        assert_eq!(ask(&[PERMIT, &permit]), Ruling::Allowed);
        assert_eq!(ask(&[&permit]), Ruling::Failed);
        assert_eq!(ask(&[PERMIT, &forbid]), Ruling::Failed);
        assert_eq!(ask(&[PERMIT, "neither"]), Ruling::Failed);
        let verdict = read(&[PERMIT, &forbid])
            .decide(&question(Action::Chat, None))
            .unwrap();
        assert_eq!(
            (verdict.allowed, verdict.failed),
            (false, vec!["p1".to_owned()])
        );
    }

    /// The stack of the threads that read the database is the smallest.
    #[test]
    fn the_largest_policy_is_read_evaluated_and_forgotten_on_a_small_stack() {
        let body = || {
            for (begin, operator, end) in [
                ("resource == Model::\"m0\"", "|| true", ""),
                ("(((", "", "true)))"),
                ("1", "+ 1", " == 7"),
            ] {
                let chain = operator.repeat(1_990);
                let text =
                    format!("permit (principal, action, resource) when {{ {begin}{chain}{end} }};");
                let statement = Statement {
                    id: "p".into(),
                    text,
                };
                check(&statement).unwrap_or_else(|error| panic!("{error}"));
                let policies = Policies::read(&[statement]).unwrap();
                assert_ne!(
                    policies.ruling(&question(Action::Chat, None)),
                    Ruling::Failed
                );
            }
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(body);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn a_long_list_of_models_is_a_policy_like_any_other() {
        let models: Vec<_> = (0..1_000)
            .map(|n| format!("resource == Model::\"m{n}\""))
            .collect();
        let models = models.join(" || ");
        let text = format!("permit (principal, action, resource) when {{ {models} }};");
        assert!(!decide(&[&text], &question(Action::Chat, None)).allowed);
    }
}
