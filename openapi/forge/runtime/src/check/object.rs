//! Objects.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::checker::{Checker, Direction, Token};
use crate::table::{Additional, ObjectRules, Property, Schema};
use crate::violation::Keyword;

impl<'v> Checker<'v> {
    pub(super) fn object(&mut self, rules: &ObjectRules, members: &'v Map<String, Value>) {
        let ObjectRules {
            properties,
            required,
            additional,
            min_properties,
            max_properties,
        } = rules;
        let least = (*min_properties, Keyword::MinProperties);
        let most = (*max_properties, Keyword::MaxProperties);
        self.bounds(members.len() as u64, "property", least, most);
        for name in *required {
            if self.is_done() {
                return;
            }
            if !members.contains_key(*name) && !self.is_exempt(name) {
                self.fail_at(name, Keyword::Required, || "is required".to_owned());
            }
        }
        for (name, value) in members {
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

    fn property(&mut self, property: &Property, value: &'v Value, name: &'v str) {
        if property.write_only && self.direction == Direction::Response {
            self.fail_at(name, Keyword::WriteOnly, || {
                "must not be in a response".to_owned()
            });
            return;
        }
        self.descend(Token::Key(name), property.schema, value);
    }

    /// Whether a required property may be absent in this direction: some schema that holds for the
    /// object restricts the property to the other direction.
    fn is_exempt(&self, name: &str) -> bool {
        let other_way = |property: &Property| match self.direction {
            Direction::Request => property.read_only,
            Direction::Response => property.write_only,
        };
        let declares = |object: Option<&ObjectRules>| {
            let properties = object.map_or(&[][..], |rules| rules.properties);
            let mut named = properties.iter().filter(|property| property.name == name);
            named.any(other_way)
        };
        let levels = || self.levels.iter().skip(self.first_level);
        if levels().any(|level| declares(level.object)) {
            return true;
        }
        let mut waiting: Vec<&'static Schema> = levels()
            .flat_map(|level| level.all_of.iter().copied())
            .collect();
        let mut seen = HashSet::new();
        while let Some(schema) = waiting.pop() {
            if !seen.insert(std::ptr::from_ref(schema)) {
                continue;
            }
            if declares(schema.object) {
                return true;
            }
            waiting.extend(schema.all_of);
        }
        false
    }
}
