//! The chain of the audit trail: its end, and the keyed hashes that link its events.

use super::event::{Entry, Id};
use crate::kernel::{Mac, ServerKeys};
use crate::store::{StoreError, Tx};

/// The purpose of the keyed hash of an event alone.
const EVENT: &str = "audit event";
/// The purpose of a seal: the keyed hash of an event in its place.
const PLACE: &str = "audit trail";

/// The end of the trail, or a place in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The number of the last event; 0 if there is none.
    pub number: i64,
    /// Its seal; empty if there is none.
    pub seal: Vec<u8>,
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seal = base16ct::lower::encode_string(&self.seal);
        write!(f, "{}:{seal}", self.number)
    }
}

impl std::str::FromStr for Head {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Head, Self::Err> {
        const FORM: &str = "expected a number, a colon and a seal, as verify prints them";
        let (number, seal) = text.split_once(':').ok_or(FORM)?;
        Ok(Head {
            number: number.parse().map_err(|_| FORM)?,
            seal: base16ct::mixed::decode_vec(seal).map_err(|_| FORM)?,
        })
    }
}

impl Head {
    /// The end of the trail.
    pub(super) fn find(tx: &mut Tx<'_>) -> Result<Head, StoreError> {
        let row = tx.query_opt(
            "SELECT number, seal FROM audit_trail WHERE number IS NOT NULL \
             ORDER BY number DESC LIMIT 1",
            &[],
        )?;
        match row {
            Some(row) => Ok(Head {
                number: row.get(0)?,
                seal: row.get(1)?,
            }),
            None => Ok(Head::default()),
        }
    }

    /// The end of the trail after this event is appended.
    pub(super) fn next(&self, server_keys: &ServerKeys, id: &Id, entry: &Entry) -> Head {
        Head {
            number: self.number + 1,
            seal: server_keys.mac(PLACE, &self.text(id, entry)).to_vec(),
        }
    }

    /// Whether `seal` is the seal of this event as the next one.
    pub(super) fn is_next(
        &self,
        server_keys: &ServerKeys,
        id: &Id,
        entry: &Entry,
        seal: &[u8],
    ) -> bool {
        server_keys.is(seal, PLACE, &self.text(id, entry))
    }

    /// The text of the seal of the next event.
    fn text(&self, id: &Id, entry: &Entry) -> Vec<u8> {
        let number = (self.number + 1).to_be_bytes();
        text(&[self.seal.as_slice(), &number], id, entry)
    }
}

/// The keyed hash of an event that has no place yet.
pub(super) fn mac(server_keys: &ServerKeys, id: &Id, entry: &Entry) -> Mac {
    server_keys.mac(EVENT, &text(&[], id, entry))
}

/// Whether this is the keyed hash of an event that has no place yet, and its key
/// is not retired.
pub(super) fn has_mac(server_keys: &ServerKeys, id: &Id, entry: &Entry, stored: &[u8]) -> bool {
    server_keys.accepts(stored, EVENT, &text(&[], id, entry))
}

/// The text of the keyed hash of an event, in the place that `place` describes. The length of each
/// field comes before it, so that two different events never give the same text.
fn text(place: &[&[u8]], id: &Id, entry: &Entry) -> Vec<u8> {
    let Entry {
        number: _,
        at,
        actor,
        action,
        subject,
        origin,
        detail,
    } = entry;
    let at = at.to_be_bytes();
    let content = [
        id.as_slice(),
        &at,
        actor.as_bytes(),
        action.as_bytes(),
        subject.as_bytes(),
        origin.as_bytes(),
        detail.as_bytes(),
    ];
    let mut text = Vec::new();
    for field in place.iter().chain(&content) {
        text.extend((field.len() as u64).to_be_bytes());
        text.extend(*field);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_the_trail_reads_as_it_prints() {
        let head = Head {
            number: 7,
            seal: vec![0, 0xab, 0xff],
        };
        assert_eq!(head.to_string(), "7:00abff");
        assert_eq!("7:00abff".parse(), Ok(head));
        for text in ["", "7", "x:00", "7:0g", "7:+f", "7:ä"] {
            assert!(text.parse::<Head>().is_err(), "{text}");
        }
    }

    #[test]
    fn fields_cannot_flow_into_each_other() {
        let server_keys = ServerKeys::new([1; 32]);
        let entry = |actor: &str, action: &str| Entry {
            number: None,
            at: 2,
            actor: actor.into(),
            action: action.into(),
            subject: String::new(),
            origin: String::new(),
            detail: String::new(),
        };
        let start = Head::default();
        let id = Id::default();
        let one = start.next(&server_keys, &id, &entry("ab", "c"));
        assert_eq!(one, start.next(&server_keys, &id, &entry("ab", "c")));
        assert_ne!(one, start.next(&server_keys, &id, &entry("a", "bc")));
        assert_ne!(one, start.next(&server_keys, &[1; 16], &entry("ab", "c")));
        assert_ne!(
            one.seal,
            one.next(&server_keys, &id, &entry("ab", "c")).seal
        );
        assert_ne!(one.seal, mac(&server_keys, &id, &entry("ab", "c")));
    }
}
