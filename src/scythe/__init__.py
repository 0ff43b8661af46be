"""Scythe turns web pages into clean content and structured records, with no selector written by hand."""

from scythe.content.document import Document
from scythe.content.extract import extract
from scythe.content.many import extract_many
from scythe.content.status import Status
from scythe.errors import ScytheError
from scythe.tree import Limits, Tree, parse

__all__ = ["Document", "Limits", "ScytheError", "Status", "Tree", "extract", "extract_many", "parse"]
