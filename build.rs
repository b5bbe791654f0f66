//! Makes the four documents into a server and a client.
fn main() {}
