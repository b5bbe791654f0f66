//! How SQLite finds the rows of a statement.

use accord_server::store::{StoreError, Tx};

use super::Server;

/// The steps of a statement that read a whole table or a whole index. The values of its parameters are zero.
pub async fn scans(server: &Server, statement: &str) -> Vec<String> {
    let values = vec![0_i64.into(); statement.matches('$').count()];
    let sql = format!("EXPLAIN QUERY PLAN {statement}");
    let read = move |tx: &mut Tx<'_>| {
        let steps = tx.query(&sql, &values)?;
        steps.iter().map(|step| step.get::<String>(3)).collect()
    };
    let steps = server.app().store.read::<_, StoreError, _>(read).await;
    let steps: Vec<_> = steps.unwrap_or_else(|error| panic!("{statement}: {error}"));
    assert!(!steps.is_empty(), "{statement}");
    let scans = steps.into_iter().filter(|step| step.starts_with("SCAN "));
    scans.collect()
}
