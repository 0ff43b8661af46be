//! How the members of candidates compare with each other, and candidates with what is around
//! them (the reference: `sections/comparisons.py`).

use crate::hashing::Numbering;
use crate::page::{Page, TEXT};
use crate::records::elements::{Elements, Span};
use crate::records::shapes::ShapeSets;

/// The bounds of the reference, which describes them.
pub struct Bounds {
    compared: usize,
    counted: usize,
    siblings: usize,
    twin_nodes: usize,
    pub classes: usize,
    unlike: f64,
}

impl Bounds {
    /// Return the bounds that Python wrote, in its order (`_bounds`).
    pub fn new(numbers: [i64; 5], unlike: f64) -> Bounds {
        Bounds {
            compared: numbers[0] as usize,
            counted: numbers[1] as usize,
            siblings: numbers[2] as usize,
            twin_nodes: numbers[3] as usize,
            classes: numbers[4] as usize,
            unlike,
        }
    }
}

/// The candidates of a page: their members one after the other.
pub struct Members<'m> {
    pub sizes: &'m [i64],
    pub starts: &'m [i64],
    pub stops: &'m [i64],
    /// 1 for candidates whose members are runs.
    pub are_runs: &'m [u8],
}

impl<'m> Members<'m> {
    /// Return the members of each candidate; None where they are not of the page.
    fn candidates(&self, page: &Page) -> Option<Vec<Candidate>> {
        let size = page.len() as i64;
        if self.starts.len() != self.stops.len() || self.are_runs.len() != self.sizes.len() {
            return None;
        }
        let mut spans = Vec::with_capacity(self.starts.len());
        for (&start, &stop) in self.starts.iter().zip(self.stops) {
            if start < 1 || start >= stop || stop > size {
                return None;
            }
            spans.push(Span {
                start: start as usize,
                stop: stop as usize,
            });
        }
        let mut candidates = Vec::with_capacity(self.sizes.len());
        for (&size, &is_runs) in self.sizes.iter().zip(self.are_runs) {
            let count = usize::try_from(size).ok().filter(|&count| count > 1 && count <= spans.len())?;
            let others = spans.split_off(count);
            candidates.push(Candidate {
                spans: std::mem::replace(&mut spans, others),
                is_runs: is_runs != 0,
            });
        }
        spans.is_empty().then_some(candidates)
    }
}

struct Candidate {
    spans: Vec<Span>,
    is_runs: bool,
}

/// Rows with a place for each member, in the order of Python's `MemberComparisons`.
pub const MEMBER_ROWS: usize = 7;
/// Rows with a place for each candidate, in the order of Python's `CandidateComparisons`.
pub const CANDIDATE_ROWS: usize = 13;

/// Write all comparisons. None where the arrays are of another page, or it has too many
/// shapes.
pub fn write(
    elements: &Elements,
    members: &Members,
    bounds: &Bounds,
    of_members: &mut [f64],
    of_candidates: &mut [f64],
) -> Option<usize> {
    let candidates = members.candidates(elements.page)?;
    let count = candidates.len();
    let all = members.starts.len();
    if of_members.len() != MEMBER_ROWS * all || of_candidates.len() != CANDIDATE_ROWS * count {
        return None;
    }
    let sets = elements.sets()?;
    let tag_sets = elements.tag_sets()?;
    let texts = PageText::new(elements.page);
    let compared = Compared {
        elements,
        sets: &sets,
        tag_sets: &tag_sets,
        bounds,
    };
    let mut begin = 0;
    for (number, candidate) in candidates.iter().enumerate() {
        let rows = compared.members(candidate, &texts)?;
        for (row, values) in rows.iter().enumerate() {
            let place = row * all + begin;
            of_members[place..place + values.len()].copy_from_slice(values);
        }
        for (row, value) in compared.candidate(candidate)?.into_iter().enumerate() {
            of_candidates[row * count + number] = value;
        }
        begin += candidate.spans.len();
    }
    Some(count)
}

struct Compared<'c> {
    elements: &'c Elements<'c>,
    sets: &'c ShapeSets<'c>,
    tag_sets: &'c ShapeSets<'c>,
    bounds: &'c Bounds,
}

impl Compared<'_> {
    fn members(
        &self,
        candidate: &Candidate,
        texts: &PageText,
    ) -> Option<[Vec<f64>; MEMBER_ROWS]> {
        let spans = &candidate.spans;
        let page = self.elements.page;
        let usual = self.sets.compare(spans.iter().copied())?.usual();
        let tags = self.tag_sets.compare(spans.iter().copied())?;
        Some([
            usual.likeness,
            usual.share,
            tags.like(spans.len() / 2),
            self.class_likeness(spans),
            are_usual(spans, |node| i64::from(page.parent[node])),
            are_usual(spans, |node| i64::from(page.tag[node])),
            texts.twins(spans, self.bounds.twin_nodes),
        ])
    }

    /// Return the share of class names that each member has in common with most.
    fn class_likeness(&self, spans: &[Span]) -> Vec<f64> {
        let names_of = |span: &Span| self.elements.classes.of(span.start);
        let mut numbering = Numbering::expecting(16);
        let mut counts: Vec<usize> = Vec::new();
        for &name in spans.iter().flat_map(names_of) {
            let (number, is_new) = numbering.number(name);
            if is_new {
                counts.push(0);
            }
            counts[number] += 1;
        }
        let usual_count = counts.iter().filter(|&&count| 2 * count >= spans.len()).count();
        let mut share = |span: &Span| {
            let names = names_of(span);
            let is_usual = |name: &&u32| 2 * counts[numbering.number(**name).0] >= spans.len();
            let common = names.iter().filter(is_usual).count();
            let either = usual_count + names.len() - common;
            if either == 0 {
                1.0
            } else {
                common as f64 / either as f64
            }
        };
        spans.iter().map(&mut share).collect()
    }

    fn candidate(&self, candidate: &Candidate) -> Option<[f64; CANDIDATE_ROWS]> {
        let spans = &candidate.spans;
        let compared = &spans[..spans.len().min(self.bounds.compared)];
        let shapes = self.sets.compare(compared.iter().copied())?;
        let like_next = shapes.like_next();
        let tags_like_next = self.tag_sets.compare(compared.iter().copied())?.like_next();
        let like_usual = shapes.usual().likeness;
        let unlike = like_usual.iter().filter(|&&likeness| likeness < self.bounds.unlike);
        let unlike_share = unlike.count() as f64 / like_usual.len() as f64;

        let home = self.home(spans);
        let homes = self.like_siblings(home);
        let (left_out, inside) = self.left_out(candidate);
        let number = spans.len() as f64;
        let middle = spans[spans.len() / 2].start;
        Some([
            mean(&like_next),
            least(&like_next),
            mean(&tags_like_next),
            least(&tags_like_next),
            mean(&like_usual),
            unlike_share,
            home as f64,
            homes.len() as f64,
            self.mean_likeness(home, &homes)?,
            left_out.len() as f64 / number,
            inside as f64 / number,
            self.mean_likeness(middle, &left_out)?,
            self.children(spans),
        ])
    }

    /// Return the lowest element that has all records below it.
    fn home(&self, spans: &[Span]) -> usize {
        let page = self.elements.page;
        let last = spans[spans.len() - 1].start;
        let mut home = page.parent_or_root(spans[0].start);
        while home > 0 && last >= page.end[home] as usize {
            home = page.parent_or_root(home);
        }
        home
    }

    /// Return the filled siblings of the same tag.
    fn like_siblings(&self, node: usize) -> Vec<usize> {
        let page = self.elements.page;
        let Ok(parent) = usize::try_from(page.parent[node]) else {
            return Vec::new();
        };
        let children = self.elements.children(parent).iter().copied();
        let is_like = |&child: &usize| child != node && page.tag[child] == page.tag[node];
        children.filter(is_like).collect()
    }

    /// Return how alike an element is to others; 0 where there is none.
    fn mean_likeness(&self, node: usize, others: &[usize]) -> Option<f64> {
        if others.is_empty() {
            return Some(0.0);
        }
        let others = &others[..others.len().min(self.bounds.siblings)];
        let nodes: Vec<usize> = std::iter::once(node).chain(others.iter().copied()).collect();
        let spans = nodes.iter().map(|&node| self.elements.whole(node));
        let likeness = self.tag_sets.compare(spans)?.like(0);
        Some(mean(&likeness[1..]))
    }

    /// Return what the records' parents have besides them, and how many of it stand between
    /// records.
    fn left_out(&self, candidate: &Candidate) -> (Vec<usize>, usize) {
        if candidate.is_runs {
            return (Vec::new(), 0);
        }
        let spans = &candidate.spans;
        let compared = spans.iter().take(self.bounds.compared);
        let page = self.elements.page;
        let mut parents: Vec<usize> = compared.map(|span| page.parent_or_root(span.start)).collect();
        parents.sort_unstable();
        parents.dedup();
        let is_taken = |node: usize| spans.binary_search_by_key(&node, |span| span.start).is_ok();
        let children = parents.iter().flat_map(|&parent| self.elements.children(parent));
        let others: Vec<usize> = children.copied().filter(|&child| !is_taken(child)).collect();
        let first = spans[0].start;
        let last = spans[spans.len() - 1].stop;
        let inside = others.iter().filter(|&&other| first < other && other < last).count();
        (others, inside)
    }

    /// Return how many filled children the first members have, in the mean.
    fn children(&self, spans: &[Span]) -> f64 {
        let counted = spans.iter().take(self.bounds.counted);
        let number = counted.len() as f64;
        let counts = counted.map(|span| self.elements.children(span.start).len());
        counts.sum::<usize>() as f64 / number
    }
}

/// Return which members have the value that most have; the least of several.
fn are_usual(spans: &[Span], value: impl Fn(usize) -> i64) -> Vec<f64> {
    let values: Vec<i64> = spans.iter().map(|span| value(span.start)).collect();
    let mut ordered = values.clone();
    ordered.sort_unstable();
    let mut usual = ordered[0];
    let mut most = 0;
    for same in ordered.chunk_by(|one, other| one == other) {
        if same.len() > most {
            (usual, most) = (same[0], same.len());
        }
    }
    let is_usual = |&value: &i64| f64::from(u8::from(value == usual));
    values.iter().map(is_usual).collect()
}

/// Return the mean, of the sum from the first to the last.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |total, value| total + value) / values.len() as f64
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// All texts of a page, without anything between them.
struct PageText {
    text: Vec<u8>,
    /// Where the text of each node begins; one more for the end.
    begins: Vec<usize>,
}

impl PageText {
    fn new(page: &Page) -> PageText {
        let mut text = Vec::new();
        let mut begins = Vec::with_capacity(page.len() + 1);
        for node in 0..page.len() {
            begins.push(text.len());
            if page.tag[node] == TEXT {
                text.extend_from_slice(page.text(node).as_bytes());
            }
        }
        begins.push(text.len());
        PageText { text, begins }
    }

    /// Return which members have the very same text as another.
    fn twins(&self, spans: &[Span], most_nodes: usize) -> Vec<f64> {
        let mut numbering = Numbering::expecting(spans.len());
        let mut counts: Vec<usize> = Vec::new();
        let mut number_of = Vec::with_capacity(spans.len());
        for span in spans {
            let stop = span.stop.min(span.start + most_nodes);
            let text = &self.text[self.begins[span.start]..self.begins[stop]];
            let (number, is_new) = numbering.number(text);
            if is_new {
                counts.push(0);
            }
            counts[number] += 1;
            number_of.push(number);
        }
        let has_twin = |&number: &usize| f64::from(u8::from(counts[number] > 1));
        number_of.iter().map(has_twin).collect()
    }
}
