//! How databases find the rows of statements.

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

/// Runs statements on PostgreSQL. Returns their result, and the number of rows that they read from these
/// tables, which are a list of texts in SQL.
pub fn counting<T, E: From<StoreError>>(
    tx: &mut Tx<'_>,
    tables: &str,
    run: impl FnOnce(&mut Tx<'_>) -> Result<T, E>,
) -> Result<(T, i64), E> {
    let sql = format!(
        "SELECT CAST(SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)) AS BIGINT) \
         FROM pg_stat_xact_user_tables WHERE relname IN ({tables})"
    );
    // Counts of earlier transactions on the connection may not be reported yet, so that they are in
    // the view, too.
    let counted = |tx: &mut Tx<'_>| -> Result<i64, StoreError> {
        tx.query_opt(&sql, &[])?.expect("a row").get(0)
    };
    let before = counted(tx)?;
    let result = run(tx)?;
    Ok((result, counted(tx)? - before))
}
