//! What the database of a service contains.

use accord_server::store::{StoreError, Tx};

use super::Server;

/// Each table with its texts and bytes, a value in each line. `Debug` of a row does not print them.
pub async fn tables(server: &Server) -> Vec<(String, Vec<u8>)> {
    let url = server.app().config.database_url();
    let names = match url.expose().starts_with("postgres") {
        true => {
            "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'"
        }
        false => "SELECT name FROM sqlite_master WHERE type = 'table'",
    };
    let read = move |tx: &mut Tx<'_>| -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let mut tables = Vec::new();
        for row in tx.query(names, &[])? {
            let name: String = row.get(0)?;
            let mut content = Vec::new();
            for row in tx.query(&format!("SELECT * FROM {name}"), &[])? {
                for index in 0.. {
                    if let Ok(text) = row.get::<String>(index) {
                        content.extend(text.into_bytes());
                    } else if let Ok(bytes) = row.get::<Vec<u8>>(index) {
                        content.extend(bytes);
                    } else if row.get::<Option<i64>>(index).is_err() {
                        break;
                    }
                    content.push(b'\n');
                }
            }
            tables.push((name, content));
        }
        Ok(tables)
    };
    let tables = server.read(read).await;
    assert!(tables.len() > 20, "{}", tables.len());
    tables
}
