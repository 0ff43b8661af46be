"""Scythe turns web pages into clean content and structured records, with no selector
written by hand.

The names here are the public interface; everything else may move from version to version,
but for `scythe.bulk`, `scythe.errors`, `scythe.sources` and `scythe.wrappers.export`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scythe.errors import ScytheError

if TYPE_CHECKING:
    from scythe.collect.collection import Collection
    from scythe.content.document import Document
    from scythe.content.extract import extract
    from scythe.content.many import extract_many
    from scythe.content.options import ExtractOptions
    from scythe.content.status import Status
    from scythe.engines.engine import Engine
    from scythe.engines.metasearch.search import search
    from scythe.engines.registry.registry import Registry
    from scythe.sections.record import Record
    from scythe.templates.clusters.clusters import Clusters
    from scythe.templates.page_records import read_page
    from scythe.templates.suggestions.suggestions import suggest
    from scythe.templates.template.template import Template
    from scythe.tree import Limits, Tree, parse
    from scythe.wrappers.find import records
    from scythe.wrappers.learn import learn
    from scythe.wrappers.record import Records
    from scythe.wrappers.wrapper import Wrapper

__all__ = [
    "Clusters",
    "Collection",
    "Document",
    "Engine",
    "ExtractOptions",
    "Limits",
    "Record",
    "Records",
    "Registry",
    "ScytheError",
    "Status",
    "Template",
    "Tree",
    "Wrapper",
    "extract",
    "extract_many",
    "learn",
    "parse",
    "read_page",
    "records",
    "search",
    "suggest",
]

_MODULES = {
    "Clusters": "templates.clusters.clusters",
    "Collection": "collect.collection",
    "Document": "content.document",
    "Engine": "engines.engine",
    "ExtractOptions": "content.options",
    "Limits": "tree",
    "Record": "sections.record",
    "Records": "wrappers.record",
    "Registry": "engines.registry.registry",
    "Status": "content.status",
    "Template": "templates.template.template",
    "Tree": "tree",
    "Wrapper": "wrappers.wrapper",
    "extract": "content.extract",
    "extract_many": "content.many",
    "learn": "wrappers.learn",
    "parse": "tree",
    "read_page": "templates.page_records",
    "records": "wrappers.find",
    "search": "engines.metasearch.search",
    "suggest": "templates.suggestions.suggestions",
}
"""Where a name is that is loaded when it is first used: a program that reads its help, or
extracts content, need not wait for records, templates and search engines.
"""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"scythe.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
