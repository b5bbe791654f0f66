//! wrk as the load, so that not only the benchmark's own tool judges.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, bail, ensure};
use tokio::process::Command;

use super::load::{Load, Sample};

/// What marks the line of figures in wrk's output.
const MARK: &str = "FIGURES";

/// Measures with wrk: on one thread, as the benchmark's own tool does.
pub async fn run(program: &Path, load: &Load<'_>) -> anyhow::Result<Sample> {
    let directory = tempfile::tempdir()?;
    let script = directory.path().join("request.lua");
    std::fs::write(&script, lua(load))?;
    let target = load.target;
    let output = Command::new(program)
        .args(["--threads", "1", "--timeout", "10s"])
        .args(["--connections", &load.connections.to_string()])
        .args(["--duration", &format!("{}s", load.time.as_secs().max(1))])
        .arg("--script")
        .arg(&script)
        .arg(format!("http://{}{}", target.address, target.path))
        .stdin(Stdio::null())
        .output()
        .await
        .with_context(|| format!("cannot run {}", program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("wrk: {text}{}", String::from_utf8_lossy(&output.stderr));
    }
    read(&text)
}

/// The request, and the line of figures at the end.
fn lua(load: &Load<'_>) -> String {
    let target = load.target;
    let headers: String = target
        .headers
        .lines()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| format!("wrk.headers[{name:?}] = {value:?}\n"))
        .collect();
    format!(
        "wrk.method = \"POST\"\nwrk.body = {:?}\n\
         wrk.headers[\"content-type\"] = \"application/json\"\n\
         wrk.headers[\"authorization\"] = {:?}\n{headers}\
         done = function(summary, latency, requests)\n  local e = summary.errors\n  \
         io.write(string.format(\"{MARK} %d %d %d %d %d\\n\", summary.requests, \
         summary.duration, latency:percentile(50), latency:percentile(99), \
         e.connect + e.read + e.write + e.status + e.timeout))\nend\n",
        load.kind.body(),
        format!("Bearer {}", target.secret),
    )
}

/// Reads the line of figures: requests, and times in microseconds.
fn read(text: &str) -> anyhow::Result<Sample> {
    let figures = text.lines().find_map(|line| line.strip_prefix(MARK));
    let figures = figures.with_context(|| format!("wrk told no figures: {text}"))?;
    let figures = figures.split_whitespace().map(str::parse::<f64>);
    let figures: Vec<f64> = figures.collect::<Result<_, _>>()?;
    let [requests, duration, p50, p99, errors] = figures[..] else {
        bail!("wrk told other figures: {text}");
    };
    ensure!(errors == 0.0, "{errors} requests failed");
    ensure!(requests > 0.0, "no request was answered");
    Ok(Sample {
        per_second: requests / (duration / 1e6),
        p50: p50 / 1000.0,
        p99: p99 / 1000.0,
        // wrk does not tell.
        first: f64::NAN,
    })
}
