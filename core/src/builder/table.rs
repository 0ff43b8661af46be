//! Insertion modes in tables.

use super::Flow::{self, Again, Done};
use super::{has, Builder, Mode};
use crate::categories::TABLE_PART;
use crate::dom::NONE;
use crate::scan::is_space;
use crate::tables::tag::*;
use crate::tokenizer::{Content, Span, Token};

const SECTIONS: [u32; 3] = [TBODY, TFOOT, THEAD];

impl Builder<'_> {
    /// The rules of the modes in, and of those that leave a token to, a table.
    pub fn in_table(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(span) => self.table_text(span),
            Token::Comment => self.insert_comment(),
            Token::StartTag { tag, .. } => return self.table_start_tag(tag, token),
            Token::EndTag { tag } => return self.table_end_tag(tag, token),
            Token::Doctype { .. } | Token::End => {}
        }
        Done
    }

    /// White space stays in the table, other text goes before it.
    fn table_text(&mut self, span: Span) {
        let span = self.without_skipped_newline(span);
        let bytes = self.tokenizer.bytes(span);
        let is_blank = bytes.iter().all(|&byte| is_space(byte) || byte == 0);
        if !is_blank {
            self.is_fostering = true;
            self.reconstruct();
            self.insert_text(span);
            self.is_fostering = false;
            return;
        }
        let current = self.current_tag();
        if !has(current, TABLE_PART) && current != TEMPLATE {
            self.is_fostering = true;
            self.reconstruct();
            self.is_fostering = false;
        }
        self.insert_text(span);
    }

    fn table_start_tag(&mut self, tag: u32, token: Token) -> Flow {
        match tag {
            CAPTION => {
                self.clear_to(&[TABLE]);
                self.add_marker();
                self.open_html(tag);
                self.mode = Mode::InCaption;
            }
            COLGROUP => {
                self.clear_to(&[TABLE]);
                self.open_html(tag);
                self.mode = Mode::InColumnGroup;
            }
            COL => {
                self.clear_to(&[TABLE]);
                self.open_implied(COLGROUP);
                self.mode = Mode::InColumnGroup;
                return Again(token);
            }
            TBODY | THEAD | TFOOT => {
                self.clear_to(&[TABLE]);
                self.open_html(tag);
                self.mode = Mode::InTableBody;
            }
            TD | TH | TR => {
                self.clear_to(&[TABLE]);
                self.open_implied(TBODY);
                self.mode = Mode::InTableBody;
                return Again(token);
            }
            TABLE => {
                if self.end_table() {
                    return Again(token);
                }
            }
            STYLE => self.open_text(tag, Content::Raw),
            SCRIPT => self.open_text(tag, Content::Script),
            INPUT if self.is_hidden_input() => {
                self.insert_html(tag);
            }
            FORM => {
                if self.form == NONE && !self.is_tag_open(TEMPLATE) {
                    self.form = self.insert_html(tag);
                }
            }
            _ => return self.foster(token),
        }
        Done
    }

    fn table_end_tag(&mut self, tag: u32, token: Token) -> Flow {
        match tag {
            TABLE => {
                self.end_table();
                Done
            }
            BODY | HTML | TBODY | TFOOT | THEAD | TR | TD | TH | CAPTION | COL | COLGROUP => Done,
            _ => self.foster(token),
        }
    }

    /// End the table; return whether there is one.
    fn end_table(&mut self) -> bool {
        let is_open = self.has_in_table_scope(TABLE);
        if is_open {
            self.pop_until(TABLE);
            self.mode = self.appropriate_mode();
        }
        is_open
    }

    /// Take a token as in the body, but put what it makes before the table.
    fn foster(&mut self, token: Token) -> Flow {
        self.is_fostering = true;
        let flow = self.in_body(token);
        self.is_fostering = false;
        flow
    }

    pub fn in_caption(&mut self, token: Token) -> Flow {
        match token {
            Token::EndTag { tag: CAPTION } => {
                self.end_caption();
                Done
            }
            Token::StartTag { tag, .. } if is_inner_part(tag) => match self.end_caption() {
                true => Again(token),
                false => Done,
            },
            Token::EndTag { tag: TABLE } => match self.end_caption() {
                true => Again(token),
                false => Done,
            },
            _ => self.in_body(token),
        }
    }

    fn end_caption(&mut self) -> bool {
        let is_open = self.has_in_table_scope(CAPTION);
        if is_open {
            self.imply_end_tags(0);
            self.pop_until(CAPTION);
            self.clear_to_marker();
            self.mode = Mode::InTable;
        }
        is_open
    }

    pub fn in_column_group(&mut self, token: Token) -> Flow {
        let mut token = token;
        let is_current = self.current_tag() == COLGROUP;
        match token {
            Token::Text(span) if !is_current => {
                self.insert_spaces(span);
                return Done;
            }
            Token::Text(span) => {
                let rest = self.insert_leading_spaces(span);
                if rest.len == 0 {
                    return Done;
                }
                token = Token::Text(rest);
            }
            Token::Comment => {
                self.insert_comment();
                return Done;
            }
            Token::StartTag { tag: HTML, .. } => {
                self.merge_html_attributes();
                return Done;
            }
            Token::StartTag { tag: COL, .. } => {
                self.insert_html(COL);
                return Done;
            }
            Token::EndTag { tag: COLGROUP } => {
                if is_current {
                    self.pop();
                    self.mode = Mode::InTable;
                }
                return Done;
            }
            _ => {}
        }
        if !is_current {
            return Done;
        }
        self.pop();
        self.mode = Mode::InTable;
        Again(token)
    }

    pub fn in_table_body(&mut self, token: Token) -> Flow {
        match token {
            Token::StartTag { tag: TR, .. } => {
                self.clear_to(&SECTIONS);
                self.open_html(TR);
                self.mode = Mode::InRow;
                Done
            }
            Token::StartTag { tag: TD | TH, .. } => {
                self.clear_to(&SECTIONS);
                self.open_implied(TR);
                self.mode = Mode::InRow;
                Again(token)
            }
            Token::StartTag { tag, .. } if is_inner_part(tag) => self.end_section(token),
            Token::EndTag { tag: TABLE } => self.end_section(token),
            Token::EndTag { tag } if SECTIONS.contains(&tag) => {
                if self.has_in_table_scope(tag) {
                    self.pop_section();
                }
                Done
            }
            Token::EndTag { tag: BODY | CAPTION | COL | COLGROUP | HTML | TD | TH | TR } => Done,
            _ => self.in_table(token),
        }
    }

    fn end_section(&mut self, token: Token) -> Flow {
        if !SECTIONS.iter().any(|&tag| self.has_in_table_scope(tag)) {
            return Done;
        }
        self.pop_section();
        Again(token)
    }

    fn pop_section(&mut self) {
        self.clear_to(&SECTIONS);
        self.pop();
        self.mode = Mode::InTable;
    }

    pub fn in_row(&mut self, token: Token) -> Flow {
        match token {
            Token::StartTag { tag: tag @ (TD | TH), .. } => {
                self.clear_to(&[TR]);
                self.open_html(tag);
                self.add_marker();
                self.mode = Mode::InCell;
                Done
            }
            Token::StartTag { tag, .. } if is_inner_part(tag) => self.end_row_before(token),
            Token::EndTag { tag: TR } => {
                self.end_row();
                Done
            }
            Token::EndTag { tag: TABLE } => self.end_row_before(token),
            Token::EndTag { tag } if SECTIONS.contains(&tag) => {
                if !self.has_in_table_scope(tag) {
                    return Done;
                }
                self.pop_row();
                Again(token)
            }
            Token::EndTag { tag: BODY | CAPTION | COL | COLGROUP | HTML | TD | TH } => Done,
            _ => self.in_table(token),
        }
    }

    fn end_row_before(&mut self, token: Token) -> Flow {
        match self.end_row() {
            true => Again(token),
            false => Done,
        }
    }

    fn end_row(&mut self) -> bool {
        let is_open = self.has_in_table_scope(TR);
        if is_open {
            self.pop_row();
        }
        is_open
    }

    fn pop_row(&mut self) {
        self.clear_to(&[TR]);
        self.pop();
        self.mode = Mode::InTableBody;
    }

    pub fn in_cell(&mut self, token: Token) -> Flow {
        match token {
            Token::EndTag { tag: tag @ (TD | TH) } => {
                if self.has_in_table_scope(tag) {
                    self.end_cell(tag);
                }
                Done
            }
            Token::EndTag { tag } if has(tag, TABLE_PART) => {
                if !self.has_in_table_scope(tag) {
                    return Done;
                }
                self.end_cell(self.open_cell());
                Again(token)
            }
            Token::EndTag { tag: BODY | CAPTION | COL | COLGROUP | HTML } => Done,
            Token::StartTag { tag, .. } if is_inner_part(tag) => {
                let cell = self.open_cell();
                if !self.has_in_table_scope(cell) {
                    return Done;
                }
                self.end_cell(cell);
                Again(token)
            }
            _ => self.in_body(token),
        }
    }

    fn open_cell(&self) -> u32 {
        match self.has_in_table_scope(TD) {
            true => TD,
            false => TH,
        }
    }

    fn end_cell(&mut self, cell: u32) {
        self.imply_end_tags(0);
        self.pop_until(cell);
        self.clear_to_marker();
        self.mode = Mode::InRow;
    }
}

/// Return whether a tag is a part of a table that stands in it.
fn is_inner_part(tag: u32) -> bool {
    matches!(
        tag,
        CAPTION | COL | COLGROUP | TBODY | TD | TFOOT | TH | THEAD | TR
    )
}

