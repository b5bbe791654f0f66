//! The package of an accelerator: a zip archive with a manifest and the integrations, as [`FORMAT`]
//! describes it.
//!
//! An archive is untrusted. It is read in three steps: the entries are checked by their metadata,
//! unpacked with limits that do not rely on the metadata, and parsed. Nothing is stored before the
//! last step succeeds. No file is written to a path that an archive names.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use serde::Deserialize;
use serde::de::IgnoredAny;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use zip::{CompressionMethod, ZipArchive};

use super::accelerator::{Integration, Role};
use super::id::{is_code, is_version};
use super::pattern::{MAX_DESCRIPTION, MAX_GUIDELINES, is_name, is_text};

/// The format of packages, for their authors.
pub const FORMAT: &str = include_str!("accelerators/FORMAT.md");

/// Maximum size of an archive, in bytes.
pub const MAX_BYTES: usize = 4 << 20;
/// Maximum number of entries of an archive.
const MAX_ENTRIES: usize = 100;
/// Maximum size of a file in an archive, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Maximum size of all files together, in bytes.
const MAX_UNPACKED_BYTES: u64 = 8 << 20;
/// Maximum ratio of the size of a file to its packed size.
const MAX_RATIO: u64 = 100;
/// The ratio of files up to this size, in bytes, is not limited, because short texts of spaces
/// exceed it.
const MAX_UNCHECKED_BYTES: u64 = 4 << 10;

const MANIFEST: &str = "accelerator.toml";
const INTEGRATIONS: &str = "integrations/";

/// An accelerator as its package describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Identifier.
    pub id: Uuid,
    /// Version of the package.
    pub version: String,
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Guidelines.
    pub guidelines: String,
    /// Maximum number of iterations of one run.
    pub max_iteration: i32,
    /// Roles of its patterns.
    pub roles: Vec<Role>,
    /// Integrations, by code.
    pub integrations: Vec<Integration>,
    /// SHA-256 of names and contents, in hexadecimal. It does not depend on the compression.
    pub digest: String,
}

/// Why a package is rejected.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The archive is too large.
    #[error("it is larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// It is not a valid zip archive.
    #[error("it is not a valid zip archive: {0}")]
    Archive(#[from] zip::result::ZipError),
    /// It has too many entries.
    #[error("it has {0} entries; at most {MAX_ENTRIES} are allowed")]
    Entries(usize),
    /// Two of its entries have the same name.
    #[error("two of its entries have the same name")]
    Duplicate,
    /// It is too large unpacked.
    #[error("it unpacks to more than {MAX_UNPACKED_BYTES} bytes")]
    Unpacked,
    /// An entry is invalid.
    #[error("{path:?} {problem}")]
    Entry {
        /// Its path.
        path: String,
        /// Why it is invalid.
        problem: String,
    },
    /// The manifest is missing.
    #[error("it has no {MANIFEST}")]
    NoManifest,
}

/// The error of an entry. The problem continues a sentence that begins with the path.
fn invalid(path: &str, problem: impl Into<String>) -> PackageError {
    PackageError::Entry {
        path: path.to_owned(),
        problem: problem.into(),
    }
}

/// The file `accelerator.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    id: Uuid,
    version: String,
    name: String,
    #[serde(default)]
    description: String,
    #[serde(default)]
    guidelines: String,
    max_iteration: i32,
    #[serde(default)]
    roles: Vec<Role>,
}

/// The number of the format. Manifests of other formats may have other keys.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// A file of `integrations/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IntegrationFile {
    code: String,
    name: String,
    r#type: String,
    version: String,
    #[serde(default = "activated")]
    status: String,
}

fn activated() -> String {
    "ACTIVATED".into()
}

impl Package {
    /// Reads an archive.
    ///
    /// # Errors
    ///
    /// The first reason why the archive is not a package.
    pub fn read(archive: &[u8]) -> Result<Package, PackageError> {
        Package::from_files(&unpack(archive)?)
    }

    /// Reads the files of an archive: contents by path.
    ///
    /// # Errors
    ///
    /// The first reason why the files are not a package.
    pub fn from_files(files: &BTreeMap<String, Vec<u8>>) -> Result<Package, PackageError> {
        let content = files.get(MANIFEST).ok_or(PackageError::NoManifest)?;
        let manifest = Manifest::read(content)?;
        let integrations = files
            .iter()
            .filter(|(path, _)| *path != MANIFEST)
            .map(|(path, content)| integration(path, content))
            .collect::<Result<_, _>>()?;
        Ok(Package {
            id: manifest.id,
            version: manifest.version,
            name: manifest.name,
            description: manifest.description,
            guidelines: manifest.guidelines,
            max_iteration: manifest.max_iteration,
            roles: manifest.roles,
            integrations,
            digest: digest(files),
        })
    }
}

impl Manifest {
    /// Reads the file, and checks its values.
    fn read(content: &[u8]) -> Result<Manifest, PackageError> {
        let Format { format } = parse(MANIFEST, content)?;
        if format != 1 {
            let problem = "has a format that this version does not support; it supports 1";
            return Err(invalid(MANIFEST, problem));
        }
        let manifest: Manifest = parse(MANIFEST, content)?;
        match manifest.problem() {
            None => Ok(manifest),
            Some(problem) => Err(invalid(MANIFEST, problem)),
        }
    }

    /// The problem of the first invalid value, if there is one.
    fn problem(&self) -> Option<&'static str> {
        let is_short = |text: &str| is_text(text, MAX_DESCRIPTION);
        let mut connections = self.roles.iter().flat_map(|role| &role.connections);
        let has_short_texts = is_short(&self.description)
            && is_text(&self.guidelines, MAX_GUIDELINES)
            && self.roles.iter().all(|role| is_short(&role.role))
            && connections.all(|one| is_short(&one.code) && is_short(&one.name));
        let mut connections = self.roles.iter().flat_map(|role| &role.connections);
        let is_nameless = self.roles.iter().any(|role| role.role.is_empty())
            || connections.any(|one| one.code.is_empty());
        if !is_version(&self.version) {
            Some("has a version that is not dotted numbers")
        } else if self.name.trim_matches(' ').is_empty() {
            Some("has no name")
        } else if !is_name(&self.name) {
            Some("has a name of more than 255 characters, or with control characters")
        } else if self.max_iteration < 1 {
            Some("has a max_iteration below 1")
        } else if !has_short_texts {
            Some("has a text with a NUL or with too many characters")
        } else if is_nameless {
            Some("has a role or a connection without a name")
        } else {
            None
        }
    }
}

fn integration(path: &str, content: &[u8]) -> Result<Integration, PackageError> {
    let code = path
        .strip_prefix(INTEGRATIONS)
        .and_then(|name| name.strip_suffix(".toml"))
        .filter(|code| is_code(code))
        .ok_or_else(|| invalid(path, "is not a part of a package"))?;
    let part: IntegrationFile = parse(path, content)?;
    if part.code != code {
        return Err(invalid(path, "has a code that differs from its file name"));
    }
    let texts = [&part.name, &part.r#type, &part.version, &part.status];
    if !texts.into_iter().all(|text| is_text(text, MAX_DESCRIPTION)) {
        return Err(invalid(
            path,
            "has a text with a NUL or with too many characters",
        ));
    }
    if [&part.r#type, &part.version, &part.status]
        .into_iter()
        .any(String::is_empty)
    {
        return Err(invalid(path, "has an empty type, version or status"));
    }
    Ok(Integration {
        code: part.code,
        name: part.name,
        status: part.status,
        kind: part.r#type,
        version: part.version,
    })
}

fn parse<T: serde::de::DeserializeOwned>(path: &str, content: &[u8]) -> Result<T, PackageError> {
    let text = std::str::from_utf8(content).map_err(|_| invalid(path, "is not UTF-8"))?;
    toml::from_str(text).map_err(|error| invalid(path, format!("cannot be read: {error}")))
}

/// The files of an archive.
fn unpack(archive: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, PackageError> {
    if archive.len() > MAX_BYTES {
        return Err(PackageError::TooLarge);
    }
    let mut archive = ZipArchive::new(Cursor::new(archive))?;
    // The reader below shows only the last of several entries with the same name.
    if archive.has_duplicate_names() {
        return Err(PackageError::Duplicate);
    }
    if archive.len() > MAX_ENTRIES {
        return Err(PackageError::Entries(archive.len()));
    }
    let mut files = BTreeMap::new();
    let mut unpacked = 0;
    for index in 0..archive.len() {
        let raw = archive.by_index_raw(index)?;
        let path = raw.name()?.into_owned();
        let is_directory = raw.is_dir();
        check_entry(&path, &raw)?;
        let packed = raw.compressed_size();
        drop(raw);
        if is_directory {
            continue;
        }
        let mut content = Vec::new();
        // Reading ends at the stated size, which may be wrong.
        let size = archive
            .by_index(index)?
            .take(MAX_FILE_BYTES + 1)
            .read_to_end(&mut content)
            .map_err(|error| invalid(&path, format!("cannot be unpacked: {error}")))?
            as u64;
        if size > MAX_FILE_BYTES {
            return Err(invalid(
                &path,
                format!("unpacks to more than {MAX_FILE_BYTES} bytes"),
            ));
        }
        if size > MAX_UNCHECKED_BYTES && size / MAX_RATIO > packed {
            let problem = format!("unpacks to more than {MAX_RATIO} times its packed size");
            return Err(invalid(&path, problem));
        }
        unpacked += size;
        if unpacked > MAX_UNPACKED_BYTES {
            return Err(PackageError::Unpacked);
        }
        if files.insert(path.clone(), content).is_some() {
            return Err(invalid(&path, "occurs twice"));
        }
    }
    Ok(files)
}

/// Checks the metadata of an entry.
fn check_entry<R: std::io::Read + ?Sized>(
    path: &str,
    entry: &zip::read::ZipFile<'_, R>,
) -> Result<(), PackageError> {
    let bare = path.strip_suffix('/').unwrap_or(path);
    let is_not_a_name = |part: &str| matches!(part, "" | "." | "..");
    if bare.split('/').any(is_not_a_name) || path.contains(['\\', ':', '\0']) {
        return Err(invalid(path, "is not a path within a package"));
    }
    if entry.is_symlink() {
        return Err(invalid(path, "is a link"));
    }
    if entry.encrypted() {
        return Err(invalid(path, "is encrypted"));
    }
    match entry.compression() {
        CompressionMethod::Stored | CompressionMethod::Deflated => {}
        other => return Err(invalid(path, format!("is packed as {other}"))),
    }
    if entry.size() > MAX_FILE_BYTES {
        return Err(invalid(
            path,
            format!("unpacks to more than {MAX_FILE_BYTES} bytes"),
        ));
    }
    Ok(())
}

/// SHA-256 of the names and contents, each after its length, in hexadecimal.
fn digest(files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for (path, content) in files {
        for text in [path.as_bytes(), content] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
    }
    base16ct::lower::encode_string(&hash.finalize())
}
