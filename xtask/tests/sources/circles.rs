//! Circles in a graph of files or modules.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// One file or module uses another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: String,
    pub to: String,
    /// The path in the source by which it does.
    pub path: String,
}

/// A circle for each group of nodes that use each other, directly or not: the shortest one
/// through its first node.
pub fn find(graph: &[Edge]) -> Vec<Vec<Edge>> {
    let mut next: BTreeMap<&str, Vec<&Edge>> = BTreeMap::new();
    for edge in graph.iter().filter(|edge| edge.from != edge.to) {
        next.entry(&edge.from).or_default().push(edge);
    }
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for node in next.keys() {
        if known.contains(node) {
            continue;
        }
        if let Some(circle) = shortest(&next, node) {
            // One circle of a group suffices.
            let forward = reachable(&next, node);
            known.extend(forward.into_iter().filter(|other| {
                let back = reachable(&next, other);
                back.contains(node)
            }));
            found.push(circle);
        }
    }
    found
}

/// Describes each circle as a chain of files with the paths between them.
pub fn explain(circles: &[Vec<Edge>]) -> String {
    let mut text = String::new();
    for circle in circles {
        text.push_str("\na circle:\n");
        for Edge { from, to, path } in circle {
            text.push_str(&format!("  {from} uses {path} of {to}\n"));
        }
    }
    text
}

fn shortest(next: &BTreeMap<&str, Vec<&Edge>>, start: &str) -> Option<Vec<Edge>> {
    let mut reached_by: HashMap<&str, &Edge> = HashMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for edge in next.get(node).into_iter().flatten() {
            if edge.to == start {
                let mut circle = vec![(*edge).clone()];
                let mut at = node;
                while at != start {
                    let edge = reached_by[at];
                    circle.push(edge.clone());
                    at = &edge.from;
                }
                circle.reverse();
                return Some(circle);
            }
            if !reached_by.contains_key(edge.to.as_str()) {
                reached_by.insert(&edge.to, edge);
                waiting.push_back(&edge.to);
            }
        }
    }
    None
}

fn reachable<'g>(next: &BTreeMap<&'g str, Vec<&'g Edge>>, start: &str) -> BTreeSet<&'g str> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        for edge in next.get(node).into_iter().flatten() {
            if found.insert(edge.to.as_str()) {
                waiting.push(&edge.to);
            }
        }
    }
    found
}

#[test]
fn each_group_of_nodes_has_one_circle() {
    let edge = |(from, to): (&str, &str)| Edge {
        from: from.to_owned(),
        to: to.to_owned(),
        path: format!("{to}::x"),
    };
    let ends = |graph: &[(&str, &str)]| -> Vec<Vec<String>> {
        let graph: Vec<_> = graph.iter().copied().map(edge).collect();
        let circles = find(&graph).into_iter();
        let ends = circles.map(|circle| circle.into_iter().map(|edge| edge.to).collect());
        ends.collect()
    };
    assert!(ends(&[("a", "b"), ("b", "c"), ("a", "c"), ("c", "c")]).is_empty());
    let two = [
        ("a", "b"),
        ("b", "c"),
        ("c", "a"),
        ("c", "b"),
        ("d", "e"),
        ("e", "d"),
        ("a", "d"),
    ];
    assert_eq!(
        ends(&two),
        [["b", "c", "a"].as_slice(), ["e", "d"].as_slice()]
    );
}
