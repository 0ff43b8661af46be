"""A wrapper as an entry for SearXNG's `xpath` engine."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from scythe.errors import UsageError
from scythe.wrappers.export.rule_paths import record_path
from scythe.wrappers.export.xpath import paths_by_name
from scythe.wrappers.wrapper import Wrapper

_PAGE_PARAMETER = re.compile(r"(?<!\w)\w++(?==\{pageno\})")
_OFFSET = re.compile(r"start|offset|from|ofs|skip|begin|first|topdoc", re.IGNORECASE)
"""Addresses that take the number of the first record, not that of the page."""

_NAME = re.compile(r"[^_]+")
_POSTED = {"Content-Type": "application/x-www-form-urlencoded"}

Entry = dict[str, Any]


def searxng(wrapper: Wrapper, name: str, search_url: str) -> str:
    """The entry for the `engines:` list of SearXNG's settings.

    `search_url` has `{query}` where the words go and, if the engine has several pages, `{pageno}` where their number goes.
    """
    return written([searxng_entry(wrapper, name, search_url)])


def searxng_entry(wrapper: Wrapper, name: str, search_url: str, body: str | None = None) -> Entry:
    """The settings of one engine; `body` is what is posted, with `{query}` in it.

    Records without a link or a title are left out: SearXNG would refuse the whole page for one of them.
    """
    _require(name, search_url if body is None else body)
    paths = paths_by_name(wrapper)
    link = paths.get("link", ".//a[@href]/@href")
    title = paths.get("title", ".//a[@href][normalize-space()]")
    entry: Entry = {
        "name": name,
        "engine": "xpath",
        "shortcut": re.sub(r"\W", "", name.lower())[:6] or "engine",
        "categories": "general",
        "search_url": search_url,
        **({} if body is None else {"method": "POST", "request_body": body, "headers": _POSTED}),
        **_paging(wrapper, search_url),
        "results_xpath": f"{record_path(wrapper.rule)}[{_condition(link)}][{_condition(title)}]",
        "url_xpath": _first(link),
        "title_xpath": _first(title),
        "content_xpath": _first(paths.get("snippet", ".")),
    }
    if "image" in paths:
        entry["thumbnail_xpath"] = _first(paths["image"])
    return entry


def written(entries: Sequence[Entry]) -> str:
    """Entries as SearXNG's settings have them; JSON is YAML."""
    text = "engines:\n"
    for entry in entries:
        lines = [f"    {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
        text += "\n".join([f"  - {lines[0].strip()}", *lines[1:]]) + "\n"
    return text


def _require(name: str, search_url: str) -> None:
    if not _NAME.fullmatch(name) or not name.strip():
        raise UsageError(f"SearXNG cannot name an engine {name!r}. Give a name without underscores.")
    if "{query}" not in search_url:
        raise UsageError("The search address must say where the words go. Put {query} in it: https://site.example/?q={query}")
    others = set(re.findall(r"\{(\w*)\}", search_url)) - {"query", "pageno", "lang", "time_range", "safe_search"}
    if others:
        raise UsageError(f"The search address has {{{min(others)}}}, which SearXNG does not know. Use {{query}} and {{pageno}}.")


def _paging(wrapper: Wrapper, search_url: str) -> dict[str, str | int | bool]:
    if "{pageno}" not in search_url:
        return {"paging": False}
    if any(map(_OFFSET.search, _PAGE_PARAMETER.findall(search_url))):
        return {"paging": True, "first_page_num": 0, "page_size": max(wrapper.expected.records[1], 1)}
    return {"paging": True, "first_page_num": 1}


def _first(path: str) -> str:
    """One value only: SearXNG would join several."""
    return path if path == "." else f"({path})[1]"


def _condition(path: str) -> str:
    return path if path != "." else "normalize-space()"
