"""OpenSearch descriptions: documents by which a site tells programs how it is searched.

OpenSearch 1.1 (draft 6) and its older forms; only HTML results are of use here, since
JSON or RSS need no wrapper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import parse_qsl, urljoin, urlsplit
from xml.etree import ElementTree

from scythe.engines.forms.form import QUERY, Control, Form
from scythe.errors import NoSearchForm, UsageError
from scythe.tree.encoding import codec_of
from scythe.tree.links import base_url
from scythe.tree.tree import Tree

TYPE = "application/opensearchdescription+xml"
LONGEST = 1_000_000
"""Characters of a description; real ones have a few thousand."""
_PARAMETER = re.compile(r"\{([A-Za-z:]+)(\??)\}")
_DEFAULTS = {
    "count": "",
    "startIndex": "1",
    "startPage": "1",
    "language": "*",
    "inputEncoding": "UTF-8",
    "outputEncoding": "UTF-8",
    "source": "",
}
"""What parameters of a template are worth that a description gives no value for."""
TERMS = "searchTerms"


@dataclass(frozen=True, slots=True)
class Description:
    """What a site says of its search."""

    name: str
    form: Form


class Announced(NamedTuple):
    """A description that a page links to."""

    title: str
    url: str


def announced(tree: Tree, url: str) -> Iterator[Announced]:
    """The descriptions that a page links to."""
    base = base_url(tree, url)
    for node, rel in tree.with_attribute("rel").items():
        attributes = tree.attributes(node)
        if (
            "search" in rel.lower().split()
            and attributes.get("type", "").strip().lower() == TYPE
        ):
            try:
                address = urljoin(base, attributes.get("href", "").strip())
            except ValueError:
                continue
            if urlsplit(address).scheme in ("http", "https"):
                yield Announced(attributes.get("title", "").strip(), address)


def is_description(data: bytes) -> bool:
    """Whether a document is an OpenSearch description."""
    return (
        b"<OpenSearchDescription" in data[:4096]
        or b":OpenSearchDescription" in data[:4096]
    )


def read_description(data: bytes, url: str = "") -> Description:
    """The name and the form of a description. `url` is where it came from, which
    relative templates are relative to.
    """
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or len(data) > LONGEST:
        raise UsageError(
            "This OpenSearch description has a document type or is very long, which none needs. Give the page itself."
        )
    try:
        root = ElementTree.fromstring(data)  # noqa: S314 - without a document type there are no entities to expand
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise UsageError(
            f"This OpenSearch description is not XML ({error}). Give the page with the search form."
        ) from error
    name = next(
        (
            node.text.strip()
            for node in root.iter()
            if _local(node) == "ShortName" and node.text
        ),
        "",
    )
    encoding = next(
        (
            node.text.strip()
            for node in root.iter()
            if _local(node) == "InputEncoding" and node.text
        ),
        "utf-8",
    )
    for node in root.iter():
        if _local(node) == "Url" and _gives_html(node):
            form = _form(node, url, encoding if codec_of(encoding) else "utf-8")
            if form is not None:
                return Description(name, form)
    raise NoSearchForm(
        "This OpenSearch description names no address for HTML results. Give the page with the search form."
    )


def _local(node: ElementTree.Element) -> str:
    return node.tag.rpartition("}")[2] if isinstance(node.tag, str) else ""


def _gives_html(node: ElementTree.Element) -> bool:
    kind = node.get("type", "text/html").partition(";")[0].strip().lower()
    rel = node.get("rel", "results").lower().split()
    return kind in ("text/html", "application/xhtml+xml") and "results" in rel


def _form(node: ElementTree.Element, url: str, charset: str) -> Form | None:
    """The form of one `Url` element, None where its template takes no words or is no
    address.
    """
    template = _filled(node.get("template", "").strip(), node, charset)
    try:
        parts = urlsplit(urljoin(url, template) if url else template)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    pairs = [
        *parse_qsl(
            parts.query, keep_blank_values=True, encoding=codec_of(charset) or "utf-8"
        ),
        *_parameters(node, charset),
    ]
    method = "post" if node.get("method", "get").strip().lower() == "post" else "get"
    action = f"{parts.scheme}://{parts.netloc}{parts.path or '/'}"
    name = next((name for name, value in pairs if value == QUERY), "")
    if not name:
        return template_form(parts.geturl(), charset)
    controls = tuple(
        [Control(key, "" if key == name else value) for key, value in pairs]
    )
    return Form(action, name, method, controls, charset)


def template_form(template: str, charset: str = "utf-8") -> Form | None:
    """A form of an address with `{query}` in it, None where it has none."""
    return Form(template, "", charset=charset) if QUERY in template else None


def _parameters(node: ElementTree.Element, charset: str) -> list[tuple[str, str]]:
    """The `Param` elements of the parameter extension."""
    found = [child for child in node if _local(child) in ("Param", "Parameter")]
    return [
        (child.get("name", ""), _filled(child.get("value", ""), node, charset))
        for child in found
        if child.get("name")
    ]


def _filled(template: str, node: ElementTree.Element, charset: str) -> str:
    """A template in which only the words are left open."""
    defaults = _DEFAULTS | {
        "startIndex": node.get("indexOffset", "1"),
        "startPage": node.get("pageOffset", "1"),
        "inputEncoding": charset,
    }

    def value(found: re.Match[str]) -> str:
        if found[1] == TERMS:
            return QUERY
        return "" if found[2] else defaults.get(found[1], "")

    return _PARAMETER.sub(value, template)
