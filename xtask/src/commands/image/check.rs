//! Starts the program of an image with the image as its root, and as its user.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::servers;
use crate::files;
use crate::output::output;
use crate::running::Running;

/// The files of the image, of which none is a shell.
const FILES: [&str; 4] = ["LICENSE", "LICENSES.txt", "accord-server", "data"];

/// A container that is removed at the end.
struct Container {
    name: String,
    root: PathBuf,
    user: String,
    variables: Vec<String>,
}

impl Container {
    fn of(tag: &str) -> anyhow::Result<Container> {
        let buildah = |arguments: &[&str]| output(Command::new("buildah").args(arguments));
        let image: Value = serde_json::from_str(&buildah(&["inspect", "--type=image", tag])?)?;
        let config = &image["OCIv1"]["config"];
        let stop = &config["StopSignal"];
        ensure!(stop == "SIGTERM", "the image has the stop signal {stop}");
        let entry = &config["Entrypoint"][0];
        ensure!(entry == "/accord-server", "the image starts {entry}");
        let user = config["User"].as_str().context("the image has no user")?;
        let variables = config["Env"].as_array().into_iter().flatten();
        let variables = variables.filter_map(|one| one.as_str().map(str::to_owned));
        let mut container = Container {
            name: buildah(&["from", "--pull-never", tag])?,
            root: PathBuf::new(),
            user: user.to_owned(),
            variables: variables.collect(),
        };
        container.root = buildah(&["mount", &container.name])?.into();
        Ok(container)
    }

    /// A command of the program in the container.
    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("chroot");
        command
            .arg(format!("--userspec={}", self.user))
            .arg(&self.root)
            .arg("/accord-server")
            .args(arguments)
            .env_clear()
            .envs(self.variables.iter().filter_map(|one| one.split_once('=')))
            .env("ACCORD_LISTEN", "127.0.0.1:0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Creates the devices of random numbers, as container engines do. A static glibc reads them.
    fn add_random_devices(&self) -> anyhow::Result<()> {
        let folder = self.root.join("dev");
        fs::create_dir_all(&folder)?;
        for (name, minor) in [("random", "8"), ("urandom", "9")] {
            let mut mknod = Command::new("mknod");
            mknod.args(["-m", "666"]).arg(folder.join(name));
            output(mknod.args(["c", "1", minor]))?;
        }
        Ok(())
    }

    /// Writes a file that a container engine or an operator adds.
    fn add(&self, name: &str, text: &str) -> anyhow::Result<()> {
        files::write(&self.root.join(name), text)
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        let mut buildah = Command::new("buildah");
        let _ = buildah.args(["rm", &self.name]).output();
    }
}

/// Checks an image.
///
/// # Errors
///
/// The first property that it does not have.
pub(super) fn run(tag: &str) -> anyhow::Result<()> {
    let container = Container::of(tag)?;
    let entries = fs::read_dir(&container.root)?;
    let names = entries.map(|one| Ok(one?.file_name().to_string_lossy().into_owned()));
    let names: BTreeSet<String> = names.collect::<anyhow::Result<_>>()?;
    ensure!(
        names == FILES.map(str::to_owned).into(),
        "the image has the files {names:?} instead of {FILES:?}"
    );
    ensure!(
        container.user == "65532:65532",
        "the image has the user {}",
        container.user
    );
    container.add_random_devices()?;
    resolves_names(&container)?;
    serves_and_stops(&container)
}

/// The program finds a model server by `/etc/hosts` and another by DNS. A static glibc has both
/// ways, and loads no others.
fn resolves_names(container: &Container) -> anyhow::Result<()> {
    let port = servers::model()?;
    container.add("etc/hosts", "127.0.0.1 hosts.accord.test\n")?;
    container.add("etc/resolv.conf", &servers::dns("dns.accord.test")?)?;
    let models = ["hosts", "dns"].map(|name| {
        format!(
            "[[inference.models]]\nname = \"by.{name}\"\nfamily = \"by\"\n\
             url = \"http://{name}.accord.test:{port}/v1\"\n"
        )
    });
    container.add("accord.toml", &models.concat())?;
    let checked = container.program(&["models", "check", "--json"]).output()?;
    let printed = String::from_utf8_lossy(&checked.stdout);
    let complaint = String::from_utf8_lossy(&checked.stderr);
    ensure!(checked.status.success(), "{printed}{complaint}");
    fs::remove_file(container.root.join("accord.toml"))?;
    Ok(())
}

/// The program responds to `/healthz` and `/readyz`, and ends by the signal of the image.
fn serves_and_stops(container: &Container) -> anyhow::Result<()> {
    let mut service = Running::start(&mut container.program(&["serve"]))?;
    let lines = BufReader::new(service.0.stdout.take().context("a pipe")?).lines();
    let mut addresses = lines.map_while(Result::ok).filter_map(|line| {
        let (_, rest) = line.split_once("http://")?;
        Some(rest.split(['/', ' ']).next()?.to_owned())
    });
    let address = addresses.next();
    let mut errors = service.0.stderr.take().context("a pipe")?;
    let mut log = String::new();
    if let Some(address) = &address {
        for path in ["/healthz", "/readyz"] {
            let response = get(address, path)?;
            ensure!(response.starts_with("HTTP/1.1 200 "), "{path}: {response}");
        }
        let id = i32::try_from(service.0.id())?;
        let id = Pid::from_raw(id).context("a process")?;
        kill_process(id, Signal::TERM)?;
    }
    errors.read_to_string(&mut log)?;
    ensure!(address.is_some(), "the program does not serve: {log}");
    let status = service.wait()?;
    ensure!(status.success(), "after SIGTERM: {status}\n{log}");
    Ok(())
}

fn get(address: &str, path: &str) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
    )?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    Ok(response)
}
