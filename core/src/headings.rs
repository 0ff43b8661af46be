//! Headings whose section was left out (the reference: `content/structures/headings.py`).

use crate::figures::{HEADING, PICTURE};
use crate::page::{Page, TEXT};
use crate::tables::tag;

/// The bounds of the reference.
pub struct Bounds {
    pub min_section: i64,
    pub max_heading: i64,
    pub max_bare: i64,
}

/// What is known of every node of a page.
pub struct Shown<'p> {
    pub page: &'p Page<'p>,
    pub bits: &'p [u8],
    pub selected: &'p [u8],
    /// The characters of visible texts.
    pub lengths: &'p [i32],
}

struct Heading {
    node: usize,
    end: usize,
    level: u16,
}

impl Shown<'_> {
    /// Return the headings whose section the page has and the selection has not.
    pub fn lost(&self, bounds: &Bounds) -> Vec<usize> {
        let headings = self.outermost();
        let is_bare = self.bare(&headings, true);
        self.lost_of(&headings, &is_bare, bounds)
    }

    /// Return the same; None where it may depend on selected images.
    pub fn lost_whatever_images(&self, has_images: bool, bounds: &Bounds) -> Option<Vec<usize>> {
        let headings = self.outermost();
        let is_bare = self.bare(&headings, true);
        if has_images && is_bare != self.bare(&headings, false) {
            return None;
        }
        Some(self.lost_of(&headings, &is_bare, bounds))
    }

    fn lost_of(&self, headings: &[Heading], is_bare: &[bool], bounds: &Bounds) -> Vec<usize> {
        let mut bare_of_level = [0; 8];
        for (heading, _) in headings.iter().zip(is_bare).filter(|(_, &is_bare)| is_bare) {
            bare_of_level[level_number(heading)] += 1;
        }
        let can_be_lost = |heading: &Heading| {
            bare_of_level[level_number(heading)] <= bounds.max_bare
                && u32::from(heading.level) != tag::H1
        };
        let candidates: Vec<usize> = (0..headings.len())
            .filter(|&number| is_bare[number] && can_be_lost(&headings[number]))
            .collect();
        if candidates.is_empty() {
            return Vec::new();
        }
        let all: Vec<usize> = (0..headings.len()).collect();
        let ends = self.section_ends(headings, &all);
        let text = self.sums_outside(headings);
        let is_lost = |&number: &usize| {
            let heading = &headings[number];
            text[ends[number]] - text[heading.end] >= bounds.min_section
                && !self.has_link(heading)
                && self.length(heading) <= bounds.max_heading
        };
        candidates.into_iter().filter(is_lost).map(|number| headings[number].node).collect()
    }

    /// Return the headings that stand in no other.
    fn outermost(&self) -> Vec<Heading> {
        let mut headings: Vec<Heading> = Vec::new();
        for node in (0..self.page.len()).filter(|&node| self.bits[node] & HEADING != 0) {
            if headings.last().map_or(true, |last| last.end <= node) {
                let end = self.page.end[node] as usize;
                headings.push(Heading { node, end, level: self.page.tag[node] });
            }
        }
        headings
    }

    /// Return which headings are selected, with nothing else up to their equals; images may
    /// count as something.
    fn bare(&self, headings: &[Heading], with_images: bool) -> Vec<bool> {
        let mut is_chosen = vec![false; headings.len()];
        // How many nodes outside of headings show something, before each node.
        let mut content = Vec::with_capacity(self.page.len() + 1);
        let mut count = 0;
        let mut next = 0;
        for node in 0..self.page.len() {
            content.push(count);
            if headings.get(next).is_some_and(|heading| heading.end <= node) {
                next += 1;
            }
            let is_text = self.page.tag[node] == TEXT;
            if self.selected[node] == 0 || !self.shows(node, is_text) {
                continue;
            }
            if !with_images && u32::from(self.page.tag[node]) == tag::IMG {
                continue;
            }
            match headings.get(next) {
                Some(heading) if heading.node <= node => is_chosen[next] |= is_text,
                _ => count += 1,
            }
        }
        content.push(count);
        let chosen: Vec<usize> = (0..headings.len()).filter(|&number| is_chosen[number]).collect();
        let ends = self.section_ends(headings, &chosen);
        let mut is_bare = vec![false; headings.len()];
        for (&number, end) in chosen.iter().zip(ends) {
            is_bare[number] = content[headings[number].end] == content[end];
        }
        is_bare
    }

    /// Return whether a reader sees something of a node itself.
    fn shows(&self, node: usize, is_text: bool) -> bool {
        if is_text {
            self.lengths[node] > 0
        } else {
            self.bits[node] & PICTURE != 0
        }
    }

    /// Return for each of the chosen headings the next of them of its level or a higher
    /// one, or the end of the page.
    fn section_ends(&self, headings: &[Heading], chosen: &[usize]) -> Vec<usize> {
        let mut ends = vec![self.page.len(); chosen.len()];
        let mut open: Vec<usize> = Vec::new();
        let level = |index: usize| headings[chosen[index]].level;
        for index in 0..chosen.len() {
            while let Some(last) = open.pop() {
                if level(last) < level(index) {
                    open.push(last);
                    break;
                }
                ends[last] = headings[chosen[index]].node;
            }
            open.push(index);
        }
        ends
    }

    /// Return running sums of the visible characters outside of headings.
    fn sums_outside(&self, headings: &[Heading]) -> Vec<i64> {
        let mut outside: Vec<i64> = self.lengths.iter().map(|&length| i64::from(length)).collect();
        for heading in headings {
            outside[heading.node..heading.end].fill(0);
        }
        let mut sum = 0;
        let running = outside.into_iter().map(|length| {
            sum += length;
            sum
        });
        std::iter::once(0).chain(running).collect()
    }

    fn has_link(&self, heading: &Heading) -> bool {
        let inside = &self.page.tag[heading.node..heading.end];
        inside.iter().any(|&tag| u32::from(tag) == tag::A)
    }

    fn length(&self, heading: &Heading) -> i64 {
        let inside = &self.lengths[heading.node..heading.end];
        inside.iter().map(|&length| i64::from(length)).sum()
    }
}

/// Return the number of a level, from 0 to 5.
fn level_number(heading: &Heading) -> usize {
    (u32::from(heading.level) - tag::H1) as usize
}
