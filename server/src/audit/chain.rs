//! The chain of seals.

use subtle::ConstantTimeEq;

use super::{Entry, entry};
use crate::kernel::Pepper;
use crate::params;
use crate::store::{StoreError, Tx};

/// Purpose of the keyed hash.
const PURPOSE: &str = "audit trail";
/// Entries that are verified at a time.
const PAGE: i64 = 1000;

/// The end of the trail, or a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The number of the last event; 0 when there is none.
    pub number: i64,
    /// Its seal; empty when there is none.
    pub seal: Vec<u8>,
}

impl std::fmt::Display for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", self.number)?;
        self.seal
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::str::FromStr for Head {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Head, Self::Err> {
        const FORM: &str = "expected a number, a colon and a seal, as verify prints them";
        let (number, seal) = text.split_once(':').ok_or(FORM)?;
        let byte = |pair: &[u8]| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        };
        Ok(Head {
            number: number.parse().map_err(|_| FORM)?,
            seal: seal
                .as_bytes()
                .chunks(2)
                .map(byte)
                .collect::<Option<_>>()
                .ok_or(FORM)?,
        })
    }
}

/// Where a trail is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// A number is missing.
    #[error("event {0} is missing")]
    Missing(i64),
    /// An event does not have its seal.
    #[error("event {0} was changed, or one before it was changed, added or removed")]
    Changed(i64),
    /// What was kept of the trail is no longer in it.
    #[error("the trail once went to {0}, which is no longer in it")]
    Shortened(Head),
}

/// Why a trail could not be verified.
#[derive(Debug, Clone, thiserror::Error)]
pub enum VerifyError {
    /// It is not what was written.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// It could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The end of the trail.
pub(super) fn head(tx: &mut Tx<'_>) -> Result<Head, StoreError> {
    let row = tx.query_opt(
        "SELECT number, seal FROM audit_trail ORDER BY number DESC LIMIT 1",
        &[],
    )?;
    match row {
        Some(row) => Ok(Head {
            number: row.get(0)?,
            seal: row.get(1)?,
        }),
        None => Ok(Head {
            number: 0,
            seal: Vec::new(),
        }),
    }
}

/// The seal of an event. Every field has its length before it: two different
/// events never give the same text.
pub(super) fn seal(pepper: &Pepper, before: &[u8], entry: &Entry) -> [u8; 32] {
    let Entry {
        number,
        at,
        actor,
        action,
        subject,
        origin,
        detail,
    } = entry;
    let (number, at) = (number.to_be_bytes(), at.to_be_bytes());
    let fields = [
        before,
        &number,
        &at,
        actor.as_bytes(),
        action.as_bytes(),
        subject.as_bytes(),
        origin.as_bytes(),
        detail.as_bytes(),
    ];
    let mut text = Vec::new();
    for field in fields {
        text.extend((field.len() as u64).to_be_bytes());
        text.extend(field);
    }
    pepper.mac(PURPOSE, &text)
}

/// Verifies the whole trail, and that it still goes through the place that was
/// `kept`, if one was. Returns its end.
///
/// # Errors
///
/// [`Broken`] at the first event that is not what was written.
pub fn verify(tx: &mut Tx<'_>, pepper: &Pepper, kept: Option<&Head>) -> Result<Head, VerifyError> {
    let mut last = Head {
        number: 0,
        seal: Vec::new(),
    };
    let mut seen = kept.is_none_or(|kept| *kept == last);
    loop {
        let rows = tx.query(
            "SELECT number, at, actor, action, subject, origin, detail, seal FROM audit_trail \
             WHERE number > $1 ORDER BY number LIMIT $2",
            params![last.number, PAGE],
        )?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let entry = entry(&row)?;
            if entry.number != last.number + 1 {
                return Err(Broken::Missing(last.number + 1).into());
            }
            let stored: Vec<u8> = row.get(7)?;
            let expected = seal(pepper, &last.seal, &entry);
            if !bool::from(stored.ct_eq(&expected)) {
                return Err(Broken::Changed(entry.number).into());
            }
            last = Head {
                number: entry.number,
                seal: stored,
            };
            seen |= kept == Some(&last);
        }
    }
    match (seen, kept) {
        (false, Some(kept)) => Err(Broken::Shortened(kept.clone()).into()),
        _ => Ok(last),
    }
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
        for text in ["", "7", "x:00", "7:0g", "7:ä"] {
            assert!(text.parse::<Head>().is_err(), "{text}");
        }
    }

    #[test]
    fn fields_cannot_flow_into_each_other() {
        let pepper = Pepper::new([1; 32]);
        let entry = |actor: &str, action: &str| Entry {
            number: 1,
            at: 2,
            actor: actor.into(),
            action: action.into(),
            subject: String::new(),
            origin: String::new(),
            detail: String::new(),
        };
        let one = seal(&pepper, b"", &entry("ab", "c"));
        assert_ne!(one, seal(&pepper, b"", &entry("a", "bc")));
        assert_ne!(one, seal(&pepper, b"a", &entry("ab", "c")));
        assert_eq!(one, seal(&pepper, b"", &entry("ab", "c")));
    }
}
