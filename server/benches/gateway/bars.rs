//! What the service has to reach.

use super::flood::Flooded;
use super::load::{Kind, Sample};
use super::servers::{ACCORD, BARE, ROUTER};
use super::{Memory, Row};

/// Connections of the cases that are judged.
const CONNECTIONS: usize = 16;

/// One thing to reach.
pub struct Bar {
    what: String,
    figure: f64,
    limit: Limit,
}

enum Limit {
    AtLeast(f64),
    AtMost(f64),
}

impl Bar {
    /// Whether it is reached.
    pub fn is_met(&self) -> bool {
        match self.limit {
            Limit::AtLeast(least) => self.figure >= least,
            Limit::AtMost(most) => self.figure <= most,
        }
    }
}

/// Everything that can be said about these figures.
pub fn judge(rows: &[Row], memory: &[Memory], flooded: &Flooded) -> Vec<Bar> {
    let mut bars = Vec::new();
    let mut bar = |what: String, figure: f64, limit| {
        bars.push(Bar {
            what,
            figure,
            limit,
        })
    };
    for (kind, of_bare, of_router) in [(Kind::Chat, 0.72, 2.0), (Kind::Stream, 0.95, 1.4)] {
        for (rival, least) in [(BARE, of_bare), (ROUTER, of_router)] {
            let share = |accord: Sample, other: Sample| accord.per_second / other.per_second;
            if let Some(share) = beside(rows, rival, kind, share) {
                let what = format!("{kind}: answers beside {rival}");
                bar(what, share, Limit::AtLeast(least));
            }
        }
        if let Some(share) = beside(rows, BARE, kind, |accord, bare| accord.p99 / bare.p99) {
            let what = format!("{kind}: p99 beside {BARE}");
            bar(what, share, Limit::AtMost(1.3));
        }
        let later = beside(rows, BARE, kind, |accord, bare| accord.first - bare.first);
        if let Some(later) = later.filter(|_| kind == Kind::Stream) {
            let what = "ms to the first event more than the bare proxy";
            bar(what.into(), later, Limit::AtMost(0.3));
        }
    }
    for Memory { busy, idle, .. } in memory.iter().filter(|memory| memory.target == ACCORD) {
        let idle = idle.map_or(f64::NAN, |idle| idle as f64);
        let busy = *busy as f64;
        bar("MiB after 64 connections".into(), busy, Limit::AtMost(60.0));
        bar("MiB with idle streams".into(), idle, Limit::AtMost(150.0));
    }
    let what = "chats during a flood beside before";
    bar(what.into(), flooded.share(), Limit::AtLeast(0.8));
    bars
}

/// What the service's figures are beside a rival's of the same round; the median.
fn beside(
    rows: &[Row],
    rival: &str,
    kind: Kind,
    compare: impl Fn(Sample, Sample) -> f64,
) -> Option<f64> {
    let of = |target: &str| {
        let is_it =
            |row: &&Row| row.target == target && row.kind == kind && row.connections == CONNECTIONS;
        Some(&rows.iter().find(is_it)?.rounds)
    };
    let rounds = of(ACCORD)?.iter().zip(of(rival)?);
    let mut figures: Vec<f64> = rounds
        .filter_map(|(accord, other)| Some(compare((*accord)?, (*other)?)))
        .collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}

/// What is reached and what is not, a line each.
pub fn table(bars: &[Bar]) -> String {
    let lines = bars.iter().map(|bar| {
        let verdict = if bar.is_met() { "met" } else { "MISSED" };
        let (word, limit) = match bar.limit {
            Limit::AtLeast(least) => ("at least", least),
            Limit::AtMost(most) => ("at most", most),
        };
        let Bar { what, figure, .. } = bar;
        format!("{verdict:<8}{what:<48}{figure:>8.2}  ({word} {limit})\n")
    });
    lines.collect()
}
