//! The encryption of backups with a passphrase.
//!
//! | bytes | content |
//! |---|---|
//! | 16 | `accord backup 1\n` |
//! | 16 | a random salt |
//! | rest | chunks of 65,536 bytes, the last one of fewer, each followed by a tag of 16 bytes |
//!
//! The key is Argon2id (version 19, 64 MiB, 3 passes, 4 lanes) of the passphrase and the salt. Chunks
//! are encrypted with AES-256-GCM. Their nonce is the number of the chunk in 11 bytes, big-endian,
//! from 0 on, and a byte that is 1 for the last chunk. Their additional data is the first 32 bytes.
//! So nobody can change, move or drop a chunk unnoticed. Each backup has a key of its own, so nonces
//! never repeat.
//!
//! The construction is that of the file format age (STREAM), whose Rust crate would replace this
//! file. It is not used because it adds a second set of ciphers to the service, beside
//! `aws-lc-rs`, which has no streams. Backups of earlier versions would need this file anyway.

use std::io::{self, Read, Write};

use argon2::{Algorithm, Argon2, Params, Version};
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use zeroize::Zeroizing;

use super::BackupError;

const MAGIC: &[u8; 16] = b"accord backup 1\n";
const SALT: usize = 16;
const HEADER: usize = MAGIC.len() + SALT;
const CHUNK: usize = 1 << 16;
const TAG: usize = 16;
const MEMORY_KIB: u32 = 64 << 10;
const PASSES: u32 = 3;
const LANES: u32 = 4;

/// The cipher of one backup.
struct Chunks {
    key: LessSafeKey,
    header: [u8; HEADER],
    /// The number of the next chunk.
    next: u64,
}

impl Chunks {
    fn new(passphrase: &str, header: [u8; HEADER]) -> Result<Chunks, BackupError> {
        let mut key = Zeroizing::new([0; 32]);
        let salt = &header[MAGIC.len()..];
        Params::new(MEMORY_KIB, PASSES, LANES, Some(key.len()))
            .map(|params| Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
            .and_then(|argon2| {
                argon2.hash_password_into(passphrase.as_bytes(), salt, key.as_mut_slice())
            })
            .map_err(|error| BackupError::Passphrase(error.to_string()))?;
        let key = UnboundKey::new(&AES_256_GCM, key.as_slice())
            .map_err(|_| BackupError::Passphrase("cannot derive a key".into()))?;
        Ok(Chunks {
            key: LessSafeKey::new(key),
            header,
            next: 0,
        })
    }

    fn nonce(&mut self, is_last: bool) -> Nonce {
        let mut nonce = [0; NONCE_LEN];
        nonce[3..NONCE_LEN - 1].copy_from_slice(&self.next.to_be_bytes());
        nonce[NONCE_LEN - 1] = is_last.into();
        self.next += 1;
        Nonce::assume_unique_for_key(nonce)
    }
}

/// A writer that encrypts. [`Sealer::finish`] writes the last chunk.
pub(super) struct Sealer<W> {
    to: W,
    chunks: Chunks,
    /// The plain text of the next chunk.
    buffer: Vec<u8>,
}

impl<W: Write> Sealer<W> {
    /// Writes the header.
    pub(super) fn new(mut to: W, passphrase: &str, salt: [u8; SALT]) -> Result<Self, BackupError> {
        let mut header = [0; HEADER];
        header[..MAGIC.len()].copy_from_slice(MAGIC);
        header[MAGIC.len()..].copy_from_slice(&salt);
        let chunks = Chunks::new(passphrase, header)?;
        to.write_all(&header)?;
        let buffer = Vec::with_capacity(CHUNK + TAG);
        Ok(Sealer { to, chunks, buffer })
    }

    fn seal(&mut self, is_last: bool) -> io::Result<()> {
        let nonce = self.chunks.nonce(is_last);
        let header = Aad::from(self.chunks.header);
        self.chunks
            .key
            .seal_in_place_append_tag(nonce, header, &mut self.buffer)
            .map_err(|_| io::Error::other("a chunk cannot be encrypted"))?;
        self.to.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the last chunk, and returns the inner writer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.seal(true)?;
        Ok(self.to)
    }
}

impl<W: Write> Write for Sealer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The last chunk is shorter than the others, so a full chunk is not the last.
        let taken = bytes.len().min(CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..taken]);
        if self.buffer.len() == CHUNK {
            self.seal(false)?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that decrypts. It fails if the input ends before the last chunk.
pub(super) struct Opener<R> {
    from: R,
    chunks: Chunks,
    chunk: Vec<u8>,
    /// The number of bytes of the chunk that the caller has read.
    taken: usize,
    is_last: bool,
}

impl<R: Read> Opener<R> {
    /// Reads the header and the first chunk.
    pub(super) fn new(mut from: R, passphrase: &str) -> Result<Self, BackupError> {
        let mut header = [0; HEADER];
        let read = from.read_exact(&mut header);
        if read.is_err() || !header.starts_with(MAGIC) {
            return Err(BackupError::NotABackup);
        }
        let mut opener = Opener {
            from,
            chunks: Chunks::new(passphrase, header)?,
            chunk: Vec::new(),
            taken: 0,
            is_last: false,
        };
        match opener.next() {
            Ok(()) => Ok(opener),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                Err(BackupError::Unreadable)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn next(&mut self) -> io::Result<()> {
        self.chunk.clear();
        let most = u64::try_from(CHUNK + TAG).unwrap_or(u64::MAX);
        self.from.by_ref().take(most).read_to_end(&mut self.chunk)?;
        self.is_last = self.chunk.len() < CHUNK + TAG;
        let nonce = self.chunks.nonce(self.is_last);
        let header = Aad::from(self.chunks.header);
        let opened = self
            .chunks
            .key
            .open_in_place(nonce, header, &mut self.chunk);
        let length = opened.map(|opened| opened.len()).map_err(|_| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                BackupError::Unreadable.to_string(),
            )
        })?;
        self.chunk.truncate(length);
        self.taken = 0;
        Ok(())
    }
}

impl<R: Read> Read for Opener<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.chunk.len() && !self.is_last {
            self.next()?;
        }
        let rest = &self.chunk[self.taken..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.taken += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSPHRASE: &str = "correct horse battery";

    fn sealed(plain: &[u8]) -> Vec<u8> {
        let mut sealer = Sealer::new(Vec::new(), PASSPHRASE, [7; SALT]).unwrap();
        sealer.write_all(plain).unwrap();
        sealer.finish().unwrap()
    }

    fn opened(sealed: &[u8], passphrase: &str) -> Result<Vec<u8>, BackupError> {
        let mut plain = Vec::new();
        let mut opener = Opener::new(sealed, passphrase)?;
        opener.read_to_end(&mut plain)?;
        Ok(plain)
    }

    #[test]
    fn a_text_of_any_length_is_the_same_after_decryption() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK] {
            let plain: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            let sealed = sealed(&plain);
            assert_eq!(opened(&sealed, PASSPHRASE).unwrap(), plain, "{length}");
        }
    }

    #[test]
    fn another_passphrase_decrypts_nothing() {
        let error = opened(&sealed(b"secret"), "incorrect horse").unwrap_err();
        assert!(matches!(error, BackupError::Unreadable), "{error}");
    }

    #[test]
    fn a_changed_moved_or_missing_chunk_is_an_error() {
        let sealed = sealed(&vec![1; 3 * CHUNK]);
        let chunk = |number: usize| HEADER + number * (CHUNK + TAG);
        let mut changed = sealed.clone();
        changed[chunk(1) + 5] ^= 1;
        let mut salted = sealed.clone();
        salted[MAGIC.len()] ^= 1;
        let moved = [
            &sealed[..chunk(0)],
            &sealed[chunk(1)..chunk(2)],
            &sealed[chunk(0)..chunk(1)],
            &sealed[chunk(2)..],
        ];
        let short = sealed[..chunk(3)].to_vec();
        let cut = sealed[..chunk(2)].to_vec();
        for damaged in [changed, salted, moved.concat(), short, cut] {
            assert!(opened(&damaged, PASSPHRASE).is_err());
        }
    }

    #[test]
    fn the_error_of_another_file_says_that_it_is_not_a_backup() {
        for text in ["", "accord", "SQLite format 3\0 and some more bytes"] {
            let error = opened(text.as_bytes(), PASSPHRASE).unwrap_err();
            assert!(matches!(error, BackupError::NotABackup), "{error}");
        }
    }
}
