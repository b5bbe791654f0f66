//! The `[identity]` section of the configuration.

/// Lifetimes of tokens, codes and sessions, and limits on guessing and
/// flooding. Times are in seconds.
#[derive(Debug, Clone, confique::Config)]
#[config(layer_attr(derive(serde::Serialize)))]
pub struct IdentityConfig {
    /// How long a user has to approve a device.
    #[config(default = 300, env = "ACCORD_DEVICE_CODE_SECONDS", validate = device_code_seconds)]
    pub device_code_seconds: i64,
    /// How long a device must wait between two polls.
    #[config(default = 5, env = "ACCORD_POLL_SECONDS", validate = poll_seconds)]
    pub poll_seconds: i64,
    /// Lifetime of an access token, for clients without a lifetime of their
    /// own: a minute to a year.
    #[config(default = 3600, env = "ACCORD_ACCESS_TOKEN_SECONDS", validate = lifetime)]
    pub access_token_seconds: i64,
    /// Lifetime of an unused refresh token.
    #[config(default = 604_800, env = "ACCORD_REFRESH_TOKEN_SECONDS", validate = lifetime)]
    pub refresh_token_seconds: i64,
    /// How long a user stays signed in on the pages.
    #[config(default = 28_800, env = "ACCORD_SESSION_SECONDS", validate = lifetime)]
    pub session_seconds: i64,
    /// Number of days after which a new key signs tokens; 0 for rotation with
    /// `accord-server signing-keys rotate` only.
    #[config(default = 90, env = "ACCORD_SIGNING_KEY_DAYS", validate = key_days)]
    pub signing_key_days: i64,
    /// Maximum number of device requests a minute from one address (one /64 of
    /// IPv6); 0 for no limit. Devices behind one router share it. Above the
    /// limit, requests are accepted at an even rate: two a second with 120.
    #[config(default = 120, env = "ACCORD_DEVICE_REQUESTS_PER_ADDRESS", validate = rate)]
    pub device_requests_per_address: i64,
    /// Maximum number of device requests a minute of one client; 0 for no limit.
    /// Each address may send six a minute beyond it, so that nobody locks others
    /// out with the name of a public client.
    #[config(default = 6000, env = "ACCORD_DEVICE_REQUESTS_PER_CLIENT", validate = rate)]
    pub device_requests_per_client: i64,
    /// Number of wrong passwords after which an address (one /64 of IPv6)
    /// cannot use the form, and after which further attempts for one name are
    /// delayed.
    #[config(default = 10, env = "ACCORD_PASSWORD_FAILURES", validate = positive)]
    pub password_failures: i64,
    /// Time after which wrong passwords no longer count.
    #[config(default = 900, env = "ACCORD_PASSWORD_WINDOW_SECONDS", validate = positive)]
    pub password_window_seconds: i64,
    /// How long an address must wait after too many wrong passwords.
    #[config(default = 60, env = "ACCORD_PASSWORD_WAIT_SECONDS", validate = positive)]
    pub password_wait_seconds: i64,
    /// Maximum delay of an attempt for a name whose password is being guessed.
    /// The first delay is a second; 0 for no delays.
    #[config(default = 8, env = "ACCORD_PASSWORD_DELAY_SECONDS", validate = delay)]
    pub password_delay_seconds: i64,
    /// Number of days for which a browser in which a user has signed in is
    /// recognized: these limits do not apply to it, because it has its own. 0
    /// recognizes no browser.
    #[config(default = 180, env = "ACCORD_DEVICE_COOKIE_DAYS", validate = days)]
    pub device_cookie_days: i64,
    /// Maximum number of wrong user codes of one user.
    #[config(default = 5, env = "ACCORD_CODE_FAILURES", validate = positive)]
    pub code_failures: i64,
    /// Maximum number of wrong user codes from one address (one /64 of IPv6).
    /// It does not apply to users without a wrong code of their own.
    #[config(default = 20, env = "ACCORD_CODE_FAILURES_PER_ADDRESS", validate = positive)]
    pub code_failures_per_address: i64,
    /// Maximum number of wrong user codes of all users together.
    #[config(default = 1000, env = "ACCORD_CODE_FAILURES_OF_ALL", validate = positive)]
    pub code_failures_of_all: i64,
    /// Time after which wrong user codes no longer count.
    #[config(default = 300, env = "ACCORD_CODE_WINDOW_SECONDS", validate = positive)]
    pub code_window_seconds: i64,
    /// How long a user must wait after too many wrong user codes.
    #[config(default = 60, env = "ACCORD_CODE_WAIT_SECONDS", validate = positive)]
    pub code_wait_seconds: i64,
}

fn rate(value: &i64) -> Result<(), String> {
    within(*value, 0, 60_000, "")
}

fn positive(value: &i64) -> Result<(), String> {
    within(*value, 1, 1_000_000, "")
}

fn delay(value: &i64) -> Result<(), String> {
    within(*value, 0, 20, " seconds")
}

fn days(value: &i64) -> Result<(), String> {
    within(*value, 0, 3650, " days")
}

/// The upper limit keeps the milliseconds of that time far from an overflow, after which a new key
/// would be due at each check.
fn key_days(value: &i64) -> Result<(), String> {
    within(*value, 0, 36_500, " days")
}

fn within(value: i64, least: i64, most: i64, unit: &str) -> Result<(), String> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(format!("must be {least} to {most}{unit}")),
    }
}

fn device_code_seconds(value: &i64) -> Result<(), String> {
    within(*value, 30, 1800, " seconds")
}

fn poll_seconds(value: &i64) -> Result<(), String> {
    within(*value, 1, 60, " seconds")
}

fn lifetime(value: &i64) -> Result<(), String> {
    within(*value, 60, 31_536_000, " seconds")
}

#[cfg(test)]
mod tests {
    use super::key_days;

    #[test]
    fn the_time_of_a_signing_key_fits_into_milliseconds() {
        for (days, is_valid) in [
            (-1, false),
            (0, true),
            (36_500, true),
            (36_501, false),
            (i64::MAX, false),
        ] {
            assert_eq!(key_days(&days).is_ok(), is_valid, "{days}");
        }
    }
}
