"""Pages that stand in the way of the content are called so, in many languages; pages
about such things are not.
"""

from __future__ import annotations

import numpy as np
import pytest

import scythe
from scythe.content.selection import Selection

NAV = "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>"
FOOTER = "<footer><a href=/imprint>Imprint</a> <a href=/terms>Terms</a></footer>"
PARAGRAPH = (
    "<p>They cut the barley at dawn, rested at noon, and went on until the light was "
    "gone; then they sharpened the blades, and talked of rain.</p>"
)


def paragraphs(count: int) -> str:
    """Return paragraphs that differ, as those of an article do."""
    return "".join(PARAGRAPH.replace("dawn", f"{number}") for number in range(count))


def page(title: str, body: str) -> str:
    return f"<title>{title}</title>{NAV}<main>{body}</main>{FOOTER}"


def login(heading: str, button: str) -> str:
    form = (
        f"<form><input name=user><input type=password><button>{button}</button></form>"
    )
    return page("The Courier", f"<h1>{heading}</h1>{form}")


LOGINS = [
    login("Sign in to your account", "Go"),
    login("Anmelden", "Weiter"),
    login("Connexion", "Valider"),
    login("Вход", "Далее"),
    login("登录", "提交"),
    page("Log in", "<form><input><input type='Password'></form>"),
]
ACCOUNTS = [
    ("Create an Account | Barn Shop", "<p>Fill in the form.</p>", "password"),
    ("Barn Shop", "<h1>Passwort vergessen?</h1><p>Wir senden es zu.</p>", "email"),
    ("Barn Shop - Регистрация", "<p>Заполните поля.</p>", "password"),
    ("注册", "<p>请填写。</p>", "password"),
]
PAYWALLS = [
    f"<h1>Barley</h1>{PARAGRAPH}<p>Subscribe to continue reading</p>",
    f"<h1>Barley</h1>{PARAGRAPH}<p>This article is for subscribers only.</p>",
    f"<h1>Gerste</h1>{PARAGRAPH}<p>Dieser Artikel ist exklusiv für Abonnenten.</p>",
    f"<h1>L'orge</h1>{PARAGRAPH}<p>Article réservé aux abonnés</p>",
    f"<h1>Cebada</h1>{PARAGRAPH}<p>Suscríbete para seguir leyendo</p>",
    f"<h1>大麦</h1>{PARAGRAPH}<p>この記事は有料会員限定です。</p>",
]
CONSENTS = [
    (
        "Before you continue to the Courier",
        "<p>We use cookies. <button>Accept</button>",
    ),
    (
        "Bevor Sie fortfahren",
        "<p>Wir verwenden Cookies.</p><button>Akzeptieren</button>",
    ),
    ("The Courier", "<h1>We value your privacy</h1><p>Cookies help us.</p>"),
]
ERRORS = [
    ("404 Not Found", "<h1>Not Found</h1><p>The requested URL was not found.</p>"),
    ("The Courier", "<h1>Page not found</h1><p>Try the search, or go home.</p>"),
    ("Oops! Something went wrong", "<p>Our mice are on it.</p>"),
    ("502 Bad Gateway", "<center>nginx</center>"),
    ("Kurier", "<h1>Seite nicht gefunden</h1><p>Leider gibt es diese Seite nicht.</p>"),
    ("Courrier", "<h1>Page introuvable</h1><p>Désolé.</p>"),
    ("Correo", "<h1>Página no encontrada</h1><p>Lo sentimos.</p>"),
    ("Курьер", "<h1>Страница не найдена</h1><p>Увы.</p>"),
    ("信使", "<h1>页面不存在</h1><p>抱歉。</p>"),
    ("We'll be right back", "<p>We are doing some work on the barn.</p>"),
    ("The Courier", "<h1>Down for maintenance</h1><p>Come back at noon.</p>"),
]


def assert_blocked(html: str, word: str) -> None:
    document = scythe.extract(html)
    assert document.status == scythe.Status.BLOCKED
    assert word in document.note


@pytest.mark.parametrize("html", LOGINS)
def test_logins(html: str) -> None:
    assert_blocked(html, "login")


@pytest.mark.parametrize(("title", "body", "field"), ACCOUNTS)
def test_registrations_and_forgotten_passwords(
    title: str, body: str, field: str
) -> None:
    form = f"<form><input name={field} type={field}></form>"
    assert_blocked(page(title, body + form), "form for an account")


def test_a_login_among_menus_is_no_list() -> None:
    def select(tree: scythe.Tree) -> Selection:
        return Selection(np.ones(len(tree), dtype=bool), 1.0, page_type="listing")

    items = [f"<li><a href=/c/{n}>Barley of field {n}</a>" for n in range(300)]
    form = "<form><input name=user><input type=password></form>"
    body = f"<ul>{''.join(items)}</ul>{form}"
    document = scythe.extract(page("Login", body), method=select)
    assert document.status == scythe.Status.BLOCKED
    document = scythe.extract(page("Fields", body), method=select)
    assert document.status == scythe.Status.LIST


def test_the_address_names_the_form() -> None:
    html = page("Barn", "<p>Welcome.</p><form><input><input type=password></form>")
    for path in ("customer/account/login/", "ucp.php?mode=register", "sign-up"):
        document = scythe.extract(html, url=f"https://example.org/{path}")
        assert document.status == scythe.Status.BLOCKED, path
    assert not scythe.extract(html, url="https://example.org/barn").note


def test_a_contact_form_is_no_list() -> None:
    labels = [f"<li>{word}: <input>" for word in ("Name", "Telephone", "Message")]
    html = page("Contact", f"<ul>{''.join(labels)}</ul>")
    assert scythe.extract(html).status != scythe.Status.LIST


@pytest.mark.parametrize("body", PAYWALLS)
def test_paywalls(body: str) -> None:
    assert_blocked(page("The Courier", body), "subscription")


@pytest.mark.parametrize(("title", "body"), CONSENTS)
def test_requests_for_consent(title: str, body: str) -> None:
    assert_blocked(page(title, body), "consent")


@pytest.mark.parametrize(("title", "body"), ERRORS)
def test_error_and_maintenance_pages(title: str, body: str) -> None:
    document = scythe.extract(page(title, body))
    assert document.status == scythe.Status.BLOCKED
    assert document.note


@pytest.mark.parametrize(
    "extra",
    [
        "<form><input><input type=password><button>Log in</button></form>",
        "<p>Already a subscriber? Log in.</p>",
        "<div>We value your privacy. <button>Accept all cookies</button></div>",
        "<p>We'll be right back with more news of the barley.</p>",
        "<p>Subscribe to continue reading</p>",
    ],
)
def test_content_beside_such_words_stays_content(extra: str) -> None:
    body = f"<h1>Barley</h1>{paragraphs(20)}{extra}"
    assert scythe.extract(page("Barley", body)).status == scythe.Status.OK


@pytest.mark.parametrize(
    "title",
    [
        "How we fixed error 404 in the barn",
        "Page not found: a history of the missing page",
        "Before you continue: five things to know of barley",
        "Log in, harvest out",
    ],
)
def test_articles_about_such_pages_are_articles(title: str) -> None:
    body = f"<h1>{title}</h1>{paragraphs(8)}"
    assert scythe.extract(page(title, body)).status == scythe.Status.OK
