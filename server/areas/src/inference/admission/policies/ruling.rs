//! A parsed set of policies, and its decisions.

use cedar_policy::{AuthorizationError, Authorizer, Decision, Effect, PolicySet, Response};

use super::error::PolicyError;
use super::question::{Question, cedar_request};
use super::size::on_deep_stack;
use super::statement::{Statement, parse};

/// A decision, with its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The decision.
    pub ruling: Ruling,
    /// The policies that decided: those that forbid, else those that permit.
    pub because: Vec<String>,
    /// The policies whose evaluation failed, so that their effect is unknown.
    pub failed: Vec<String>,
}

impl Verdict {
    /// Whether the call is allowed.
    pub fn is_allowed(&self) -> bool {
        self.ruling == Ruling::Allowed
    }
}

/// The decision of the policies about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// The call is permitted, and not forbidden.
    Allowed,
    /// The call is forbidden, or not permitted.
    Refused,
    /// The call is denied because a policy that may be about it failed.
    Failed,
}

/// A parsed set of policies.
#[derive(Debug, Default)]
pub struct Policies {
    pub(super) set: PolicySet,
    /// The ids of unreadable policies that permit.
    unreadable: Vec<String>,
    /// The ids of unreadable policies that may forbid any call.
    unreadable_forbidding: Vec<String>,
}

impl Policies {
    /// Parses policies.
    ///
    /// # Errors
    ///
    /// The first policy that cannot be parsed, or that two policies have the same id.
    pub fn new(all: &[Statement]) -> Result<Policies, PolicyError> {
        let policies = all.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        Policies::of(policies)
    }

    /// Parses the policies that are readable. The others are logged: one that only permits is
    /// ignored, and any other denies every call.
    ///
    /// # Errors
    ///
    /// When two policies have the same id.
    pub fn read(all: &[Statement]) -> Result<Policies, PolicyError> {
        let mut policies = Vec::new();
        let (mut unreadable, mut unreadable_forbidding) = (Vec::new(), Vec::new());
        for statement in all {
            match parse(statement) {
                Ok(policy) => policies.push(policy),
                Err(error) => {
                    let policy = &statement.id;
                    let permits = only_permits(&statement.text);
                    tracing::error!(policy, permits, %error, "a policy cannot be read; see accord-server policy check");
                    match permits {
                        true => unreadable.push(policy.clone()),
                        false => unreadable_forbidding.push(policy.clone()),
                    }
                }
            }
        }
        Ok(Policies {
            unreadable,
            unreadable_forbidding,
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

    /// Whether a call is allowed, with the policies that decide.
    ///
    /// # Errors
    ///
    /// When the policies cannot be evaluated. Then nothing is allowed.
    pub fn decide(&self, question: &Question<'_>) -> Result<Verdict, PolicyError> {
        let response = self.authorize(question)?;
        let diagnostics = response.diagnostics();
        let mut failed: Vec<String> = self.unreadable_forbidding.clone();
        let mut may_be_forbidden = !failed.is_empty();
        for error in diagnostics.errors() {
            let AuthorizationError::PolicyEvaluationError(error) = error;
            let id = error.policy_id();
            tracing::error!(policy = %id, %error, "a policy cannot be evaluated");
            failed.push(id.to_string());
            let policy = self.set.policy(id);
            // A policy that is not known to permit may forbid.
            may_be_forbidden |= policy.is_none_or(|policy| policy.effect() != Effect::Permit);
        }
        let mut because: Vec<String> = diagnostics.reason().map(ToString::to_string).collect();
        because.sort();
        // Cedar ignores failing policies in its decision.
        let permitted = response.decision() == Decision::Allow;
        let ruling = match (permitted, may_be_forbidden) {
            (true, false) => Ruling::Allowed,
            (true, true) => Ruling::Failed,
            // Forbidden by another policy.
            (false, _) if !because.is_empty() => Ruling::Refused,
            (false, _) if failed.is_empty() && self.unreadable.is_empty() => Ruling::Refused,
            // One of the policies that failed may permit it.
            (false, _) => Ruling::Failed,
        };
        failed.extend(self.unreadable.iter().cloned());
        Ok(Verdict {
            ruling,
            because,
            failed,
        })
    }

    pub(super) fn authorize(&self, question: &Question<'_>) -> Result<Response, PolicyError> {
        let (request, entities) = cedar_request(question)?;
        let authorize = || Authorizer::new().is_authorized(&request, &self.set, &entities);
        Ok(on_deep_stack(authorize))
    }

    /// [`decide`](Self::decide), with a denial if it fails.
    pub fn ruling(&self, question: &Question<'_>) -> Ruling {
        match self.decide(question) {
            Ok(verdict) => verdict.ruling,
            Err(error) => {
                tracing::error!(%error, "a call is denied");
                Ruling::Failed
            }
        }
    }
}

/// Whether an unreadable policy certainly forbids nothing, by the keywords in its text.
fn only_permits(text: &str) -> bool {
    text.contains("permit") && !text.contains("forbid")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::admission::policies::acceptance::check;
    use crate::inference::admission::policies::question::{Action, Resource};
    use crate::inference::admission::policies::statement::{Scope, named_entities};

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

    /// The policies, with the ids `p0`, `p1` and so on.
    fn statements(policies: &[&str]) -> Vec<Statement> {
        let named = policies.iter().enumerate().map(|(index, text)| Statement {
            id: format!("p{index}"),
            text: (*text).to_owned(),
        });
        named.collect()
    }

    fn decide(policies: &[&str], question: &Question<'_>) -> Verdict {
        let all = statements(policies);
        for statement in &all {
            check(statement).unwrap_or_else(|error| panic!("{error}"));
        }
        let policies = Policies::new(&all).unwrap();
        policies.decide(question).unwrap()
    }

    #[test]
    fn nothing_is_allowed_without_a_policy() {
        let verdict = decide(&[], &question(Action::Chat, None));
        assert_eq!((verdict.is_allowed(), verdict.because.len()), (false, 0));
    }

    #[test]
    fn every_value_of_a_scope_must_match() {
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
                assert_eq!(verdict.is_allowed(), allowed, "{scope:?}");
            }
        }
    }

    #[test]
    fn a_policy_that_forbids_overrides_one_that_permits() {
        let open = Scope::default().permit();
        let forbid = "forbid (principal, action, resource) when { resource.external };";
        let inside = decide(&[&open, forbid], &question(Action::Chat, None));
        assert_eq!(
            (inside.is_allowed(), &*inside.because),
            (true, &["p0".to_owned()][..])
        );
        let outside = decide(&[&open, forbid], &question(Action::Chat, Some("elsewhere")));
        assert_eq!(
            (outside.is_allowed(), &*outside.because),
            (false, &["p1".to_owned()][..])
        );
    }

    #[test]
    fn a_policy_can_depend_on_the_action_and_on_properties_of_the_model() {
        let chat = "permit (principal, action == Action::\"chat\", resource) \
                    when { resource.family == \"acme\" && resource.location == \"local\" };";
        assert!(decide(&[chat], &question(Action::Chat, None)).is_allowed());
        assert!(!decide(&[chat], &question(Action::Respond, None)).is_allowed());
        assert!(!decide(&[chat], &question(Action::Chat, Some("eu"))).is_allowed());
    }

    #[test]
    fn a_name_cannot_add_a_policy() {
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
            named_entities(&statement)
                .unwrap()
                .contains(&("Key".to_owned(), hostile.to_owned()))
        );
        assert!(!decide(&[&statement.text], &question(Action::Chat, None)).is_allowed());
    }

    const PERMIT: &str = "permit (principal, action, resource);";
    const FAILING: &str = "(principal, action, resource) when { 9223372036854775807 + 1 == 2 };";

    fn read(policies: &[&str]) -> Policies {
        Policies::read(&statements(policies)).unwrap()
    }

    #[test]
    fn a_policy_that_fails_matters_only_if_it_may_decide() {
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
        // It is not evaluated for other calls.
        let elsewhere = "forbid (principal, action, resource == Model::\"n\") \
                         when { 9223372036854775807 + 1 == 2 };";
        assert_eq!(ask(&[PERMIT, elsewhere]), Ruling::Allowed);
    }

    #[test]
    fn an_unreadable_policy_matters_only_if_it_may_decide() {
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
            (verdict.is_allowed(), verdict.failed),
            (false, vec!["p1".to_owned()])
        );
    }

    /// The threads that read the database have the smallest stack.
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
        assert!(!decide(&[&text], &question(Action::Chat, None)).is_allowed());
    }
}
