//! Tables, their rows, and the steps from one state of them to another.

use std::collections::BTreeMap;

use crate::params;
use crate::store::{Row, StoreError, Tx, Value};

/// A planned change of one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The kind and the name of the object.
    pub subject: String,
    /// The action.
    pub action: Action,
    pub(super) table: usize,
    pub(super) key: Cells,
    pub(super) values: Cells,
}

/// An action on an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Create the object.
    Create,
    /// Change these properties: name, old value, new value.
    Change(Vec<(&'static str, String, String)>),
    /// Remove the object.
    Remove,
}

/// All planned changes, in a possible order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The steps.
    pub steps: Vec<Step>,
    /// The number of objects that are already as in the file.
    pub unchanged: usize,
    /// The number of objects that the file does not name and that stay.
    pub unnamed: usize,
    /// Administrators that the file names and that are not users yet.
    pub waiting: Vec<Waiting>,
}

/// An administrator of the file for whom there is no user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// The hub organization.
    pub organization: i64,
    /// The email address.
    pub email: String,
}

impl Plan {
    /// The number of changes, as the audit trail records it.
    pub fn summary(&self) -> String {
        match self.steps.len() {
            1 => "1 change".to_owned(),
            count => format!("{count} changes"),
        }
    }
}

impl Step {
    /// The organization and the user's id, if the step adds or removes an administrator.
    pub fn administrator(&self) -> Option<(i64, &str)> {
        match self.key.as_slice() {
            [Cell::Int(organization), Cell::Text(user)] if self.table == ADMINISTRATORS => {
                Some((*organization, user))
            }
            _ => None,
        }
    }

    /// The service instance and the organization, if the step sets the owner of a service instance.
    pub fn owner(&self) -> Option<(&str, i64)> {
        let is_set = self.table == DESIGN_INSTANCES && self.action != Action::Remove;
        match (self.key.as_slice(), self.values.as_slice()) {
            ([Cell::Text(instance)], [Cell::Int(organization)]) if is_set => {
                Some((instance, *organization))
            }
            _ => None,
        }
    }
}

/// A value of a column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cell {
    /// `NULL` in the store. In a file, the value stays unchanged.
    Nothing,
    Int(i64),
    Text(String),
}

pub(super) type Cells = Vec<Cell>;
pub(super) type Rows = BTreeMap<Cells, Cells>;

impl From<&Cell> for Value {
    fn from(cell: &Cell) -> Self {
        match cell {
            Cell::Nothing => Value::Null,
            Cell::Int(number) => Value::from(*number),
            Cell::Text(text) => Value::from(text.as_str()),
        }
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cell::Nothing => f.write_str("none"),
            Cell::Int(number) => write!(f, "{number}"),
            Cell::Text(text) => write!(f, "{text:?}"),
        }
    }
}

/// A table: the name of its rows, its columns, the number of columns in its key, and the
/// kind of grants that are removed with a row.
pub(super) struct Table {
    kind: &'static str,
    name: &'static str,
    columns: &'static [(&'static str, Type)],
    key: usize,
    grants: Option<&'static str>,
}

/// The type of a column.
#[derive(Clone, Copy)]
enum Type {
    Int,
    OptionalInt,
    Text,
}

const INT: Type = Type::Int;
const TEXT: Type = Type::Text;

pub(super) const ORGANIZATIONS: usize = 0;
pub(super) const INSTANCES: usize = 1;
pub(super) const COLLAB_ORGANIZATIONS: usize = 2;
pub(super) const COLLAB_PROJECTS: usize = 3;
pub(super) const DESIGN_INSTANCES: usize = 4;
pub(super) const DESIGN_PROJECTS: usize = 5;
/// The keys of administrators have the ids of users.
pub(super) const ADMINISTRATORS: usize = 6;

/// The tables by the indices above, in the order in which rows can be created.
pub(super) const TABLES: [Table; 7] = [
    Table {
        kind: "organization",
        name: "hub_organizations",
        columns: &[
            ("id", INT),
            ("name", TEXT),
            ("trading_name", TEXT),
            ("city", TEXT),
            ("state", TEXT),
            ("country", TEXT),
            ("closed", INT),
        ],
        key: 1,
        grants: None,
    },
    Table {
        kind: "instance",
        name: "application_instances",
        columns: &[
            ("id", INT),
            ("name", TEXT),
            ("region", TEXT),
            ("base_url", TEXT),
            ("closed", INT),
        ],
        key: 1,
        grants: None,
    },
    Table {
        kind: "collab organization",
        name: "collab_organizations",
        columns: &[
            ("id", INT),
            ("application_instance_id", INT),
            ("hub_organization_id", INT),
            ("name", TEXT),
        ],
        key: 1,
        grants: None,
    },
    Table {
        kind: "project",
        name: "collab_projects",
        columns: &[
            ("collab_organization_id", INT),
            ("id", TEXT),
            ("name", TEXT),
        ],
        key: 2,
        grants: None,
    },
    Table {
        kind: "design instance",
        name: "design_instances",
        columns: &[("name", TEXT), ("organization_id", Type::OptionalInt)],
        key: 1,
        grants: Some("instance"),
    },
    Table {
        kind: "design project",
        name: "design_projects",
        columns: &[
            ("id", TEXT),
            ("instance", TEXT),
            ("code", TEXT),
            ("name", TEXT),
            ("version", TEXT),
        ],
        key: 1,
        grants: Some("project"),
    },
    Table {
        kind: "administrator",
        name: "hub_administrators",
        columns: &[("organization_id", INT), ("user_id", TEXT)],
        key: 2,
        grants: None,
    },
];

impl Table {
    pub(super) fn subject(&self, key: &Cells) -> String {
        let key: Vec<_> = key.iter().map(ToString::to_string).collect();
        format!("{} {}", self.kind, key.join(" "))
    }

    pub(super) fn read(&self, tx: &mut Tx<'_>) -> Result<Rows, StoreError> {
        let names: Vec<_> = self.columns.iter().map(|(name, _)| *name).collect();
        let sql = format!("SELECT {} FROM {}", names.join(", "), self.name);
        tx.query(&sql, &[])?
            .iter()
            .map(|row| {
                let mut cells = self.cells(row)?;
                let values = cells.split_off(self.key);
                Ok((cells, values))
            })
            .collect()
    }

    fn cells(&self, row: &Row) -> Result<Cells, StoreError> {
        let columns = self.columns.iter().enumerate();
        columns
            .map(|(index, (_, holds))| match holds {
                Type::Int => row.get(index).map(Cell::Int),
                Type::OptionalInt => row
                    .get::<Option<i64>>(index)
                    .map(|number| number.map_or(Cell::Nothing, Cell::Int)),
                Type::Text => row.get(index).map(Cell::Text),
            })
            .collect()
    }

    pub(super) fn carry_out(&self, tx: &mut Tx<'_>, step: &Step) -> Result<(), StoreError> {
        let place = |from: usize| {
            let columns = self.columns.iter().enumerate().skip(from);
            columns.map(|(index, (name, _))| format!("{name} = ${}", index + 1))
        };
        let key: Vec<_> = place(0).take(self.key).collect();
        let key = key.join(" AND ");
        let sql = match &step.action {
            Action::Create => {
                let names: Vec<_> = self.columns.iter().map(|(name, _)| *name).collect();
                let places: Vec<_> = (1..=names.len()).map(|place| format!("${place}")).collect();
                let (names, places) = (names.join(", "), places.join(", "));
                format!("INSERT INTO {} ({names}) VALUES ({places})", self.name)
            }
            Action::Change(_) => {
                let values: Vec<_> = place(self.key).collect();
                let values = values.join(", ");
                format!("UPDATE {} SET {values} WHERE {key}", self.name)
            }
            Action::Remove => format!("DELETE FROM {} WHERE {key}", self.name),
        };
        let values: &[Cell] = match step.action {
            Action::Remove => &[],
            Action::Create | Action::Change(_) => &step.values,
        };
        if let (Some(kind), Action::Remove, [Cell::Text(id)]) =
            (self.grants, &step.action, step.key.as_slice())
        {
            tx.execute(
                "DELETE FROM grants WHERE kind = $1 AND resource = $2",
                params![kind, id],
            )?;
        }
        let parameters: Vec<_> = step.key.iter().chain(values).map(Value::from).collect();
        tx.execute(&sql, &parameters).map(drop)
    }
}

/// The differences: name, old value, new value.
pub(super) fn changes(
    table: &Table,
    now: &Cells,
    then: &Cells,
) -> Vec<(&'static str, String, String)> {
    let names = table.columns.iter().skip(table.key).map(|(name, _)| *name);
    let values = now.iter().zip(then);
    names
        .zip(values)
        .filter(|(_, (now, then))| now != then)
        .map(|(name, (now, then))| (name, now.to_string(), then.to_string()))
        .collect()
}
