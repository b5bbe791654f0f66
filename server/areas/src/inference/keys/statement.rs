//! A statement that is composed of conditions, with its parameters.

use crate::store::Value;

/// A statement and its parameters.
pub(super) struct Statement {
    pub sql: String,
    pub values: Vec<Value>,
}

impl Statement {
    /// Adds a parameter, and returns its placeholder.
    pub fn bind(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    /// Adds a comparison with a parameter.
    pub fn and(&mut self, comparison: &str, value: Value) {
        let place = self.bind(value);
        self.sql.push_str(&format!(" AND {comparison} {place}"));
    }
}
