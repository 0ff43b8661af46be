"""A wrapper as an entry for SearXNG's `xpath` engine."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from scythe.errors import UsageError
from scythe.wrappers.export.record_paths import head_path, record_path
from scythe.wrappers.export.xpath import paths_by_name
from scythe.wrappers.rule import LocatedRule, Rule
from scythe.wrappers.wrapper import Wrapper

_PAGE_PARAMETER = re.compile(r"(?<!\w)\w++(?==\{pageno\})")
_OFFSET = re.compile(r"start|offset|from|ofs|skip|begin|first|topdoc", re.IGNORECASE)
"""Parameters that take the number of the first record, not that of the page."""

_ENGINE_NAME = re.compile(r"[^_]+")
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_KNOWN_PLACEHOLDERS = {"query", "pageno", "lang", "time_range", "safe_search"}
_NOT_PLAIN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that JSON writes as they are, and YAML only as escapes."""
_FORM_HEADERS = {"Content-Type": "application/x-www-form-urlencoded"}

SearxngEntry = dict[str, Any]
"""The settings of one engine."""


def searxng(wrapper: Wrapper, name: str, search_url: str) -> str:
    """Return the entry for the `engines:` list of SearXNG's settings.

    `search_url` has `{query}` where the words go and, if the engine has several pages,
    `{pageno}` where their number goes.
    """
    return searxng_settings([searxng_entry(wrapper, name, search_url)])


def searxng_entry(
    wrapper: Wrapper, name: str, search_url: str, body: str | None = None
) -> SearxngEntry:
    """Return the settings of one engine; `body` is what is posted, with `{query}` in it.

    Records without a link or a title are left out: SearXNG would refuse the whole page
    for one of them.
    """
    _require_name(name)
    _require_placeholders(search_url if body is None else body)
    paths = paths_by_name(wrapper)
    link = paths.get("link", ".//a[@href]/@href")
    title = paths.get("title", ".//a[@href][normalize-space()]")
    conditions = f"[{_condition(link)}][{_condition(title)}]"
    letters = re.sub(r"\W", "", name.lower())
    shortcut = letters[:6] or "engine"

    entry: SearxngEntry = {
        "name": name,
        "engine": "xpath",
        "shortcut": shortcut,
        "categories": "general",
        "search_url": search_url,
    }
    if search_url.lower().startswith("http://"):
        entry["enable_http"] = True
    if body is not None:
        entry["method"] = "POST"
        entry["request_body"] = body
        entry["headers"] = _FORM_HEADERS
    entry.update(_paging(wrapper, search_url))
    entry["results_xpath"] = _results_path(wrapper.rule) + conditions
    entry["url_xpath"] = _first(link)
    entry["title_xpath"] = _first(title)
    entry["content_xpath"] = _first(paths.get("snippet", "."))
    if "image" in paths:
        entry["thumbnail_xpath"] = _first(paths["image"])
    return entry


def _results_path(rule: Rule) -> str:
    """Return the path of the records; of records of several siblings, of the first."""
    if isinstance(rule, LocatedRule) and rule.runs:
        return head_path(rule)
    return record_path(rule)


def searxng_settings(entries: Sequence[SearxngEntry]) -> str:
    """Return entries as SearXNG's settings have them; JSON is YAML."""
    text = "engines:\n"
    for entry in entries:
        indent = "  - "
        for key, value in entry.items():
            text += f"{indent}{key}: {_yaml_source(value)}\n"
            indent = "    "
    return text


def _yaml_source(value: Any) -> str:
    """Return a value as JSON that every reader of YAML takes."""
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_PLAIN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _require_name(name: str) -> None:
    """Raise a `UsageError` where SearXNG would refuse a name."""
    if not _ENGINE_NAME.fullmatch(name) or not name.strip():
        raise UsageError(
            f"SearXNG cannot name an engine {name!r}. Give a name without underscores."
        )


def _require_placeholders(template: str) -> None:
    """Raise a `UsageError` where an address or body lacks `{query}`, or has what
    SearXNG does not know.
    """
    if "{query}" not in template:
        raise UsageError(
            "The search address must say where the words go. "
            "Put {query} in it: https://site.example/?q={query}"
        )
    unknown = set(_PLACEHOLDER.findall(template)) - _KNOWN_PLACEHOLDERS
    if unknown:
        raise UsageError(
            f"The search address has {{{min(unknown)}}}, which SearXNG does not know. "
            "Use {query} and {pageno}."
        )


def _paging(wrapper: Wrapper, search_url: str) -> dict[str, str | int | bool]:
    if "{pageno}" not in search_url:
        return {"paging": False}
    parameters = _PAGE_PARAMETER.findall(search_url)
    if not any(_OFFSET.search(parameter) for parameter in parameters):
        return {"paging": True, "first_page_num": 1}
    _, most_records = wrapper.expected.records
    return {
        "paging": True,
        "first_page_num": 0,
        "page_size": max(most_records, 1),
    }


def _first(path: str) -> str:
    """Return the path to one value only: SearXNG would join several."""
    return path if path == "." else f"({path})[1]"


def _condition(path: str) -> str:
    return path if path != "." else "normalize-space()"
