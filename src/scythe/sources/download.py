"""Requests over HTTP, with a bound on everything and a reason for every failure."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scythe.errors import FetchError, ScytheError
from scythe.sources.compression import is_truncated
from scythe.sources.deadline import Deadline
from scythe.sources.options import ReadOptions
from scythe.urls import is_web_url, require_public, site
from scythe.version import installed_version

if TYPE_CHECKING:
    import ssl

    import httpx2

DEFAULT_OPTIONS = ReadOptions()
ACCEPT = "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5"
_BY_BROWSER = "Open it in a browser, save the page, and give that file."
_STATUS_ADVICE = {
    401: f"The page needs a login. {_BY_BROWSER}",
    402: f"The page must be paid for. {_BY_BROWSER}",
    403: f"The site may refuse programs. {_BY_BROWSER}",
    404: "There is no such page. Check the address.",
    407: "The proxy needs a login. Set it in HTTPS_PROXY.",
    410: "The page was removed. An archived copy may exist.",
    429: "The site wants fewer requests. Wait, then try again with fewer at once.",
    451: "The page is withheld for legal reasons where you are.",
}


@contextmanager
def open_response(
    url: str,
    options: ReadOptions = DEFAULT_OPTIONS,
    accept: str = ACCEPT,
    check: Callable[[str], object] | None = None,
) -> Iterator[tuple[httpx2.Response, Deadline]]:
    """Yield what a server answers, for `read_body` to read. Whatever goes wrong is a
    `FetchError`.

    `check` is called with every address before it is asked for, those of redirects
    included; it raises where that is not allowed.
    """
    import httpx2

    def check_request(request: httpx2.Request) -> None:
        withhold_headers(request, url, options)
        if options.public_only:
            require_public(str(request.url))
        if check is not None and is_web_url(str(request.url)):
            check(str(request.url))

    require_http(url)
    deadline = Deadline(options.timeout, public_only=options.public_only)
    try:
        client = httpx2.Client(
            headers={
                "User-Agent": user_agent(options),
                "Accept": accept,
                **options.headers,
            },
            timeout=httpx2.Timeout(min(options.idle_timeout, options.timeout)),
            verify=tls_context(),
            follow_redirects=options.max_redirects > 0,
            max_redirects=options.max_redirects,
            event_hooks={"request": [check_request]},
        )
        tracing = {"trace": deadline.trace}
        with (
            deadline,
            client,
            client.stream("GET", url, extensions=tracing) as response,
        ):
            yield response, deadline
    except ScytheError:
        raise
    except (
        httpx2.HTTPError,
        httpx2.InvalidURL,
        httpx2.StreamError,
        OSError,
        ValueError,
    ) as error:
        reason = failure_reason(error, deadline, options)
        raise FetchError(f"Cannot fetch {url}: {reason}") from error


def withhold_headers(
    request: httpx2.Request, first_url: str, options: ReadOptions
) -> None:
    """Take the user's own headers out of a request that goes to another site than the
    first one, or goes there in the clear.
    """
    url = str(request.url)
    is_in_the_clear = first_url.startswith("https:") and url.startswith("http:")
    if site(url) == site(first_url) and not is_in_the_clear:
        return
    for name in options.private_headers:
        request.headers.pop(name, None)


_READING_CERTIFICATES = threading.Lock()


def tls_context() -> ssl.SSLContext:
    """Return the certificates that servers are checked by: read once a process, which
    takes longer than most requests. Many searches that begin at once wait for the first.
    """
    with _READING_CERTIFICATES:
        return _certificates()


@cache
def _certificates() -> ssl.SSLContext:
    import httpx2

    return httpx2.create_ssl_context()


def user_agent(options: ReadOptions) -> str:
    """Return the name given to web servers."""
    return options.user_agent or f"scythe/{installed_version()}"


def require_http(url: str) -> None:
    """Refuse what is no address of the web."""
    scheme, separator, rest = url.partition("://")
    if not separator or scheme.lower() not in ("http", "https"):
        raise FetchError(
            f"Cannot fetch {url}: only http and https addresses can be fetched. "
            "For a file, give its path."
        )
    if not rest.strip("/"):
        raise FetchError(f"Cannot fetch {url}: it names no host. Check the address.")
    try:
        location = urlsplit(url)
    except ValueError as error:
        raise FetchError(
            f"Cannot fetch {url}: the address is not valid ({error}). Check it."
        ) from error
    try:
        _ = location.port
    except ValueError as error:
        # What stands there may be a password: the message does not repeat it.
        raise FetchError(
            f"Cannot fetch {url}: the address is not valid (its port is no number up to "
            "65535). Check it; in a password write / as %2F."
        ) from error


def read_body(response: httpx2.Response, deadline: Deadline, size: int) -> bytes:
    """Return the body of an answer, or its first `size` bytes. A body that ends early
    is an error.

    Where the server declares no length, the end of the connection is the end of the
    body, also where the deadline made it.
    """
    encoding = response.headers.get("Content-Encoding", "")
    has_length = response.headers.keys() & {"content-length", "transfer-encoding"}
    if not encoding or has_length:
        return _read_in_time(response, response.iter_bytes(), deadline, size)
    packed = _read_in_time(response, response.iter_raw(), deadline, size)
    unpacked = _unpack_whole(response, packed, encoding, size)
    return b"".join(first_bytes(unpacked, size))


def _read_in_time(
    response: httpx2.Response,
    chunks: Iterator[bytes],
    deadline: Deadline,
    size: int,
) -> bytes:
    """Return the first `size` bytes. It is an error if the deadline cut what is
    shorter.
    """
    import httpx2

    data = b"".join(first_bytes(chunks, size))
    if deadline.passed and len(data) < size:
        raise httpx2.ReadTimeout("the deadline cut the body", request=response.request)
    return data


def _unpack_whole(
    response: httpx2.Response,
    packed: bytes,
    encoding: str,
    size: int,
) -> Iterator[bytes]:
    """Return what a compressed body holds. It is an error if its stream does not end."""
    import httpx2

    is_short = len(packed) < size
    if is_short and is_truncated(packed, encoding, size):
        reason = "the server closed it before the whole page had come"
        raise httpx2.RemoteProtocolError(reason, request=response.request)
    whole = httpx2.Response(
        response.status_code,
        headers=response.headers,
        stream=httpx2.ByteStream(packed),
        request=response.request,
    )
    return whole.iter_bytes()


def first_bytes(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Yield the first `size` bytes. A chunk is at most 1 MB even of a compressed body,
    so nothing larger is ever held.
    """
    for chunk in chunks:
        yield chunk[:size]
        size -= len(chunk)
        if size <= 0:
            return


def status_reason(response: httpx2.Response) -> str:
    """Return what a status other than success means, and what to do."""
    code = response.status_code
    answer = f"the server answered {code} {response.reason_phrase}".rstrip() + "."
    if advice := _STATUS_ADVICE.get(code):
        wait = response.headers.get("Retry-After", "")
        pause = f" It asks to wait {wait} seconds." if wait.isdigit() else ""
        return f"{answer} {advice}{pause}"
    if code >= 500:
        return f"{answer} The fault is on its side: try again later."
    if code >= 400:
        return f"{answer} {_BY_BROWSER}"
    return f"{answer} That is no page: check the address."


def failure_reason(error: Exception, deadline: Deadline, options: ReadOptions) -> str:
    """Return what went wrong and what to do, by the error and by what caused it."""
    import httpx2

    if deadline.passed:
        return (
            f"it took longer than {options.timeout:g} seconds. "
            "Try again, or allow more time (--timeout)."
        )
    if isinstance(error, httpx2.TimeoutException):
        wait = min(options.idle_timeout, options.timeout)
        return f"the server did not answer within {wait:g} seconds. Try again later."
    if isinstance(error, httpx2.TooManyRedirects):
        return (
            f"it redirects more than {options.max_redirects} times. "
            "Open it in a browser, and give the address it ends at."
        )
    if isinstance(error, httpx2.UnsupportedProtocol):
        return (
            "it leads to an address that is neither http nor https. Check the address."
        )
    if isinstance(error, (httpx2.InvalidURL, ValueError)):
        return f"the address is not valid ({error}). Check it."
    if isinstance(error.__context__, httpx2.InvalidURL):
        return f"it leads to no valid address ({error.__context__}). Check the address."
    if isinstance(error, httpx2.DecodingError):
        return (
            "the server sent data that its declared compression does not fit. "
            "Save the page in a browser, and give that file."
        )
    if isinstance(error, httpx2.ProxyError):
        return f"the proxy failed ({error}). Check HTTP_PROXY and HTTPS_PROXY."
    return _connection_reason(error)


def _connection_reason(error: Exception) -> str:
    import socket
    import ssl

    import httpx2

    causes = list(_causes(error))
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return "the host name is unknown. Check the address and your connection."
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return (
            f"no secure connection could be made ({error}). "
            "Check the address and this machine's clock."
        )
    if isinstance(error, httpx2.ConnectError):
        return (
            f"nothing answers there ({error}). "
            "Check the address, the port and your connection."
        )
    return f"the connection failed ({error or type(error).__name__}). Try again later."


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it came from, the deepest last."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
