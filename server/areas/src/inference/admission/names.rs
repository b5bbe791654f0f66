//! The parts that many credentials have, each in memory once.

use std::collections::HashSet;
use std::sync::Arc;

use super::meter::Meter;

/// The common parts of the credentials that are being read.
#[derive(Debug, Default)]
pub struct Names {
    /// The meter of all credentials until each gets that of its key.
    pub no_meter: Arc<Meter>,
    common: HashSet<Arc<str>>,
    last_key: Option<Arc<str>>,
}

impl Names {
    /// A text that many keys have: a compartment, or a region.
    pub fn common(&mut self, text: String) -> Arc<str> {
        if let Some(known) = self.common.get(text.as_str()) {
            return Arc::clone(known);
        }
        let text: Arc<str> = text.into();
        self.common.insert(Arc::clone(&text));
        text
    }

    /// The id of a key. Secrets of a key share it if they are read one after another.
    pub fn key(&mut self, id: String) -> Arc<str> {
        match &self.last_key {
            Some(last) if **last == *id => Arc::clone(last),
            _ => Arc::clone(self.last_key.insert(id.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_shared() {
        let mut names = Names::default();
        let [a, b, c] = ["a", "b", "a"].map(|text| names.common(text.to_owned()));
        assert!(Arc::ptr_eq(&a, &c));
        assert_eq!((&*a, &*b), ("a", "b"));
        let [one, same, other] = ["k", "k", "l"].map(|id| names.key(id.to_owned()));
        assert!(Arc::ptr_eq(&one, &same));
        assert_eq!((&*one, &*other), ("k", "l"));
    }
}
