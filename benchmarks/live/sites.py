"""Sites that people write and sell on: a forum, a blog and a shop, each with the search
that comes with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from engines.serving import Site

from benchmarks.live.documents import Document, as_json
from benchmarks.live.launching import Command, free_port, run, served, with_package

_READ_DOCUMENTS = """
import json, sys
from datetime import datetime
import django

django.setup()
from django.contrib.auth import get_user_model

known = json.load(sys.stdin)
names = {author for _, _, author, _ in known}
users = {name: get_user_model().objects.create_user(name) for name in sorted(names)}
"""
_FILL_SPIRIT = (
    _READ_DOCUMENTS
    + """
from django.core.management import call_command
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic

category = Category.objects.create(title="Farming")
for title, text, author, written in known:
    day = datetime.fromisoformat(written)
    topic = Topic.objects.create(
        user=users[author], category=category, title=title, date=day, last_active=day,
        comment_count=1,
    )
    Comment.objects.create(
        user=users[author], topic=topic, comment=text, comment_html=text, date=day
    )
call_command("rebuild_index", interactive=False, verbosity=0)
"""
)
_FILL_MEZZANINE = (
    _READ_DOCUMENTS
    + """
from mezzanine.blog.models import BlogPost

for title, text, author, written in known:
    BlogPost.objects.create(
        title=title, content=f"<p>{text}</p>", user=users[author],
        publish_date=datetime.fromisoformat(written), status=2,
    )
"""
)
_FILL_OSCAR = (
    _READ_DOCUMENTS
    + """
from django.core.management import call_command
from oscar.apps.catalogue.models import Category, Product, ProductClass
from oscar.apps.partner.models import Partner, StockRecord

kind = ProductClass.objects.create(
    name="Goods", requires_shipping=False, track_stock=False
)
shelf = Category.add_root(name="Farming")
partner = Partner.objects.create(name="Granary")
for number, (title, text, author, written) in enumerate(known, 1):
    product = Product.objects.create(
        title=title, description=text, product_class=kind, upc=f"upc{number}"
    )
    product.categories.add(shelf)
    StockRecord.objects.create(
        product=product, partner=partner, partner_sku=f"sku{number}",
        price=f"{number + 3}.90",
    )
call_command("rebuild_index", interactive=False, verbosity=0)
"""
)
_SPIRIT_GUEST = """
from django.contrib.auth import get_user_model

def guest(get_response):
    def answer(request):
        request.user = get_user_model().objects.first()
        return get_response(request)

    return answer
"""
_OSCAR_SETTINGS = """
from oscar.defaults import *

SECRET_KEY, DEBUG, ALLOWED_HOSTS = "nobody", True, ["*"]
ROOT_URLCONF, STATIC_URL, MEDIA_URL = "urls", "/static/", "/media/"
USE_TZ, SITE_ID = True, 1
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
DATABASES = {"default": {
    "ENGINE": "django.db.backends.sqlite3", "NAME": "shop.db",
    "ATOMIC_REQUESTS": True,
}}
HAYSTACK_CONNECTIONS = {"default": {
    "ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": "index",
}}
_CONTRIB = "admin auth contenttypes sessions messages staticfiles sites flatpages"
_SHOP = (
    "analytics checkout address shipping catalogue communication partner basket payment"
    " offer order customer search voucher wishlists dashboard"
)
_DESKS = (
    "reports users orders catalogue offers partners pages ranges reviews vouchers"
    " communications shipping"
)
_APPS = "oscar.apps"
INSTALLED_APPS = [
    *[f"django.contrib.{name}" for name in _CONTRIB.split()],
    "oscar.config.Shop",
    *[f"{_APPS}.{name}.apps.{name.title()}Config" for name in _SHOP.split()],
    f"{_APPS}.catalogue.reviews.apps.CatalogueReviewsConfig",
    *[
        f"{_APPS}.dashboard.{name}.apps.{name.title()}DashboardConfig"
        for name in _DESKS.split()
    ],
    "widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
]
_CONTEXT = (
    "django.template.context_processors.request"
    " django.contrib.auth.context_processors.auth"
    " django.contrib.messages.context_processors.messages"
    " oscar.apps.search.context_processors.search_form"
    " oscar.apps.checkout.context_processors.checkout"
    " oscar.apps.communication.notifications.context_processors.notifications"
    " oscar.core.context_processors.metadata"
)
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": _CONTEXT.split()},
}]
"""
_OSCAR_ADDRESSES = """
from django.apps import apps
from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
"""


class DjangoSite:
    """A program of Django: made in a folder, filled by a script, and served."""

    name: str
    kind: str
    home = "/"
    needs: Mapping[str, str] = {}
    packages: tuple[str, ...]
    settings: str
    """The module of its settings."""
    filling: str
    """The script that fills it."""

    def create(self, project: Path, runner: Sequence[str]) -> None:
        """Make the site in a folder, empty."""
        raise NotImplementedError

    @contextmanager
    def serving(self, folder: Path, documents: Sequence[Document]) -> Iterator[Site]:
        """Fill the engine, start it, and give what answers for it."""
        runner = with_package(*self.packages)
        project, port = folder / "docs", free_port()
        self.create(project, runner)
        (project / "fill.py").write_text(self.filling)
        settings = {
            "DJANGO_SETTINGS_MODULE": self.settings,
            "PYTHONPATH": str(project),
        }
        run([*runner, "python", "fill.py"], project, settings, as_json(documents))
        django: Command = [*runner, "python", "-m", "django"]
        command = [*django, "runserver", "--noreload", f"127.0.0.1:{port}"]
        with served(command, port, project, settings) as site:
            yield site

    def number(self, url: str) -> int | None:
        """Return the number of the document that a link leads to."""
        found = re.search(r"-part-(\d+)(?:_\d+)?/", url)
        return int(found[1]) if found else None


class Spirit(DjangoSite):
    """Spirit: topics of a forum in rows of boxes, with their category and age. Its
    search is for members, so that every visitor is one here.
    """

    name = "spirit"
    kind = "forum"
    packages = ("django-spirit",)
    settings = "docs.settings.dev"
    filling = _FILL_SPIRIT

    def create(self, project: Path, runner: Sequence[str]) -> None:
        """Make the site in a folder, empty."""
        run([*runner, "spirit", "startproject", "docs"], project.parent)
        (project / "docs" / "guest.py").write_text(_SPIRIT_GUEST)
        with (project / "docs" / "settings" / "dev.py").open("a") as settings:
            settings.write('\nMIDDLEWARE.append("docs.guest.guest")\n')
        run([*runner, "python", "manage.py", "spiritinstall"], project)


class Mezzanine(DjangoSite):
    """Mezzanine: posts of a blog as headings with the beginnings of their texts."""

    name = "mezzanine"
    kind = "blog"
    home = "/blog/"
    packages = ("mezzanine", "setuptools<70")
    settings = "docs.settings"
    filling = _FILL_MEZZANINE

    def create(self, project: Path, runner: Sequence[str]) -> None:
        """Make the site in a folder, empty."""
        run([*runner, "mezzanine-project", "docs"], project.parent)
        with (project / "docs" / "local_settings.py").open("a") as settings:
            settings.write("\nDEBUG = False  # else its robots.txt forbids all\n")
        creating = ["manage.py", "createdb", "--noinput", "--nodata"]
        run([*runner, "python", *creating], project)


class Oscar(DjangoSite):
    """Oscar: products of a shop in a grid, with prices."""

    name = "oscar"
    kind = "shop"
    packages = ("django-oscar", "sorl-thumbnail", "whoosh")
    settings = "settings"
    filling = _FILL_OSCAR

    def create(self, project: Path, runner: Sequence[str]) -> None:
        """Make the site in a folder, empty."""
        project.mkdir()
        (project / "settings.py").write_text(_OSCAR_SETTINGS)
        (project / "urls.py").write_text(_OSCAR_ADDRESSES)
        settings = {"DJANGO_SETTINGS_MODULE": self.settings, "PYTHONPATH": str(project)}
        migrating = ["python", "-m", "django", "migrate", "--verbosity", "0"]
        run([*runner, *migrating], project, settings)
