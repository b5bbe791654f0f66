//! The `[identity]` section of the configuration.

/// Lifetimes of what this area gives out, and limits on guessing and flooding.
/// Times are in seconds.
#[derive(Debug, Clone, confique::Config)]
pub struct IdentityConfig {
    /// How long a user has to approve a device.
    #[config(default = 300, env = "ACCORD_DEVICE_CODE_SECONDS", validate = device_code_seconds)]
    pub device_code_seconds: i64,
    /// How long a device must wait between two polls.
    #[config(default = 5, env = "ACCORD_POLL_SECONDS", validate = poll_seconds)]
    pub poll_seconds: i64,
    /// How long an access token lasts, for clients that are registered without
    /// a lifetime of their own: a minute to a year.
    #[config(default = 3600, env = "ACCORD_ACCESS_TOKEN_SECONDS", validate = access_token_seconds)]
    pub access_token_seconds: i64,
    /// How long a refresh token waits for its use.
    #[config(default = 604_800, env = "ACCORD_REFRESH_TOKEN_SECONDS", validate = lifetime)]
    pub refresh_token_seconds: i64,
    /// How long a user stays signed in on the pages.
    #[config(default = 28_800, env = "ACCORD_SESSION_SECONDS", validate = lifetime)]
    pub session_seconds: i64,
    /// After how many days another key signs tokens; 0 leaves rotation to
    /// `accord-server keys rotate`.
    #[config(default = 90, env = "ACCORD_SIGNING_KEY_DAYS", validate = not_negative)]
    pub signing_key_days: i64,
    /// How many device requests a minute may come from one address (from one /64
    /// of IPv6); 0 sets no limit. Devices behind one router share it. Past it,
    /// requests are let in evenly: two a second with 120.
    #[config(default = 120, env = "ACCORD_DEVICE_REQUESTS_PER_ADDRESS", validate = rate)]
    pub device_requests_per_address: i64,
    /// The same for one client.
    #[config(default = 6000, env = "ACCORD_DEVICE_REQUESTS_PER_CLIENT", validate = rate)]
    pub device_requests_per_client: i64,
    /// How many wrong passwords from one address (from one /64 of IPv6) close the
    /// form to it, and how many for one name delay further attempts at this name.
    #[config(default = 10, env = "ACCORD_PASSWORD_FAILURES", validate = positive)]
    pub password_failures: i64,
    /// After how long wrong passwords are forgotten.
    #[config(default = 900, env = "ACCORD_PASSWORD_WINDOW_SECONDS", validate = positive)]
    pub password_window_seconds: i64,
    /// How long an address waits after one wrong password too many.
    #[config(default = 60, env = "ACCORD_PASSWORD_WAIT_SECONDS", validate = positive)]
    pub password_wait_seconds: i64,
    /// The longest delay of an attempt at a name that is being guessed at. The
    /// first is a second; 0 delays nothing.
    #[config(default = 8, env = "ACCORD_PASSWORD_DELAY_SECONDS", validate = delay)]
    pub password_delay_seconds: i64,
    /// For how many days a browser in which a user has signed in is known: it
    /// passes by these limits and has one of its own. 0 knows none.
    #[config(default = 180, env = "ACCORD_DEVICE_COOKIE_DAYS", validate = days)]
    pub device_cookie_days: i64,
    /// How many wrong user codes one user may enter.
    #[config(default = 5, env = "ACCORD_CODE_FAILURES", validate = positive)]
    pub code_failures: i64,
    /// How many may come from one address (from one /64 of IPv6). Users without a
    /// wrong code of their own are not bound by it.
    #[config(default = 20, env = "ACCORD_CODE_FAILURES_PER_ADDRESS", validate = positive)]
    pub code_failures_per_address: i64,
    /// The same for everybody together.
    #[config(default = 1000, env = "ACCORD_CODE_FAILURES_OF_ALL", validate = positive)]
    pub code_failures_of_all: i64,
    /// After how long wrong user codes are forgotten.
    #[config(default = 300, env = "ACCORD_CODE_WINDOW_SECONDS", validate = positive)]
    pub code_window_seconds: i64,
    /// How long to wait after one wrong user code too many.
    #[config(default = 60, env = "ACCORD_CODE_WAIT_SECONDS", validate = positive)]
    pub code_wait_seconds: i64,
}

fn rate(value: &i64) -> Result<(), String> {
    match (0..=60_000).contains(value) {
        true => Ok(()),
        false => Err("must be 0 to 60000".to_owned()),
    }
}

fn positive(value: &i64) -> Result<(), String> {
    match (1..=1_000_000).contains(value) {
        true => Ok(()),
        false => Err("must be 1 to 1000000".to_owned()),
    }
}

fn delay(value: &i64) -> Result<(), String> {
    within(*value, 0, 20)
}

fn days(value: &i64) -> Result<(), String> {
    match (0..=3650).contains(value) {
        true => Ok(()),
        false => Err("must be 0 to 3650 days".to_owned()),
    }
}

fn not_negative(value: &i64) -> Result<(), String> {
    match *value >= 0 {
        true => Ok(()),
        false => Err("must not be negative".to_owned()),
    }
}

fn within(value: i64, least: i64, most: i64) -> Result<(), String> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(format!("must be {least} to {most} seconds")),
    }
}

fn device_code_seconds(value: &i64) -> Result<(), String> {
    within(*value, 30, 1800)
}

fn poll_seconds(value: &i64) -> Result<(), String> {
    within(*value, 1, 60)
}

fn access_token_seconds(value: &i64) -> Result<(), String> {
    within(*value, 60, 31_536_000)
}

fn lifetime(value: &i64) -> Result<(), String> {
    within(*value, 60, 31_536_000)
}
