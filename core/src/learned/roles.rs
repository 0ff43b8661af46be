//! Roles that tags, classes and ids declare, counted along the path from the root (the
//! reference: `roles.py`).
//!
//! Each role has one byte in a row of 64-bit numbers, as in the reference, also where a
//! counter overflows into the next.

use crate::learned::elements::Elements;
use crate::learned::tables::Tables;
use crate::page::Page;

/// Packed counters of the roles on the path to each element, itself included.
pub struct PathRoles {
    columns: usize,
    sums: Vec<u64>,
}

impl PathRoles {
    pub fn new(page: &Page, tables: &Tables, elements: &Elements) -> PathRoles {
        let columns = tables.columns;
        let mut sums: Vec<u64> = Vec::with_capacity(columns * elements.nodes.len());
        let names = Names::new(tables, &elements.names);
        let mut own = vec![0; columns];
        for (element, &node) in elements.nodes.iter().enumerate() {
            let node = node as usize;
            own.copy_from_slice(tables.roles_of_tag(page.tag[node]));
            names.add(elements.classes[element], &mut own);
            names.add(elements.ids[element], &mut own);
            let parent = page.parent[node];
            if parent >= 0 {
                let above = columns * elements.position(parent as usize);
                for (own, above) in own.iter_mut().zip(&sums[above..above + columns]) {
                    *own = own.wrapping_add(*above);
                }
            }
            sums.extend_from_slice(&own);
        }
        PathRoles { columns, sums }
    }

    /// Return the counters on the path to an element, by its position.
    pub fn on_path(&self, element: usize) -> &[u64] {
        &self.sums[self.columns * element..self.columns * (element + 1)]
    }
}

/// The roles of classes and ids, each read once.
struct Names {
    columns: usize,
    roles: Vec<u64>,
}

impl Names {
    fn new(tables: &Tables, names: &[&[u8]]) -> Names {
        let columns = tables.columns;
        let mut roles = vec![0; columns * names.len()];
        for (name, roles) in names.iter().zip(roles.chunks_exact_mut(columns)) {
            read_words(name, tables, roles);
        }
        Names { columns, roles }
    }

    /// Add the roles of a class or id, by its number, to those of an element.
    fn add(&self, name: u32, own: &mut [u64]) {
        let start = self.columns * name as usize;
        for (own, role) in own.iter_mut().zip(&self.roles[start..start + self.columns]) {
            *own |= role;
        }
    }
}

/// Add the roles of the words of a name, which end before what is no letter and before a
/// capital after a small letter.
fn read_words(name: &[u8], tables: &Tables, roles: &mut [u64]) {
    let mut word = Vec::with_capacity(name.len());
    let mut before = b' ';
    for &byte in name.iter().chain(b" ") {
        let is_letter = byte.is_ascii_alphabetic();
        let is_hump = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        if (!is_letter || is_hump) && !word.is_empty() {
            if let Some(found) = tables.roles_of_word(&word) {
                for (role, found) in roles.iter_mut().zip(found) {
                    *role |= found;
                }
            }
            word.clear();
        }
        if is_letter {
            word.push(byte.to_ascii_lowercase());
        }
        before = byte;
    }
}
