"""Every route of the app in one table, and what holds for each of them: names, origins,
tokens, forms, policies. A route that is not in the table fails the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from scythe.collect.catalogue import Collections
from scythe.store import Store
from scythe.web.app import create_app
from scythe.web.server.settings import Settings

TOKEN = "open sesame"
SETTINGS = Settings(host="192.0.2.7", port=80, token=TOKEN)
BEARER = {"authorization": f"Bearer {TOKEN}"}

ROUTES = """
    GET /
    GET /api
    GET /api/collections
    GET /api/collections/{name}
    GET /api/collections/{name}/annotations
    GET /api/collections/{name}/annotations/history
    GET /api/collections/{name}/export
    GET /api/collections/{name}/links
    GET /api/collections/{name}/progress
    GET /api/collections/{name}/records
    GET /api/collections/{name}/records/{id}
    GET /api/collections/{name}/review
    GET /api/collections/{name}/runs
    GET /api/engines
    GET /api/engines/adding/{number}
    GET /api/engines/{name:path}
    GET /api/engines/{name:path}/progress
    GET /api/jobs
    GET /api/openapi.json
    GET /api/search
    GET /collections
    GET /collections/add
    GET /collections/{name}
    GET /collections/{name}/annotate
    GET /collections/{name}/annotate/explain
    GET /collections/{name}/annotate/notices/{notice:int}
    GET /collections/{name}/annotate/slot
    GET /collections/{name}/annotate/unused
    GET /collections/{name}/export
    GET /collections/{name}/facets/{field}
    GET /collections/{name}/feed.json
    GET /collections/{name}/feed.rss
    GET /collections/{name}/links
    GET /collections/{name}/links/rule
    GET /collections/{name}/pages/{page:int}/frame
    GET /collections/{name}/pages/{page:int}/picture
    GET /collections/{name}/progress
    GET /collections/{name}/records
    GET /collections/{name}/records/{id}
    GET /collections/{name}/records/{id}/cook
    GET /collections/{name}/records/{id}/edit
    GET /collections/{name}/records/{id}/original
    GET /collections/{name}/records/{id}/picture
    GET /collections/{name}/remove
    GET /collections/{name}/review
    GET /collections/{name}/settings
    GET /engines
    GET /engines/add
    GET /engines/adding/{number}
    GET /engines/{name:path}
    GET /engines/{name:path}/picture
    GET /engines/{name:path}/progress
    GET /engines/{name:path}/remove
    GET /extract
    GET /extract/{key}
    GET /extract/{key}/file
    GET /extract/{key}/frame
    GET /extract/{key}/reading
    GET /records
    GET /search
    DELETE /api/collections/{name}
    DELETE /api/engines/{name:path}
    PUT /api/engines/{name:path}/weight
    POST /api/collections
    POST /api/collections/{name}/annotations
    POST /api/collections/{name}/annotations/preview
    POST /api/collections/{name}/annotations/redo
    POST /api/collections/{name}/annotations/undo
    POST /api/collections/{name}/review/accept
    POST /api/collections/{name}/run
    POST /api/collections/{name}/stop
    POST /api/engines
    POST /api/engines/{name:path}/check
    POST /api/engines/{name:path}/relearn
    POST /api/extract
    POST /api/extract/records
    POST /collections/add
    POST /collections/{name}/annotate
    POST /collections/{name}/annotate/accept
    POST /collections/{name}/annotate/notices
    POST /collections/{name}/annotate/preview
    POST /collections/{name}/annotate/undo
    POST /collections/{name}/links/rule
    POST /collections/{name}/links/rule/remove
    POST /collections/{name}/records/add
    POST /collections/{name}/records/{id}/edit
    POST /collections/{name}/records/{id}/hide
    POST /collections/{name}/remove
    POST /collections/{name}/review
    POST /collections/{name}/run
    POST /collections/{name}/searches
    POST /collections/{name}/searches/remove
    POST /collections/{name}/settings
    POST /collections/{name}/settings/notify
    POST /collections/{name}/settings/start
    POST /collections/{name}/stop
    POST /collections/{name}/suggestions
    POST /engines/add
    POST /engines/{name:path}/check
    POST /engines/{name:path}/relearn
    POST /engines/{name:path}/remove
    POST /engines/{name:path}/weight
    POST /extract
"""
TABLE = [tuple(line.split()) for line in ROUTES.strip().splitlines()]
CHANGING = [(method, path) for method, path in TABLE if method != "GET"]


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path: Path = tmp_path_factory.mktemp("routes") / "web.db"
    with Store.open(str(path)) as store:
        app = create_app(Collections(store), SETTINGS)
        with TestClient(
            app, base_url="http://192.0.2.7", raise_server_exceptions=False
        ) as client:
            yield client


def address(path: str) -> str:
    """Return an address that a route answers to, of something that is not there."""
    return re.sub(r"\{\w+(:\w+)?\}", "7", path)


def is_call(path: str) -> bool:
    return path.startswith("/api")


def test_the_table_has_every_route(visitor: TestClient) -> None:
    routes = visitor.app.routes  # type: ignore[attr-defined]
    there: set[tuple[str, str]] = set()
    for route in routes:
        if isinstance(route, Route):
            methods = (route.methods or set()) - {"HEAD"}
            there.update((method, route.path) for method in methods)
        else:
            assert isinstance(route, Mount)
            assert route.path == "/static"
    assert there == set(TABLE)


@pytest.mark.parametrize(("method", "path"), TABLE)
def test_a_route_is_guarded(visitor: TestClient, method: str, path: str) -> None:
    url = address(path)

    def ask(headers: dict[str, str], **sent: str) -> int:
        visitor.cookies.clear()
        content = sent.get("content")
        answer = visitor.request(method, url, headers=headers, content=content)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert re.search(r"frame-ancestors '(none|self)'", policy)
        assert "unsafe-eval" not in policy
        assert "script-src 'unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] != "public"
        return answer.status_code

    json = {"content-type": "application/json"}
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert ask({**BEARER, **json, "host": "evil.example"}) == 421
    assert ask({**BEARER, **json, "host": "192.0.2.7:80/static/"}) == 421
    if method == "GET":
        assert ask({}) == 401
        assert ask(BEARER) not in (401, 403, 421, 500)
        return
    assert ask({**json, "x": "y"}, content="{}") == 401
    for elsewhere in (
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ):
        assert ask({**BEARER, **json, **elsewhere}, content="{}") == 403
    assert ask({**BEARER, **form}, content="a=1") == 403
    assert ask({**BEARER, **form}, content="csrf=forged") == 403
    assert ask({**BEARER, "content-type": "text/plain"}, content="{}") == 415
    if is_call(path):
        assert ask({**BEARER, **json}, content="{") == 400 or "{" in path
        assert ask({**BEARER, **json}, content="{}") != 500
    else:
        assert ask(BEARER) == 403  # a form without a body has no token of ours
