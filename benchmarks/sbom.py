"""What an installation of Scythe consists of, as CycloneDX 1.5.

python -m benchmarks.sbom [--extra all] > sbom.json

Names, versions and licences are those of the packages in this environment that Scythe
needs, by its own requirements and theirs; nothing is asked of the network. With
`--check`, a licence that forbids use beside Apache-2.0 ends the program with an error.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

NAME = "webscythe"
REFUSED = re.compile(r"\b(AGPL|SSPL|BUSL|Commons Clause|proprietary)\b", re.IGNORECASE)
"""Licences that Scythe must not depend on."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", nargs="*", default=["all"])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    found = dependencies(NAME, frozenset(options.extra))
    json.dump(bill(found), sys.stdout, indent=1, ensure_ascii=False)
    print()
    refused = [name for name in found if REFUSED.search(licence(found[name]))]
    if options.check and refused:
        raise SystemExit(f"These have a licence that is refused: {', '.join(refused)}")


def dependencies(name: str, extras: frozenset[str]) -> dict[str, Distribution]:
    """Return the packages that a package needs and that are installed, itself first."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(canonicalize_name(name), extras)]
    while waiting:
        key = waiting.pop()
        if key in seen:
            continue
        seen.add(key)
        name, wanted = key
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system, or an extra left out
            continue
        found.setdefault(name, package)
        for line in package.requires or ():
            requirement = Requirement(line)
            if _applies(requirement, wanted):
                needed = canonicalize_name(requirement.name)
                waiting.append((needed, frozenset(requirement.extras)))
    return found


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    if marker is None:
        return True
    return any(marker.evaluate({"extra": extra}) for extra in extras | {""})


def licence(package: Distribution) -> str:
    """Return the licence that a package names, in its own words."""
    metadata: dict[str, Any] = package.metadata.json
    if metadata.get("license_expression"):
        return str(metadata["license_expression"])
    classifiers = metadata.get("classifier") or []
    names = [
        line.rpartition(" :: ")[2]
        for line in classifiers
        if line.startswith("License ::") and not line.endswith(":: OSI Approved")
    ]
    first_line = str(metadata.get("license") or "").strip().partition("\n")[0]
    return " AND ".join(names) or first_line[:80] or "not stated"


def bill(packages: dict[str, Distribution]) -> dict[str, Any]:
    """Return the document."""
    components = []
    for name, package in sorted(packages.items()):
        version = package.version
        components.append(
            {
                "type": "library",
                "bom-ref": f"pkg:pypi/{name}@{version}",
                "purl": f"pkg:pypi/{name}@{version}",
                "name": name,
                "version": version,
                "licenses": [{"license": {"name": licence(package)}}],
            }
        )
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "components": components}


if __name__ == "__main__":
    main()
