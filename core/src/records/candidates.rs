//! Every set of spans on a page that look like the records of one section (the reference:
//! `sections/candidates.py`).

use std::collections::HashMap;
use std::hash::Hasher;

use crate::hashing::{Numbering, QuickHasher};
use crate::page::TEXT;
use crate::records::comparisons::mean;
use crate::records::elements::{Elements, Span};
use crate::records::shapes::ShapeSets;

/// What the records of a candidate have in common, in the order of Python's names.
pub const SIBLINGS: u8 = 0;
pub const PATH: u8 = 1;
pub const CLASS: u8 = 2;
pub const RUNS: u8 = 3;

/// The bounds of the reference, which describes them (`_bounds`).
pub struct Bounds<'b> {
    pub numbers: [i64; 8],
    pub shares: [f64; 2],
    /// The logarithms of small numbers.
    pub logarithms: &'b [f64],
    /// 1 for every node that is a heading.
    pub is_heading: &'b [u8],
}

impl Bounds<'_> {
    fn candidates(&self) -> usize {
        self.numbers[0] as usize
    }

    fn run_siblings(&self) -> i64 {
        self.numbers[1]
    }

    fn apart(&self) -> i64 {
        self.numbers[2]
    }

    fn compared_runs(&self) -> usize {
        self.numbers[3] as usize
    }

    fn records(&self) -> usize {
        self.numbers[4] as usize
    }

    fn records_apart(&self) -> usize {
        self.numbers[5] as usize
    }

    pub fn classes(&self) -> usize {
        self.numbers[6] as usize
    }

    fn preformatted(&self) -> u16 {
        self.numbers[7] as u16
    }

    fn one_kind(&self) -> f64 {
        self.shares[0]
    }

    fn mostly(&self) -> f64 {
        self.shares[1]
    }
}

/// Places for candidates.
pub struct Written<'w> {
    pub starts: &'w mut [i64],
    pub stops: &'w mut [i64],
    pub sizes: &'w mut [i64],
    pub kinds: &'w mut [u8],
    pub by_class: &'w mut [u8],
}

impl Written<'_> {
    /// Write candidates, and return how many there are; None where there is no place.
    pub fn write(self, found: &[Candidate]) -> Option<usize> {
        let mut begin = 0;
        for (number, candidate) in found.iter().enumerate() {
            let end = begin + candidate.spans.len();
            let starts = self.starts.get_mut(begin..end)?.iter_mut();
            let stops = self.stops.get_mut(begin..end)?.iter_mut();
            for ((start, stop), span) in starts.zip(stops).zip(&candidate.spans) {
                *start = span.start as i64;
                *stop = span.stop as i64;
            }
            *self.sizes.get_mut(number)? = candidate.spans.len() as i64;
            *self.kinds.get_mut(number)? = candidate.kind;
            *self.by_class.get_mut(number)? = u8::from(candidate.by_class);
            begin = end;
        }
        Some(found.len())
    }
}

pub struct Candidate {
    pub spans: Vec<Span>,
    pub kind: u8,
    pub by_class: bool,
}

/// Return the candidates of a page in page order, each set of spans once; None where there
/// are more records than logarithms, or too many shapes.
pub fn find(elements: &Elements, words: &[i64], bounds: &Bounds) -> Option<Vec<Candidate>> {
    if words.len() != elements.page.len() + 1 {
        return None;
    }
    let mut found = Found::default();
    side_by_side(elements, words, bounds, &mut found);
    apart(elements, bounds, &mut found);

    let mut weighed = Vec::with_capacity(found.candidates.len());
    for candidate in found.candidates {
        let record_words = |span: &Span| words[span.stop] - words[span.start];
        let total: i64 = candidate.spans.iter().map(record_words).sum();
        let logarithm = bounds.logarithms.get(candidate.spans.len())?;
        weighed.push((total as f64 * logarithm, candidate));
    }
    weighed.sort_by(|one, other| other.0.total_cmp(&one.0));
    weighed.truncate(bounds.candidates());

    let sets = elements.tag_sets()?;
    let mut kept = Vec::with_capacity(weighed.len());
    for (_, candidate) in weighed {
        if candidate.kind == RUNS {
            let compared = &candidate.spans[..candidate.spans.len().min(bounds.compared_runs())];
            if hold_records(elements, &sets, compared, bounds)?
                || end_with_headings(elements, words, compared, bounds)
            {
                continue;
            }
        }
        kept.push(candidate);
    }
    kept.sort_by_key(|candidate| (candidate.spans[0], candidate.spans.len()));
    Some(kept)
}

/// Candidates in the order in which they are found, each set of spans once.
#[derive(Default)]
struct Found {
    candidates: Vec<Candidate>,
    by_hash: HashMap<u64, Vec<usize>>,
}

impl Found {
    fn add(&mut self, spans: Vec<Span>, kind: u8, by_class: bool) {
        let mut hasher = QuickHasher::default();
        for span in &spans {
            hasher.write_usize(span.start);
            hasher.write_usize(span.stop);
        }
        let same = self.by_hash.entry(hasher.finish()).or_default();
        if same.iter().any(|&number| self.candidates[number].spans == spans) {
            return;
        }
        same.push(self.candidates.len());
        self.candidates.push(Candidate {
            spans,
            kind,
            by_class,
        });
    }
}

/// Add like children of one parent, as records themselves and as heads of runs.
fn side_by_side(elements: &Elements, words: &[i64], bounds: &Bounds, found: &mut Found) {
    let page = elements.page;
    let is_preformatted = preformatted_lists(elements, words, bounds.preformatted());
    let whole = |nodes: &[usize]| nodes.iter().map(|&node| elements.whole(node)).collect();
    let mut siblings_left = bounds.run_siblings();
    for parent in 0..page.len() {
        let children = elements.children(parent);
        if children.len() < bounds.records() {
            continue;
        }
        found.add(whole(children), SIBLINGS, false);
        let mut siblings = None;
        for ((_, name), heads) in alike(elements, children) {
            if heads.len() < bounds.records() {
                continue;
            }
            found.add(whole(&heads), SIBLINGS, name != 0);
            let has_more = heads.len() < children.len() || is_preformatted[parent];
            if has_more && siblings_left > 0 {
                siblings_left -= children.len() as i64;
                let siblings = siblings.get_or_insert_with(|| all_children(elements, parent));
                let stop = end_of_last_run(elements, siblings, &heads, parent);
                found.add(runs(&heads, stop), RUNS, name != 0);
            }
        }
    }
}

/// Children by tag, and by tag and class, in the order in which they are met.
type Alike = Vec<((u16, u32), Vec<usize>)>;

fn alike(elements: &Elements, children: &[usize]) -> Alike {
    let mut numbering = Numbering::expecting(8);
    let mut groups: Alike = Vec::new();
    for &child in children {
        let tag = elements.page.tag[child];
        let names = elements.classes.of(child).iter().copied();
        for name in std::iter::once(0).chain(names) {
            let (number, is_new) = numbering.number((tag, name));
            if is_new {
                groups.push(((tag, name), Vec::new()));
            }
            groups[number].1.push(child);
        }
    }
    groups
}

/// Return for each node whether it is a preformatted element with words of its own.
fn preformatted_lists(elements: &Elements, words: &[i64], preformatted: u16) -> Vec<bool> {
    let page = elements.page;
    let mut found = vec![false; page.len()];
    for node in 1..page.len() {
        if page.tag[node] == TEXT && words[node + 1] > words[node] {
            let parent = page.parent_or_root(node);
            found[parent] = page.tag[parent] == preformatted;
        }
    }
    found
}

fn all_children(elements: &Elements, parent: usize) -> Vec<usize> {
    let page = elements.page;
    let stop = page.end[parent] as usize;
    let mut children = Vec::new();
    let mut node = parent + 1;
    while node < stop {
        children.push(node);
        node = page.end[node] as usize;
    }
    children
}

/// Return every head with its younger siblings up to the next head.
fn runs(heads: &[usize], stop: usize) -> Vec<Span> {
    let next = heads[1..].iter().copied().chain(std::iter::once(stop));
    let pairs = heads.iter().zip(next);
    pairs.map(|(&start, stop)| Span { start, stop }).collect()
}

/// Return where the last run ends: before the first sibling of a tag that no earlier run
/// has.
fn end_of_last_run(
    elements: &Elements,
    siblings: &[usize],
    heads: &[usize],
    parent: usize,
) -> usize {
    let tag = &elements.page.tag;
    let first = siblings.partition_point(|&node| node < heads[0]);
    let last = siblings.partition_point(|&node| node < heads[heads.len() - 1]);
    let mut known = vec![TEXT];
    for &node in &siblings[first..last] {
        if !known.contains(&tag[node]) {
            known.push(tag[node]);
        }
    }
    let mut later = siblings[last + 1..].iter();
    let unknown = later.find(|&&node| !known.contains(&tag[node]));
    unknown.map_or(elements.page.end[parent] as usize, |&node| node)
}

/// Add elements under different parents that have their path or their class in common.
fn apart(elements: &Elements, bounds: &Bounds, found: &mut Found) {
    let page = elements.page;
    let mut numbering = Numbering::expecting(page.len() / 4);
    let mut groups: Vec<((u8, u32), Vec<usize>)> = Vec::new();
    let mut add = |key: (u8, usize, u32), node: usize| {
        let (number, is_new) = numbering.number(key);
        if is_new {
            groups.push(((key.0, key.2), Vec::new()));
        }
        groups[number].1.push(node);
    };
    let paths = paths(elements);
    for node in (0..page.len()).filter(|&node| elements.filled[node] != 0) {
        add((PATH, paths[node], 0), node);
        for &name in elements.classes.of(node) {
            add((PATH, paths[node], name), node);
            add((CLASS, page.tag[node] as usize, name), node);
        }
    }
    let mut elements_left = bounds.apart();
    for ((kind, name), nodes) in groups {
        if nodes.len() < bounds.records_apart() || elements_left <= 0 {
            continue;
        }
        elements_left -= nodes.len() as i64;
        let mut outermost: Vec<Span> = Vec::new();
        for node in nodes {
            if outermost.last().is_none_or(|last| node >= last.stop) {
                outermost.push(elements.whole(node));
            }
        }
        if outermost.len() >= bounds.records_apart() {
            found.add(outermost, kind, name != 0);
        }
    }
}

/// Return a number for the tags on the way to every filled element.
fn paths(elements: &Elements) -> Vec<usize> {
    let page = elements.page;
    let mut numbering = Numbering::expecting(page.len() / 4);
    let mut paths = vec![usize::MAX; page.len()];
    for node in (0..page.len()).filter(|&node| elements.filled[node] != 0) {
        let above = usize::try_from(page.parent[node]).map_or(usize::MAX, |parent| paths[parent]);
        paths[node] = numbering.number((above, page.tag[node])).0;
    }
    paths
}

/// Return whether runs are made of like siblings, which are records themselves.
fn hold_records(
    elements: &Elements,
    sets: &ShapeSets,
    compared: &[Span],
    bounds: &Bounds,
) -> Option<bool> {
    let mut total = 0.0;
    for span in compared {
        let siblings: Vec<usize> = filled_siblings(elements, *span).collect();
        if siblings.len() < 2 {
            continue;
        }
        let spans = siblings.iter().map(|&node| elements.whole(node));
        total += mean(&sets.compare(spans)?.like_next());
    }
    Some(total > bounds.one_kind() * compared.len() as f64)
}

/// Return whether most runs end with a heading, so that they are cut in the wrong place.
fn end_with_headings(
    elements: &Elements,
    words: &[i64],
    compared: &[Span],
    bounds: &Bounds,
) -> bool {
    let is_ending = |span: &&Span| ends_with_heading(elements, words, **span, bounds.is_heading);
    let ending = compared.iter().filter(is_ending).count();
    ending as f64 > bounds.mostly() * compared.len() as f64
}

/// Return whether the last of several siblings is a heading, or holds little else.
fn ends_with_heading(elements: &Elements, words: &[i64], run: Span, is_heading: &[u8]) -> bool {
    let end = &elements.page.end;
    let mut last = filled_siblings(elements, run).last().unwrap_or(run.start);
    if last == run.start {
        return false;
    }
    let words_of = |node: usize| words[end[node] as usize] - words[node];
    let words_of_last = words_of(last);
    while is_heading[last] == 0 {
        let Some(&inside) = elements.children(last).first() else {
            return false;
        };
        last = inside;
    }
    2 * words_of(last) >= words_of_last
}

/// Return the filled elements of a run that stand side by side.
fn filled_siblings<'e>(elements: &'e Elements, run: Span) -> impl Iterator<Item = usize> + 'e {
    let parent = elements.page.parent_or_root(run.start);
    let children = elements.children(parent);
    let first = children.partition_point(|&node| node < run.start);
    let last = children.partition_point(|&node| node < run.stop);
    children[first..last].iter().copied()
}
