//! Insertion mode "in body": end tags.

use super::stack::is_formatting;
use super::Flow::{self, Again, Done};
use super::{has, Builder, Mode};
use crate::categories::{BLOCK_END, HEADING};
use crate::dom::NONE;
use crate::tables::tag;
use crate::tokenizer::Token;

impl Builder<'_> {
    pub fn body_end_tag(&mut self, tag: u32) -> Flow {
        use tag::*;
        match tag {
            BODY | HTML => {
                if self.has_in_scope(BODY) {
                    self.mode = Mode::AfterBody;
                    if tag == HTML {
                        return Again(Token::EndTag { tag });
                    }
                }
            }
            P => {
                if !self.end_paragraph() {
                    self.insert_implied(P);
                }
            }
            LI if self.has_in_list_scope(LI) => self.end_with_implied(LI),
            DD | DT if self.has_in_scope(tag) => self.end_with_implied(tag),
            LI | DD | DT => {}
            FORM => self.end_form(),
            APPLET | MARQUEE | OBJECT => {
                if self.has_in_scope(tag) {
                    self.imply_end_tags(0);
                    self.pop_until(tag);
                    self.clear_to_marker();
                }
            }
            BR => {
                self.reconstruct();
                self.insert_implied(BR);
                self.may_be_frameset = false;
            }
            _ if has(tag, HEADING) => self.end_heading(),
            _ if has(tag, BLOCK_END) => {
                if self.has_in_scope(tag) {
                    self.imply_end_tags(0);
                    self.pop_until(tag);
                }
            }
            _ => {
                if !is_formatting(tag) || !self.adopt(tag) {
                    self.end_any_other(tag);
                }
            }
        }
        Done
    }

    fn end_with_implied(&mut self, tag: u32) {
        self.imply_end_tags(tag);
        self.pop_until(tag);
    }

    /// Any end tag of a heading ends whichever is open.
    fn end_heading(&mut self) {
        if !self.has_up_to(|open| has(open.tag, HEADING), |open| open.is_scoping) {
            return;
        }
        self.imply_end_tags(0);
        while let Some(&open) = self.open.last() {
            self.pop();
            if has(open.tag, HEADING) {
                return;
            }
        }
    }

    fn end_form(&mut self) {
        if self.is_tag_open(tag::TEMPLATE) {
            if self.has_in_scope(tag::FORM) {
                self.imply_end_tags(0);
                self.pop_until(tag::FORM);
            }
            return;
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form == NONE || !self.has_node_in_scope(form) {
            return;
        }
        self.imply_end_tags(0);
        if let Some(index) = self.open_index(form) {
            self.remove_open(index);
        }
    }
}
