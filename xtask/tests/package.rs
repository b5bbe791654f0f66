//! A consumer of the packaged client, as a registry would have it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

/// Calls a service that is not there, and one of HTTPS.
const PROGRAM: &str = r#"
use accord_client::{Accord, explain};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let accord = Accord::builder().base_url("http://127.0.0.1:9").access_token("x");
    let accord = accord.retry(accord_client::RetryPolicy::never()).build().expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    println!("{}", explain(&listed.expect_err("there is no service")));
    let refused = Accord::builder().base_url("https://accord.example").build();
    println!("{}", refused.expect_err("there is no TLS"));
}
"#;

/// Calls a service of HTTPS without and with a provider of cryptography.
const WITH_RING: &str = r#"
use accord_client::{Accord, explain};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let service = std::env::args().nth(1).expect("an address");
    let builder = || Accord::builder().base_url(&service).access_token("x");
    println!("{}", builder().build().expect_err("there is no provider"));
    rustls::crypto::ring::default_provider().install_default().expect("it is the first");
    let accord = builder().retry(accord_client::RetryPolicy::never()).build().expect("a client");
    let listed = accord.accounts().list_organizations().call().await;
    println!("{}", explain(&listed.expect_err("the service hangs up")));
}
"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("package")
        .join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn run(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program runs");
    let problem = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {problem}");
    String::from_utf8_lossy(&stdout).into_owned()
}

/// Writes the package once, and returns its folder.
fn package() -> &'static Path {
    static PACKAGE: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = folder("crates");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        run(xtask.arg("package").arg(&folder).current_dir(root));
        folder
    });
    &PACKAGE
}

/// Runs cargo in a folder. Its dependencies are those that other tests have compiled for their projects, but for a few.
fn cargo(folder: &Path, arguments: &str) -> String {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/corpus/target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(arguments.split(' '))
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0");
    run(&mut cargo)
}

/// Lets the macros and build scripts of dependencies have the features that they have in other projects of the tests, so
/// that cargo compiles them once.
fn share(consumer: &Path) {
    const FEATURES: &str = "\n[build-dependencies]\n\
        cc = { version = \"1\", features = [\"parallel\"] }\n\
        syn_2 = { package = \"syn\", version = \"2\", features = [\"visit-mut\"] }\n\
        syn_3 = { package = \"syn\", version = \"3\", features = [\"full\", \"visit-mut\"] }\n";
    let manifest = consumer.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    fs::write(manifest, text + FEATURES).expect("a manifest");
}

/// Writes a file, unless it has this text already: cargo compiles files that are newer than its results.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).ok().as_deref() != Some(text) {
        fs::write(path, text).expect("a file");
    }
}

/// Writes a program that uses the package. `rest` is the rest of its dependencies, from the features
/// of the client on.
fn consumer(name: &str, rest: &str, program: &str) -> PathBuf {
    let (package, consumer) = (package(), folder(name));
    fs::create_dir_all(consumer.join("src")).expect("a folder");
    write(&consumer.join("src/main.rs"), program);
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n\
         accord-client = {{ path = {:?}, default-features = false, {rest}\n",
        package.join("accord-client").display().to_string()
    );
    write(&consumer.join("Cargo.toml"), &manifest);
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, consumer.join("Cargo.lock")).expect("a lock file");
    consumer
}

#[test]
fn a_consumer_brings_its_own_provider_of_cryptography() {
    let rest = "features = [\"accounts\", \"rustls-no-provider\"] }\n\
        rustls = { version = \"0.23\", default-features = false, features = [\"ring\"] }";
    let consumer = consumer("provider", rest, WITH_RING);
    let service = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("https://{}", service.local_addr().expect("an address"));
    let first_bytes = std::thread::spawn(move || {
        let mut bytes = [0; 2];
        let (mut connection, _) = service.accept().expect("a connection");
        connection.read_exact(&mut bytes).expect("a record");
        bytes
    });
    share(&consumer);
    let told = cargo(&consumer, &format!("run --quiet -- {address}"));
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].contains("call `CryptoProvider::install_default` of rustls first"),
        "{told}"
    );
    assert!(lines[1].contains("cannot be reached"), "{told}");
    // A handshake, RFC 8446, section 5.1.
    assert_eq!(first_bytes.join().expect("a call"), [22, 3]);
}

#[test]
fn a_consumer_of_one_area_compiles_neither_the_generator_nor_tls() {
    let package = package();
    let consumer = consumer("consumer", "features = [\"accounts\"] }", PROGRAM);

    let tree = cargo(
        &consumer,
        "tree --prefix none --no-dedupe --edges normal,build --format {p}",
    );
    let crates: BTreeSet<&str> = tree.lines().filter(|line| !line.is_empty()).collect();
    assert!(crates.len() <= 90, "{} crates:\n{tree}", crates.len());
    let names: BTreeSet<&str> = crates
        .iter()
        .filter_map(|one| one.split(' ').next())
        .collect();
    let absent = "dropforge progenitor typify rustls ring aws-lc-rs clap dropshot";
    for absent in absent.split(' ') {
        assert!(!names.contains(absent), "{absent} is in the graph:\n{tree}");
    }
    for one in [
        "accord-client",
        "dropforge-client",
        "dropforge-events",
        "dropforge-fields",
    ] {
        assert!(names.contains(one), "{one} is missing:\n{tree}");
        assert!(!package.join(one).join("build.rs").exists());
        let manifest =
            fs::read_to_string(package.join(one).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("build = false\n"), "{manifest}");
        assert!(!manifest.contains("workspace"), "{manifest}");
    }

    share(&consumer);
    let told = cargo(&consumer, "run --quiet");
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].starts_with("http://127.0.0.1:9 cannot be reached"),
        "{told}"
    );
    assert_eq!(
        lines[1],
        "https://accord.example needs HTTPS; enable the feature `rustls` of accord-client"
    );
    // Each of the other areas compiles alone.
    for area in ["inference", "patterns"] {
        cargo(
            package,
            &format!(
                "check --quiet --package=accord-client --no-default-features --features {area}"
            ),
        );
    }
}

#[test]
fn a_consumer_tests_its_program_with_the_fake() {
    let example = package().join("accord-testing/examples/help_desk");
    let file = |name: &str| fs::read_to_string(example.join(name)).expect("a file");
    let rest = format!(
        "features = [\"accounts\", \"inference\"] }}\n\n[dev-dependencies]\naccord-testing = {{ path = {:?} }}\n\
         tokio = {{ version = \"1\", features = [\"io-util\", \"net\", \"rt-multi-thread\"] }}",
        package().join("accord-testing").display().to_string()
    );
    let consumer = consumer("help_desk", &rest, &file("main.rs"));
    for name in ["service.rs", "tests.rs"] {
        write(&consumer.join("src").join(name), &file(name));
    }
    let tree = cargo(&consumer, "tree --prefix none --format {p}");
    for one in ["accord-testing", "dropforge-runtime"] {
        assert!(
            tree.contains(&format!("\n{one} ")),
            "{one} is missing:\n{tree}"
        );
    }
    for absent in ["dropforge ", "progenitor ", "typify "] {
        assert!(
            !tree.contains(&format!("\n{absent}")),
            "{absent}is in the graph:\n{tree}"
        );
    }
    share(&consumer);
    let told = cargo(&consumer, "test --quiet");
    assert!(told.contains("2 passed"), "{told}");
}

#[test]
fn the_readmes_fit_the_package() {
    const FILES: [&str; 4] = ["README.md", "COMPARED.md", "COMMANDS.md", "CHANGELOG.md"];
    for (name, files) in [
        ("accord-client", &FILES[..]),
        ("accord-testing", &FILES[..1]),
    ] {
        let folder = package().join(name);
        for file in files {
            let text = fs::read_to_string(folder.join(file)).expect(file);
            let links = text
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split([')', '#']).next());
            for link in links.filter(|link| !link.is_empty() && !link.starts_with("https:")) {
                assert!(
                    folder.join(link).exists(),
                    "{name}/{file}: {link} is missing"
                );
            }
        }
    }
    let client = package().join("accord-client");
    let read = |file: &str| fs::read_to_string(client.join(file)).expect("a file");
    let manifest = read("Cargo.toml");
    let version = manifest.split("rust-version = \"").nth(1);
    let version = version
        .and_then(|rest| rest.split('"').next())
        .expect("a version of Rust");
    for file in ["README.md", "src/lib.rs"] {
        let needed = format!("needs Rust {version} or later");
        assert!(read(file).contains(&needed), "{file} lacks: {needed}");
    }
}

#[test]
fn a_registry_takes_the_package() {
    let folder = package();
    cargo(
        folder,
        "package --workspace --no-verify --allow-dirty --locked --offline",
    );
    let listed = cargo(
        folder,
        "package --package=accord-client --allow-dirty --offline --list",
    );
    for file in [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "src/areas/inference.rs",
    ] {
        assert!(
            listed.lines().any(|line| line == file),
            "{file} is missing:\n{listed}"
        );
    }
}
