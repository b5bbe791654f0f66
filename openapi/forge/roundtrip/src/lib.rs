//! Both sides of `styles.yaml`, as the generator writes them.

/// The server.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
pub mod server {
    include!(concat!(env!("OUT_DIR"), "/styles_server.rs"));
}

/// The client.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
pub mod client {
    include!(concat!(env!("OUT_DIR"), "/styles_client.rs"));
}

/// What the client does not have.
pub const LOSSES: &str = include_str!(concat!(env!("OUT_DIR"), "/styles_loss.md"));

/// Both sides of `modern.yaml`: one place for each construct of OpenAPI 3.1.
pub mod modern {
    /// The server; operations without an implementation return 501.
    #[allow(clippy::all, rustdoc::all, unused, missing_docs)]
    pub mod server {
        include!(concat!(env!("OUT_DIR"), "/modern_server.rs"));
    }

    /// The client.
    #[allow(clippy::all, rustdoc::all, unused, missing_docs)]
    pub mod client {
        include!(concat!(env!("OUT_DIR"), "/modern_client.rs"));
    }
}

/// Both sides of `traps.yaml`: valid constructs that used to be generated wrongly.
pub mod traps {
    /// The server.
    #[allow(clippy::all, rustdoc::all, unused, missing_docs)]
    pub mod server {
        include!(concat!(env!("OUT_DIR"), "/traps_server.rs"));
    }

    /// The client.
    #[allow(clippy::all, rustdoc::all, unused, missing_docs)]
    pub mod client {
        include!(concat!(env!("OUT_DIR"), "/traps_client.rs"));
    }
}
