//! Randomness, as a part of the context.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// A source of random bytes for secrets.
pub trait Random: Send + Sync + 'static {
    /// Fills `bytes` with random bytes.
    fn fill(&self, bytes: &mut [u8]);
}

impl dyn Random {
    /// `N` random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// A random text of 256 bits: 43 characters of base64url.
    pub fn token(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }

    /// A random number below `bound`, every one equally likely.
    ///
    /// # Panics
    ///
    /// When `bound` is 0.
    pub fn below(&self, bound: u32) -> u32 {
        // Numbers at or above the largest multiple of `bound` would favor small results.
        let limit = u32::MAX - u32::MAX % bound;
        loop {
            let number = u32::from_le_bytes(self.bytes());
            if number < limit {
                return number % bound;
            }
        }
    }

    /// A random version 4 UUID.
    pub fn uuid(&self) -> uuid::Uuid {
        uuid::Builder::from_random_bytes(self.bytes()).into_uuid()
    }
}

/// A wait with a random factor between a half and one, so that waits do not end together.
pub fn jittered(wait: Duration) -> Duration {
    wait.mul_f64(0.5 + fastrand::f64() / 2.0)
}

/// The operating system's randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        // Without randomness the service cannot create secrets, and must not create guessable ones.
        aws_lc_rs::rand::fill(bytes).expect("the operating system gives random bytes");
    }
}
