//! The credentials of all keys, by secret and by key.
//!
//! A clone shares its nodes with the original. So the change of one key costs the logarithm of the
//! number of keys, while calls use the credentials from before it.

use std::sync::Arc;

use foldhash::fast::RandomState;
use rpds::HashTrieMapSync;

use super::credential::Credential;
use super::shared::LimitedKey;

/// The credentials at one moment.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    /// Secrets by their public ids.
    by_secret: HashTrieMapSync<Arc<str>, Arc<Credential>, RandomState>,
    /// The secrets of each key. There is at least one.
    by_key: HashTrieMapSync<Arc<str>, Box<[Arc<Credential>]>, RandomState>,
}

impl Credentials {
    /// The secret with a public id.
    pub fn get(&self, public_id: &str) -> Option<&Arc<Credential>> {
        self.by_secret.get(public_id)
    }

    /// The secrets of a key.
    pub fn of_key(&self, key_id: &str) -> &[Arc<Credential>] {
        self.by_key.get(key_id).map_or(&[], |secrets| secrets)
    }

    /// A key with its limits.
    pub fn key(&self, key_id: &str) -> Option<LimitedKey<'_>> {
        Some(self.of_key(key_id).first()?.key())
    }

    /// Each key with its limits.
    pub fn keys(&self) -> impl Iterator<Item = LimitedKey<'_>> {
        let secrets = self.by_key.values().filter_map(|secrets| secrets.first());
        secrets.map(|secret| secret.key())
    }

    /// Replaces the secrets of a key. Without secrets, the key is removed.
    pub fn replace(&mut self, key_id: &str, secrets: Vec<Credential>) {
        if let Some(before) = self.by_key.get(key_id) {
            for secret in before {
                self.by_secret.remove_mut(&secret.public_id);
            }
        }
        let secrets: Box<[_]> = secrets.into_iter().map(Arc::new).collect();
        let Some(first) = secrets.first() else {
            self.by_key.remove_mut(key_id);
            return;
        };
        let key_id = Arc::clone(&first.key_id);
        for secret in &secrets {
            let public_id = Arc::clone(&secret.public_id);
            self.by_secret.insert_mut(public_id, Arc::clone(secret));
        }
        self.by_key.insert_mut(key_id, secrets);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::inference::admission::limits::Limits;

    /// The public ids of each key.
    type Model = BTreeMap<String, Vec<String>>;

    fn secrets(key_id: &str, model: &Model) -> Vec<Credential> {
        let public_ids = model[key_id].iter();
        public_ids
            .map(|public_id| Credential::example(key_id, public_id, Limits::default()))
            .collect()
    }

    fn assert_equal(credentials: &Credentials, model: &Model) {
        let ids = |secrets: &[Arc<Credential>]| {
            let ids = secrets.iter().map(|secret| secret.public_id.to_string());
            ids.collect::<Vec<_>>()
        };
        let keys = credentials
            .keys()
            .map(|key| (key.id.to_owned(), ids(credentials.of_key(key.id))));
        assert_eq!(&keys.collect::<Model>(), model);
        assert_eq!(credentials.by_key.size(), model.len());
        let mut count = 0;
        for (key_id, public_ids) in model {
            for public_id in public_ids {
                let found = credentials.get(public_id).expect("a secret of the model");
                assert_eq!(
                    (&*found.public_id, &*found.key_id),
                    (&**public_id, &**key_id)
                );
                count += 1;
            }
        }
        assert_eq!(credentials.by_secret.size(), count);
    }

    #[test]
    fn changes_of_single_keys_in_any_order_lead_to_what_a_plain_map_has() {
        for seed in 0..20 {
            let mut random = fastrand::Rng::with_seed(seed);
            let (mut credentials, mut model) = (Credentials::default(), Model::new());
            let mut earlier = Vec::new();
            for step in 0..300 {
                let key_id = format!("key-{}", random.u8(..40));
                if random.u8(..3) == 0 {
                    model.remove(&key_id);
                    credentials.replace(&key_id, Vec::new());
                } else {
                    // Some secrets stay, and others are new.
                    let mut public_ids = model.remove(&key_id).unwrap_or_default();
                    public_ids.retain(|_| random.bool());
                    public_ids.push(format!("secret-{step}"));
                    model.insert(key_id.clone(), public_ids);
                    credentials.replace(&key_id, secrets(&key_id, &model));
                }
                if random.u8(..30) == 0 {
                    earlier.push((credentials.clone(), model.clone()));
                }
                assert_equal(&credentials, &model);
            }
            for (credentials, model) in &earlier {
                assert_equal(credentials, model);
            }
        }
    }
}
