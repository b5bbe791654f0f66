//! Reads Prometheus' text format, in which the recorder renders its figures.
//!
//! `metrics-exporter-prometheus` has no other way to its values, besides the protobuf format. A
//! crate that reads the text would be one more in the service, for a small parser.

/// A sample: a name, labels and a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample<'a> {
    /// The name of the metric.
    pub name: &'a str,
    labels: Vec<(&'a str, String)>,
    /// The value.
    pub value: f64,
}

impl<'a> Sample<'a> {
    /// Reads all samples of a text. Skips comments and lines that are not samples.
    pub fn all(text: &'a str) -> impl Iterator<Item = Sample<'a>> {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(Sample::read)
    }

    fn read(line: &'a str) -> Option<Sample<'a>> {
        let end = line.find(['{', ' '])?;
        let (name, mut rest) = line.split_at(end);
        let mut labels = Vec::new();
        if let Some(inner) = rest.strip_prefix('{') {
            rest = inner;
            while !rest.starts_with('}') {
                let (label, value) = rest.split_once("=\"")?;
                let (value, after) = quoted(value)?;
                labels.push((label, value));
                rest = after.strip_prefix(',').unwrap_or(after);
            }
            rest = rest.strip_prefix('}')?;
        }
        let value = rest.trim().parse().ok()?;
        Some(Sample {
            name,
            labels,
            value,
        })
    }

    /// The value of a label; empty if the sample does not have it.
    pub fn label(&self, name: &str) -> &str {
        let mut labels = self.labels.iter();
        labels
            .find(|(label, _)| *label == name)
            .map_or("", |(_, value)| value)
    }
}

/// Reads a text up to its closing quotation mark: the text, and the rest of the line.
fn quoted(line: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = line.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '"' => return Some((text, &line[index + 1..])),
            '\\' => text.push(match characters.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            other => text.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_labels_with_escapes_or_none() {
        let text =
            "# HELP x y\nplain_total 7\n\nx{a=\"1\",b=\"q\\\"\\\\,}\"} 0.5\nbroken{a=\"1\nx 1 2\n";
        let samples: Vec<_> = Sample::all(text).collect();
        assert_eq!(samples.len(), 2);
        assert_eq!((samples[0].name, samples[0].value), ("plain_total", 7.0));
        assert_eq!(
            (samples[1].label("a"), samples[1].label("b")),
            ("1", "q\"\\,}")
        );
        assert_eq!((samples[1].label("c"), samples[1].value), ("", 0.5));
    }
}
