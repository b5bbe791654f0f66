//! A drawing of what a pattern depends on: its project, integrations, roles, and their connections.

use crate::patterns::accelerator::{Integration, Role};

/// The width of a box.
const WIDTH: i64 = 190;
/// The height of a box.
const HEIGHT: i64 = 56;
/// The distance between the left edges of two columns.
const COLUMN: i64 = 250;
/// The distance between the upper edges of two rows.
const ROW: i64 = 76;
/// The maximum number of characters of the upper text in a box.
const LETTERS: usize = 21;
/// The same for the smaller text below it.
const DETAIL_LETTERS: usize = 24;

/// A drawing. All numbers are units of the image.
#[derive(Debug)]
pub struct Drawing {
    /// The width.
    pub width: i64,
    /// The height.
    pub height: i64,
    /// The boxes, from left to right.
    pub boxes: Vec<Node>,
    /// The lines between them, as paths.
    pub lines: Vec<String>,
    /// The integrations, for the list behind the drawing.
    pub integrations: Vec<Integration>,
    /// The roles, for the same list.
    pub roles: Vec<Role>,
}

/// A box.
#[derive(Debug)]
pub struct Node {
    /// The kind, which is a class of the stylesheet.
    pub kind: &'static str,
    /// The left edge.
    pub x: i64,
    /// The upper edge.
    pub y: i64,
    /// The whole text.
    pub title: String,
    /// The two lines in the box.
    pub lines: [String; 2],
}

impl Drawing {
    /// A drawing of a pattern or an accelerator. Each pair is a name and a version.
    pub fn of(
        project: Option<[&str; 2]>,
        root: [&str; 2],
        integrations: &[Integration],
        roles: &[Role],
    ) -> Drawing {
        let rows_of = |role: &Role| role.connections.len().max(1);
        let rows = integrations.len() + roles.iter().map(rows_of).sum::<usize>();
        let height = (rows.max(1) as i64) * ROW - (ROW - HEIGHT);
        let mut drawing = Drawing {
            width: 0,
            height,
            boxes: Vec::new(),
            lines: Vec::new(),
            integrations: integrations.to_vec(),
            roles: roles.to_vec(),
        };
        let middle = (height - HEIGHT) / 2;
        let mut left = 0;
        if let Some([name, version]) = project {
            drawing.add("project", left, middle, name, &format!("Project {version}"));
            drawing.connect((left, middle), (left + COLUMN, middle));
            left += COLUMN;
        }
        let [name, version] = root;
        drawing.add("root", left, middle, name, version);
        let (from, right) = ((left, middle), left + COLUMN);
        let mut top = 0;
        for one in integrations {
            let name = name_or_code(&one.name, &one.code);
            let detail = format!("{} {}", one.kind, one.version);
            drawing.connect(from, (right, top));
            drawing.add("integration", right, top, name, &detail);
            top += ROW;
        }
        for role in roles {
            let height = (rows_of(role) as i64 - 1) * ROW;
            let place = (right, top + height / 2);
            drawing.connect(from, place);
            drawing.add("role", place.0, place.1, &role.role, "Role");
            for (index, one) in role.connections.iter().enumerate() {
                let to = (right + COLUMN, top + index as i64 * ROW);
                let name = name_or_code(&one.name, &one.code);
                drawing.connect(place, to);
                drawing.add("connection", to.0, to.1, name, &one.code);
            }
            top += height + ROW;
        }
        drawing
    }

    fn add(&mut self, kind: &'static str, x: i64, y: i64, name: &str, detail: &str) {
        self.width = self.width.max(x + WIDTH);
        self.boxes.push(Node {
            kind,
            x,
            y,
            title: format!("{name}: {detail}"),
            lines: [short(name, LETTERS), short(detail, DETAIL_LETTERS)],
        });
    }

    /// A line from the right edge of a box to the left edge of another one.
    fn connect(&mut self, from: (i64, i64), to: (i64, i64)) {
        let (x1, y1) = (from.0 + WIDTH, from.1 + HEIGHT / 2);
        let (x2, y2) = (to.0, to.1 + HEIGHT / 2);
        let middle = (x1 + x2) / 2;
        self.lines
            .push(format!("M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}"));
    }
}

fn name_or_code<'a>(name: &'a str, code: &'a str) -> &'a str {
    if name.is_empty() { code } else { name }
}

/// A text, truncated if it has more characters than `most`.
fn short(text: &str, most: usize) -> String {
    match text.chars().count() <= most {
        true => text.to_owned(),
        false => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::accelerator::Connection;

    fn integration(code: &str) -> Integration {
        Integration {
            code: code.into(),
            name: String::new(),
            status: "ACTIVATED".into(),
            kind: "APPLICATION".into(),
            version: "1".into(),
        }
    }

    #[test]
    fn each_part_is_a_box_inside_of_the_image_with_a_line_to_it() {
        let connection = |code: &str| Connection {
            code: code.into(),
            name: "A name that is longer than a box".into(),
        };
        let roles = [Role {
            role: "erp".into(),
            connections: vec![connection("A"), connection("B")],
        }];
        let parts = [integration("ONE"), integration("TWO")];
        let drawing = Drawing::of(Some(["Retail", "1"]), ["Triage", "2"], &parts, &roles);
        assert_eq!((drawing.boxes.len(), drawing.lines.len()), (7, 6));
        assert_eq!(
            (drawing.width, drawing.height),
            (3 * COLUMN + WIDTH, 4 * ROW - 20)
        );
        for one in &drawing.boxes {
            assert!(one.y >= 0 && one.y + HEIGHT <= drawing.height, "{one:?}");
            assert!(one.lines[0].chars().count() <= LETTERS);
        }
        let names: Vec<_> = drawing
            .boxes
            .iter()
            .map(|one| one.lines[0].as_str())
            .collect();
        assert_eq!(names[..4], ["Retail", "Triage", "ONE", "TWO"]);
        assert!(names[5].ends_with('…') && drawing.boxes[5].title.ends_with("box: A"));
    }

    #[test]
    fn without_parts_the_root_is_alone() {
        let drawing = Drawing::of(None, ["ReAct", "1"], &[], &[]);
        assert_eq!((drawing.boxes.len(), drawing.lines.len()), (1, 0));
        assert_eq!((drawing.width, drawing.height), (WIDTH, HEIGHT));
    }
}
