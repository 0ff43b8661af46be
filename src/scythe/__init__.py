"""Scythe turns web pages into clean content and structured records, with no selector
written by hand.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from scythe.content.document import Document
from scythe.content.extract import extract
from scythe.content.many import extract_many
from scythe.content.status import Status
from scythe.errors import ScytheError
from scythe.tree import Limits, Tree, parse

if TYPE_CHECKING:
    from scythe.engines.engine import Engine
    from scythe.engines.metasearch.search import search
    from scythe.templates.template.template import Template
    from scythe.wrappers.find import records
    from scythe.wrappers.learn import learn
    from scythe.wrappers.record import Record, Records
    from scythe.wrappers.wrapper import Wrapper

__all__ = [
    "Document",
    "Engine",
    "Limits",
    "Record",
    "Records",
    "ScytheError",
    "Status",
    "Template",
    "Tree",
    "Wrapper",
    "extract",
    "extract_many",
    "learn",
    "parse",
    "records",
    "search",
]

_LOADED_WHEN_ASKED_FOR = {
    "Engine": "engines.engine",
    "Record": "wrappers.record",
    "Records": "wrappers.record",
    "Template": "templates.template.template",
    "Wrapper": "wrappers.wrapper",
    "learn": "wrappers.learn",
    "records": "wrappers.find",
    "search": "engines.metasearch.search",
}
"""Names by module: a program that extracts content need not wait for records, templates
and search engines.
"""


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_ASKED_FOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"scythe.{_LOADED_WHEN_ASKED_FOR[name]}"), name)
