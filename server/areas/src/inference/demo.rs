//! The area's part of the demo catalog: compartments, the managers of their keys, and the
//! permission to call every model from one of them.

use chrono::{DateTime, Utc};

use super::admission::policies::statement::{self, Scope, Statement};
use super::operator;
use crate::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use crate::rights::{self, Resource, Verb};
use crate::store::{StoreError, Tx};

/// The compartment of the demo catalog.
pub const COMPARTMENT: &str = "compartment.demo";
/// A second one, whose keys may not call any model.
pub const CLOSED_COMPARTMENT: &str = "compartment.closed";

/// Stores the area's part.
pub fn seed(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<(), StoreError> {
    for id in [COMPARTMENT, CLOSED_COMPARTMENT] {
        operator::put_compartment(tx, id, None, None, now)?;
        let compartment = Resource::Compartment(id.to_owned());
        rights::grant(tx, &compartment, ADMINISTRATOR, Verb::Manage)?;
        rights::grant(tx, &compartment, COLLEAGUE, Verb::Read)?;
    }
    let scope = Scope {
        compartment_id: Some(COMPARTMENT.into()),
        ..Scope::default()
    };
    let policy = Statement {
        id: "policy.demo".into(),
        text: scope.permit(),
    };
    statement::insert(tx, &policy, now)
}
