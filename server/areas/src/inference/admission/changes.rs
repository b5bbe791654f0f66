//! The database's counts of changes.
//!
//! A snapshot reads only the keys that changed since the one before it, unless there were other
//! changes: of policies, of server keys, or by an earlier version of this program.

use crate::inference::keys::KeyError;
use crate::store::Tx;

/// The counts at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    /// All changes.
    count: i64,
    /// The changes that concern one key only.
    keyed: i64,
}

impl Changes {
    /// Reads the counts.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub fn read(tx: &mut Tx<'_>) -> Result<Changes, KeyError> {
        let sql = "SELECT count, keyed FROM inference_changes WHERE id = 1";
        let row = tx.query_opt(sql, &[])?;
        let row = row.ok_or_else(|| KeyError::Failed("the count of changes is missing".into()))?;
        Ok(Changes {
            count: row.get(0)?,
            keyed: row.get(1)?,
        })
    }

    /// The value of `inference_keys.changed` that later changes exceed. `None` if there were other
    /// changes than those of single keys since the `earlier` counts.
    pub fn keys_since(self, earlier: Changes) -> Option<i64> {
        let others = |changes: Changes| changes.count - changes.keyed;
        (others(self) == others(earlier) && self.keyed >= earlier.keyed).then_some(earlier.keyed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_of_single_keys_are_read_by_key() {
        let earlier = Changes { count: 7, keyed: 5 };
        for (count, keyed, since) in [
            (7, 5, Some(5)),
            (9, 7, Some(5)),
            // A policy, without and with a key.
            (8, 5, None),
            (9, 6, None),
            // An older backup was restored.
            (4, 2, None),
        ] {
            let later = Changes { count, keyed };
            assert_eq!(later.keys_since(earlier), since, "{later:?}");
        }
    }
}
