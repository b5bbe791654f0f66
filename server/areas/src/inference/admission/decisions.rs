//! The decisions of policies that are cached with a credential.

use std::sync::atomic::{AtomicU8, Ordering};

use super::policies::Ruling;
use super::policies::question::Action;
use crate::inference::gateway::models::Place;

/// The cached decisions for models and actions. They belong to one snapshot, so a change of
/// policies leaves none behind, and to the models of one catalog.
#[derive(Debug, Default)]
pub struct Decisions {
    /// The number of the catalog.
    catalog: u64,
    cells: Box<[AtomicU8]>,
}

impl Decisions {
    // The values of a cell.
    const UNKNOWN: u8 = 0;
    const ALLOWED: u8 = 1;
    const REFUSED: u8 = 2;
    const FAILED: u8 = 3;

    /// No decisions yet, for this number of models of a catalog.
    pub fn of(catalog: u64, models: usize) -> Self {
        let count = models * Action::ALL.len();
        Decisions {
            catalog,
            cells: (0..count).map(|_| AtomicU8::new(Self::UNKNOWN)).collect(),
        }
    }

    /// The cached decision, else the result of `ask`. A decision about a model of another catalog
    /// is not cached.
    pub fn get(&self, model: Place, action: Action, ask: impl FnOnce() -> Ruling) -> Ruling {
        let index = model.index * Action::ALL.len() + action as usize;
        let cell = self.cells.get(index);
        let Some(cell) = cell.filter(|_| model.catalog == self.catalog) else {
            return ask();
        };
        match cell.load(Ordering::Relaxed) {
            Self::ALLOWED => Ruling::Allowed,
            Self::REFUSED => Ruling::Refused,
            Self::FAILED => Ruling::Failed,
            _ => {
                let ruling = ask();
                let value = match ruling {
                    Ruling::Allowed => Self::ALLOWED,
                    Ruling::Refused => Self::REFUSED,
                    Ruling::Failed => Self::FAILED,
                };
                cell.store(value, Ordering::Relaxed);
                ruling
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_is_asked_for_once() {
        let decisions = Decisions::of(7, 2);
        let at = |index| Place { catalog: 7, index };
        let (allowed, refused) = (|| Ruling::Allowed, || Ruling::Refused);
        for (model, action, said) in [
            (1, Action::Chat, Ruling::Allowed),
            (1, Action::Respond, Ruling::Refused),
            (0, Action::Respond, Ruling::Failed),
        ] {
            let model = at(model);
            assert_eq!(decisions.get(model, action, || said), said);
            assert_eq!(decisions.get(model, action, allowed), said);
            assert_eq!(decisions.get(model, action, refused), said);
        }
        // A model outside of this catalog is not cached, as after a reload.
        let other = Place {
            catalog: 8,
            index: 0,
        };
        for elsewhere in [at(2), other] {
            for ruling in [Ruling::Allowed, Ruling::Refused] {
                let asked = decisions.get(elsewhere, Action::Respond, || ruling);
                assert_eq!(asked, ruling);
            }
        }
    }
}
