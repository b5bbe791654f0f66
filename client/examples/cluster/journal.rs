//! What the load did: its calls, its writes, and secrets that it revoked.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use accord_client::{LoginError, OperationError, explain};

/// A kind of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A chat in one piece.
    Chat,
    /// A streamed chat.
    Stream,
    /// A chat with a secret that replaced another one a second ago.
    NewSecret,
    /// The creation of a user.
    User,
    /// The creation of an API key.
    Key,
    /// The renewal of a secret.
    Rotation,
    /// A device login, or its end.
    Login,
    /// A list of organizations with the token of a login.
    Organizations,
}

impl Kind {
    /// Whether it calls a model.
    pub fn is_model_call(self) -> bool {
        matches!(self, Kind::Chat | Kind::Stream | Kind::NewSecret)
    }

    /// Whether the client may repeat it.
    pub fn is_repeatable(self) -> bool {
        matches!(self, Kind::User | Kind::Key | Kind::Rotation)
    }
}

/// Why a call failed.
#[derive(Debug, Clone)]
pub struct Failed {
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The explanation.
    pub text: String,
}

impl Failed {
    /// A failure without a status.
    pub fn new(text: impl Into<String>) -> Failed {
        Failed {
            status: None,
            text: text.into(),
        }
    }

    /// The failure of an operation.
    pub fn of(error: &dyn OperationError) -> Failed {
        Failed {
            status: error.status().map(|status| status.as_u16()),
            text: explain(error),
        }
    }
}

impl From<LoginError> for Failed {
    fn from(error: LoginError) -> Failed {
        match &error {
            LoginError::Start(error) => Failed::of(&**error),
            LoginError::Token(error) => Failed::of(&**error),
            LoginError::Revoke(error) => Failed::of(&**error),
            other => Failed::new(other.to_string()),
        }
    }
}

/// A call that ended.
#[derive(Debug, Clone)]
pub struct Call {
    pub kind: Kind,
    pub began: Instant,
    pub ended: Instant,
    pub failed: Option<Failed>,
}

impl Call {
    /// How long it took.
    pub fn time(&self) -> Duration {
        self.ended - self.began
    }

    /// Whether a busy machine explains its failure: no response, a timeout, or a new secret that is not known yet.
    pub fn may_be_slow(&self) -> bool {
        let Some(failed) = &self.failed else {
            return true;
        };
        match failed.status {
            None | Some(502..=504) => true,
            status => self.kind == Kind::NewSecret && status == Some(401),
        }
    }
}

/// Whether a replica still accepted a revoked secret or token.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// The kind of credential, and the replica.
    pub credential: String,
    /// When the replica was called.
    pub at: Instant,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
}

impl Attempt {
    /// Whether the replica accepted the credential.
    pub fn is_accepted(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }

    /// Whether the response says nothing about the credential, as of a wrong path. Without the
    /// database, a replica rejects calls with 503.
    pub fn is_unclear(&self) -> bool {
        let is_clear = |status| matches!(status, 200..300 | 401 | 503);
        !self.status.is_none_or(is_clear)
    }
}

/// The names of acknowledged creations.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub users: Vec<String>,
    pub keys: Vec<String>,
    /// The acknowledged renewals.
    pub rotations: usize,
    /// The creations and renewals whose outcome the load does not know.
    pub unknown: usize,
}

/// Everything since the start of the load.
#[derive(Debug, Clone, Default)]
pub struct Records {
    pub calls: Vec<Call>,
    pub attempts: Vec<Attempt>,
    pub written: Written,
}

/// Collects the records.
#[derive(Clone, Default)]
pub struct Journal(Arc<Mutex<Records>>);

impl Journal {
    /// Makes a call and records it.
    pub async fn call<T>(
        &self,
        kind: Kind,
        call: impl Future<Output = Result<T, Failed>>,
    ) -> Result<T, Failed> {
        let began = Instant::now();
        let outcome = call.await;
        self.lock().calls.push(Call {
            kind,
            began,
            ended: Instant::now(),
            failed: outcome.as_ref().err().cloned(),
        });
        outcome
    }

    /// Records whether a revoked credential was accepted.
    pub fn attempt(&self, attempt: Attempt) {
        self.lock().attempts.push(attempt);
    }

    /// Records a write.
    pub fn written(&self, record: impl FnOnce(&mut Written)) {
        record(&mut self.lock().written);
    }

    /// The records so far.
    pub fn records(&self) -> Records {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Records> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
