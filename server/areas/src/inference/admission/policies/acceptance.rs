//! Checks a policy before it is accepted: it must conform to the schema, and must not fail when it
//! is evaluated.

use cedar_policy::{ValidationMode, Validator};

use super::Policies;
use super::error::PolicyError;
use super::question::{Action, PARSED_SCHEMA, Question, Resource};
use super::size::on_deep_stack;
use super::statement::{Statement, named_entities};

/// The maximum length of a policy's id, in characters.
const MAX_ID_CHARS: usize = 255;
/// The maximum of named entities of each kind that a policy is tried with. With one more of each of
/// three kinds, this makes at most 1,372 evaluations of some ten microseconds.
const MAX_TRIED: usize = 6;

/// Whether a policy can have an id.
pub fn is_id(id: &str) -> bool {
    (1..=MAX_ID_CHARS).contains(&id.chars().count())
}

/// Checks a new policy.
///
/// # Errors
///
/// An id that is empty or too long, every violation of the schema, or the error of its evaluation.
pub fn check(statement: &Statement) -> Result<(), PolicyError> {
    if !is_id(&statement.id) {
        return Err(PolicyError::Id { max: MAX_ID_CHARS });
    }
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

/// Evaluates a policy for each action, with the entities that it names and with one that it does
/// not name.
fn try_out(statement: &Statement, policies: &Policies) -> Result<(), PolicyError> {
    let named = named_entities(statement)?;
    // The ids of a kind: those that the policy names, and another one.
    let of_kind = |kind: &str| {
        let of_kind = named.iter().filter(|(one, _)| one == kind);
        let ids = of_kind.map(|(_, id)| id.clone()).take(MAX_TRIED);
        ids.chain(["trial".to_owned()]).collect::<Vec<_>>()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rejection(text: &str) -> String {
        let statement = Statement {
            id: "p".into(),
            text: text.into(),
        };
        check(&statement).unwrap_err().to_string()
    }

    #[test]
    fn a_policy_that_violates_the_grammar_or_the_schema_is_rejected() {
        assert!(rejection("permit everything").contains("policy p: "));
        assert!(
            rejection("permit (principal, action, resource) when { resource.price < 3 };")
                .contains("price")
        );
        assert!(rejection("permit (principal == User::\"x\", action, resource);").contains("User"));
    }

    #[test]
    fn a_policy_that_fails_when_it_is_evaluated_is_rejected() {
        let message = rejection(
            "permit (principal, action, resource) when { 9223372036854775807 + 1 == 2 };",
        );
        assert!(message.contains("cannot be evaluated"), "{message}");
        // Only for the entities that the policy names.
        let message = rejection(
            "permit (principal == Key::\"k\", action, resource == Model::\"m\") \
             when { 9223372036854775807 + 1 == 2 };",
        );
        assert!(message.contains("cannot be evaluated"), "{message}");
    }
}
