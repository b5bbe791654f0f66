//! The page that a browser opens after somebody has signed in.

use crate::identity::user_code::UserCode;

/// A section of the console, or the form for the code of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Section {
    /// API keys.
    #[default]
    Keys,
    /// Usage of API keys.
    Usage,
    /// Calls of models.
    Playground,
    /// Agent patterns and accelerators.
    Patterns,
    /// Users of the organizations that the user administers.
    Users,
    /// What the service does, for operators.
    Operations,
    /// Sessions, devices, password and passkeys.
    Account,
    /// The form for the code of a device.
    Device,
}

crate::names! {
    /// The word in addresses.
    Section {
        Keys = "keys",
        Usage = "usage",
        Playground = "playground",
        Patterns = "patterns",
        Users = "users",
        Operations = "operations",
        Account = "account",
        Device = "device",
    }
}

impl Section {
    /// The section of a page, by the path of the page.
    pub fn of(path: &str) -> Section {
        let name = path.strip_prefix("/ui/v1/").unwrap_or_default();
        let name = name.split(['/', '.']).next().unwrap_or_default();
        Section::parse(name).unwrap_or_default()
    }
}

/// The page after signing in: the form with this code of a device, or else a section.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct After {
    /// The code of a device that waits for its approval.
    pub user_code: Option<UserCode>,
    /// The section, if there is no code.
    pub section: Section,
}

impl After {
    /// Reads both. An invalid code and an unknown section are ignored, so no link can lead to
    /// another server.
    pub fn of(user_code: &str, section: &str) -> After {
        After {
            user_code: UserCode::parse(user_code),
            section: Section::parse(section).unwrap_or_default(),
        }
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        match &self.user_code {
            Some(code) => format!("/ui/v1/device?user_code={}", code.as_str()),
            None => format!("/ui/v1/{}", self.section.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_known_sections_and_valid_codes_lead_anywhere() {
        for (user_code, section, address) in [
            ("", "", "/ui/v1/keys"),
            ("", "usage", "/ui/v1/usage"),
            ("", "device", "/ui/v1/device"),
            ("", "//evil.example", "/ui/v1/keys"),
            ("evil", "account", "/ui/v1/account"),
            ("BCDF-GHJK", "account", "/ui/v1/device?user_code=BCDFGHJK"),
        ] {
            assert_eq!(After::of(user_code, section).address(), address);
        }
    }

    #[test]
    fn a_page_belongs_to_the_section_that_its_path_names() {
        for (path, section) in [
            ("/ui/v1/account/passkeys", Section::Account),
            ("/ui/v1/usage.csv", Section::Usage),
            ("/ui/v1/keys/apikey.local.x/renew", Section::Keys),
            ("/ui/v1/device", Section::Device),
            ("/ui/v1/nowhere", Section::Keys),
        ] {
            assert_eq!(Section::of(path), section, "{path}");
        }
    }
}
