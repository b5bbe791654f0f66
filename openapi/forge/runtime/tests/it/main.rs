//! The runtime behind a real server, over plain HTTP.

mod api;
