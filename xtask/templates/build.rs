//! Generates the code from the document.

use dropforge::Build;@server(
use dropforge::Purpose;
)server@
fn main() -> std::process::ExitCode {
    Build::of("@DOCUMENT@", "@NAME@")@root(
        .reference_root("."))root@@server(
        // `Complete` instead of `Prototype` when all methods are written.
        .server(Purpose::Prototype))server@@client(
        .client())client@
        .run()
}
