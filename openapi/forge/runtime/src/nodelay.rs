//! TCP_NODELAY for a dropshot server.
