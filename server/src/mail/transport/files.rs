//! Mail as files, while there is no mail server.
//!
//! A file gets its name when its content is on disk, so every file is complete. Its name is
//! on disk before the service records the mail as sent.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use lettre::Message;

use super::SendError;

/// Writes each message into a file of its name, for its owner only: it can hold a
/// link that sets a password.
pub(super) fn write(
    directory: &Path,
    messages: Vec<(String, Message)>,
) -> Vec<Result<(), SendError>> {
    let number = messages.len();
    if let Err(error) = make(directory) {
        let text = error.to_string();
        let error = || io::Error::new(error.kind(), text.clone());
        return (0..number)
            .map(|_| Err(SendError::file(directory.display(), error())))
            .collect();
    }
    let mut begun: Vec<(io::Result<File>, PathBuf)> = messages
        .into_iter()
        .map(|(id, message)| {
            let path = directory.join(id).with_extension("eml");
            (begin(&path, &message.formatted()), path)
        })
        .collect();
    // One step of all before the next of any: most of a flush serves them all.
    begun
        .iter()
        .filter_map(|(file, _)| file.as_ref().ok())
        .for_each(on_its_way);
    for (file, _) in &mut begun {
        step(file, File::sync_all);
    }
    for (file, path) in &mut begun {
        step(file, |_| std::fs::rename(temporary(path), path));
    }
    let flushed = flush(directory);
    begun
        .into_iter()
        .map(|(file, path)| {
            let flushed = flushed
                .as_ref()
                .map_err(|error| io::Error::from(error.kind()));
            file.and(flushed.map(drop))
                .map_err(|source| SendError::file(path.display(), source))
        })
        .collect()
}

/// The next thing to do with a file, unless something went wrong with it.
fn step(file: &mut io::Result<File>, next: impl FnOnce(&File) -> io::Result<()>) {
    if let Ok(own) = file
        && let Err(error) = next(own)
    {
        *file = Err(error);
    }
}

fn make(directory: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

fn begin(path: &Path, content: &[u8]) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(temporary(path))?;
    file.write_all(content)?;
    Ok(file)
}

/// Starts to write to disk, without waiting for it. Linux does so on the advice that nobody
/// will read the file soon.
fn on_its_way(_file: &File) {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Advice, fadvise};
        // What does not take the advice is flushed all the same.
        let _ = fadvise(_file, 0, None, Advice::DontNeed);
    }
}

/// Takes the names in a directory to the disk, where a directory is a file.
fn flush(directory: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(directory)?.sync_all(),
        false => Ok(()),
    }
}

fn temporary(path: &Path) -> PathBuf {
    path.with_extension("part")
}
