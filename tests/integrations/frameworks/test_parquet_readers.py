"""The recipes for other programs do what the documentation says, in the real programs."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest

from crawl import articles_warc

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
TABLES = ROOT / "docs" / "guides" / "tables.md"
SCALE = ROOT / "docs" / "scale.md"


def block(page: Path, module: str) -> str:
    """Return the Python of a page that imports a module."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (found,) = [
        code for code in blocks if re.search(rf"^(import|from) {module}", code, re.M)
    ]
    return found


def execute(code: str, folder: Path) -> None:
    script = folder / "recipe.py"
    script.write_text(code)
    environment = {**os.environ, "HF_HOME": str(folder / "hf"), "HF_HUB_OFFLINE": "1"}
    environment |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("module", ["duckdb", "polars", "datasets"])
def test_the_table_of_bulk_is_read(module: str, tmp_path: Path) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed")
    command = [sys.executable, "-m", "scythe", "bulk", str(EXAMPLES), "--workers", "1"]
    subprocess.run([*command, "-o", str(tmp_path / "pages.parquet")], check=True)
    execute(block(TABLES, module), tmp_path)


def test_spark_extracts_pages(tmp_path: Path) -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    html = (EXAMPLES / "harvest.html").read_text()
    pages = {"url": ["https://courier.example/barley"], "html": [html]}
    parquet.write_table(arrow.table(pages), tmp_path / "pages.parquet")
    execute(block(SCALE, "pyspark"), tmp_path)
    (row,) = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert (row["status"], row["title"][:3]) == ("ok", "Why")


def test_datatrove_reads_a_crawl(tmp_path: Path) -> None:
    pytest.importorskip("datatrove", reason="datatrove is not installed")
    (tmp_path / "crawl").mkdir()
    articles_warc(tmp_path / "crawl" / "one.warc.gz", 3)
    execute(block(SCALE, "datatrove"), tmp_path)
    lines: list[str] = []
    for path in (tmp_path / "out").glob("*.jsonl.gz"):
        lines += gzip.decompress(path.read_bytes()).decode().splitlines()
    assert len(lines) == 3
