//! The OAuth clients of the demo catalog: one of each kind, with every role.

use std::path::PathBuf;
use std::sync::Arc;

use pem::{EncodeConfig, LineEnding, Pem};
use zeroize::Zeroizing;

use super::clients::{self, Algorithm, Client, ClientKey, Grant, Kind, Role};
use super::error::ServerError;
use super::keys::{KeyError, NewKey};
use super::state::generate;
use crate::identity::Identity;
use crate::kernel::files::private;
use crate::params;
use crate::store::{StoreError, Tx};

/// The public client; the command line uses it.
pub const PUBLIC: &str = "accord-cli";
/// The confidential client. It may also introspect tokens.
pub const CONFIDENTIAL: &str = "accord-web";
/// The confidential client's secret, which is public.
pub const SECRET: &str = "accord-web-demo-secret";
/// The client that signs assertions, with the key of [`robot_key_file`]. The
/// key's identifier is the same.
pub const ASSERTION: &str = "accord-robot";

/// Writes the demo's clients into an empty store.
pub fn seed(tx: &mut Tx<'_>, identity: &Identity) -> Result<(), StoreError> {
    let now = identity.clock.now().timestamp_millis();
    for (id, name, kind) in [
        (PUBLIC, "Accord command line", Kind::Public),
        (CONFIDENTIAL, "Accord web console", Kind::Confidential),
        (ASSERTION, "Accord robot", Kind::Assertion),
    ] {
        let client = Client {
            id: id.into(),
            name: name.into(),
            kind,
            roles: Role::ALL.to_vec(),
            grants: vec![Grant::DeviceCode, Grant::RefreshToken],
            introspects: kind == Kind::Confidential,
            access_token_seconds: identity.config.identity.access_token_seconds,
            // Present libraries do not send the explicit type.
            strict: false,
            saml_issuer: None,
        };
        client.save(tx, now)?;
    }
    clients::add_secret(tx, &identity.server_keys, CONFIDENTIAL, SECRET, now)
}

/// The path of the private key of [`ASSERTION`], in PEM.
pub fn robot_key_file(identity: &Identity) -> PathBuf {
    identity.config.server.data_dir.join("accord-robot.pem")
}

/// Creates a key for the demo's [`ASSERTION`] client, if the client exists and has none, and writes
/// the private half into the data directory. This takes a while, so it is not a part of [`seed`].
///
/// # Errors
///
/// When the store, the file system or the cryptographic library fails.
pub async fn make_robot_key(identity: &Arc<Identity>) -> Result<(), DemoKeyError> {
    // Another task of this process waits until the file is written, too.
    let _one_at_a_time = identity.making_robot_key.lock().await;
    if !identity.store.read(is_robot_key_missing).await? {
        return Ok(());
    }
    add_robot_key(identity, &generate().await?).await
}

/// Gives this key to the demo's [`ASSERTION`] client, if the client exists and has none, and writes
/// the private half into the data directory.
///
/// # Errors
///
/// When the store or the file system fails.
pub async fn add_robot_key(identity: &Identity, key: &NewKey) -> Result<(), DemoKeyError> {
    let public = ClientKey {
        kid: ASSERTION.into(),
        x5t: None,
        modulus: key.public().modulus.clone(),
        exponent: key.public().exponent.clone(),
        algorithm: Algorithm::default(),
    };
    let now = identity.clock.now().timestamp_millis();
    let mine = identity
        .store
        .write(move |tx| -> Result<bool, StoreError> {
            // Another replica may have been faster.
            let missing = is_robot_key_missing(tx)?;
            if missing {
                clients::put_key(tx, ASSERTION, &public, now)?;
            }
            Ok(missing)
        })
        .await?;
    if mine {
        let pem = Pem::new("PRIVATE KEY", key.pkcs8());
        let config = EncodeConfig::new().set_line_ending(LineEnding::LF);
        let text = Zeroizing::new(pem::encode_config(&pem, config));
        write_private(&robot_key_file(identity), &text)?;
    }
    Ok(())
}

/// Whether the demo's [`ASSERTION`] client exists and has no key.
fn is_robot_key_missing(tx: &mut Tx<'_>) -> Result<bool, StoreError> {
    tx.exists(
        "SELECT id FROM oauth_clients WHERE id = $1 AND NOT EXISTS \
         (SELECT kid FROM oauth_client_keys WHERE client_id = $1)",
        params![ASSERTION],
    )
}

/// Why the demo's robot has no key.
#[derive(Debug, thiserror::Error)]
pub enum DemoKeyError {
    /// The key could not be created or stored.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// The file of the private half could not be written.
    #[error("the key file of the demo's robot: {0}")]
    File(#[from] std::io::Error),
}

impl From<StoreError> for DemoKeyError {
    fn from(error: StoreError) -> Self {
        DemoKeyError::Server(error.into())
    }
}

impl From<KeyError> for DemoKeyError {
    fn from(error: KeyError) -> Self {
        DemoKeyError::Server(error.into())
    }
}

fn write_private(path: &std::path::Path, text: &str) -> std::io::Result<()> {
    let mut file = private().create(true).truncate(true).open(path)?;
    std::io::Write::write_all(&mut file, text.as_bytes())
}
