//! Writes mail as files, if there is no mail server.
//!
//! A file gets its name when its content is on disk, so every file is complete. Its name is on disk
//! before the service records the mail as sent. `AsyncFileTransport` of lettre would replace this
//! file, but chooses the names of its files, lets every user read them, and does not flush them.

use std::io::{self, Write};
use std::path::Path;

use lettre::Message;

use super::SendError;
use crate::kernel::files::{flush_names, make_private, private};

/// Writes each message into a file of its name. Only its owner may read it, since it can contain a
/// link that sets a password.
pub(super) fn write(
    directory: &Path,
    messages: Vec<(String, Message)>,
) -> Vec<Result<(), SendError>> {
    let written = messages.into_iter().map(|(id, message)| {
        let path = directory.join(id).with_extension("eml");
        (write_one(directory, &path, &message.formatted()), path)
    });
    let written: Vec<_> = written.collect();
    // One flush covers the names of all files.
    let flushed = flush_names(directory);
    let flushed = || {
        flushed
            .as_ref()
            .map_err(|error| io::Error::from(error.kind()))
    };
    let outcomes = written.into_iter().map(|(written, path)| {
        let outcome = written.and_then(|()| flushed().map(drop));
        outcome.map_err(|source| SendError::file(path.display(), source))
    });
    outcomes.collect()
}

/// Removes the files of these mails, and returns their number.
pub(super) fn remove(directory: &Path, ids: &[String]) -> io::Result<u64> {
    let mut removed = 0;
    for id in ids {
        match std::fs::remove_file(directory.join(id).with_extension("eml")) {
            Ok(()) => removed += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}

fn write_one(directory: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    make_private(directory)?;
    let temporary = path.with_extension("part");
    let mut file = private().create(true).truncate(true).open(&temporary)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(temporary, path)
}
