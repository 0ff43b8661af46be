"""The documents that the real engines search: pages of Debian's documentation packages,
as they are installed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

PACKAGES = ("debian-policy", "developers-reference", "debian-faq", "aptitude-doc-en")
LARGEST = 150_000  # bytes; the few pages that hold a whole book cost most of the time to index


def installed_pages(package: str) -> list[Path]:
    """The HTML pages of a package, by the list that dpkg keeps."""
    listed = subprocess.run(
        ["dpkg", "-L", package], capture_output=True, check=False, encoding="utf-8"
    ).stdout
    paths = sorted(Path(line) for line in listed.splitlines() if line.endswith(".html"))
    return [path for path in paths if path.is_file() and not path.is_symlink()]


def missing_documents() -> list[str]:
    """Packages whose pages are not on this machine."""
    return [package for package in PACKAGES if not installed_pages(package)]


def copy_corpus(folder: Path) -> Path:
    """Copy the pages to `folder/PACKAGE/NAME.html`. Pages that say nothing but the long
    description of a picture stay out.
    """
    for package in PACKAGES:
        target = folder / package
        target.mkdir(parents=True)
        for page in installed_pages(package):
            if page.stat().st_size <= LARGEST and not page.name.startswith("ld-"):
                shutil.copy2(page, target / page.name)
    return folder
