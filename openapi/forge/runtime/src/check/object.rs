//! Objects.

use super::json::{Json, Members};
use super::{Checker, Direction, Token, count};
use crate::table::{Additional, ObjectRules, Property};
use crate::violation::Keyword;

impl<'v, J: Json + 'v> Checker<'v, J> {
    pub(super) fn object(&mut self, rules: &ObjectRules, members: &'v J::Members) {
        let ObjectRules {
            properties,
            required,
            additional,
            min_properties,
            max_properties,
        } = rules;
        let number = members.len() as u64;
        if let Some(least) = *min_properties
            && number < least
        {
            self.fail(Keyword::MinProperties, || {
                format!(
                    "must have at least {}, and has {number}",
                    count(least, "property")
                )
            });
        }
        if let Some(most) = *max_properties
            && number > most
        {
            self.fail(Keyword::MaxProperties, || {
                format!(
                    "must have at most {}, and has {number}",
                    count(most, "property")
                )
            });
        }
        for name in *required {
            if self.is_done() {
                return;
            }
            if members.get(name).is_none() && !self.excuses(properties, name) {
                self.fail_at(name, Keyword::Required, || "is required".to_owned());
            }
        }
        for (name, value) in members.iter() {
            if self.is_done() {
                return;
            }
            match properties.iter().find(|property| property.name == name) {
                Some(property) => self.property(property, value, name),
                None => match additional {
                    Additional::Allowed => {}
                    Additional::Denied => {
                        self.fail_at(name, Keyword::AdditionalProperties, || {
                            "is not a known property".to_owned()
                        });
                    }
                    Additional::Schema(schema) => self.descend(Token::Key(name), schema, value),
                },
            }
        }
    }

    fn property(&mut self, property: &Property, value: &'v J, name: &'v str) {
        if property.write_only && self.direction == Direction::Response {
            self.fail_at(name, Keyword::WriteOnly, || {
                "must not be in a response".to_owned()
            });
            return;
        }
        self.descend(Token::Key(name), property.schema, value);
    }

    /// Whether a required property need not be there in this direction.
    fn excuses(&self, properties: &[Property], name: &str) -> bool {
        properties
            .iter()
            .find(|property| property.name == name)
            .is_some_and(|property| match self.direction {
                Direction::Request => property.read_only,
                Direction::Response => property.write_only,
            })
    }
}
