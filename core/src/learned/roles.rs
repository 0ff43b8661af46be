//! Roles that tags, classes and ids declare, counted along the path from the root (the
//! reference: `roles.py`).
//!
//! Each role has one byte in a row of 64-bit numbers, as in the reference, also where a
//! counter overflows into the next.

use crate::learned::elements::Elements;
use crate::hashing::Numbering;
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
        let mut names = Names::new(tables);
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
struct Names<'t, 'p> {
    tables: &'t Tables,
    numbers: Numbering<&'p [u8]>,
    roles: Vec<u64>,
}

impl<'t, 'p> Names<'t, 'p> {
    fn new(tables: &'t Tables) -> Names<'t, 'p> {
        Names {
            tables,
            numbers: Numbering::expecting(256),
            roles: Vec::new(),
        }
    }

    /// Add the roles of a class or id to those of an element.
    fn add(&mut self, name: &'p str, own: &mut [u64]) {
        if name.is_empty() {
            return;
        }
        let columns = own.len();
        let (number, is_new) = self.numbers.number(name.as_bytes());
        if is_new {
            self.roles.resize(columns * (number + 1), 0);
            let roles = &mut self.roles[columns * number..];
            read_words(name.as_bytes(), self.tables, roles);
        }
        let roles = &self.roles[columns * number..columns * (number + 1)];
        for (own, role) in own.iter_mut().zip(roles) {
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
