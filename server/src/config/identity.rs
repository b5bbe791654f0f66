//! The `[identity]` section of the configuration.

/// Lifetimes of what this area gives out. Times are in seconds.
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
    /// How many requests of devices may wait for their users at a time, for one
    /// client; 0 sets no limit.
    #[config(default = 10_000, env = "ACCORD_PENDING_PER_CLIENT", validate = not_negative)]
    pub pending_per_client: i64,
    /// The same from one address. Devices behind one router share it.
    #[config(default = 100, env = "ACCORD_PENDING_PER_ADDRESS", validate = not_negative)]
    pub pending_per_address: i64,
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
