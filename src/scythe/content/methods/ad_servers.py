"""Known advertisement servers, and the elements of a page that come from one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from scythe.errors import UsageError
from scythe.tree.tree import Bools, Tree

_URL_HOST = re.compile(r"(?:https?:)?//(?:[^/@?#]*@)?([^/:?#\s]+)", re.IGNORECASE)
_ADBLOCK_RULE = re.compile(
    r"\|\|([a-z0-9.-]+\.[a-z]{2,})\^?(?:\$[a-z0-9,~=_-]*)?$", re.IGNORECASE
)
_HOST_NAME = re.compile(
    r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)+",
    re.IGNORECASE,
)
_OTHER_RULES = ("!", "[", "@@", "##")
"""How comments, headers, exceptions and hiding rules of an Adblock list begin."""


@dataclass(frozen=True, slots=True)
class AdServers:
    """A set of host names; each stands for itself and every host below it."""

    hosts: frozenset[str]

    @classmethod
    def read(cls, path: str | Path) -> AdServers:
        """Return the servers of a list of names, a hosts file (`0.0.0.0 name`) or an
        Adblock-style list (its `||name^` rules).
        """
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise UsageError(
                f"Cannot read the list of ad servers {path}: {error.strerror}. "
                "Give a readable text file."
            ) from error

        hosts = frozenset(_parse_host_names(text.splitlines()))
        if not hosts:
            raise UsageError(
                f"{path} holds no host names. Give one name a line, a hosts file, "
                "or an Adblock-style list."
            )
        return cls(hosts)

    @classmethod
    def known(cls) -> AdServers:
        """Return the list that comes with Scythe."""
        return _packaged_list()

    def __contains__(self, host: object) -> bool:
        if not isinstance(host, str):
            return False
        name = host.lower().rstrip(".")
        while name:
            if name in self.hosts:
                return True
            _, _, name = name.partition(".")
        return False

    def __or__(self, other: AdServers) -> AdServers:
        return AdServers(self.hosts | other.hosts)

    def served(self, tree: Tree) -> Bools:
        """Return the elements whose `src` or `href` leads to one of the servers, with
        all below them.
        """
        roots = np.zeros(len(tree), dtype=bool)
        for attribute in ("src", "href"):
            for node, address in tree.with_attribute(attribute).items():
                host = _URL_HOST.match(address)
                if host and host.group(1) in self:
                    roots[node] = True
        return tree.below(roots)


@cache
def _packaged_list() -> AdServers:
    file = files("scythe.content.methods") / "ad_servers.txt"
    lines = file.read_text("utf-8").splitlines()
    return AdServers(frozenset(_parse_host_names(lines)))


def _parse_host_names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        rule = _ADBLOCK_RULE.match(line.strip())
        if rule:
            yield rule.group(1).lower()
            continue
        if line.startswith(_OTHER_RULES):
            continue

        words = line.partition("#")[0].split()
        if not words:
            continue
        name = words[-1]
        is_address = name.replace(".", "").isdigit()
        if _HOST_NAME.fullmatch(name) and not is_address:
            yield name.lower()
