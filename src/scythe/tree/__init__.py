"""The page as data."""

from scythe.tree.limits import Limits
from scythe.tree.parse import parse
from scythe.tree.tree import Tree

__all__ = ["Limits", "Tree", "parse"]
