//! The cases, one function for each.

use http::{HeaderValue, Method, StatusCode, header};
use serde_json::Value;

use super::sample::{self, Sample};
use super::subject::{Case, Secret, Subject};
use super::trial::Trial;
use super::variants::{self, Change};
use crate::check::{self, Direction};
use crate::coerce::coerce;
use crate::exchange;
use crate::table::{Codec, ParameterIn, Requirement, Scheme};

/// The outcome of the checks of one request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The document rejects the request.
    Refused,
    /// The document accepts the request.
    Taken,
}

impl Verdict {
    fn of(is_valid: bool) -> Verdict {
        match is_valid {
            true => Verdict::Taken,
            false => Verdict::Refused,
        }
    }
}

impl<S: Subject + ?Sized> Trial<'_, S> {
    pub(super) fn case(&mut self, case: Case) {
        match case {
            Case::Examples => {
                for (name, sample) in self.samples() {
                    self.judge(&format!("example {name}"), &sample, Verdict::Taken);
                }
            }
            Case::Required => self.changed(Change::Remove),
            Case::Constraints => self.changed(Change::Move),
            Case::UnknownFields => self.changed(Change::Add),
            Case::ContentType => self.content_type(),
            Case::Accept => self.accept(),
            Case::NoCredentials => self.no_credentials(),
            Case::MalformedCredentials => self.malformed_credentials(),
            Case::InsufficientCredentials => self.insufficient_credentials(),
            Case::OtherMethods => self.other_methods(),
        }
    }

    /// A signed request for each example.
    fn samples(&self) -> Vec<(String, Sample)> {
        let samples = sample::all(self.document, self.operation, self.subject);
        samples
            .into_iter()
            .map(|(name, sample)| (name, self.signed(sample)))
            .collect()
    }

    fn signed(&self, sample: Sample) -> Sample {
        match self.operation.security.first() {
            Some(requirement) => {
                let secrets = self.secrets(requirement);
                sample.signed(requirement, secrets)
            }
            None => sample,
        }
    }

    fn secrets(&self, requirement: &Requirement) -> Vec<Secret> {
        let all = requirement.all.iter();
        all.map(|used| self.subject.credentials(self.operation, used))
            .collect()
    }

    /// Sends a request, and checks that the server rejects it if the document does.
    fn judge(&mut self, what: &str, sample: &Sample, verdict: Verdict) {
        // A request that cannot be sent needs no rejection.
        let Some(response) = self.send(what, sample) else {
            return;
        };
        let status = response.status();
        let refused = status.is_client_error()
            && !matches!(
                status,
                StatusCode::UNAUTHORIZED
                    | StatusCode::FORBIDDEN
                    | StatusCode::METHOD_NOT_ALLOWED
                    | StatusCode::NOT_ACCEPTABLE
                    | StatusCode::TOO_MANY_REQUESTS
            );
        if verdict == Verdict::Refused && !refused {
            self.unexpected(what, "a refusal", &response);
        }
    }

    fn changed(&mut self, change: Change) {
        for (name, sample) in self.samples() {
            self.changed_body(&name, &sample, change);
        }
        if let Some((_, sample)) = self.samples().into_iter().next() {
            for index in 0..sample.parameters.len() {
                self.changed_parameter(&sample, index, change);
            }
            // Nothing else moves a parameter that no example has.
            if change == Change::Move {
                for more in sample.with_each_absent_parameter() {
                    self.changed_parameter(&more, sample.parameters.len(), change);
                }
            }
        }
    }

    fn changed_body(&mut self, name: &str, sample: &Sample, change: Change) {
        let Some((media, value)) = &sample.body else {
            return;
        };
        let Some(schema) = media.schema else { return };
        let form = media.codec == Codec::Form;
        let lenient = self.operation.body.is_some_and(|body| body.lenient);
        let variants = match media.codec {
            // The validity of parts, which are texts and files, is not that of the example as JSON.
            Codec::Multipart => Vec::new(),
            _ => variants::of(schema, value, change),
        };
        for variant in variants {
            // A form has only texts, which are read by its schema.
            let members = variant.value.as_object();
            if form && !members.is_some_and(|members| members.values().all(Value::is_string)) {
                continue;
            }
            let valid = check::is_valid(schema, &variant.value, Direction::Request);
            let verdict = Verdict::of(valid || lenient);
            let mut sample = sample.clone();
            sample.body = Some((media, variant.value));
            self.judge(&format!("{name}, {}", variant.what), &sample, verdict);
        }
        let required = self.operation.body.is_some_and(|body| body.required);
        if change == Change::Remove && required && !lenient {
            let mut sample = sample.clone();
            sample.body = None;
            self.judge("no body", &sample, Verdict::Refused);
        }
    }

    fn changed_parameter(&mut self, sample: &Sample, index: usize, change: Change) {
        let (parameter, text) = &sample.parameters[index];
        if change == Change::Remove {
            if parameter.required && parameter.location != ParameterIn::Path {
                let mut sample = sample.clone();
                sample.parameters.remove(index);
                let what = format!("without {}", parameter.name);
                self.judge(&what, &sample, Verdict::Refused);
            }
            return;
        }
        let value = coerce(parameter.schema, text);
        if change == Change::Add || value.is_array() || value.is_object() || parameter.json {
            return;
        }
        for variant in variants::of(parameter.schema, &value, change) {
            if variant.value.is_null() || variant.value.is_object() || variant.value.is_array() {
                continue;
            }
            let text = sample::text(&variant.value);
            let ambiguous = text.trim() != text || text.is_empty();
            let unfit = parameter.location == ParameterIn::Header && !text.is_ascii();
            if ambiguous || unfit {
                continue;
            }
            let sent = coerce(parameter.schema, &text);
            let valid = check::is_valid(parameter.schema, &sent, Direction::Request);
            let mut sample = sample.clone();
            sample.parameters[index].1 = text;
            let what = format!("{}: {}", parameter.name, variant.what);
            self.judge(&what, &sample, Verdict::of(valid));
        }
    }

    fn content_type(&mut self) {
        let Some(table) = self.operation.body else {
            return;
        };
        let with_body = |(_, sample): &(String, Sample)| sample.body.is_some();
        let Some((_, sample)) = self.samples().into_iter().find(with_body) else {
            return;
        };
        let open = table.lenient || table.media.iter().any(|media| media.name.contains('*'));
        let mut other = sample.clone();
        other.content_type = Some(Some("application/x-unknown-to-the-document"));
        self.judge("another content type", &other, Verdict::of(open));
        let mut none = sample;
        none.content_type = Some(None);
        // Without a media type, JSON is meant.
        let json = table.media.iter().any(|media| media.codec == Codec::Json);
        self.judge("no content type", &none, Verdict::of(open || json));
    }

    fn accept(&mut self) {
        let Some((_, mut sample)) = self.samples().into_iter().next() else {
            return;
        };
        sample.accept = Some("application/x-unknown-to-the-document");
        let listed = self.operation.response(StatusCode::NOT_ACCEPTABLE);
        // `Accept` cannot exclude responses without bodies.
        let is_refused = listed.is_some() && !exchange::offered(self.operation).is_empty();
        let what = "an Accept that no response fits";
        if let Some(response) = self.send(what, &sample)
            && (response.status() == StatusCode::NOT_ACCEPTABLE) != is_refused
        {
            let expected = if is_refused { "406" } else { "another status" };
            self.unexpected(what, expected, &response);
        }
    }

    /// One request, and the statuses that a server may respond with.
    fn expect(&mut self, what: &str, sample: &Sample, statuses: &[StatusCode]) {
        if let Some(response) = self.send(what, sample)
            && !statuses.contains(&response.status())
        {
            let expected: Vec<&str> = statuses.iter().map(StatusCode::as_str).collect();
            self.unexpected(what, &expected.join(" or "), &response);
        }
    }

    /// A request without credentials.
    fn unsigned(&self) -> Option<Sample> {
        let samples = sample::all(self.document, self.operation, self.subject);
        samples.into_iter().map(|(_, sample)| sample).next()
    }

    fn no_credentials(&mut self) {
        if let Some(sample) = self.unsigned() {
            self.expect("no credentials", &sample, &[StatusCode::UNAUTHORIZED]);
        }
    }

    fn malformed_credentials(&mut self) {
        let operation = self.operation;
        for requirement in operation.security {
            // The subject's own connection may have a certificate.
            if requirement
                .all
                .iter()
                .all(|used| used.scheme == Scheme::MutualTls)
            {
                continue;
            }
            for wrong in ["", "x", "\u{1F980}", "a.b.c"] {
                let secrets = requirement.all.iter().map(|used| match used.scheme {
                    Scheme::Bearer => Secret::Bearer(wrong.to_owned()),
                    Scheme::Basic => Secret::Basic(wrong.to_owned(), wrong.to_owned()),
                    Scheme::ApiKey { .. } => Secret::ApiKey(wrong.to_owned()),
                    Scheme::MutualTls => Secret::MutualTls,
                });
                if let Some(sample) = self.unsigned() {
                    let sample = sample.signed(requirement, secrets.collect());
                    let what = format!("credentials {wrong:?}");
                    self.expect(&what, &sample, &[StatusCode::UNAUTHORIZED]);
                }
            }
        }
    }

    fn insufficient_credentials(&mut self) {
        let operation = self.operation;
        for requirement in operation.security {
            for (index, used) in requirement.all.iter().enumerate() {
                let Some(insufficient) = self.subject.insufficient(used) else {
                    continue;
                };
                let mut secrets = self.secrets(requirement);
                secrets[index] = insufficient;
                if let Some(sample) = self.unsigned() {
                    let sample = sample.signed(requirement, secrets);
                    let statuses = [StatusCode::FORBIDDEN, StatusCode::UNAUTHORIZED];
                    self.expect("credentials that grant too little", &sample, &statuses);
                }
            }
        }
    }

    fn other_methods(&mut self) {
        let Some((_, mut sample)) = self.samples().into_iter().next() else {
            return;
        };
        let Some(path) = sample.path() else { return };
        let known = self.api.methods(&path);
        sample.body = None;
        for method in [
            Method::GET,
            Method::PUT,
            Method::POST,
            Method::PATCH,
            Method::DELETE,
        ] {
            if known.contains(&method) {
                continue;
            }
            sample.method = method.clone();
            let what = format!("method {method}");
            let Some(response) = self.send(&what, &sample) else {
                continue;
            };
            let allow = response
                .headers()
                .get(header::ALLOW)
                .map(HeaderValue::as_bytes);
            let allow = String::from_utf8_lossy(allow.unwrap_or_default()).into_owned();
            let allowed: Vec<&str> = allow.split(',').map(str::trim).collect();
            let complete = known.iter().all(|known| allowed.contains(&known.as_str()));
            if response.status() != StatusCode::METHOD_NOT_ALLOWED || !complete {
                let expected = format!("405 that allows {known:?} and not {allow:?}");
                self.unexpected(&what, &expected, &response);
            }
        }
    }
}
