//! Passwords: argon2id, off the threads that serve requests.
//!
//! A check takes the same work whether the user exists or not, so that the response time reveals
//! nothing. Each hash takes 19 MiB; a semaphore bounds their number.

use std::sync::Arc;

use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;
use zeroize::Zeroizing;
use zxcvbn::{Score, zxcvbn};

/// The minimum of characters in a password.
pub const MIN_LENGTH: usize = 10;
/// The maximum of characters in a password. More would only cost time.
pub const MAX_LENGTH: usize = 256;
/// The maximum of concurrent hashes.
const AT_ONCE: usize = 2;

/// Why a new password is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// Fewer than [`MIN_LENGTH`] characters.
    #[error("Use at least {MIN_LENGTH} characters.")]
    Short,
    /// More than [`MAX_LENGTH`] characters.
    #[error("Use at most {MAX_LENGTH} characters.")]
    Long,
    /// A repetition of one character.
    #[error("Use more than one character.")]
    Monotonous,
    /// The user's own name.
    #[error("Do not use your email address.")]
    Username,
    /// Made of text that attackers guess first: common passwords, names, keyboard rows, dates, the
    /// user's own name.
    #[error("This is easy to guess. Add a word or two that do not belong together.")]
    Common,
}

/// Checks a new password of a user.
///
/// # Errors
///
/// The reason, in words for the user.
pub fn check(password: &str, username: &str) -> Result<(), Unfit> {
    let length = password.chars().count();
    if length < MIN_LENGTH {
        return Err(Unfit::Short);
    }
    if length > MAX_LENGTH {
        return Err(Unfit::Long);
    }
    let mut characters = password.chars();
    let first = characters.next();
    if characters.all(|character| Some(character) == first) {
        return Err(Unfit::Monotonous);
    }
    if password.eq_ignore_ascii_case(username) {
        return Err(Unfit::Username);
    }
    let names: Vec<_> = username.split(['@', '.']).collect();
    if zxcvbn(password, &names).score() < Score::Two {
        return Err(Unfit::Common);
    }
    Ok(())
}

/// The password hasher.
#[derive(Clone)]
pub struct Passwords {
    permits: Arc<Semaphore>,
}

/// A hash could not be computed or read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("password hash: {0}")]
pub struct PasswordError(String);

impl Default for Passwords {
    fn default() -> Self {
        Passwords {
            permits: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Passwords {
    /// The argon2id hash of a password, in its standard text form.
    ///
    /// # Errors
    ///
    /// When hashing fails.
    pub async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        let password = Zeroizing::new(password.to_owned());
        self.run(move || hash(&password)).await
    }

    /// Whether a password is that of a stored hash. Without a hash the result is `false`, after
    /// the same work.
    ///
    /// # Errors
    ///
    /// When hashing fails, or the stored hash cannot be read.
    pub async fn verify(
        &self,
        password: &str,
        stored: Option<String>,
    ) -> Result<bool, PasswordError> {
        let password = Zeroizing::new(password.to_owned());
        self.run(move || match stored {
            Some(stored) => match argon2().verify_password(password.as_bytes(), stored.as_str()) {
                Ok(()) => Ok(true),
                Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
                Err(error) => Err(PasswordError(error.to_string())),
            },
            None => hash(&password).map(|_| false),
        })
        .await
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await
            .unwrap_or_else(|error| Err(PasswordError(error.to_string())))
    }
}

/// The argon2id hash of a password. Takes about 20 ms of processor time: only for code that serves
/// no requests, such as the demo catalog.
///
/// # Errors
///
/// When hashing fails.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    argon2()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| PasswordError(error.to_string()))
}

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_is_verified() {
        let passwords = Passwords::default();
        let hash = passwords.hash("correct horse").await.unwrap();
        assert!(
            hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"),
            "{hash}"
        );
        assert!(
            passwords
                .verify("correct horse", Some(hash.clone()))
                .await
                .unwrap()
        );
        assert!(!passwords.verify("wrong horse", Some(hash)).await.unwrap());
        assert!(!passwords.verify("correct horse", None).await.unwrap());
    }

    #[test]
    fn an_unfit_password_is_rejected_with_the_reason() {
        assert_eq!(check("short", "a@b.example"), Err(Unfit::Short));
        assert_eq!(check(&"ab".repeat(200), "a@b.example"), Err(Unfit::Long));
        assert_eq!(check("aaaaaaaaaaaa", "a@b.example"), Err(Unfit::Monotonous));
        assert_eq!(
            check("Ana@North.example", "ana@north.example"),
            Err(Unfit::Username)
        );
        for common in [
            "password123",
            "Password1234!",
            "qwertyuiop",
            "1234567890",
            "iloveyou1234",
        ] {
            assert_eq!(
                check(common, "ana@north.example"),
                Err(Unfit::Common),
                "{common}"
            );
        }
        assert_eq!(check("a fine passphrase", "a@b.example"), Ok(()));
    }

    #[test]
    fn the_length_of_a_password_is_counted_in_characters() {
        let long = "zwölf Frösche üben täglich für größere Bühnen ".repeat(5);
        assert!(long.len() > MAX_LENGTH && long.chars().count() <= MAX_LENGTH);
        assert_eq!(check(&long, "a@b.example"), Ok(()));
    }
}
