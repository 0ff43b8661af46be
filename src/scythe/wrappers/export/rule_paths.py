"""The XPath of the records of a wrapper.

Other programs parse with libxml2, whose tree is not the browser's: it has no `tbody`
that the page does not write. So where a rule goes through a plain `tbody`, the XPath
goes with or without it.
"""

from __future__ import annotations

import re

from scythe.errors import UsageError
from scythe.wrappers.rule import ElementSelector, LocatedRule, Rule

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_HTML = ElementSelector("html")
_BODY = ElementSelector("tbody")


def literal(text: str) -> str:
    """A string as XPath writes it, which has no way to write a quote inside quotes of
    its kind.
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"


def element(tag: str) -> str:
    """A test for elements of a tag; names that XPath would take for something else are
    compared as text.
    """
    return tag if _NAME.fullmatch(tag) or tag == "*" else f"*[name()={literal(tag)}]"


def has_class(name: str) -> str:
    """A condition that an element has a class among others."""
    return (
        f"contains(concat(' ', normalize-space(@class), ' '), {literal(f' {name} ')})"
    )


def step(wanted: ElementSelector) -> str:
    """An element by tag, identity and classes."""
    identity = "" if wanted.identity is None else f"[@id={literal(wanted.identity)}]"
    classes = [f"[{has_class(name)}]" for name in wanted.classes]
    without = [f"[not({has_class(name)})]" for name in wanted.without]
    return element(wanted.tag) + identity + "".join(classes + without)


def heads(rule: LocatedRule) -> str:
    """The elements that records are or begin with."""
    record = step(rule.record) + (
        "" if rule.contains is None else f"[.//{step(rule.contains)}]"
    )
    if rule.path is None:
        return _anywhere_below(rule, record)
    chain = [rule.container, *map(ElementSelector, rule.path)]
    if _is_anything(rule.container) and not rule.runs:
        record = f"{record}[not(ancestor::{record}[{_upwards(chain)}])]"
    if _BODY in chain:
        return f"//{record}[{_upwards(chain)}]"
    start = "" if rule.container == _HTML else "/"
    return start + "".join(f"/{step(part)}" for part in chain) + f"/{record}"


def _anywhere_below(rule: LocatedRule, record: str) -> str:
    """Records at any depth, of which none is in another."""
    container = step(rule.container)
    if rule.container == _HTML:
        found, inside = f"//{record}", ""
    elif rule.container.tag == rule.record.tag:
        found, inside = (
            f"//{container}/descendant-or-self::{record}",
            f"[ancestor-or-self::{container}]",
        )
    else:
        found, inside = f"//{container}//{record}", f"[ancestor::{container}]"
    return found if rule.runs else f"{found}[not(ancestor::{record}{inside})]"


def _is_anything(container: ElementSelector) -> bool:
    """Whether a container may as well be inside a record, so that records could be in
    records.
    """
    return (
        container.identity is None
        and not container.classes
        and container.tag not in ("html", "body")
    )


def _upwards(chain: list[ElementSelector]) -> str:
    """The condition that the ancestors of an element are these, the nearest last; a
    plain `tbody` may be missing.
    """
    condition = ""
    place = 0
    while place < len(chain):
        inner = f"[{condition}]" if condition else ""
        above = chain[place]
        if above == _BODY:  # only as the container: its table is not named
            condition = "parent::tbody or parent::table"
        elif place + 1 < len(chain) and chain[place + 1] == _BODY:
            condition = (
                f"(parent::{step(above)} | parent::tbody/parent::{step(above)}){inner}"
            )
            place += 1
        else:
            condition = f"parent::{step(above)}{inner}"
        place += 1
    return condition


def record_path(rule: Rule) -> str:
    """The records of a rule as one XPath, or a `UsageError` where records are no
    elements.
    """
    if not isinstance(rule, LocatedRule):
        raise UsageError(
            "This wrapper cuts a page at separators, which XPath cannot do. Export it as a Scrapy spider, which can: --to scrapy."
        )
    if rule.runs:
        raise UsageError(
            "The records of this wrapper are runs of several elements, which XPath cannot give as one. "
            "Export it as a Scrapy spider, which can: --to scrapy."
        )
    return heads(rule)
