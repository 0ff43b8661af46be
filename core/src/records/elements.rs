//! The elements of a page that can be records (the reference: `PageStatistics`).

use crate::page::Page;
use crate::records::classes::Classes;
use crate::records::shapes::{shapes, tag_shapes, ShapeSets};
use crate::text::tables::TextTables;

/// Nodes from one to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: usize,
    pub stop: usize,
}

pub struct Elements<'p> {
    pub page: &'p Page<'p>,
    /// 1 for every element that has text or a picture.
    pub filled: &'p [u8],
    pub classes: Classes,
    children: Vec<usize>,
    /// Where the children of each node begin in `children`.
    first_child: Vec<usize>,
}

impl<'p> Elements<'p> {
    /// Return the elements of a page; None where the arrays are of another.
    pub fn new(
        page: &'p Page<'p>,
        tables: &TextTables,
        filled: &'p [u8],
        most_classes: usize,
    ) -> Option<Elements<'p>> {
        if filled.len() != page.len() {
            return None;
        }
        let mut first_child = vec![0; page.len() + 1];
        let filled_nodes = || (0..page.len()).filter(|&node| filled[node] != 0);
        let with_parents = || filled_nodes().filter(|&node| page.parent[node] >= 0);
        for node in with_parents() {
            first_child[page.parent[node] as usize + 1] += 1;
        }
        for node in 0..page.len() {
            first_child[node + 1] += first_child[node];
        }
        let mut next = first_child.clone();
        let mut children = vec![0; first_child[page.len()]];
        for node in with_parents() {
            let place = &mut next[page.parent[node] as usize];
            children[*place] = node;
            *place += 1;
        }
        Some(Elements {
            page,
            filled,
            classes: Classes::new(page, tables, most_classes),
            children,
            first_child,
        })
    }

    /// Return the filled children of a node, in order.
    pub fn children(&self, parent: usize) -> &[usize] {
        &self.children[self.first_child[parent]..self.first_child[parent + 1]]
    }

    /// Return a node and all below it.
    pub fn whole(&self, node: usize) -> Span {
        Span {
            start: node,
            stop: self.page.end[node] as usize,
        }
    }

    /// Return the shapes of tags.
    pub fn tag_sets(&self) -> Option<ShapeSets<'p>> {
        ShapeSets::new(self.page, &tag_shapes(self.page))
    }

    /// Return the shapes of tags and classes.
    pub fn sets(&self) -> Option<ShapeSets<'p>> {
        ShapeSets::new(self.page, &shapes(self.page, &self.classes))
    }
}
