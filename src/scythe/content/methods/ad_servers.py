"""Known advertisement servers: which elements of a page come from one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from scythe.errors import UsageError
from scythe.tree.tree import Bools, Tree

_HOST = re.compile(r"(?:https?:)?//(?:[^/@?#]*@)?([^/:?#\s]+)", re.IGNORECASE)
_ADBLOCK = re.compile(
    r"\|\|([a-z0-9.-]+\.[a-z]{2,})\^?(?:\$[a-z0-9,~=_-]*)?$", re.IGNORECASE
)
_NAME = re.compile(
    r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AdServers:
    """A set of host names; each stands for itself and every host below it."""

    hosts: frozenset[str]

    @classmethod
    def read(cls, path: str | Path) -> AdServers:
        """Read a list of names, a hosts file (`0.0.0.0 name`) or an Adblock-style list
        (its `||name^` rules).
        """
        try:
            lines = (
                Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
            )
        except OSError as error:
            raise UsageError(
                f"Cannot read the list of ad servers {path}: {error.strerror}. Give a readable text file."
            ) from error
        hosts = frozenset(_host_names(lines))
        if not hosts:
            raise UsageError(
                f"{path} holds no host names. Give one name a line, a hosts file, or an Adblock-style list."
            )
        return cls(hosts)

    @classmethod
    def known(cls) -> AdServers:
        """The list that comes with Scythe."""
        return _known()

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
        """The elements whose `src` or `href` leads to one of the servers, with all
        below them.
        """
        roots = np.zeros(len(tree), dtype=bool)
        for name in ("src", "href"):
            for node, address in tree.with_attribute(name).items():
                if (found := _HOST.match(address)) and found.group(1) in self:
                    roots[node] = True
        return tree.below(roots)


@cache
def _known() -> AdServers:
    return AdServers(
        frozenset(
            _host_names(
                (files("scythe.content.methods") / "ad_servers.txt")
                .read_text("utf-8")
                .splitlines()
            )
        )
    )


def _host_names(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        if adblock := _ADBLOCK.match(line.strip()):
            yield adblock.group(1).lower()
            continue
        if line.startswith(("!", "[", "@@", "##")):
            continue
        words = line.partition("#")[0].split()
        yield from (
            word.lower()
            for word in words[-1:]
            if _NAME.fullmatch(word) and not word.replace(".", "").isdigit()
        )
