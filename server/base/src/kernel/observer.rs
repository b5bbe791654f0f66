//! The responses that violated their document.

use std::sync::Mutex;

use super::lock;

/// The maximum of reports in memory. Further ones are only counted and logged.
const MAX_REPORTS: usize = 64;

/// Records responses that violated their document.
#[derive(Debug, Default)]
pub struct Observer {
    violations: Mutex<Vec<String>>,
}

impl Observer {
    /// The first responses that violated their document, described. A test that ends with any has
    /// failed.
    pub fn violations(&self) -> Vec<String> {
        lock(&self.violations).clone()
    }

    /// Records a response that violated its document. Only the first ones are kept.
    pub fn violated(&self, report: String) {
        let mut violations = lock(&self.violations);
        if violations.len() < MAX_REPORTS {
            violations.push(report);
        }
    }
}
