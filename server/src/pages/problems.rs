//! The problems of a form, each at its field.

use std::collections::BTreeMap;

use dropforge_runtime::Location;
use dropforge_runtime::check::{Direction, check};
use http::StatusCode;
use serde_json::Value;

use crate::area::Area;
use crate::contract;
use crate::inference::keys::KeyError;
use crate::pages::response::PageError;

/// The problems of a form.
#[derive(Debug, Default)]
pub struct Problems {
    /// The ends of sentences that begin with the field, by the place in the body of the operation.
    fields: BTreeMap<String, String>,
    /// A problem that belongs to no field.
    general: Option<String>,
    status: Option<StatusCode>,
}

impl Problems {
    /// The problems of a request body, by the schema that the document of an area has for the
    /// operation.
    pub fn of(area: Area, operation: &str, body: &Value) -> Problems {
        let mut operations = contract::table(area).operations.iter();
        let schema = operations
            .find(|one| one.id == operation)
            .and_then(|one| one.body?.media.first()?.schema);
        let mut problems = Problems::default();
        let violations =
            schema.map(|schema| check(schema, body, Direction::Request, Location::Body));
        for violation in violations.unwrap_or_default() {
            problems.add(violation.pointer.to_string(), violation.message.to_string());
        }
        problems
    }

    /// Adds a problem of a field. Of several problems of a field, the first is shown.
    pub fn add(&mut self, pointer: impl Into<String>, message: impl Into<String>) {
        self.fields
            .entry(pointer.into())
            .or_insert_with(|| message.into());
    }

    /// Sets the problem that belongs to no field, and the status of the page.
    pub fn fail(&mut self, status: StatusCode, text: impl Into<String>) {
        self.status = Some(status);
        self.general = Some(text.into());
    }

    /// The fields with their problems, as sentences that begin with the field.
    pub fn sentences(&self) -> impl Iterator<Item = String> {
        let fields = self.fields.iter();
        let field = |place: &str| place.rsplit('/').next().unwrap_or_default().to_owned();
        let fields = fields.map(move |(place, text)| format!("{} {text}.", field(place)));
        fields.chain(self.general.clone())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.general.is_none()
    }

    /// The problem of a field, or of a value in it.
    pub fn at(&self, pointer: &str) -> Option<&str> {
        let is_within = |place: &str| {
            let rest = place.strip_prefix(pointer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut fields = self.fields.iter();
        fields
            .find(|(place, _)| is_within(place))
            .map(|(_, message)| message.as_str())
    }

    /// The problem that belongs to no field.
    pub fn general(&self) -> Option<&str> {
        self.general.as_deref()
    }

    /// The status of the page.
    pub fn status(&self) -> StatusCode {
        match self.is_empty() {
            true => StatusCode::OK,
            false => self.status.unwrap_or(StatusCode::BAD_REQUEST),
        }
    }
}

/// The problem of an operation that the user can solve.
///
/// # Errors
///
/// Any other error.
impl TryFrom<KeyError> for Problems {
    type Error = PageError;

    fn try_from(error: KeyError) -> Result<Problems, PageError> {
        let status = match &error {
            KeyError::Invalid { .. } | KeyError::LimitExceeded(_) | KeyError::QuotaExceeded(_) => {
                StatusCode::BAD_REQUEST
            }
            KeyError::SecretState { .. }
            | KeyError::Deleted
            | KeyError::RetryTokenDiffers
            | KeyError::RetryTokenUndone
            | KeyError::AlreadyThere => StatusCode::CONFLICT,
            KeyError::NoEtagMatch => StatusCode::PRECONDITION_FAILED,
            KeyError::NotFound
            | KeyError::NoSuchSecret(_)
            | KeyError::TooManyRequests(_)
            | KeyError::Unavailable(_)
            | KeyError::OutcomeUnknown(_)
            | KeyError::Failed(_) => return Err(error.into()),
        };
        let mut problems = Problems {
            status: Some(status),
            ..Problems::default()
        };
        let text = match error {
            KeyError::Invalid { pointer, message } if pointer.starts_with('/') => {
                problems.add(pointer, message);
                return Ok(problems);
            }
            KeyError::NoEtagMatch => "The API key has changed since you opened this page. Check \
                                      it and try again."
                .to_owned(),
            KeyError::RetryTokenDiffers => "This form was used before. Open it again.".to_owned(),
            KeyError::RetryTokenUndone => "This form was used before, and the key has changed \
                                           since. Its secrets cannot be shown again."
                .to_owned(),
            error => error.to_string(),
        };
        problems.general = Some(text);
        Ok(problems)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_problem_is_at_its_field_with_the_message_of_the_document() {
        let body = json!({
            "displayName": "1st key", "compartmentId": "",
            "keyDetails": [{"keyName": "one", "timeExpiry": "soon"}],
            "freeformTags": {"team": "x".repeat(257)},
        });
        let problems = Problems::of(Area::Inference, "createApiKey", &body);
        let name = problems.at("/displayName").unwrap_or_default();
        assert!(name.starts_with("must match the pattern"), "{name}");
        assert_eq!(problems.at("/compartmentId"), Some("must not be empty"));
        assert!(problems.at("/keyDetails/0/timeExpiry").is_some());
        assert_eq!(problems.at("/keyDetails/0/keyName"), None);
        assert!(problems.at("/freeformTags").is_some());
        assert_eq!(problems.status(), StatusCode::BAD_REQUEST);
    }

    #[test]
    fn an_operation_that_is_not_in_the_document_has_no_schema() {
        for (area, operation) in [
            (Area::Inference, "createApiKey"),
            (Area::Inference, "updateApiKey"),
            (Area::Inference, "renewApiKey"),
            (Area::Inference, "changeApiKeyCompartment"),
            (Area::Accounts, "createUser"),
            (Area::Patterns, "createPatternFromAccelerator"),
        ] {
            assert!(
                !Problems::of(area, operation, &json!(1)).is_empty(),
                "{operation}"
            );
        }
    }
}
