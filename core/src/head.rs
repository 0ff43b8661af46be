//! Where the head of a page declares what (the reference:
//! `content/methods/learned/declared.py`).

use crate::characters::Characters;
use crate::page::{Page, TEXT};
use crate::tables::tag;

/// Where nothing is.
const NOWHERE: i32 = -1;

pub struct Head {
    /// For each name the position of the attribute that has the content.
    pub contents: Vec<i32>,
    /// The position of the attribute with the canonical address.
    pub canonical: i32,
    /// The first title.
    pub title: i32,
    /// The texts of scripts that have a sign.
    pub structured: Vec<i32>,
}

/// Return where the head declares what is asked for by the names of `<meta>`, in small
/// letters.
pub fn find(page: &Page, characters: &Characters, names: &[&[u8]], sign: &str) -> Head {
    let attributes = Attributes {
        page,
        property: page.name_number("property"),
        name: page.name_number("name"),
        content: page.name_number("content"),
        relation: page.name_number("rel"),
        address: page.name_number("href"),
    };
    let mut head = Head {
        contents: vec![NOWHERE; names.len()],
        canonical: NOWHERE,
        title: NOWHERE,
        structured: Vec::new(),
    };
    let mut is_known = vec![false; names.len()];
    let mut has_canonical = false;
    for (node, &tag) in page.tag.iter().enumerate() {
        match u32::from(tag) {
            tag::META => {
                let name = characters.strip(attributes.meta_name(node)).as_bytes();
                let number = names.iter().position(|known| name.eq_ignore_ascii_case(known));
                if let Some(number) = number.filter(|&number| !is_known[number]) {
                    is_known[number] = true;
                    head.contents[number] = attributes.position(node, attributes.content);
                }
            }
            tag::LINK if !has_canonical && attributes.is_canonical(node) => {
                has_canonical = true;
                head.canonical = attributes.position(node, attributes.address);
            }
            tag::TITLE if head.title == NOWHERE => head.title = node as i32,
            tag::SCRIPT if page.tag.get(node + 1) == Some(&TEXT) => {
                if page.text(node + 1).contains(sign) {
                    head.structured.push(node as i32 + 1);
                }
            }
            _ => {}
        }
    }
    head
}

struct Attributes<'p> {
    page: &'p Page<'p>,
    property: i32,
    name: i32,
    content: i32,
    relation: i32,
    address: i32,
}

impl<'p> Attributes<'p> {
    /// Return the position of an attribute of a node, by the number of its name.
    fn position(&self, node: usize, name: i32) -> i32 {
        self.page.attribute_of(node, name).map_or(NOWHERE, |position| position as i32)
    }

    fn value(&self, node: usize, name: i32) -> &'p str {
        self.page.attribute_of(node, name).map_or("", |position| self.page.value(position))
    }

    fn meta_name(&self, node: usize) -> &'p str {
        let property = self.value(node, self.property);
        if property.is_empty() {
            return self.value(node, self.name);
        }
        property
    }

    fn is_canonical(&self, node: usize) -> bool {
        self.value(node, self.relation).eq_ignore_ascii_case("canonical")
    }
}
