//! The upstreams of all models, as this replica sees them.

use crate::inference::Inference;
use crate::inference::gateway::models::Backend;
use crate::inference::gateway::pool::Target;

/// A model server of a model.
#[derive(Debug)]
pub struct Upstream {
    /// The model.
    pub model: String,
    /// The region of the model.
    pub region: String,
    /// The address of the model server. `None` for a model that is part of the service.
    pub address: Option<String>,
    /// Whether the circuit breaker is open: the service does not call the model server.
    pub is_open: bool,
    /// The number of further calls that it may get at the moment. `None` without a limit.
    pub free: Option<usize>,
    /// The calls that wait for a model server of the model.
    pub waiting: usize,
}

/// All upstreams, by model.
pub fn all(inference: &Inference) -> Vec<Upstream> {
    let mut all = Vec::new();
    for model in inference.settings().models.iter() {
        let upstream = |target: Option<&Target>, waiting| Upstream {
            model: model.name.clone(),
            region: model.region.clone(),
            address: target.map(|target| target.address.clone()),
            is_open: target.is_some_and(|target| target.breaker.is_open()),
            free: target.and_then(Target::free),
            waiting,
        };
        match &model.backend {
            Backend::Builtin(_) => all.push(upstream(None, 0)),
            Backend::Servers(pool) => {
                let targets = pool.targets.iter();
                all.extend(targets.map(|target| upstream(Some(target), pool.waiting())));
            }
        }
    }
    all.sort_by(|a, b| (&a.model, &a.address).cmp(&(&b.model, &b.address)));
    all
}
