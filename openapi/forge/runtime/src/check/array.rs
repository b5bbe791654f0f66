//! Arrays: numbers of elements, equal elements, and the schema of the elements.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use serde_json::Value;

use super::checker::{Checker, Token};
use super::equal::{equal, hash};
use crate::table::ArrayRules;
use crate::violation::Keyword;

impl<'v> Checker<'v> {
    pub(super) fn array(&mut self, rules: &ArrayRules, items: &'v [Value]) {
        let ArrayRules {
            items: element,
            min_items,
            max_items,
            unique,
        } = rules;
        let least = (*min_items, Keyword::MinItems);
        let most = (*max_items, Keyword::MaxItems);
        self.bounds(items.len() as u64, "element", least, most);
        if *unique
            && !self.is_done()
            && let Some((first, second)) = equal_pair(items)
        {
            self.fail(Keyword::UniqueItems, || {
                format!("must not have equal elements; elements {first} and {second} are equal")
            });
        }
        if let Some(schema) = element {
            for (index, item) in items.iter().enumerate() {
                if self.is_done() {
                    return;
                }
                self.descend(Token::Index(index), schema, item);
            }
        }
    }
}

/// The indices of the first two equal elements. Hashing makes the time linear in the length. The
/// hash has a random key, so that a caller cannot prepare collisions.
fn equal_pair(items: &[Value]) -> Option<(usize, usize)> {
    if items.len() < 2 {
        return None;
    }
    let state = RandomState::new();
    let mut seen: HashMap<u64, Vec<usize>> = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let mut hasher = state.build_hasher();
        hash(item, &mut hasher, &state);
        let same = seen.entry(std::hash::Hasher::finish(&hasher)).or_default();
        if let Some(first) = same.iter().find(|first| equal(&items[**first], item)) {
            return Some((*first, index));
        }
        same.push(index);
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pair(items: &Value) -> Option<(usize, usize)> {
        equal_pair(items.as_array().unwrap())
    }

    #[test]
    fn elements_are_equal_by_value() {
        assert_eq!(pair(&json!([1, "1", true, null, 1.0])), Some((0, 4)));
        assert_eq!(
            pair(&json!([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}])),
            Some((0, 1))
        );
        assert_eq!(pair(&json!([[1, 2], [2, 1], [], {}, 0, false, ""])), None);
        assert_eq!(pair(&json!([0, -0.0])), Some((0, 1)));
    }

    #[test]
    fn equal_elements_of_a_long_array_are_found_in_linear_time() {
        let items: Vec<Value> = (0..200_000).map(Value::from).collect();
        assert_eq!(equal_pair(&items), None);
    }
}
