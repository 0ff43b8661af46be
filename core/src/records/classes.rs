//! The class names of elements (the reference: `PageStatistics.classes`).

use crate::hashing::Numbering;
use crate::page::Page;
use crate::text::tables::TextTables;

pub struct Classes {
    /// Where the names of each different value are in `names`.
    bounds: Vec<(usize, usize)>,
    names: Vec<u32>,
    /// The value of each node, as an index of `bounds`; the first one is empty.
    value_of: Vec<u32>,
}

impl Classes {
    /// Read the different class names of all elements, at most so many of each. Names are
    /// numbered from 1.
    pub fn new(page: &Page, tables: &TextTables, most: usize) -> Classes {
        let mut classes = Classes {
            bounds: vec![(0, 0)],
            names: Vec::new(),
            value_of: vec![0; page.len()],
        };
        let mut values = Numbering::expecting(256);
        let mut names = Numbering::expecting(256);
        for position in page.attributes("class") {
            let value = page.value(position);
            let (number, is_new) = values.number(value);
            if is_new {
                let start = classes.names.len();
                for name in value.split(|character| tables.characters.is_blank(character)) {
                    if name.is_empty() || classes.names.len() - start == most {
                        continue;
                    }
                    let number = names.number(name).0 as u32 + 1;
                    if !classes.names[start..].contains(&number) {
                        classes.names.push(number);
                    }
                }
                classes.bounds.push((start, classes.names.len()));
            }
            classes.value_of[page.attribute_node[position] as usize] = number as u32 + 1;
        }
        classes
    }

    /// Return the class names of a node.
    pub fn of(&self, node: usize) -> &[u32] {
        let (start, end) = self.bounds[self.value_of[node] as usize];
        &self.names[start..end]
    }
}
