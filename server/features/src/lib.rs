//! Nothing: `Cargo.toml` names features of packages.
