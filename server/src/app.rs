//! The context of every call: the areas, on one kernel.
//!
//! Dropshot holds it as `Arc<App>`, and passes it to each call. An area with data in memory, such as
//! a key set or a pool of connections, has a field here. The areas themselves know only the
//! [`Kernel`] below them.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use dropforge_runtime::Decided;

use crate::config::Config;
use crate::connections::Connections;
use crate::identity::Identity;
use crate::inference::{self, Inference};
use crate::kernel::{Clock, Kernel, KernelError, Random};
use crate::mail::Mailer;
use crate::mail::transport::TransportError;
use crate::patterns::accelerators::{self, CatalogError};
use crate::store::Readiness;

/// The context of every call.
pub struct App {
    /// The foundation of every area.
    pub kernel: Arc<Kernel>,
    /// Tokens, clients, sessions, passwords and passkeys.
    pub identity: Arc<Identity>,
    /// API keys and the gateway.
    pub inference: Arc<Inference>,
    /// Mail.
    pub mail: Arc<Mailer>,
    /// The open connections and the requests in progress.
    pub connections: Arc<Connections>,
    /// Whether the store can be written.
    pub(crate) readiness: Readiness,
    /// Whether the service serves the demo catalog; unset until it starts.
    pub(crate) demo: OnceLock<bool>,
    /// Called with each decision about a request, if a test has set it.
    pub on_decision: OnceLock<OnDecision>,
}

/// Reports a decision about a request.
pub type OnDecision = fn(&Decided<'_>);

/// Why [`App::open`] failed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The kernel cannot be opened.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The accelerators that come with the service cannot be installed.
    #[error(transparent)]
    Accelerators(#[from] CatalogError),
    /// The configured mail server cannot be used.
    #[error(transparent)]
    Mail(#[from] TransportError),
    /// A configured model cannot be served.
    #[error(transparent)]
    Models(#[from] inference::gateway::model_error::ModelError),
}

impl App {
    /// Opens the kernel and the areas on it.
    ///
    /// # Errors
    ///
    /// When one of these fails; the text says what to do.
    pub async fn open(
        config: Config,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Arc<App>, OpenError> {
        let kernel = Arc::new(Kernel::open(config, clock, random).await?);
        let app = Arc::new(App {
            identity: Arc::new(Identity::new(Arc::clone(&kernel))),
            inference: Arc::new(Inference::new(Arc::clone(&kernel))?),
            mail: Arc::new(Mailer::new(Arc::clone(&kernel))?),
            connections: Arc::default(),
            readiness: Readiness::default(),
            demo: OnceLock::new(),
            on_decision: OnceLock::new(),
            kernel,
        });
        let now = app.clock.now();
        app.store
            .write(move |tx| accelerators::install_system(tx, now))
            .await?;
        inference::start(&app.inference);
        Ok(app)
    }

    /// Whether the service has started with the demo catalog.
    pub fn has_demo(&self) -> bool {
        self.demo.get().is_some_and(|has_demo| *has_demo)
    }
}

impl Deref for App {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}
