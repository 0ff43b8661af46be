//! From dates and names to the elements that hold one of them each (the reference:
//! `sections/posts/marked_elements.py`).

use std::collections::HashSet;

use crate::hashing::Numbering;
use crate::page::Page;

/// No mark of the group is in this element.
const NOT_MET: i32 = -1;

/// Dates or names of a page, alike in every group.
pub struct Marks<'m> {
    /// The marks, group after group, and where each group ends.
    pub nodes: &'m [i32],
    pub group_ends: &'m [i32],
    /// What like elements have in common, by node.
    pub keys: &'m [i64],
    /// Of the marks of a group, how many must have an element of their own.
    pub least_share: f64,
}

/// Where elements are written, one candidate after the other.
pub struct Written<'w> {
    pub nodes: &'w mut [i32],
    pub ends: &'w mut [i32],
}

impl Written<'_> {
    /// Write the candidates; return how many there are. None where there is no place for all.
    pub fn write(self, candidates: &[Vec<i32>]) -> Option<usize> {
        let mut size = 0;
        for (nodes, end) in candidates.iter().zip(0..) {
            let start = size;
            size += nodes.len();
            self.nodes.get_mut(start..size)?.copy_from_slice(nodes);
            *self.ends.get_mut(end)? = size as i32;
        }
        Some(candidates.len())
    }
}

/// Return the candidates: elements of one key that hold one mark of a group each. None where a
/// number is of nothing that is there.
pub fn find(page: &Page, marks: &Marks) -> Option<Vec<Vec<i32>>> {
    let is_node = |&node: &i32| (0..page.len() as i32).contains(&node);
    if marks.keys.len() != page.len() || !marks.nodes.iter().all(is_node) {
        return None;
    }
    let mut held = vec![NOT_MET; page.len()];
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    let mut start = 0;
    for &end in marks.group_ends {
        let group = marks.nodes.get(start..end as usize)?;
        start = end as usize;
        let by_key = elements_with_marks(page, marks.keys, group, &mut held);
        for nodes in &by_key {
            let (own, total) = nearest(page, nodes, &held);
            let has_own = own.len() >= 2 && own.len() as f64 >= marks.least_share * f64::from(total);
            let are_enough = f64::from(total) >= marks.least_share * group.len() as f64;
            if has_own && are_enough && seen.insert(own.clone()) {
                candidates.push(own);
            }
        }
        for node in by_key.into_iter().flatten() {
            held[node as usize] = NOT_MET;
        }
    }
    Some(candidates)
}

/// Return the elements that hold marks in page order, by their key: the first met first on the
/// way up from each mark. Write how many marks each holds.
fn elements_with_marks(page: &Page, keys: &[i64], marks: &[i32], held: &mut [i32]) -> Vec<Vec<i32>> {
    let mut numbers = Numbering::expecting(marks.len());
    let mut by_key: Vec<Vec<i32>> = Vec::new();
    let mut met = Vec::new();
    for &mark in marks {
        let mut node = mark;
        while node >= 0 && held[node as usize] == NOT_MET {
            held[node as usize] = 0;
            met.push(node);
            let (number, is_new) = numbers.number(keys[node as usize]);
            if is_new {
                by_key.push(Vec::new());
            }
            by_key[number].push(node);
            node = page.parent[node as usize];
        }
        held[mark as usize] += 1;
    }
    met.sort_unstable();
    for &node in met.iter().rev() {
        let parent = page.parent[node as usize];
        if parent >= 0 {
            held[parent as usize] += held[node as usize];
        }
    }
    for nodes in &mut by_key {
        nodes.sort_unstable();
    }
    by_key
}

/// Return those of some elements in page order that are the nearest one above any mark, and how
/// many marks stand in any.
fn nearest(page: &Page, nodes: &[i32], held: &[i32]) -> (Vec<i32>, i32) {
    let mut in_inner = vec![0; nodes.len()];
    let mut around: Vec<usize> = Vec::new();
    let mut total = 0;
    for (position, &node) in nodes.iter().enumerate() {
        while around.last().is_some_and(|&outer| page.end[nodes[outer] as usize] <= node) {
            around.pop();
        }
        match around.last() {
            Some(&outer) => in_inner[outer] += held[node as usize],
            None => total += held[node as usize],
        }
        around.push(position);
    }
    let pairs = nodes.iter().zip(&in_inner);
    let own = pairs.filter(|(&node, &in_inner)| held[node as usize] > in_inner);
    (own.map(|(&node, _)| node).collect(), total)
}
