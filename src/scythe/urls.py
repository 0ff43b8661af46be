"""Addresses: what they are relative to, whether two are the same, whose they are, and
which machines no page may send us to.

Everything that reads an address of a page goes through here, so that the links of the
Markdown, the fields of a record and the forms of an engine resolve alike.
"""

from __future__ import annotations

import re
import socket
import unicodedata
from functools import cache, lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, overload
from urllib.parse import urljoin, urlsplit

from scythe.errors import FetchError, UsageError
from scythe.logins import has_login, without_logins

WEB_SCHEMES = ("http", "https")

MAX_LENGTH = 2_000
"""Characters of an address that is fetched; an arbitrary cap: longer ones are traps, or
carry data.
"""
_MAX_BASE_LENGTH = 4_000
"""Characters of a base address; an arbitrary cap against hostile pages, which would have
it copied into every link.
"""

_PRIVATE_NAMES = ("localhost", "", "*")
"""Where there is a port, systems take * for any address of this machine."""
_PRIVATE_SUFFIXES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
_GLOBAL_UNICAST = IPv6Network("2000::/3")
"""All of IPv6 that is assigned to the public web."""
_EMBEDDING = (
    IPv6Network("::/96"),
    IPv6Network("::ffff:0:0/96"),
    IPv6Network("::ffff:0:0:0/96"),
    IPv6Network("64:ff9b::/96"),
)
"""Addresses whose last bits are one of IPv4: compatible, mapped, translated (RFC 2765),
and what networks of IPv6 alone call machines that have IPv4 alone (RFC 6052).
"""
_CONTROL_AND_SPACE = "".join(map(chr, range(0x21)))
_IGNORED_INSIDE = str.maketrans("", "", "\t\n\r")

_CANONICAL = re.compile(
    r"https?://([a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d+)?)((?:/(?!\.)[A-Za-z0-9._~-]*)+)"
)
"""Addresses that can be written in one way only, as most are; taking others apart costs
six times as much.
"""
_SAFE = r"[A-Za-z0-9_~%!$&'()*+,=@-]"
_PATH = rf"(?:/(?![/.])(?:{_SAFE}|[.:])*)"
_BEHIND_PATH = rf"(?:\?(?:{_SAFE}|[./?:;])+)?(?:#(?:{_SAFE}|[./?:;])+)?"
_ABSOLUTE = re.compile(rf"https?://[A-Za-z0-9.-]+(?::\d+)?{_PATH}*/?{_BEHIND_PATH}")
_BELOW_HOST = re.compile(rf"(?:{_PATH}+/?|/){_BEHIND_PATH}")
_BELOW_FOLDER = re.compile(rf"[A-Za-z0-9_](?:{_SAFE}|\.)*{_PATH}*/?{_BEHIND_PATH}")
"""Addresses in which nothing is left to resolve but where they begin: most of those of
a page. `urljoin` takes ten times as long.
"""
_MAX_REMEMBERED = 200
"""Characters of an address whose place is remembered: a bound on memory, not tuned."""
_MAX_PLAIN = 250
"""Characters of an address that is asked for as it is: names of hosts are shorter, and
longer addresses are looked at more closely.
"""
_FETCHABLE = re.compile(
    r"https?://[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*(?::[1-9][0-9]{3})?"
    r"(?:/(?:[A-Za-z0-9_~-][A-Za-z0-9_.~-]*)?)+"
    r"(?:\?[A-Za-z0-9_.~=&-]+)?"
)
"""Addresses that are asked for as they are: nothing in them is escaped, folded or left
out.
"""
_INDEX_FILE = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)


# What an address is relative to


@overload
def base_url(href: str | None, url: str) -> str: ...
@overload
def base_url(href: str | None, url: str | None) -> str | None: ...
def base_url(href: str | None, url: str | None) -> str | None:
    """Return what the relative addresses of a page start from.

    `href` is that of the page's first `<base>` that has one, `url` the address of the
    page itself, if it is known. As in browsers, a base that is no address of the web
    (`javascript:`, an unfinished host) is ignored. Where the page's address is unknown,
    a relative base stays relative.
    """
    if href is None or len(href) > _MAX_BASE_LENGTH:
        return url
    href = trimmed(href).replace(" ", "%20")
    if url is None and href.startswith("//"):
        href = f"https:{href}"
    try:
        resolved = urljoin(url, href) if url else href
        parts = urlsplit(resolved)
    except ValueError:
        return url

    if parts.scheme in WEB_SCHEMES and parts.netloc:
        return resolved
    is_relative = not parts.scheme and not parts.netloc
    return resolved if url is None and resolved and is_relative else url


def trimmed(href: str) -> str:
    """Return an address without what browsers ignore: control characters and spaces
    around it, tabs and line ends inside it.
    """
    return href.strip(_CONTROL_AND_SPACE).translate(_IGNORED_INSIDE)


def resolve(base: str | None, href: str) -> str | None:
    """Return an address as seen from a base, None where it is no address (such as an
    unfinished IPv6 host); as it is where there is no base.
    """
    if not base:
        return href
    if len(href) > _MAX_REMEMBERED:
        return _resolve(base, href)
    return _resolve_short(base, href)


def _resolve(base: str, href: str) -> str | None:
    start = _beginnings(base)
    if start is not None:
        host, folder = start
        if _BELOW_HOST.fullmatch(href):
            return host + href
        if _ABSOLUTE.fullmatch(href):
            return href
        if _BELOW_FOLDER.fullmatch(href):
            return folder + href
    try:
        return urljoin(base, href)
    except ValueError:
        return None


_resolve_short = lru_cache(maxsize=1 << 13)(_resolve)
"""The menus of a site are on all of its pages."""


@lru_cache(maxsize=64)
def _beginnings(base: str) -> tuple[str, str] | None:
    """Return what goes before addresses that begin at the host of a base, and before
    those that begin at its folder; None where that takes more than putting them
    together.
    """
    if not _ABSOLUTE.fullmatch(base):
        return None
    parts = urlsplit(base)
    host = f"{parts.scheme}://{parts.netloc}"
    folder = parts.path.rpartition("/")[0]
    return host, f"{host}{folder}/"


def is_web_url(url: str) -> bool:
    """Return whether something is a whole address of the web."""
    try:
        parts = urlsplit(url)
        return parts.scheme in WEB_SCHEMES and bool(parts.hostname)
    except ValueError:
        return False


def fetchable_url(href: str, base: str | None = None) -> str | None:
    """Return an address as it is asked for: absolute, without fragment, with unsafe
    characters escaped, and without a user and password that a page put into it; None
    where it is none of the web.
    """
    href = href.strip()
    resolved = resolve(base, href) or ""
    if len(resolved) <= _MAX_PLAIN and _FETCHABLE.fullmatch(resolved):
        return resolved

    from w3lib.url import safe_url_string

    try:
        url = urljoin(base, href) if base else href
        parts = urlsplit(url)
        is_web = parts.scheme in WEB_SCHEMES and parts.hostname
        if not is_web or len(url) > MAX_LENGTH:
            return None
        parts.port  # noqa: B018 - it is read here, or fails
        return without_logins(safe_url_string(url.partition("#")[0]))
    except (ValueError, UnicodeError):
        return None


def require_no_login(url: str) -> None:
    """Refuse an address with a user and a password where it would be stored: it would be
    in databases, exports and backups.
    """
    if has_login(url):
        raise UsageError(
            f"The address of {url} was given with a user or a password, which Scythe does"
            " not store. Give it without; pages behind a login can be saved and read"
            " from files."
        )


# Which addresses are the same, and whose they are


def completed_url(text: str) -> str:
    """Return what a person typed as an address, with the scheme that they left out:
    `example.org/list` is one of `https`, one of this machine is of `http`.
    """
    text = text.strip()
    if (
        not text
        or "://" in text
        or text.startswith(("mailto:", "javascript:", "data:"))
    ):
        return text
    location = text.lstrip("/").partition("/")[0]
    host = location.rpartition("@")[2]
    name = host.partition(":")[0]
    is_host = "." in name.strip(".") or name == "localhost"
    if not is_host or any(letter.isspace() for letter in host):
        return text
    scheme = "http" if is_private(name) else "https"
    return f"{scheme}://{text.lstrip('/')}"


def url_key(url: str) -> str:
    """Return the canonical form of an address: the same for all ways to write it,
    whatever the scheme, and for a folder and its index file.
    """
    if canonical := _CANONICAL.fullmatch(url):
        host, path = canonical.groups()
        return host.removeprefix("www.") + _INDEX_FILE.sub("/", path)

    from w3lib.url import canonicalize_url

    try:
        parts = urlsplit(canonicalize_url(url))
    except (ValueError, UnicodeError):
        return url
    path = _INDEX_FILE.sub("/", parts.path) or "/"
    query = f"?{parts.query}" if parts.query else ""
    return f"{_host_and_port(parts.netloc)}{path}{query}"


def hostname(url: str) -> str:
    """Return the host of an address, empty where it has none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def bare_hostname(url: str) -> str:
    """Return the host of an address without a leading `www.`, as people call a site."""
    return hostname(url).removeprefix("www.")


def site(url: str) -> str:
    """Return host and port of an address without a leading `www.`."""
    return _host_and_port(urlsplit(url).netloc.lower())


def same_site(url: str, other: str) -> bool:
    """Return whether an address is of the site of another: the same host and port, or
    a subdomain.
    """
    first, second = site(url), site(other)
    return first == second or first.endswith(f".{second}")


def _host_and_port(netloc: str) -> str:
    return netloc.rpartition("@")[2].removeprefix("www.")


def origin(url: str) -> str:
    """Return scheme, host and port of an address."""
    parts = urlsplit(url)
    host_and_port = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme.lower()}://{host_and_port.lower()}"


def short_domain(url: str) -> str:
    """Return the last two names of the host, which is most often the registered domain
    and needs no list of public suffixes; a number as it is.
    """
    host = hostname(url)
    is_number = host.replace(".", "").isdecimal()
    if is_number:
        return host
    return ".".join(host.split(".")[-2:])


def registered_domain(url: str | None) -> str | None:
    """Return the registered domain of an address; of a host under no public suffix its
    last two names; None where there is no host.
    """
    if not url or "://" not in url:
        return None
    found = _domain_splitter()(url)
    if found.suffix or found.ipv4 or found.ipv6:
        domain = found.top_domain_under_public_suffix
        return domain or found.ipv4 or found.ipv6 or found.suffix
    host = f"{found.subdomain}.{found.domain}".strip(".")
    return ".".join(host.split(".")[-2:]) or None


@cache
def _domain_splitter() -> Any:
    try:
        import tldextract
    except ImportError as error:
        raise UsageError(
            "Working by site needs tldextract. Install it with: pip install 'webscythe[bulk]'"
        ) from error
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


# Which machines are public, and which are this one or its neighbours


def require_public(url: str) -> None:
    """Refuse an address of a private machine: by its name, and by what the name leads
    to.
    """
    if is_own_network(url):
        reason = private_machine_message(hostname(url) or "its host")
        raise FetchError(f"Cannot fetch {url}: {reason}")


def private_machine_message(host: str) -> str:
    """Return why a host is not asked."""
    return (
        f"{host} is this machine or one of its network, and not asked by way of the "
        "public web. If you mean it, name its own address on the command line, or "
        "restart with `scythe serve --allow-private`."
    )


def is_own_network(url: str) -> bool:
    """Return whether an address is of this machine or its network."""
    host = hostname(url)
    return is_private(host) or resolves_to_private(host)


def is_private(host: str) -> bool:
    """Return whether a name or number is of this machine or of a network that is not
    public.
    """
    # Systems and browsers take letters of all widths and full stops of all scripts.
    host = unicodedata.normalize("NFKC", host).replace("\u3002", ".")
    host = host.strip("[]").rstrip(".").casefold()
    if host in _PRIVATE_NAMES or host.endswith(_PRIVATE_SUFFIXES):
        return True
    number = _ip_number(host)
    return number is not None and not _is_public(number)


def is_loopback_url(url: str) -> bool:
    """Return whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def resolves_to_private(host: str) -> bool:
    """Return whether the name of a host leads to a machine that is not public, by any
    of its numbers.
    """
    try:
        entries = socket.getaddrinfo(host, 80, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    for entry in entries:
        number = str(entry[4][0])
        if not is_public_number(number):
            return True
    return False


def is_public_number(number: str) -> bool:
    """Return whether an IP address is of the public web."""
    return _is_public(ip_address(number.partition("%")[0]))


def goes_through_proxy() -> bool:
    """Return whether this machine reaches the web through another, which then is all
    that answers.
    """
    from urllib.request import getproxies  # 20 ms, and only fetches ask

    return bool({"http", "https", "all"} & getproxies().keys())


def _ip_number(host: str) -> IPv4Address | IPv6Address | None:
    """Return the number that a host is written as, also in the old ways (`0x7f.1`,
    `2130706433`) that systems still take.
    """
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        pass
    if re.fullmatch(r"[0-9a-fx.]+", host) and host[:1].isdigit():
        try:
            return IPv4Address(socket.inet_aton(host))
        except OSError:
            return None
    return None


def _is_public(number: IPv4Address | IPv6Address) -> bool:
    if isinstance(number, IPv6Address):
        embedded = _embedded_number(number)
        if embedded is not None:
            return _is_public(embedded)
        if number not in _GLOBAL_UNICAST:
            return False
    return number.is_global and not number.is_multicast


def _embedded_number(number: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one stands for, also by 6to4."""
    if any(number in network for network in _EMBEDDING):
        return IPv4Address(int(number) & 0xFFFF_FFFF)
    return number.sixtofour
