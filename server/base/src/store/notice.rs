//! Notices of other replicas' changes, on PostgreSQL.
//!
//! A thread with a connection of its own listens for the notices of
//! [`Tx::notify`], which are sent when a transaction commits. A notice may be
//! lost, for example when that connection fails. So receivers also poll:
//! notices only make them faster. SQLite has no notices.
//!
//! [`Tx::notify`]: super::Tx::notify

use std::time::Duration;

use tokio::sync::watch;

use super::StoreError;
use super::postgres::{LISTEN, Session};
use super::queue::spawn;
use super::tls::Address;
use super::tx::Connection as _;

/// How often the thread checks whether receivers still exist.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Starts to listen; the receiver sees a new value with each notice.
pub(super) fn listen(address: Address) -> Result<watch::Receiver<u64>, StoreError> {
    let (sender, receiver) = watch::channel(0);
    spawn("store-notices", move || {
        while !sender.is_closed() {
            if let Ok(mut session) = Session::open(&address) {
                follow(&mut session, &sender);
            }
            // Notices may have been lost in the meantime.
            sender.send_modify(|count| *count += 1);
            std::thread::sleep(POLL_INTERVAL / 2);
        }
    })?;
    Ok(receiver)
}

/// Forwards notices until the connection fails or all receivers are dropped.
fn follow(session: &mut Session, sender: &watch::Sender<u64>) {
    if session.script(LISTEN).is_err() {
        return;
    }
    while !sender.is_closed() {
        match session.notice(POLL_INTERVAL) {
            Ok(true) => sender.send_modify(|count| *count += 1),
            Ok(false) => {}
            Err(_) => return,
        }
    }
}
