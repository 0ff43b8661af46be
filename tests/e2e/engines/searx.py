"""searx as Debian packages it: its own loader and its own `xpath` engine read the
settings that Scythe exports.

SearXNG, which grew out of searx and took over its `xpath` engine, is in no package.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

PYTHON = "/usr/bin/python3"
PACKAGE = Path("/usr/lib/python3/dist-packages/searx/engines/xpath.py")
_SCRIPT = r"""
import json, sys, requests, yaml

settings, query, page = sys.argv[1], sys.argv[2], int(sys.argv[3])
from searx import engines

rows = []
with open(settings, encoding="utf-8") as file:
    exported = yaml.safe_load(file)["engines"]
for engine in engines.load_engines(exported).values():
    params = dict(pageno=page, safesearch=0, language="all", cookies={}, headers={})
    params = engine.request(query, params)
    if not (params["url"].startswith("https://") or engine.enable_http):
        continue
    answer = requests.get(params["url"], headers=params["headers"], allow_redirects=False)
    rows += engine.response(answer)
print(json.dumps(rows))
"""
_SETTINGS = """
general: {debug: false, instance_name: test}
search: {safe_search: 0, autocomplete: "", default_lang: ""}
server: {secret_key: test, base_url: false, port: 1, bind_address: 127.0.0.1}
ui: {default_theme: oscar, themes: [oscar], default_locale: "", static_path: "", templates_path: ""}
outgoing: {request_timeout: 20.0, useragent_suffix: "", pool_connections: 2, pool_maxsize: 2}
engines: []
locales: {en: English}
"""


def missing_searx() -> str | None:
    """Return why searx cannot run on this machine, with the command that helps."""
    return None if PACKAGE.is_file() else "searx needs: apt-get install searx"


def searx_rows(settings: str, query: str, page: int = 1) -> list[dict[str, Any]]:
    """Return what searx reads with exported settings. Queries are of one word: this
    version writes two of them wrongly into addresses.
    """
    with tempfile.TemporaryDirectory(prefix="searx-") as folder:
        exported, own = Path(folder, "exported.yml"), Path(folder, "settings.yml")
        exported.write_text(settings, encoding="utf-8")
        own.write_text(_SETTINGS, encoding="utf-8")
        done = subprocess.run(
            [PYTHON, "-c", _SCRIPT, exported, query, str(page)],
            env={"SEARX_SETTINGS_PATH": str(own), "PATH": "/usr/bin:/bin"},
            cwd=folder,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=120,
        )
    if done.returncode:
        raise RuntimeError(done.stderr[-800:])
    rows: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return rows
