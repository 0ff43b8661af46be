"""What users of other tools write today runs, in the real packages: the left side of
docs/coming-from.md.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
TOOLS = re.findall(r"```py\n((?:from|import) (\w+).*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize(("code", "tool"), TOOLS, ids=[tool for _, tool in TOOLS])
def test_code_of_other_tools_runs(
    code: str, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(tool, reason=f"{tool} is not installed")
    monkeypatch.chdir(ROOT / "examples")
    namespace: dict[str, Any] = {}
    beginning = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert beginning is not None
    exec(beginning.group(1), namespace)
    exec(code, namespace)
    assert {"titles", "title", "text"} & namespace.keys()
