"""The XPath of the records of a wrapper.

Other programs parse with libxml2, whose tree is not the browser's: it has no `tbody`
that the page does not write. So where a rule goes through a plain `tbody`, the XPath
goes with or without it.
"""

from __future__ import annotations

import re

from scythe.errors import UsageError
from scythe.wrappers.rule import ANY_TAG, ANYWHERE, ElementSelector, LocatedRule, Rule

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_TBODY = ElementSelector("tbody")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no program with libxml2 takes in a path."""


def literal(text: str) -> str:
    """Return a string as XPath writes it, which has no way to write a quote inside
    quotes of its kind. What XML cannot hold, and what follows it, is left out.
    """
    text = _NO_XML.split(text, maxsplit=1)[0]
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = [f"'{part}'" for part in text.split("'")]
    arguments = ', "\'", '.join(parts)
    return f"concat({arguments})"


def element_test(tag: str) -> str:
    """Return a test for elements of a tag; names that XPath would take for something
    else are compared as text.
    """
    if tag == ANY_TAG or _NAME.fullmatch(tag):
        return tag
    return f"*[name()={literal(tag)}]"


def has_class(name: str) -> str:
    """Return a condition that an element has a class among others; of a name that XML
    cannot hold, that it has one at all.
    """
    if _NO_XML.search(name):
        return "@class"
    classes = "concat(' ', normalize-space(@class), ' ')"
    spaced_name = literal(f" {name} ")
    return f"contains({classes}, {spaced_name})"


def selector_test(selector: ElementSelector) -> str:
    """Return a test for elements by tag, identity and classes."""
    test = element_test(selector.tag)
    if selector.identity is not None:
        is_known = not _NO_XML.search(selector.identity)
        test += f"[@id={literal(selector.identity)}]" if is_known else "[@id]"
    for name in selector.classes:
        test += f"[{has_class(name)}]"
    for name in selector.without:
        test += f"[not({has_class(name)})]"
    return test


def head_path(rule: LocatedRule) -> str:
    """Return the XPath of the elements that records are or begin with."""
    record = selector_test(rule.record)
    if rule.contains is not None:
        record += f"[.//{selector_test(rule.contains)}]"
    if rule.path is None:
        return _path_at_any_depth(rule, record)

    path = map(ElementSelector, rule.path)
    ancestors = [rule.container, *path]
    condition = _ancestor_condition(ancestors)
    if _may_be_in_record(rule.container) and not rule.runs:
        record = f"{record}[not(ancestor::{record}[{condition}])]"
    if _TBODY in ancestors:
        return f"//{record}[{condition}]"
    start = "" if rule.container == ANYWHERE else "/"
    steps = "".join(f"/{selector_test(ancestor)}" for ancestor in ancestors)
    return f"{start}{steps}/{record}"


def _path_at_any_depth(rule: LocatedRule, record: str) -> str:
    """Return the XPath of records at any depth, of which none is in another."""
    container = selector_test(rule.container)
    if rule.container == ANYWHERE:
        path = f"//{record}"
        inside = ""
    elif rule.container.tag == rule.record.tag:
        path = f"//{container}/descendant-or-self::{record}"
        inside = f"[ancestor-or-self::{container}]"
    else:
        path = f"//{container}//{record}"
        inside = f"[ancestor::{container}]"
    if rule.runs:
        return path
    return f"{path}[not(ancestor::{record}{inside})]"


def _may_be_in_record(container: ElementSelector) -> bool:
    """Return whether a container may as well be inside a record, so that records could
    be in records.
    """
    if container.identity is not None or container.classes:
        return False
    return container.tag not in ("html", "body")


def _ancestor_condition(ancestors: list[ElementSelector]) -> str:
    """Return the condition that the ancestors of an element are these, the nearest
    last; a plain `tbody` may be missing.
    """
    condition = ""
    index = 0
    while index < len(ancestors):
        inner = f"[{condition}]" if condition else ""
        ancestor = ancestors[index]
        following = ancestors[index + 1 : index + 2]
        parent = f"parent::{selector_test(ancestor)}"
        if ancestor == _TBODY:  # only as the container: its table is not named
            condition = "parent::tbody or parent::table"
        elif following == [_TBODY]:
            condition = f"({parent} | parent::tbody/{parent}){inner}"
            index += 1
        else:
            condition = f"{parent}{inner}"
        index += 1
    return condition


def record_path(rule: Rule) -> str:
    """Return the records of a rule as one XPath, or raise a `UsageError` where records
    are no elements.
    """
    if not isinstance(rule, LocatedRule):
        raise UsageError(
            "This wrapper cuts a page at separators, which XPath cannot do. "
            "Export it as a Scrapy spider, which can: --to scrapy."
        )
    if rule.runs:
        raise UsageError(
            "The records of this wrapper are runs of several elements, which XPath "
            "cannot give as one. Export it as a Scrapy spider, which can: --to scrapy."
        )
    return head_path(rule)
