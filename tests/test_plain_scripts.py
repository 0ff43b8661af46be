"""Collections and bulk jobs run from a plain script, without a `__main__` guard."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from growing_site import GrowingSite, Served

pytestmark = pytest.mark.slow

SCRIPT = """
import sys
from scythe.collect.collection import Collection

print("started")
with Collection.add(sys.argv[1], "kitchen", "recipe", db=sys.argv[2]) as collection:
    collection.run()
    print(sum(collection.counts().values()), "records")
"""


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "collect_recipes.py"
    script.write_text(SCRIPT)
    site = GrowingSite()
    site.grow(1, 6)
    with Served(site) as served:
        command = [sys.executable, str(script), f"{served.url}/"]
        database = f"sqlite:///{tmp_path / 'scythe.db'}"
        result = subprocess.run([*command, database], capture_output=True, text=True)
    assert result.stdout.splitlines() == ["started", "6 records"], result.stderr


BULK_SCRIPT = """
import sys
from pathlib import Path
from scythe.bulk import BulkOptions, Documents, run

print("started")
run([sys.argv[1]], Path(sys.argv[2]), Documents(), BulkOptions(workers=1))
"""


def test_a_bulk_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "extract_pages.py"
    script.write_text(BULK_SCRIPT)
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "barley.html").write_text("<title>Barley</title><p>It is cut at dawn.</p>")
    command = [sys.executable, str(script), str(pages), str(tmp_path / "out.jsonl")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.stdout.splitlines() == ["started"], result.stderr
    assert "cut at dawn" in (tmp_path / "out.jsonl").read_text()
