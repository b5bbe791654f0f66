//! The validators of schemas, each made once for all values that are checked against it.
//!
//! A schema with many values, such as a long `enum`, and one that many examples share would
//! otherwise be converted once for each value.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use jsonschema::Validator;
use serde_json::Value;

use crate::check::document_index::{Direction, DocumentIndex, LocatedNode};
use crate::check::json_schema::{self, Shape};
use crate::check::steps;
use crate::document::{Diagnostic, Kind, Node};

/// The rule of all findings about examples.
pub(in crate::check) const INVALID: &str = "example-invalid";

/// The beginning of the message about a schema with an error. The generator reports that error, too.
pub const UNUSABLE: &str = "the schema cannot be checked against";

/// The maximum number of schemas that the check of the values in one place visits.
pub(super) const MAX_STEPS: u64 = 250_000;

/// A schema as JSON Schema, and its validator, or why there is none.
struct Made {
    converted: Value,
    validator: Result<Validator, String>,
}

/// The values that a validator checks.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// The pointer of their schema.
    pointer: String,
    direction: Direction,
    shape: Shape,
    /// Whether they are those of its `enum`.
    are_listed: bool,
}

/// The maximum number of validators that are kept. Each has a copy of all schemas that its schema
/// refers to.
const MAX_KEPT: usize = 100;

/// The validators so far.
pub(super) struct Validators<'i, 'd> {
    pub(super) index: &'i DocumentIndex<'d>,
    made: RefCell<HashMap<Key, Rc<Made>>>,
}

/// The validator of a schema, for a value that it can be asked about.
pub(super) struct Checked {
    made: Rc<Made>,
    /// The number of schemas that the check of the value visits.
    pub(super) steps: u64,
}

impl Checked {
    /// The errors of a value.
    pub(super) fn errors<'v>(
        &'v self,
        value: &'v Value,
    ) -> impl Iterator<Item = jsonschema::ValidationError<'v>> {
        let validator = self.made.validator.iter();
        validator.flat_map(|validator| validator.iter_errors(value))
    }
}

impl<'i, 'd> Validators<'i, 'd> {
    pub(super) fn new(index: &'i DocumentIndex<'d>) -> Self {
        Validators {
            index,
            made: RefCell::default(),
        }
    }

    /// The validator of a schema; an error if the check of `value` would take too long.
    pub(super) fn of(
        &self,
        schema: &LocatedNode<'d>,
        direction: Direction,
        value: &Value,
    ) -> Result<Checked, Diagnostic> {
        let target = self.index.resolve(schema);
        let target = target.as_ref().unwrap_or(schema);
        let key = Key {
            pointer: target.pointer.clone(),
            direction,
            shape: Shape::of(value),
            are_listed: false,
        };
        let made = self.made(key, || target.node.clone())?;
        Validators::checked(made, schema, value)
    }

    /// The validator for the values of the `enum` of a schema: all of them are among themselves.
    pub(super) fn beside_enum(
        &self,
        schema: &LocatedNode<'d>,
        direction: Direction,
        value: &Value,
    ) -> Result<Checked, Diagnostic> {
        let key = Key {
            pointer: schema.pointer.clone(),
            direction,
            shape: Shape::of(value),
            are_listed: true,
        };
        let made = self.made(key, || {
            let mut others = schema.node.clone();
            if let Kind::Object(object) = &mut others.kind {
                object.remove("enum");
            }
            others
        })?;
        Validators::checked(made, schema, value)
    }

    /// The validator of a key, whose schema is `node`.
    fn made(&self, key: Key, node: impl FnOnce() -> Node) -> Result<Rc<Made>, Diagnostic> {
        if let Some(made) = self.made.borrow().get(&key) {
            return Ok(Rc::clone(made));
        }
        let Key {
            pointer,
            direction,
            shape,
            ..
        } = &key;
        let document = self.index.document;
        let converted = json_schema::of_shape(document, &node(), pointer, *direction, shape)?;
        let made = Rc::new(Made {
            validator: json_schema::validator(&converted),
            converted,
        });
        let mut known = self.made.borrow_mut();
        if known.len() == MAX_KEPT {
            known.clear();
        }
        known.insert(key, Rc::clone(&made));
        Ok(made)
    }

    /// How many validators are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> usize {
        self.made.borrow().len()
    }

    fn checked(
        made: Rc<Made>,
        schema: &LocatedNode<'_>,
        value: &Value,
    ) -> Result<Checked, Diagnostic> {
        let steps = steps::count(&made.converted, value);
        if steps > MAX_STEPS {
            return Err(too_long(schema));
        }
        match &made.validator {
            Ok(_) => Ok(Checked { made, steps }),
            Err(error) => {
                let message = format!("{UNUSABLE}: {error}");
                Err(Diagnostic::error(INVALID, schema.span, message))
            }
        }
    }
}

/// The finding about a schema whose values would take too long to check.
pub(super) fn too_long(schema: &LocatedNode<'_>) -> Diagnostic {
    let message =
        format!("the check of values against this schema takes more than {MAX_STEPS} steps");
    Diagnostic::error(INVALID, schema.span, message)
        .help("refer to each schema once in `allOf`, `anyOf` and `oneOf`, or shorten the values")
}
