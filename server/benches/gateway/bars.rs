//! What the service has to reach.

use super::flood::Flooded;
use super::load::{Kind, Sample, Tool};
use super::plain::{HAPROXY, NGINX};
use super::servers::{ACCORD, BARE, GUIDED, QUIET, ROUTER};
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
    /// None: the figure is told, whatever it is.
    Shown,
}

impl Bar {
    /// Whether it is reached.
    pub fn is_met(&self) -> bool {
        match self.limit {
            Limit::AtLeast(least) => self.figure >= least,
            Limit::AtMost(most) => self.figure <= most,
            Limit::Shown => true,
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
    for tool in [Tool::Own, Tool::Wrk] {
        let rate = |accord: Sample, other: Sample| accord.per_second / other.per_second;
        let p99 = |accord: Sample, other: Sample| accord.p99 / other.p99;
        if let Some(share) = beside(rows, tool, QUIET, Kind::Chat, rate) {
            let what = format!("{tool}: chat: answers beside {QUIET}");
            bar(what, share, Limit::AtLeast(0.95));
        }
        for (kind, of_router) in [(Kind::Chat, 1.25), (Kind::Stream, 2.0)] {
            if let Some(share) = beside(rows, tool, ROUTER, kind, rate) {
                let what = format!("{tool}: {kind}: answers beside {ROUTER}");
                bar(what, share, Limit::AtLeast(of_router));
            }
            if let Some(share) = beside(rows, tool, ROUTER, kind, p99) {
                let what = format!("{tool}: {kind}: p99 beside {ROUTER}");
                bar(what, share, Limit::AtMost(1.1));
            }
            // What does less is shown, and what was built otherwise.
            for other in [BARE, NGINX, HAPROXY, GUIDED] {
                if let Some(share) = beside(rows, tool, other, kind, rate) {
                    let what = format!("{tool}: {kind}: answers beside {other}");
                    bar(what, share, Limit::Shown);
                }
                if let Some(share) = beside(rows, tool, other, kind, p99) {
                    let what = format!("{tool}: {kind}: p99 beside {other}");
                    bar(what, share, Limit::Shown);
                }
            }
        }
    }
    let later = |accord: Sample, bare: Sample| accord.first - bare.first;
    if let Some(later) = beside(rows, Tool::Own, BARE, Kind::Stream, later) {
        let what = "ms to the first event more than the bare proxy";
        bar(what.into(), later, Limit::AtMost(0.3));
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
    tool: Tool,
    rival: &str,
    kind: Kind,
    compare: impl Fn(Sample, Sample) -> f64,
) -> Option<f64> {
    let of = |target: &str| {
        let is_it = |row: &&Row| {
            let case = (row.target, row.tool, row.kind, row.connections);
            case == (target, tool, kind, CONNECTIONS)
        };
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
        let Bar { what, figure, .. } = bar;
        let (verdict, limit) = match bar.limit {
            Limit::Shown => ("shown", String::new()),
            Limit::AtLeast(least) => (verdict(bar), format!("  (at least {least})")),
            Limit::AtMost(most) => (verdict(bar), format!("  (at most {most})")),
        };
        format!("{verdict:<8}{what:<48}{figure:>8.2}{limit}\n")
    });
    lines.collect()
}

fn verdict(bar: &Bar) -> &'static str {
    match bar.is_met() {
        true => "met",
        false => "MISSED",
    }
}
