//! Figures: pictures and their captions (the reference: `content/structures/figures.py`).

use std::collections::BTreeMap;

use crate::page::{Page, TEXT};
use crate::tables::tag;
use crate::text::tables::{TextTables, BREAKING};

/// Bits of a tag, as Python gives them.
pub const HEADING: u8 = 1;
pub const PICTURE: u8 = 2;
const TEXT_UNIT: u8 = 4;

/// The bounds of the reference.
pub struct Bounds {
    pub max_caption: i64,
    pub max_other_text: i64,
    pub max_levels: i64,
    pub min_prose: i64,
    /// Part of a caption that is links where it is the entry of a list.
    pub card_links: f64,
    /// Lines between a headline and a figure that may be left out.
    pub max_standfirst: usize,
}

/// What is known of every node of a page.
pub struct FigurePage<'p> {
    pub page: &'p Page<'p>,
    pub bits: &'p [u8],
    /// Which nodes a reader sees.
    pub visible: &'p [u8],
    /// The characters of visible texts.
    pub lengths: &'p [i32],
    /// The elements whose class calls them a caption, in document order.
    pub named_captions: &'p [usize],
    pub bounds: &'p Bounds,
}

/// What stands between the last headline and where a page is read.
#[derive(Default)]
struct Standfirst {
    /// Lines behind the headline, where there is one.
    lines: Option<usize>,
    last_line: Option<usize>,
    has_content: bool,
}

impl Standfirst {
    fn read(&mut self, line: usize, is_headline: bool, is_selected: bool) {
        if is_headline {
            self.lines = Some(0);
        } else if self.last_line != Some(line) {
            self.lines = self.lines.map(|lines| lines + 1);
        }
        self.last_line = Some(line);
        self.has_content |= is_selected;
    }

    /// Return whether the content has not begun, and hardly more than a headline has.
    fn is_short(&self, max_lines: usize) -> bool {
        !self.has_content && self.lines.is_some_and(|lines| lines <= max_lines)
    }
}

/// The captions of each figure, by its node.
type Captions = BTreeMap<usize, Vec<usize>>;

impl FigurePage<'_> {
    /// Change a selection so that the figures of its content are whole and others left out;
    /// write their pictures and captions. Return whether there are figures.
    pub fn select(&self, tables: &TextTables, nodes: &mut [u8], media: &mut [u8]) -> bool {
        let captions = self.find();
        let roots = self.outermost(&captions);
        if roots.is_empty() {
            return false;
        }
        let mut is_caption = vec![false; self.page.len()];
        for &caption in captions.values().flatten() {
            is_caption[caption..self.end(caption)].fill(true);
        }
        let stand_in_content = self.stand_in_content(tables, nodes, &roots);
        media.fill(0);
        for (&root, is_around) in roots.iter().zip(stand_in_content) {
            let inside = root..self.end(root);
            let is_content = is_around || self.is_mostly_selected(nodes, &is_caption, inside.clone());
            for node in inside {
                let is_picture = self.bits[node] & PICTURE != 0;
                if is_picture || is_caption[node] {
                    let is_shown = is_picture || self.visible[node] != 0;
                    media[node] = 1;
                    nodes[node] = u8::from(is_content && is_shown);
                }
            }
        }
        true
    }

    fn end(&self, node: usize) -> usize {
        self.page.end[node] as usize
    }

    fn has(&self, node: usize, tag: u32) -> bool {
        u32::from(self.page.tag[node]) == tag
    }

    fn find(&self) -> Captions {
        let nodes = 0..self.page.len();
        let has_picture = nodes.clone().any(|node| self.bits[node] & PICTURE != 0);
        let is_figure = |node: &usize| self.has(*node, tag::FIGURE);
        let figures: Vec<usize> = nodes.filter(is_figure).collect();
        if !has_picture || figures.is_empty() && self.named_captions.is_empty() {
            return Captions::new();
        }
        let mut finder = Finder::new(self);
        finder.read_figure_elements(&figures);
        finder.read_caption_classes();
        finder.captions
    }

    /// Return the figures that stand in no other.
    fn outermost(&self, captions: &Captions) -> Vec<usize> {
        let mut roots: Vec<usize> = Vec::new();
        for &node in captions.keys() {
            if roots.last().map_or(true, |&last| node >= self.end(last)) {
                roots.push(node);
            }
        }
        roots
    }

    /// Return for each root whether the nearest text around it that tells is content.
    fn stand_in_content(&self, tables: &TextTables, selected: &[u8], roots: &[usize]) -> Vec<bool> {
        let lines = self.lines(tables, selected, roots);
        let mut headline_until = 0;
        let mut next_line = 0;
        let mut next_root = 0;
        let mut is_content_before = false;
        let mut standfirst = Standfirst::default();
        let mut is_before = vec![false; roots.len()];
        let mut is_behind = vec![false; roots.len()];
        let mut behind_known = 0;
        for node in 0..self.page.len() {
            if self.has(node, tag::H1) {
                headline_until = headline_until.max(self.end(node));
            }
            if roots.get(next_root) == Some(&node) {
                is_before[next_root] = is_content_before || standfirst.is_short(self.bounds.max_standfirst);
                next_root += 1;
            }
            let in_figure = next_root > 0 && node < self.end(roots[next_root - 1]);
            if in_figure || self.lengths[node] == 0 {
                continue;
            }
            while lines[next_line].last < node {
                next_line += 1;
            }
            let line = &lines[next_line];
            let is_selected = 2 * line.selected > line.length;
            let is_headline = node < headline_until;
            if is_selected || is_headline || line.length >= self.bounds.min_prose {
                is_content_before = is_selected || is_headline;
                standfirst.read(next_line, is_headline, is_selected);
                is_behind[behind_known..next_root].fill(is_selected);
                behind_known = next_root;
            }
        }
        is_before.iter().zip(&is_behind).map(|(&before, &behind)| before && behind).collect()
    }

    /// Return the lines of visible text outside of figures.
    fn lines(&self, tables: &TextTables, selected: &[u8], roots: &[usize]) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut is_border = true;
        let mut next_root = 0;
        let mut figure_until = 0;
        for (node, &tag) in self.page.tag.iter().enumerate() {
            while open.last().is_some_and(|&end| end <= node) {
                open.pop();
                is_border = true;
            }
            if roots.get(next_root) == Some(&node) {
                figure_until = self.end(node);
                next_root += 1;
            }
            if tag != TEXT && tables.tag(tag) & BREAKING != 0 {
                open.push(self.end(node));
                is_border = true;
            }
            if self.lengths[node] == 0 || node < figure_until {
                continue;
            }
            if is_border {
                lines.push(Line::default());
                is_border = false;
            }
            if let Some(line) = lines.last_mut() {
                let length = i64::from(self.lengths[node]);
                line.length += length;
                line.selected += if selected[node] != 0 { length } else { 0 };
                line.last = node;
            }
        }
        lines
    }

    fn is_mostly_selected(
        &self,
        selected: &[u8],
        is_caption: &[bool],
        inside: std::ops::Range<usize>,
    ) -> bool {
        let (mut length, mut selected_length) = (0, 0);
        for node in inside.filter(|&node| is_caption[node]) {
            let characters = i64::from(self.lengths[node]);
            length += characters;
            selected_length += if selected[node] != 0 { characters } else { 0 };
        }
        2 * selected_length > length
    }
}

#[derive(Default)]
struct Line {
    length: i64,
    selected: i64,
    /// Its last text.
    last: usize,
}

/// Running sums over the nodes of a page.
struct Finder<'f> {
    page: &'f FigurePage<'f>,
    pictures: Vec<i64>,
    linked_pictures: Vec<i64>,
    parts: Vec<i64>,
    headings: Vec<i64>,
    lengths: Vec<i64>,
    linked_lengths: Vec<i64>,
    captions: Captions,
    /// The characters of captions by class, by the element that holds the picture.
    known_lengths: BTreeMap<usize, i64>,
}

impl<'f> Finder<'f> {
    fn new(page: &'f FigurePage) -> Finder<'f> {
        let is_linked = page.below(|node| page.has(node, tag::A));
        let of = |bit: u8| move |node: usize| i64::from(page.bits[node] & bit != 0);
        let is_part = |node: usize| {
            page.bits[node] & (PICTURE | TEXT_UNIT) != 0
                || page.has(node, tag::FIGURE)
                || page.has(node, tag::FIGCAPTION)
        };
        let length = |node: usize| i64::from(page.lengths[node]);
        let linked = |node: usize, value: i64| if is_linked[node] { value } else { 0 };
        Finder {
            page,
            pictures: page.sums(of(PICTURE)),
            linked_pictures: page.sums(|node| linked(node, of(PICTURE)(node))),
            parts: page.sums(|node| i64::from(is_part(node))),
            headings: page.sums(of(HEADING)),
            lengths: page.sums(length),
            linked_lengths: page.sums(|node| linked(node, length(node))),
            captions: Captions::new(),
            known_lengths: BTreeMap::new(),
        }
    }

    /// Return a sum over a node and all below it.
    fn total(&self, sums: &[i64], node: usize) -> i64 {
        sums[self.page.end(node)] - sums[node]
    }

    fn length(&self, node: usize) -> i64 {
        self.total(&self.lengths, node)
    }

    fn total_length(&self, nodes: &[usize]) -> i64 {
        nodes.iter().map(|&node| self.length(node)).sum()
    }

    fn read_figure_elements(&mut self, figures: &[usize]) {
        for &figure in figures {
            if self.total(&self.pictures, figure) == 0 {
                continue;
            }
            if let Some(captions) = self.captions_in(figure) {
                let is_card = self.is_card(figure, &captions);
                self.captions.insert(figure, if is_card { Vec::new() } else { captions });
            }
        }
    }

    /// Return the captions of a figure; None for a figure of text.
    fn captions_in(&self, figure: usize) -> Option<Vec<usize>> {
        let (mut declared, mut others) = (Vec::new(), Vec::new());
        let mut pending = self.page.children(figure);
        while let Some(child) = pending.pop() {
            if self.page.has(child, tag::FIGURE) || self.length(child) == 0 {
                continue;
            }
            if self.page.bits[child] & TEXT_UNIT != 0 {
                return None;
            }
            if self.page.has(child, tag::FIGCAPTION) {
                declared.push(child);
            } else if self.total(&self.parts, child) != 0 {
                pending.extend(self.page.children(child));
            } else {
                others.push(child);
            }
        }
        if !declared.is_empty() {
            declared.reverse();
            return Some(declared);
        }
        let is_linked = self.total(&self.linked_pictures, figure) != 0;
        if is_linked || self.total_length(&others) > self.page.bounds.max_caption {
            return Some(Vec::new());
        }
        others.reverse();
        Some(others)
    }

    fn read_caption_classes(&mut self) {
        let page = self.page;
        let in_figure = page.below(|node| page.has(node, tag::FIGURE));
        for &caption in page.named_captions {
            let length = self.length(caption);
            if in_figure[caption] || length == 0 || length > page.bounds.max_caption {
                continue;
            }
            if self.total(&self.pictures, caption) != 0 {
                continue;
            }
            let Some(holder) = self.picture_holder(caption) else {
                continue;
            };
            if !self.is_card(holder, &[caption]) {
                let captions = self.captions.entry(holder).or_default();
                if captions.last().map_or(true, |&last| caption >= page.end(last)) {
                    captions.push(caption);
                    *self.known_lengths.entry(holder).or_default() += length;
                }
            }
        }
    }

    /// Return the smallest element around a caption that has a picture; None where it is
    /// too far up or has other text.
    fn picture_holder(&self, caption: usize) -> Option<usize> {
        let own_length = self.length(caption);
        let mut node = caption;
        for _ in 0..self.page.bounds.max_levels {
            node = usize::try_from(self.page.page.parent[node]).ok()?;
            let known_length = self.known_lengths.get(&node).copied().unwrap_or(0);
            if self.length(node) - own_length - known_length > self.page.bounds.max_other_text {
                return None;
            }
            if self.total(&self.pictures, node) != 0 {
                return Some(node);
            }
        }
        None
    }

    fn is_card(&self, figure: usize, captions: &[usize]) -> bool {
        if captions.iter().any(|&caption| self.total(&self.headings, caption) != 0) {
            return true;
        }
        if captions.is_empty() || self.total(&self.linked_pictures, figure) == 0 {
            return false;
        }
        let length = self.total_length(captions);
        let linked = captions.iter().map(|&caption| self.total(&self.linked_lengths, caption));
        linked.sum::<i64>() as f64 >= self.page.bounds.card_links * length as f64
    }
}

impl FigurePage<'_> {
    /// Return which nodes are some elements or lie under one.
    fn below(&self, is_root: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut until = 0;
        let nodes = 0..self.page.len();
        let inside = nodes.map(|node| {
            if node >= until && is_root(node) {
                until = self.end(node);
            }
            node < until
        });
        inside.collect()
    }

    fn sums(&self, value: impl Fn(usize) -> i64) -> Vec<i64> {
        let mut sum = 0;
        let mut sums = Vec::with_capacity(self.page.len() + 1);
        sums.push(0);
        for node in 0..self.page.len() {
            sum += value(node);
            sums.push(sum);
        }
        sums
    }

    fn children(&self, node: usize) -> Vec<usize> {
        let mut children = Vec::new();
        let mut child = node + 1;
        while child < self.end(node) {
            children.push(child);
            child = self.end(child);
        }
        children
    }
}
