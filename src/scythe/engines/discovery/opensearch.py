"""OpenSearch descriptions: documents that describe to programs how a site is searched.

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

from scythe.engines.forms.form import QUERY, Control, SearchForm, template_form
from scythe.errors import NoSearchForm, UsageError
from scythe.tree.encoding import codec_of
from scythe.tree.links import page_base_url
from scythe.tree.tree import Tree

CONTENT_TYPE = "application/opensearchdescription+xml"
HTML_TYPES = ("text/html", "application/xhtml+xml")
LONGEST_DESCRIPTION = 1_000_000
"""Bytes of a description: an arbitrary cap against hostile pages, since real ones have
a few thousand.
"""
SEARCH_TERMS = "searchTerms"
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
"""The values of template parameters that a description gives no value for."""


@dataclass(frozen=True, slots=True)
class Description:
    """A site's description of its search."""

    name: str
    form: SearchForm


class DescriptionLink(NamedTuple):
    """A description that a page links to."""

    title: str
    url: str


def description_links(tree: Tree, url: str) -> Iterator[DescriptionLink]:
    """Yield the descriptions that a page links to."""
    base = page_base_url(tree, url)
    for node, rel in tree.with_attribute("rel").items():
        attributes = tree.attributes(node)
        content_type = attributes.get("type", "").strip().lower()
        if "search" not in rel.lower().split() or content_type != CONTENT_TYPE:
            continue
        try:
            address = urljoin(base, attributes.get("href", "").strip())
        except ValueError:
            continue
        if urlsplit(address).scheme in ("http", "https"):
            yield DescriptionLink(attributes.get("title", "").strip(), address)


def is_description(data: bytes) -> bool:
    """Return whether a document is an OpenSearch description."""
    head = data[:4096]
    return b"<OpenSearchDescription" in head or b":OpenSearchDescription" in head


def parse_description(data: bytes, url: str = "") -> Description:
    """Return the name and the form of a description.

    `url` is where it came from, which relative templates are relative to.
    """
    has_document_type = b"<!DOCTYPE" in data or b"<!ENTITY" in data
    if has_document_type or len(data) > LONGEST_DESCRIPTION:
        raise UsageError(
            "This OpenSearch description has a document type or is very long, which"
            " none needs. Give the page itself."
        )
    try:
        # Without a document type there are no entities to expand.
        root = ElementTree.fromstring(data)  # noqa: S314
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise UsageError(
            f"This OpenSearch description is not XML ({error})."
            " Give the page with the search form."
        ) from error

    charset = _first_text(root, "InputEncoding") or "utf-8"
    if not codec_of(charset):
        charset = "utf-8"
    for element in root.iter():
        if _local_name(element) == "Url" and _gives_html(element):
            form = _url_form(element, url, charset)
            if form is not None:
                return Description(_first_text(root, "ShortName"), form)
    raise NoSearchForm(
        "This OpenSearch description names no address for HTML results."
        " Give the page with the search form."
    )


def _local_name(element: ElementTree.Element) -> str:
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2]


def _first_text(root: ElementTree.Element, name: str) -> str:
    """Return the text of the first element of a name that has any."""
    for element in root.iter():
        if _local_name(element) == name and element.text:
            return element.text.strip()
    return ""


def _gives_html(element: ElementTree.Element) -> bool:
    declared = element.get("type", "text/html")
    content_type = declared.partition(";")[0].strip().lower()
    relations = element.get("rel", "results").lower().split()
    return content_type in HTML_TYPES and "results" in relations


def _url_form(
    element: ElementTree.Element, url: str, charset: str
) -> SearchForm | None:
    """Return the form of one `Url` element.

    None where its template takes no query or is no address.
    """
    declared = element.get("template", "").strip()
    template = _fill_template(declared, element, charset)
    try:
        parts = urlsplit(urljoin(url, template) if url else template)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None

    codec = codec_of(charset) or "utf-8"
    pairs = parse_qsl(parts.query, keep_blank_values=True, encoding=codec)
    pairs += _extension_parameters(element, charset)
    query_names = [name for name, value in pairs if value == QUERY]
    if not query_names or not query_names[0]:
        return template_form(parts.geturl(), charset)

    query_name = query_names[0]
    controls = []
    for name, value in pairs:
        own_value = "" if name == query_name else value
        controls.append(Control(name, own_value))
    declared_method = element.get("method", "get").strip().lower()
    method = "post" if declared_method == "post" else "get"
    path = parts.path or "/"
    action = f"{parts.scheme}://{parts.netloc}{path}"
    return SearchForm(action, query_name, method, tuple(controls), charset)


def _extension_parameters(
    element: ElementTree.Element, charset: str
) -> list[tuple[str, str]]:
    """Return the `Param` elements of the parameter extension."""
    pairs = []
    for child in element:
        name = child.get("name")
        if name and _local_name(child) in ("Param", "Parameter"):
            value = _fill_template(child.get("value", ""), element, charset)
            pairs.append((name, value))
    return pairs


def _fill_template(template: str, element: ElementTree.Element, charset: str) -> str:
    """Return a template in which only the query is left open."""
    values = _DEFAULTS | {
        "startIndex": element.get("indexOffset", "1"),
        "startPage": element.get("pageOffset", "1"),
        "inputEncoding": charset,
    }

    def parameter_value(parameter: re.Match[str]) -> str:
        name = parameter[1]
        if name == SEARCH_TERMS:
            return QUERY
        is_optional = bool(parameter[2])
        return "" if is_optional else values.get(name, "")

    return _PARAMETER.sub(parameter_value, template)
