//! Work beside the editor, one job after the other.

use std::sync::mpsc::{self, Sender};

use crate::panics;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs jobs in their order, so that the result of an older one never replaces that of a newer one.
pub(super) struct Background(Sender<Job>);

impl Background {
    /// Starts the thread, which ends when this value is dropped.
    pub(super) fn start() -> Background {
        let (jobs, waiting) = mpsc::channel::<Job>();
        std::thread::spawn(move || {
            for job in waiting {
                if let Err(panic) = panics::catch(job) {
                    eprintln!("a job beside the editor panicked: {panic}");
                }
            }
        });
        Background(jobs)
    }

    /// Runs a job after those before it.
    pub(super) fn run(&self, job: impl FnOnce() + Send + 'static) {
        // The thread ends only with this value.
        let _ = self.0.send(Box::new(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_run_in_their_order_even_after_a_panic() {
        let background = Background::start();
        let (results, received) = mpsc::channel();
        for number in 0..3 {
            let results = results.clone();
            background.run(move || {
                assert!(results.send(number).is_err(), "the result was received");
            });
        }
        drop(results);
        assert_eq!(received.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }
}
