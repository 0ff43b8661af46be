"""What a page says about itself, with the source of each statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scythe.tree.tree import Tree


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself. `sources` tells where each value was found."""

    title: str | None = None
    author: str | None = None
    published: str | None = None
    modified: str | None = None
    language: str | None = None
    site_name: str | None = None
    description: str | None = None
    image: str | None = None
    canonical_url: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, absent values as None."""
        return {}


def read_metadata(tree: Tree, url: str | None = None) -> Metadata:
    """To be written."""
    return Metadata()
