//! When, from where and with which program a user was last seen.

use super::user_agent;

/// The interval in milliseconds at which a browser in use is recorded again.
const AGAIN: i64 = 60_000;

/// A request of a browser or a device.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Sighting {
    /// The header `User-Agent`, if the program sent one.
    pub user_agent: Option<String>,
    /// The address.
    pub origin: String,
    /// The time, in Unix milliseconds.
    pub at: i64,
}

impl Sighting {
    /// Whether it should be recorded after `last`.
    pub fn is_worth_recording(&self, last: &Sighting) -> bool {
        let is_same = self.origin == last.origin && self.user_agent == last.user_agent;
        !is_same || self.at >= last.at + AGAIN
    }

    /// The name of the program, for people.
    pub fn program(&self) -> Option<String> {
        user_agent::name(self.user_agent.as_deref()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_browser_is_worth_recording_once_a_minute_and_another_address_at_once() {
        let last = Sighting {
            user_agent: Some("curl/8".into()),
            origin: "192.0.2.1".into(),
            at: 1_000,
        };
        let later = |at| Sighting { at, ..last.clone() };
        assert!(!later(60_999).is_worth_recording(&last));
        assert!(later(61_000).is_worth_recording(&last));
        let elsewhere = Sighting {
            origin: "192.0.2.2".into(),
            ..later(1_001)
        };
        assert!(elsewhere.is_worth_recording(&last));
    }
}
