//! The thread that analyses documents beside the editor.
//!
//! Only the newest text of each document is analysed: texts that arrive in the meantime replace
//! those that wait. What the build finds comes first, then the lint, and then the code; a newer
//! text skips what is left of the older one.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};

use dropforge::document::{Diagnostics, Document};

use super::analysis::{self, Analysis};
use super::files::Files;
use super::finding::{self, ByFile};
use super::generated::Generated;

/// A result of the thread.
pub(super) enum Outcome {
    /// The findings of the build in a document.
    Analysis(Analysis),
    /// The findings of the lint in a document.
    Lint(PathBuf, ByFile),
    /// The code of a document, unless it has these findings of the client.
    Generated(PathBuf, Option<Generated>, ByFile),
}

/// The thread.
pub(super) struct Worker {
    jobs: Sender<(PathBuf, Files)>,
}

impl Worker {
    /// Starts the thread, which ends when this value is dropped.
    pub(super) fn start(report: impl Fn(Outcome) + Send + 'static) -> Worker {
        let (jobs, waiting) = mpsc::channel();
        std::thread::spawn(move || Queue::default().run(&waiting, &report));
        Worker { jobs }
    }

    /// Analyses a document, unless its next text arrives before its turn.
    pub(super) fn analyze(&self, document: &Path, files: &Files) {
        // The thread ends only with this value.
        let _ = self.jobs.send((document.to_owned(), files.clone()));
    }
}

#[derive(Default)]
struct Queue {
    /// The documents to load, the newest last.
    load: Vec<(PathBuf, Files)>,
    /// The documents to lint.
    lint: Vec<Loaded>,
    /// The documents to generate code from.
    generate: Vec<Loaded>,
}

/// A document that could be loaded.
struct Loaded {
    path: PathBuf,
    files: Files,
    document: Arc<Document>,
    /// The findings of the build.
    findings: Diagnostics,
}

impl Queue {
    fn run(mut self, waiting: &Receiver<(PathBuf, Files)>, report: &impl Fn(Outcome)) {
        loop {
            while let Ok(job) = waiting.try_recv() {
                self.add(job);
            }
            if let Some((path, files)) = self.load.pop() {
                report(self.load(path, files));
            } else if let Some(loaded) = self.lint.pop() {
                let Loaded { path, files, .. } = &loaded;
                let found = analysis::lint(&loaded.document, &loaded.findings, files);
                report(Outcome::Lint(path.clone(), found));
                if !loaded.findings.has_errors() {
                    self.generate.push(loaded);
                }
            } else if let Some(loaded) = self.generate.pop() {
                report(generate(loaded));
            } else {
                match waiting.recv() {
                    Ok(job) => self.add(job),
                    Err(_) => return,
                }
            }
        }
    }

    fn load(&mut self, path: PathBuf, files: Files) -> Outcome {
        let analysis = analysis::build(&path, &files);
        if let Some((document, findings)) = &analysis.loaded {
            self.lint.push(Loaded {
                path,
                files,
                document: Arc::clone(document),
                findings: findings.clone(),
            });
        }
        Outcome::Analysis(analysis)
    }

    fn add(&mut self, (path, files): (PathBuf, Files)) {
        self.load.retain(|(known, _)| *known != path);
        self.lint.retain(|loaded| loaded.path != path);
        self.generate.retain(|loaded| loaded.path != path);
        self.load.push((path, files));
    }
}

fn generate(loaded: Loaded) -> Outcome {
    let Loaded {
        path,
        files,
        document,
        ..
    } = loaded;
    let (generated, findings) = match Generated::new(&path, &document) {
        Ok(generated) => (Some(generated), Diagnostics::default()),
        Err(findings) => (None, findings),
    };
    let found = finding::by_file(&document.source, &findings, &files);
    Outcome::Generated(path, generated, found)
}
