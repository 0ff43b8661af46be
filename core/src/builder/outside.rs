//! Insertion modes of templates and framesets, and those after the body.

use super::Flow::{self, Again, Done};
use super::{Builder, Mode};
use crate::dom::{Kind, DOCUMENT};
use crate::tables::tag;
use crate::tokenizer::{Content, Token};

impl Builder<'_> {
    pub fn start_template(&mut self) {
        let id = self.insert_html(tag::TEMPLATE);
        let content = self.dom.add(Kind::Fragment);
        self.dom.append(id, content);
        self.push(id);
        self.add_marker();
        self.template_modes.push(Mode::InTemplate);
        self.mode = Mode::InTemplate;
    }

    pub fn end_template(&mut self) {
        if !self.is_tag_open(tag::TEMPLATE) {
            return;
        }
        self.imply_end_tags(0);
        self.pop_until(tag::TEMPLATE);
        self.clear_to_marker();
        self.template_modes.pop();
        self.mode = self.appropriate_mode();
    }

    pub fn in_template(&mut self, token: Token) -> Flow {
        use tag::*;
        let tag = match token {
            Token::StartTag { tag, .. } => tag,
            Token::EndTag { .. } => return Done,
            _ => return self.in_body(token),
        };
        if self.head_content(tag) {
            return Done;
        }
        let mode = match tag {
            CAPTION | COLGROUP | TBODY | TFOOT | THEAD => Mode::InTable,
            COL => Mode::InColumnGroup,
            TR => Mode::InTableBody,
            TD | TH => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(last) = self.template_modes.last_mut() {
            *last = mode;
        }
        self.mode = mode;
        Again(token)
    }

    pub fn in_frameset(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(span) => self.insert_spaces(span),
            Token::Comment => self.insert_comment(),
            Token::StartTag { tag: tag::FRAMESET, .. } => {
                self.open_html(tag::FRAMESET);
            }
            Token::StartTag { tag: tag::FRAME, .. } => {
                self.insert_html(tag::FRAME);
            }
            Token::StartTag { tag: tag::NOFRAMES, .. } => {
                self.open_text(tag::NOFRAMES, Content::Raw);
            }
            Token::EndTag { tag: tag::FRAMESET } => {
                if self.current_tag() != tag::HTML {
                    self.pop();
                }
                if self.current_tag() != tag::FRAMESET {
                    self.mode = Mode::AfterFrameset;
                }
            }
            _ => {}
        }
        Done
    }

    pub fn after_frameset(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(span) => self.insert_spaces(span),
            Token::Comment => self.insert_comment(),
            Token::StartTag { tag: tag::NOFRAMES, .. } => {
                self.open_text(tag::NOFRAMES, Content::Raw);
            }
            Token::EndTag { tag: tag::HTML } => self.mode = Mode::AfterAfterFrameset,
            _ => {}
        }
        Done
    }

    pub fn after_after_frameset(&mut self, token: Token) -> Flow {
        match token {
            Token::Text(span) => self.insert_spaces(span),
            Token::Comment => self.insert_comment_in(DOCUMENT),
            Token::StartTag { tag: tag::HTML, .. } => self.merge_attributes(self.open[0].id),
            Token::StartTag { tag: tag::NOFRAMES, .. } => {
                self.open_text(tag::NOFRAMES, Content::Raw);
            }
            _ => {}
        }
        Done
    }

    pub fn after_body(&mut self, token: Token) -> Flow {
        match token {
            Token::Comment => {
                self.insert_comment_in(self.open[0].id);
                Done
            }
            Token::Text(span) if self.is_space(span) => self.in_body(token),
            Token::EndTag { tag: tag::HTML } => {
                self.mode = Mode::AfterAfterBody;
                Done
            }
            _ => {
                self.mode = Mode::InBody;
                Again(token)
            }
        }
    }

    pub fn after_after_body(&mut self, token: Token) -> Flow {
        match token {
            Token::Comment => {
                self.insert_comment_in(DOCUMENT);
                Done
            }
            Token::Text(span) if self.is_space(span) => self.in_body(token),
            _ => {
                self.mode = Mode::InBody;
                Again(token)
            }
        }
    }
}
