//! The threads that analyze documents beside the editor.
//!
//! Only the newest text of each document is analyzed: texts that arrive in the meantime replace
//! those that wait. One thread finds what the build finds. Another one lints and generates code,
//! which takes longer, so that the first one never waits for it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dropforge::document::{Diagnostics, Document};

use super::analysis::{self, Analysis};
use super::files::Files;
use super::finding::{self, ByFile};
use super::generated::Generated;

/// A result of the threads.
pub(super) enum Outcome {
    /// The findings of the build in a document.
    Analysis(Analysis),
    /// The findings of the lint in a document.
    Lint(PathBuf, ByFile),
    /// The code of a document, unless it has these findings of the client.
    Generated(PathBuf, Option<Generated>, ByFile),
}

/// The threads.
pub(super) struct Worker {
    jobs: Sender<Job>,
    newest: Newest,
}

impl Worker {
    /// Starts the threads, which end when this value is dropped.
    pub(super) fn start(report: impl Fn(Outcome) + Send + Sync + 'static) -> Worker {
        let newest = Newest::default();
        let report = Arc::new(report);
        let (jobs, waiting) = mpsc::channel();
        let (loaded, documents) = mpsc::channel();
        let (of_build, known) = (Arc::clone(&report), newest.clone());
        std::thread::spawn(move || load(&waiting, &loaded, &*of_build));
        std::thread::spawn(move || Queue::default().run(&documents, &known, &*report));
        Worker { jobs, newest }
    }

    /// Analyzes a document, unless its next text arrives before its turn.
    pub(super) fn analyze(&self, document: &Path, files: &Files) {
        let job = Job {
            path: document.to_owned(),
            files: files.clone(),
            number: self.newest.next(document),
        };
        // The thread ends only with this value.
        let _ = self.jobs.send(job);
    }
}

/// A text of a document.
struct Job {
    path: PathBuf,
    files: Files,
    /// The number of the text.
    number: usize,
}

/// The numbers of the newest texts.
#[derive(Clone, Default)]
struct Newest(Arc<Mutex<BTreeMap<PathBuf, usize>>>);

impl Newest {
    fn numbers(&self) -> MutexGuard<'_, BTreeMap<PathBuf, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the next text of a document.
    fn next(&self, document: &Path) -> usize {
        let mut numbers = self.numbers();
        let number = numbers.entry(document.to_owned()).or_default();
        *number += 1;
        *number
    }

    /// Whether no newer text has arrived.
    fn is(&self, job: &Job) -> bool {
        self.numbers().get(&job.path) == Some(&job.number)
    }
}

/// A document that could be loaded.
struct Loaded {
    job: Job,
    document: Arc<Document>,
    /// The findings of the build.
    findings: Diagnostics,
}

/// Finds what the build finds, in the document that changed last.
fn load(jobs: &Receiver<Job>, documents: &Sender<Loaded>, report: &impl Fn(Outcome)) {
    let mut waiting: Vec<Job> = Vec::new();
    loop {
        if waiting.is_empty() {
            match jobs.recv() {
                Ok(job) => waiting.push(job),
                Err(_) => return,
            }
        }
        for job in jobs.try_iter() {
            waiting.retain(|known| known.path != job.path);
            waiting.push(job);
        }
        let Some(job) = waiting.pop() else {
            continue;
        };
        let analysis = analysis::build(&job.path, &job.files);
        let loaded = analysis.loaded.clone();
        report(Outcome::Analysis(analysis));
        if let Some((document, findings)) = loaded {
            // The other thread ends after this one.
            let _ = documents.send(Loaded {
                job,
                document,
                findings,
            });
        }
    }
}

#[derive(Default)]
struct Queue {
    /// The documents to lint, the newest last.
    lint: Vec<Loaded>,
    /// The documents to generate code from.
    generate: Vec<Loaded>,
}

impl Queue {
    fn run(mut self, documents: &Receiver<Loaded>, newest: &Newest, report: &impl Fn(Outcome)) {
        loop {
            self.lint.extend(documents.try_iter());
            self.lint.retain(|loaded| newest.is(&loaded.job));
            self.generate.retain(|loaded| newest.is(&loaded.job));
            if let Some(loaded) = self.lint.pop() {
                let Job { path, files, .. } = &loaded.job;
                let found = analysis::lint(&loaded.document, &loaded.findings, files);
                if newest.is(&loaded.job) {
                    report(Outcome::Lint(path.clone(), found));
                    if !loaded.findings.has_errors() {
                        self.generate.push(loaded);
                    }
                }
            } else if let Some(loaded) = self.generate.pop() {
                report(generate(loaded, newest));
            } else {
                match documents.recv() {
                    Ok(loaded) => self.lint.push(loaded),
                    Err(_) => return,
                }
            }
        }
    }
}

fn generate(loaded: Loaded, newest: &Newest) -> Outcome {
    let Loaded { job, document, .. } = loaded;
    let (generated, findings) = match Generated::new(&job.path, &document) {
        Ok(generated) => (Some(generated), Diagnostics::default()),
        Err(findings) => (None, findings),
    };
    // The places in an older text may have moved.
    let found = match newest.is(&job) {
        true => finding::by_file(&document.source, &findings, &job.files),
        false => ByFile::new(),
    };
    Outcome::Generated(job.path, generated, found)
}
