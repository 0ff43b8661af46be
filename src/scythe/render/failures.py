"""What can go wrong with a page in the browser, in words that say what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scythe.errors import BrowserCrashed, FetchError, NotHtml, RenderError, ScytheError

if TYPE_CHECKING:
    from playwright.async_api import Error, Response

_PAGE_TYPES = ("html", "xml", "text/plain")
_STATUS_ADVICE = {
    401: "The page needs a login.",
    403: "The site may refuse programs.",
    404: "There is no such page. Check the address.",
    429: "The site wants fewer requests. Wait, then try again.",
}
_NETWORK_ADVICE = {
    "ERR_NAME_NOT_RESOLVED": "the host name is unknown. "
    "Check the address and your connection.",
    "ERR_CONNECTION_REFUSED": "nothing answers there. Check the address and the port.",
    "ERR_INTERNET_DISCONNECTED": "there is no network. Check your connection.",
    "ERR_TOO_MANY_REDIRECTS": "it redirects without end. Check the address.",
    "ERR_BLOCKED_BY_CLIENT": "it leads to this machine or one of its network. "
    "If you mean that, name its own address.",
    "ERR_UNSAFE_PORT": "browsers open no page on that port. Check the address.",
}
_CLOSED = ("has been closed", "Connection closed", "Target closed")


def browser_crashed() -> BrowserCrashed:
    """Return the error that the browser is gone."""
    return BrowserCrashed(
        "The browser ended while it worked on the page. "
        "Try again: the next page gets a new one."
    )


def page_crashed() -> BrowserCrashed:
    """Return the error that the browser lives, but not the process of the page."""
    return BrowserCrashed(
        "The page made its process end, as for want of memory. "
        "Render it without scripts, or parse it."
    )


def first_message_line(error: Error) -> str:
    """Return what the driver gives as reason, without its log."""
    lines = error.message.strip().splitlines()
    return lines[0] if lines else "no reason given"


def render_error(error: Error, url: str | None) -> ScytheError:
    """Return what the driver's error means."""
    reason = first_message_line(error)
    if any(words in reason for words in _CLOSED):
        return browser_crashed()
    if "crashed" in reason:
        return page_crashed()
    if "Download is starting" in reason:
        return NotHtml(
            f"{url} is a download, not a web page. Give the address of a page."
        )
    if "net::ERR_" in reason:
        code = reason.partition("net::")[2].split()[0]
        advice = (
            f"the connection failed ({code}). Check the address, or try again later."
        )
        return FetchError(f"Cannot open {url}: {_NETWORK_ADVICE.get(code, advice)}")
    return RenderError(
        f"The browser could not show the page ({reason}). Try again, or parse it."
    )


def require_page_response(response: Response | None, url: str) -> None:
    """Refuse answers that are no page."""
    if response is None:
        return
    if response.status >= 400:
        answer = f"the server answered {response.status} {response.status_text}"
        usual_advice = "Try again later, or check the address."
        advice = _STATUS_ADVICE.get(response.status, usual_advice)
        raise FetchError(f"Cannot open {url}: {answer.rstrip()}. {advice}")

    content_type = response.headers.get("content-type", "text/html")
    declared = content_type.partition(";")[0]
    media_type = declared.strip().lower()
    if not any(known in media_type for known in _PAGE_TYPES):
        raise NotHtml(
            f"{url} is {media_type}, not a web page. "
            "If it is one after all, save it and give the file."
        )
