//! SVG and MathML in a page.

use super::stack::is_foreign_boundary;
use super::{has, Builder};
use crate::categories::BREAKOUT;
use crate::dom::{Namespace, NodeId, NONE};
use crate::tables::tag;
use crate::tokenizer::{Span, Token};

impl Builder<'_> {
    /// Return whether a token is for `in_foreign_content` and not for the insertion mode.
    pub fn uses_foreign_rules(&self, token: Token) -> bool {
        use tag::*;
        let Some(&current) = self.open.last() else {
            return false;
        };
        if current.namespace == Namespace::Html {
            return false;
        }
        let start_tag = match token {
            Token::StartTag { tag, .. } => Some(tag),
            _ => None,
        };
        let is_text = matches!(token, Token::Text(_));
        if current.namespace == Namespace::MathMl {
            let holds_text = matches!(current.tag, MI | MO | MN | MS | MTEXT);
            let is_html = start_tag.is_some_and(|tag| !matches!(tag, MGLYPH | MALIGNMARK));
            if holds_text && (is_text || is_html) {
                return false;
            }
            if current.tag == ANNOTATION_XML && start_tag == Some(SVG) {
                return false;
            }
        }
        let is_html = start_tag.is_some() || is_text;
        !(is_html && self.holds_html(current.id))
    }

    /// Return whether an element of SVG or MathML holds HTML.
    fn holds_html(&self, id: NodeId) -> bool {
        let node = self.dom.node(id);
        match node.namespace {
            Namespace::Html => false,
            Namespace::Svg => is_foreign_boundary(node.tag, Namespace::Svg),
            Namespace::MathMl => node.tag == tag::ANNOTATION_XML && self.is_encoded_html(id),
        }
    }

    fn is_encoded_html(&self, id: NodeId) -> bool {
        let name = self.tokenizer.attribute_names.find(b"encoding");
        self.dom.attributes_of(id).iter().any(|attribute| {
            let value = self.tokenizer.bytes(attribute.value);
            Some(attribute.name) == name
                && (value.eq_ignore_ascii_case(b"text/html")
                    || value.eq_ignore_ascii_case(b"application/xhtml+xml"))
        })
    }

    /// Take a token in SVG or MathML; return false where it is for the insertion mode.
    pub fn in_foreign_content(&mut self, token: Token) -> bool {
        match token {
            Token::Text(span) => self.foreign_text(span),
            Token::Comment => self.insert_comment(),
            Token::Doctype { .. } | Token::End => {}
            Token::StartTag { tag, self_closing } => {
                if self.is_breakout(tag) {
                    self.leave_foreign_content();
                    return false;
                }
                let namespace = self.current_namespace();
                let id = self.insert_foreign(tag, namespace);
                if !self_closing {
                    self.push(id);
                }
            }
            Token::EndTag { tag: tag::BR | tag::P } => {
                self.leave_foreign_content();
                return false;
            }
            Token::EndTag { tag } => return self.foreign_end_tag(tag),
        }
        true
    }

    fn foreign_text(&mut self, span: Span) {
        self.note_frameset(span);
        let mut span = span;
        if self.has_zeros && self.tokenizer.bytes(span).contains(&0) {
            let text = String::from_utf8_lossy(self.tokenizer.bytes(span)).replace('\0', "\u{fffd}");
            span = Span {
                start: self.tokenizer.pool.len() as u32,
                len: text.len() as u32,
                in_pool: true,
            };
            self.tokenizer.pool.extend_from_slice(text.as_bytes());
        }
        self.insert_text(span);
    }

    fn is_breakout(&self, tag: u32) -> bool {
        let styles = |name: u32| {
            let name = self.tokenizer.attribute_names.get(name);
            matches!(name, b"color" | b"face" | b"size")
        };
        let attributes = &self.tokenizer.attributes;
        has(tag, BREAKOUT)
            || (tag == tag::FONT && attributes.iter().any(|attribute| styles(attribute.name)))
    }

    fn leave_foreign_content(&mut self) {
        while let Some(open) = self.open.last() {
            let holds_text = open.namespace == Namespace::MathMl
                && is_foreign_boundary(open.tag, open.namespace)
                && open.tag != tag::ANNOTATION_XML;
            if open.namespace == Namespace::Html || holds_text || self.holds_html(open.id) {
                return;
            }
            self.pop();
        }
    }

    fn foreign_end_tag(&mut self, tag: u32) -> bool {
        for index in (0..self.open.len()).rev() {
            let open = self.open[index];
            if open.namespace == Namespace::Html {
                return false;
            }
            if open.tag == tag {
                while self.open.len() > index {
                    self.pop();
                }
                return true;
            }
        }
        true
    }

    /// Insert `<svg>` or `<math>`.
    pub fn open_foreign(&mut self, tag: u32, namespace: Namespace, self_closing: bool) {
        self.reconstruct();
        let id = self.insert_foreign(tag, namespace);
        if !self_closing {
            self.push(id);
        }
    }

    fn insert_foreign(&mut self, tag: u32, namespace: Namespace) -> NodeId {
        for index in 0..self.tokenizer.attributes.len() {
            let name = self.tokenizer.attributes[index].name;
            self.tokenizer.attributes[index].name = self.adjusted_name(name, namespace);
        }
        self.insert(tag, namespace)
    }

    /// Return the name of an attribute as SVG or MathML writes it.
    fn adjusted_name(&mut self, name: u32, namespace: Namespace) -> u32 {
        let names = &mut self.tokenizer.attribute_names;
        let slot = 2 * name as usize + usize::from(namespace == Namespace::Svg);
        if slot >= self.adjusted_names.len() {
            self.adjusted_names.resize(slot + 1, NONE);
        }
        if self.adjusted_names[slot] == NONE {
            let adjusted = adjusted_attribute(names.get(name), namespace);
            self.adjusted_names[slot] =
                adjusted.map_or(name, |adjusted| names.intern(adjusted.as_bytes()));
        }
        self.adjusted_names[slot]
    }
}

fn adjusted_attribute(name: &[u8], namespace: Namespace) -> Option<&'static str> {
    let known: &[&str] = match namespace {
        Namespace::Html => &[],
        Namespace::MathMl => &["definitionURL"],
        Namespace::Svg => &SVG_ATTRIBUTES,
    };
    let mut adjusted = known.iter().copied();
    adjusted.find(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

/// Return the name of an SVG element as it is written: `linearGradient`.
pub fn adjusted_element(name: &[u8]) -> Option<&'static str> {
    let mut adjusted = SVG_ELEMENTS.iter().copied();
    adjusted.find(|known| known.as_bytes().eq_ignore_ascii_case(name))
}

#[rustfmt::skip]
static SVG_ATTRIBUTES: [&str; 58] = [
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode",
    "clipPathUnits", "diffuseConstant", "edgeMode", "filterUnits", "glyphRef",
    "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength", "keyPoints",
    "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight",
    "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves",
    "pathLength", "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX",
    "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio", "primitiveUnits",
    "refX", "refY", "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures",
    "specularConstant", "specularExponent", "spreadMethod", "startOffset", "stdDeviation",
    "stitchTiles", "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY",
    "textLength", "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector",
    "zoomAndPan",
];

#[rustfmt::skip]
static SVG_ELEMENTS: [&str; 37] = [
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion",
    "animateTransform", "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer",
    "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap",
    "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset",
    "fePointLight", "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence",
    "foreignObject", "glyphRef", "linearGradient", "radialGradient", "textPath",
];
