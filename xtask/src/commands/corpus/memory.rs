//! Measures the memory and processor time of processes, with Linux's `/proc`.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often the peak memory is read. The kernel records the peak of a process, so only allocations in its last moments
/// are missed.
const INTERVAL: Duration = Duration::from_millis(50);

/// The largest process below another one, while it runs.
pub(in crate::commands) struct Peak {
    is_over: Arc<AtomicBool>,
    kilobytes: Arc<AtomicU64>,
    watcher: JoinHandle<()>,
}

impl Peak {
    pub(in crate::commands) fn of_children(process: u32) -> Peak {
        let is_over = Arc::new(AtomicBool::new(false));
        let kilobytes = Arc::new(AtomicU64::new(0));
        let (over, largest) = (Arc::clone(&is_over), Arc::clone(&kilobytes));
        let watcher = std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                largest.fetch_max(largest_below(process), Ordering::Relaxed);
                std::thread::sleep(INTERVAL);
            }
        });
        Peak {
            is_over,
            kilobytes,
            watcher,
        }
    }

    /// Ends the watch; `None` if the system has no `/proc`.
    pub(in crate::commands) fn megabytes(self) -> Option<u64> {
        self.is_over.store(true, Ordering::Relaxed);
        self.watcher.join().ok()?;
        match self.kilobytes.load(Ordering::Relaxed) {
            0 => None,
            kilobytes => Some(kilobytes.div_ceil(1024)),
        }
    }
}

/// Peak memory of the largest process below another one, in KiB; 0 if it cannot be read.
fn largest_below(process: u32) -> u64 {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes: Vec<Process> = entries
        .filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?))
        .collect();
    let (mut largest, mut open) = (0, vec![process]);
    while let Some(parent) = open.pop() {
        for child in processes.iter().filter(|child| child.parent == parent) {
            largest = largest.max(child.peak);
            open.push(child.id);
        }
    }
    largest
}

/// Processor time of the children of this process that have ended, and of theirs.
pub(in crate::commands) fn children_seconds() -> Option<f64> {
    /// The unit of times in `/proc`, the same on every architecture.
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain blanks; `cutime` and `cstime` are fields 16 and 17.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(13);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

/// The peak memory of this process, in MB.
pub(in crate::commands) fn own_megabytes() -> Option<u64> {
    Some(Process::read(std::process::id())?.peak.div_ceil(1024))
}

/// A process, as `/proc/ID/status` describes it.
struct Process {
    id: u32,
    parent: u32,
    /// Its peak memory, in KiB.
    peak: u64,
}

impl Process {
    fn read(id: u32) -> Option<Process> {
        let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let figure = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_ascii_whitespace().next()?.parse::<u64>().ok()
        };
        Some(Process {
            id,
            parent: figure("PPid:")?.try_into().ok()?,
            peak: figure("VmHWM:").unwrap_or(0),
        })
    }
}
