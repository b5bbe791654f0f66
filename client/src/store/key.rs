//! The keys of logins in a store: a profile and an identity service.

/// The name of the profile that is used without another name.
pub(crate) const DEFAULT_PROFILE: &str = "default";

/// What identifies a login in a store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct LoginKey {
    /// The profile: several users, or the same one with several rights, can be logged in to one service.
    pub profile: String,
    /// Address of the identity service, without a slash at its end.
    pub identity: String,
}

impl LoginKey {
    /// The login of the profile `default` at an identity service.
    pub fn new(identity: impl Into<String>) -> Self {
        Self {
            profile: DEFAULT_PROFILE.to_owned(),
            identity: identity.into(),
        }
    }

    /// The login of another profile at the same service.
    #[must_use]
    pub fn profile(mut self, name: impl Into<String>) -> Self {
        self.profile = name.into();
        self
    }
}

/// Whether a name is the name of a profile: 1 to 64 letters, digits, `.`, `_` or `-`.
pub(crate) fn is_profile(name: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::is_profile;

    #[test]
    fn the_name_of_a_profile_is_one_short_word() {
        for name in ["default", "a", "north-2.ops_b"] {
            assert!(is_profile(name), "{name}");
        }
        for name in ["", "a b", "a/b", "ä", &"a".repeat(65)] {
            assert!(!is_profile(name), "{name}");
        }
    }
}
