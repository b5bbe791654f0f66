//! The limit of open descriptors, and whether the process is near it.

#[cfg(target_os = "linux")]
pub(super) use linux::Gauge;
#[cfg(target_os = "linux")]
pub use linux::raise_limit;

/// The part of a limit above which connections are closed. The rest is reserved for files
/// and for connections to other services.
pub(super) fn usable(limit: usize) -> usize {
    limit.saturating_sub((limit / 8).clamp(16, 1024))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;

    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Raises the limit of open descriptors as far as the system allows: the soft limit,
    /// which is often 1024, to the hard one. Returns the new limit, if there is one.
    pub fn raise_limit() -> Option<usize> {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        if current != maximum {
            let raised = Rlimit {
                current: maximum,
                maximum,
            };
            if let Err(error) = setrlimit(Resource::Nofile, raised) {
                tracing::warn!(%error, "cannot raise the limit of open files");
            }
        }
        let limit = getrlimit(Resource::Nofile).current;
        limit.and_then(|limit| usize::try_from(limit).ok())
    }

    /// Estimates without counting whether the reserve of descriptors is in use.
    pub(in crate::connections) struct Gauge {
        file: File,
        /// The first descriptor of the reserve: the system allocates the lowest free
        /// number.
        first: i32,
    }

    impl Gauge {
        /// A gauge for this limit.
        pub(in crate::connections) fn new(limit: usize) -> Option<Self> {
            Some(Gauge {
                file: File::open("/dev/null").ok()?,
                first: super::usable(limit).try_into().ok()?,
            })
        }

        /// Whether a descriptor of the reserve is in use.
        pub(in crate::connections) fn is_crowded(&self) -> bool {
            use std::os::fd::AsRawFd;
            match rustix::io::fcntl_dupfd_cloexec(&self.file, self.first) {
                Ok(first) => first.as_raw_fd() != self.first,
                Err(_) => true,
            }
        }
    }
}

/// This system has no such limit to raise.
#[cfg(not(target_os = "linux"))]
pub fn raise_limit() -> Option<usize> {
    None
}

/// The limit of this system is unknown.
#[cfg(not(target_os = "linux"))]
pub(super) struct Gauge;

#[cfg(not(target_os = "linux"))]
impl Gauge {
    pub(super) fn new(_: usize) -> Option<Self> {
        None
    }

    pub(super) fn is_crowded(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eighth_of_the_limit_is_reserved() {
        for (limit, expected) in [(8, 0), (256, 224), (1024, 896), (1 << 20, (1 << 20) - 1024)] {
            assert_eq!(usable(limit), expected);
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_reserve_is_crowded_when_its_first_descriptor_is_in_use() {
        use std::os::fd::AsRawFd;

        let gauge = Gauge::new(4096).unwrap();
        assert!(!gauge.is_crowded());
        let file = std::fs::File::open("/dev/null").unwrap();
        let first = usable(4096) as i32;
        let taken = rustix::io::fcntl_dupfd_cloexec(&file, first).unwrap();
        assert_eq!(taken.as_raw_fd(), first);
        assert!(gauge.is_crowded());
    }
}
