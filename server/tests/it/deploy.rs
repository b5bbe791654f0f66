//! `server/deploy`: the tools that read its files accept them, and the files name only metrics,
//! variables and paths that exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::guide;
use crate::harness::walk::Walk;
use crate::harness::{postgres, tools};

/// The maximum exposure of the unit by `systemd-analyze security`, in tenths. Only lower it.
const EXPOSURE: &str = "13";

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy")
}

fn read(name: &str) -> String {
    let path = deploy().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs a tool, which may be in a folder of servers such as `/usr/sbin`.
fn tool(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Output {
    let program = program.as_ref();
    Command::new(program)
        .env(
            "PATH",
            "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin",
        )
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| {
            panic!(
                "{}: {error}; cargo xtask test --only tools",
                program.display()
            )
        })
}

/// The standard output and error of a tool that succeeds.
fn succeed(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> String {
    let output = tool(program, arguments);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{arguments:?}: {printed}{complaint}"
    );
    printed + &complaint
}

/// The paths of the Kubernetes manifests.
fn manifests() -> Vec<String> {
    let files = std::fs::read_dir(deploy().join("kubernetes")).unwrap();
    let paths = files.map(|file| file.unwrap().path().display().to_string());
    let paths: Vec<_> = paths.filter(|path| path.ends_with(".yaml")).collect();
    assert!(paths.len() > 3, "{paths:?}");
    paths
}

#[test]
fn the_manifests_are_valid_for_the_first_and_the_latest_supported_kubernetes() {
    let program = tools::folder("manifests/bin/kubernetes-validate");
    let paths = manifests();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    for version in ["1.30", "1.37"] {
        let own = ["--strict", "--kubernetes-version", version];
        let printed = succeed(&program, &[&own[..], &paths].concat());
        assert_eq!(printed.matches("passed").count(), paths.len(), "{printed}");
    }
    // The tool rejects a misspelled field.
    let directory = tempfile::tempdir().unwrap();
    let wrong = directory.path().join("wrong.yaml");
    let text = read("kubernetes/service.yaml").replace("targetPort", "targetport");
    std::fs::write(&wrong, text).unwrap();
    let output = tool(&program, &["--strict", wrong.to_str().unwrap()]);
    assert!(!output.status.success(), "{output:?}");
}

/// Writes the unit with the program of this build, which systemd looks for.
fn unit(directory: &Path) -> String {
    let text = read("accord.service");
    let program = "/usr/bin/accord-server";
    for line in ["ExecStart", "ExecReload"] {
        assert!(text.contains(&format!("{line}={program}")), "{text}");
    }
    let unit = directory.join("accord.service");
    let text = text.replace(program, env!("CARGO_BIN_EXE_accord-server"));
    std::fs::write(&unit, text).unwrap();
    unit.to_str().unwrap().to_owned()
}

#[test]
fn systemd_accepts_the_unit_without_warnings() {
    let directory = tempfile::tempdir().unwrap();
    let unit = unit(directory.path());
    let printed = succeed(
        "systemd-analyze",
        &["verify", "--recursive-errors=no", &unit],
    );
    assert_eq!(printed, "");
    let wrong = std::fs::read_to_string(&unit).unwrap() + "\n[Service]\nNoSuchKey=yes\n";
    std::fs::write(&unit, wrong).unwrap();
    let output = tool(
        "systemd-analyze",
        &["verify", "--recursive-errors=no", &unit],
    );
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("NoSuchKey"), "{complaint}");
}

/// The number behind a text in a file.
fn number(name: &str, before: &str) -> u32 {
    let text = read(name);
    let rest = text.split_once(before).map(|(_, rest)| rest);
    let rest = rest.unwrap_or_else(|| panic!("{name} has no {before:?}"));
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap()
}

#[test]
fn no_deployment_kills_the_service_before_the_end_of_its_longest_stop() {
    let layer = confique::Layer::empty();
    let config = accord_server::config::Config::from_layers(layer).unwrap();
    // The last writes, traces and log lines have 7 seconds.
    let steps = config.server.drain_seconds + 7;
    let manifest = "kubernetes/replicas.yaml";
    for (grace, delay) in [
        (
            number("accord.service", "TimeoutStopSec="),
            number("accord.toml", "#drain_delay_seconds = "),
        ),
        (
            number("compose.yaml", "stop_grace_period: "),
            number("compose.yaml", "ACCORD_DRAIN_DELAY_SECONDS: "),
        ),
        (
            number(manifest, "terminationGracePeriodSeconds: "),
            number(manifest, "sleep:\n                seconds: "),
        ),
    ] {
        assert!(grace > delay + steps, "{grace} s for {delay} and {steps}");
    }
}

#[test]
fn the_exposure_of_the_unit_does_not_grow() {
    let directory = tempfile::tempdir().unwrap();
    let unit = unit(directory.path());
    let limit = format!("--threshold={EXPOSURE}");
    succeed(
        "systemd-analyze",
        &["security", "--offline=true", &limit, &unit],
    );
}

#[test]
fn the_proxies_accept_their_configurations() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let (key, certificate, both) = (path("key"), path("certificate"), path("both"));
    let own = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=accord",
    ];
    succeed(
        "openssl",
        &[&own[..], &["-keyout", &key, "-out", &certificate]].concat(),
    );
    let pair =
        std::fs::read_to_string(&certificate).unwrap() + &std::fs::read_to_string(&key).unwrap();
    std::fs::write(&both, pair).unwrap();

    let haproxy = read("haproxy.cfg").replace("/etc/haproxy/accord.pem", &both);
    std::fs::write(path("haproxy.cfg"), haproxy).unwrap();
    succeed("haproxy", &["-c", "-f", &path("haproxy.cfg")]);

    let nginx = read("nginx.conf")
        .replace("/etc/nginx/accord.crt", &certificate)
        .replace("/etc/nginx/accord.key", &key)
        .replace("listen 80;", &format!("listen unix:{};", path("http")))
        .replace("listen 443 ", &format!("listen unix:{} ", path("https")));
    std::fs::write(path("accord.conf"), nginx).unwrap();
    let around = format!(
        "pid {0}/pid; error_log stderr; events {{}}\nhttp {{ access_log off;\n\
         client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/fastcgi;\n\
         uwsgi_temp_path {0}/uwsgi; scgi_temp_path {0}/scgi; include {0}/accord.conf; }}\n",
        directory.path().display()
    );
    std::fs::write(path("nginx.conf"), around).unwrap();
    succeed("nginx", &["-t", "-c", &path("nginx.conf")]);
}

#[test]
fn prometheus_accepts_the_alerts() {
    let path = deploy().join("alerts.yaml");
    let printed = succeed("promtool", &["check", "rules", path.to_str().unwrap()]);
    assert!(printed.contains("SUCCESS"), "{printed}");
}

/// Checks whether an alert fires in a minute after the begin of series with a value each 30 seconds.
fn check_alert(name: &str, series: &str, minute: u8, expected: &str) {
    let alerts = deploy().join("alerts.yaml").display().to_string();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("test.yaml");
    let text = format!(
        "rule_files: [{alerts}]\nevaluation_interval: 30s\ntests:\n  - interval: 30s\n    \
         input_series: [{series}]\n    alert_rule_test:\n      - eval_time: {minute}m\n        \
         alertname: {name}\n        exp_alerts: [{expected}]\n"
    );
    std::fs::write(&file, text).unwrap();
    succeed("promtool", &["test", "rules", file.to_str().unwrap()]);
}

#[test]
fn the_alert_of_an_hourly_task_fires_between_its_runs() {
    let series = |instance: &str, outcome: &str, values: &str| {
        let labels = format!(
            r#"job="accord", instance="{instance}", task="retention", outcome="{outcome}""#
        );
        format!("{{series: 'accord_upkeep_runs_total{{{labels}}}', values: '{values}'}}")
    };
    let alert = "{exp_labels: {severity: warning, task: retention}, exp_annotations: {\
        summary: 'The maintenance task retention fails on every replica.', \
        remedy: 'The log has the error. Old records stay until a run succeeds.'}}";
    // It runs after ten minutes.
    let failed = series("one", "failed", "0x20 1x200");
    for (minute, expected) in [(9, ""), (20, alert), (65, alert)] {
        check_alert("AccordHourlyUpkeepFails", &failed, minute, expected);
        check_alert("AccordUpkeepFails", &failed, minute, "");
    }
    let both = format!("{failed}, {}", series("two", "done", "0x10 1x200"));
    check_alert("AccordHourlyUpkeepFails", &both, 65, "");
}

#[test]
fn the_alert_of_shared_limits_fires_two_minutes_after_a_replica_has_lost_redis() {
    let test = |series: &str, minute, expected: &str| {
        check_alert("AccordLimitsDivided", series, minute, expected);
    };
    let series = |values: &str| {
        let name = r#"accord_limits_redis_connected{job="accord", instance="one"}"#;
        format!("{{series: '{name}', values: '{values}'}}")
    };
    // Connected for a minute, then not, then again.
    let lost = series("1 1 0x6 1x4");
    let alert = "{exp_labels: {severity: warning, instance: one}, exp_annotations: {\
        summary: 'one does not reach the Redis or Valkey of limits.url.', \
        remedy: 'Check it and the network to it. No call fails: meanwhile, the replicas divide the \
        limits of API keys.'}}";
    test(&lost, 2, "");
    test(&lost, 4, alert);
    test(&lost, 5, "");
    // Another replica has no connection problem, and none without limits.url has the metric.
    test(&series("1x20"), 8, "");
    test("", 8, "");
}

/// The names of metrics in a text.
fn metrics(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let names = words.filter(|word| word.starts_with("accord_") || word.starts_with("gen_ai_"));
    names
        .map(|name| {
            let ends = ["_bucket", "_count", "_sum"];
            let end = ends.into_iter().find_map(|end| name.strip_suffix(end));
            end.unwrap_or(name).to_owned()
        })
        .collect()
}

/// The string literals of all sources below a folder.
fn literals(folder: &Path, into: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            literals(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            into.extend(text.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
}

/// The labels in expressions, and in the texts that show labels.
fn labels(text: &str) -> BTreeSet<String> {
    let up_to = |text: &str, end: char| text.split(end).next().unwrap_or_default().to_owned();
    let after = |start: &str| {
        text.split(start)
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut labels = Vec::new();
    for part in after("by (") {
        labels.extend(up_to(&part, ')').split(',').map(str::to_owned));
    }
    for part in after("{") {
        let selectors = up_to(&part, '}');
        let selectors = selectors.split(',').filter(|one| one.contains('='));
        labels.extend(selectors.map(|one| up_to(one, '=').replace('!', "")));
    }
    for part in after("$labels.") {
        labels.push(up_to(&part, ' '));
    }
    labels.iter().map(|label| label.trim().to_owned()).collect()
}

/// The expressions of the dashboard, by panel.
fn panels() -> Vec<Vec<String>> {
    let dashboard: serde_json::Value = serde_json::from_str(&read("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let expressions = |panel: &serde_json::Value| {
        let targets = panel["targets"].as_array().unwrap().iter();
        targets
            .map(|target| target["expr"].as_str().unwrap().to_owned())
            .collect()
    };
    panels.map(expressions).collect()
}

#[test]
fn alerts_and_dashboard_use_only_metrics_and_labels_that_the_service_has() {
    let mut known = BTreeSet::new();
    for sources in ["src", "areas/src", "base/src"] {
        literals(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(sources),
            &mut known,
        );
    }
    // The labels of Prometheus.
    known.extend(["instance", "job", "le"].map(str::to_owned));
    let dashboard = panels().concat().join("\n");
    for (name, text) in [
        ("alerts.yaml", read("alerts.yaml")),
        ("dashboard.json", dashboard),
    ] {
        let (metrics, labels) = (metrics(&text), labels(&text));
        assert!(
            metrics.len() > 8 && labels.len() > 8,
            "{name}: {metrics:?} {labels:?}"
        );
        let used: BTreeSet<_> = metrics.union(&labels).cloned().collect();
        let unknown: Vec<_> = used.difference(&known).collect();
        assert!(unknown.is_empty(), "{name} uses {unknown:?}");
    }
}

#[test]
fn prometheus_accepts_the_expression_of_every_panel() {
    let panels = panels();
    assert!(panels.len() > 10 && panels.iter().all(|panel| !panel.is_empty()));
    let mut rules = String::from("groups:\n  - name: dashboard\n    rules:\n");
    for (number, expression) in panels.concat().iter().enumerate() {
        // Grafana replaces these variables.
        let expression = expression
            .replace("$job", "accord")
            .replace("$__rate_interval", "5m");
        let expression = serde_json::Value::from(expression);
        rules += &format!("      - record: panel_{number}\n        expr: {expression}\n");
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("rules.yaml");
    std::fs::write(&file, rules).unwrap();
    succeed("promtool", &["check", "rules", file.to_str().unwrap()]);
}

/// The environment variables of the service in a text.
fn variables(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words
        .filter(|word| word.starts_with("ACCORD_"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_variable_of_the_deployments_is_one_of_the_service() {
    let template = accord_server::config::Config::template();
    let mut known = variables(&template);
    known.insert("ACCORD_CONFIG".into());
    // The variables of compose.yaml and haproxy.cfg themselves.
    known.extend(["ACCORD_HOST", "ACCORD_ONE", "ACCORD_TWO"].map(str::to_owned));
    let names = [
        "Containerfile",
        "Containerfile.scratch",
        "compose.yaml",
        "accord.service",
        "haproxy.cfg",
        "kubernetes/config.yaml",
        "kubernetes/replicas.yaml",
    ];
    for name in names {
        let used = variables(&read(name));
        let unknown: Vec<_> = used.difference(&known).collect();
        assert!(unknown.is_empty(), "{name} uses {unknown:?}");
        // Secrets are in files, because many tools show the environment of a program.
        for secret in [
            "ACCORD_DATABASE_URL",
            "ACCORD_MAIL_PASSWORD",
            "ACCORD_SERVER_KEY",
        ] {
            assert!(!used.contains(secret), "{name} sets {secret}");
        }
    }
}

#[test]
fn both_images_have_only_the_program_and_run_it_without_rights() {
    let last = |name: &str| {
        let text = read(name);
        let (_, stage) = text.rsplit_once("FROM ").unwrap();
        let lines = stage.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines[0], "scratch", "{name}");
        lines
    };
    let is_copy = |line: &String| line.starts_with("COPY ");
    let (mut built, mut given) = (last("Containerfile"), last("Containerfile.scratch"));
    let copies = |lines: &[String]| lines.iter().filter(|line| is_copy(line)).count();
    assert_eq!((copies(&built), copies(&given)), (2, 2));
    built.retain(|line| !is_copy(line));
    given.retain(|line| !is_copy(line));
    assert_eq!(built, given);
    assert!(
        built.iter().any(|line| line == "USER 65532:65532"),
        "{built:?}"
    );
    assert!(
        !built.iter().any(|line| line.starts_with("RUN ")),
        "the image has no shell"
    );
}

/// Checks the sources and targets of the files in the Debian package. A test of xtask builds it.
#[test]
fn the_files_of_the_package_exist_and_have_the_paths_in_the_unit() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(here.join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let package = &manifest["package"]["metadata"]["deb"];
    let mut installed = BTreeSet::new();
    for asset in package["assets"].as_array().unwrap() {
        let [from, to, mode] = [0, 1, 2].map(|part| asset[part].as_str().unwrap());
        let is_program = from == "target/release/accord-server";
        let is_built = from.starts_with("target/release/");
        assert!(
            is_built || here.join(from).is_file(),
            "{from} does not exist"
        );
        assert_eq!(mode, if is_program { "755" } else { "644" }, "{from}");
        assert!(
            installed.insert(format!("/{to}")),
            "{to} is installed twice"
        );
    }
    for file in package["conf-files"].as_array().unwrap() {
        assert!(
            installed.contains(file.as_str().unwrap()),
            "{file} is not installed"
        );
    }
    let license = here.join(package["license-file"][0].as_str().unwrap());
    assert!(license.is_file(), "{}", license.display());
    let unit = read("accord.service");
    for (key, end) in [
        ("ExecStart=", " serve"),
        ("ExecReload=", " reload"),
        ("Environment=ACCORD_CONFIG=", ""),
    ] {
        let lines = unit.lines().filter_map(|line| line.strip_prefix(key));
        let paths: Vec<_> = lines.filter_map(|line| line.strip_suffix(end)).collect();
        assert!(
            paths.len() == 1 && installed.contains(paths[0]),
            "{key} {paths:?}"
        );
    }
}

#[test]
fn the_configuration_of_the_package_is_valid_with_and_without_its_suggestions() {
    let text = read("accord.toml");
    let suggested = |line: &str| match line.strip_prefix('#') {
        Some(rest) if !rest.starts_with(' ') => rest.to_owned(),
        _ => line.to_owned(),
    };
    let lines: Vec<_> = text.lines().map(suggested).collect();
    let directory = tempfile::tempdir().unwrap();
    for text in [text.clone(), lines.join("\n")] {
        let file = directory.path().join("accord.toml");
        std::fs::write(&file, &text).unwrap();
        let layer = confique::Layer::empty();
        let loaded = accord_server::config::Config::load(layer, Some(&file));
        loaded.unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

#[test]
fn the_commands_of_the_pages_succeed_as_printed() {
    let directory = tempfile::tempdir().unwrap();
    let database = "accord-server users list";
    let mut shell = guide::shell(directory.path());
    Walk::through(&["server/deploy/BACKUP.md#SQLite"]).run(&mut shell, database);
    for page in ["server/deploy/UPGRADE.md", "SECURITY.md"] {
        Walk::through(&[page]).run(&mut guide::shell(directory.path()), "");
    }

    let (here, new) = (postgres::fresh_database(), postgres::fresh_database());
    let mut shell = guide::shell(directory.path());
    shell.envs([("DATABASE", here.url()), ("NEW_DATABASE", new.url())]);
    let database = "accord-server users list --database-url \"$DATABASE\"";
    Walk::through(&["server/deploy/BACKUP.md#PostgreSQL"]).run(&mut shell, database);
}
