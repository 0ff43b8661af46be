"""Types that several operations of the API share."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

import msgspec

from scythe.web.api.route import Query

Count = Annotated[int, msgspec.Meta(ge=0)]
Url = Annotated[str, msgspec.Meta(description="An address of the web.")]
Fields = Annotated[dict[str, Any], msgspec.Meta(description="Values by field.")]


class PageQuery(Query):
    """Which page of a long list to return."""

    page: Annotated[
        int, msgspec.Meta(ge=1, le=10_000_000, description="The page, from 1.")
    ] = 1
    size: Annotated[
        int, msgspec.Meta(ge=1, le=1_000, description="Entries on a page.")
    ] = 100


class JobStep(msgspec.Struct):
    """A step of a job."""

    name: str
    detail: str
    done: Count
    total: Count


class JobAnswer(msgspec.Struct):
    """Work that goes on in the background."""

    job: str
    title: str
    state: str
    steps: list[JobStep]
    result: Any
    message: str
    started_at: datetime
    ended_at: datetime | None


class Removed(msgspec.Struct):
    """The name of what was removed."""

    removed: str
