"""Kinds of things that pages describe, and the fields each has: one vocabulary for
structured data, suggestions and databases.

A field has a name of ours, the schema.org properties that say the same, and a type that
tells how its values are read and later brought to one form (a duration is a duration
whether it comes as `PT1H30M` or as "1 hr 30 min").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from scythe.errors import UsageError
from scythe.plugins import KINDS, load_plugin, plugin_names


class SchemaField(NamedTuple):
    """One attribute of a kind of thing."""

    name: str
    type: str
    """`text`, `lines` (several texts in order), `duration`, `number`, `price`, `date`,
    `image` or `person`.
    """
    properties: tuple[str, ...]
    """schema.org properties, the best first; `offers.price` is the price in what stands
    under `offers`.
    """
    labels: tuple[str, ...] = ()
    """What pages call it beside its values ("Directed by"), for kinds that packages add;
    of built-in kinds the word list has them.
    """

    @property
    def repeated(self) -> bool:
        """Whether one page has several values in an order that matters."""
        return self.type == "lines"


@dataclass(frozen=True)
class Schema:
    """A kind of thing."""

    name: str
    types: tuple[str, ...]
    """schema.org types that are of this kind."""
    fields: tuple[SchemaField, ...]
    essential: tuple[str, ...]
    """Fields without which structured data does not describe the thing, only mention
    it.
    """

    def includes(self, types: Iterable[str]) -> bool:
        """Return whether an item of these schema.org types is of this kind."""
        return any(name in self.types for name in types)

    @cached_property
    def by_name(self) -> Mapping[str, SchemaField]:
        """The fields by name."""
        return {field.name: field for field in self.fields}


def _fields(text: str) -> tuple[SchemaField, ...]:
    """Return the fields of a table: name, type and properties on a line each."""
    fields: list[SchemaField] = []
    for line in text.splitlines():
        if line.strip():
            name, kind, *properties = line.split()
            fields.append(SchemaField(name, kind, tuple(properties)))
    return tuple(fields)


_COMMON_FIELDS = """
    description   text      description
    image         image     image thumbnailUrl
    rating        number    aggregateRating.ratingValue
    reviews       number    aggregateRating.reviewCount aggregateRating.ratingCount
    url           text      url mainEntityOfPage
"""

RECIPE = Schema(
    "Recipe",
    ("Recipe",),
    _fields(
        """
    title         text      name headline
    ingredients   lines     recipeIngredient ingredients
    instructions  lines     recipeInstructions step
    yield         text      recipeYield yield
    prep_time     duration  prepTime
    cook_time     duration  cookTime performTime
    total_time    duration  totalTime
    author        person    author creator
    published     date      datePublished dateCreated
    category      text      recipeCategory
    cuisine       text      recipeCuisine
    keywords      text      keywords
    calories      text      nutrition.calories
    """
        + _COMMON_FIELDS
    ),
    ("ingredients", "instructions"),
)
PRODUCT = Schema(
    "Product",
    (
        "Product",
        "ProductGroup",
        "IndividualProduct",
        "ProductModel",
        "Book",
        "Car",
        "Vehicle",
        "SoftwareApplication",
    ),
    _fields(
        """
    title         text      name
    price  price  offers.price offers.lowPrice offers.priceSpecification.price price
    currency  text  offers.priceCurrency offers.priceSpecification.priceCurrency priceCurrency
    availability  text      offers.availability availability
    brand         person    brand manufacturer
    sku           text      sku mpn productID
    gtin          text      gtin13 gtin gtin12 gtin14 gtin8 isbn
    category      text      category
    author        person    author
    color         text      color
    publisher     person    publisher
    released      date      releaseDate datePublished
    properties    lines     additionalProperty
    """
        + _COMMON_FIELDS
    ),
    ("price",),
)
ARTICLE = Schema(
    "Article",
    (
        "Article",
        "NewsArticle",
        "BlogPosting",
        "Report",
        "ScholarlyArticle",
        "TechArticle",
        "OpinionNewsArticle",
        "ReportageNewsArticle",
    ),
    _fields(
        """
    title         text      headline name
    author        person    author creator
    published     date      datePublished dateCreated
    modified      date      dateModified
    section       text      articleSection
    keywords      text      keywords
    text          text      articleBody
    publisher     person    publisher
    """
        + _COMMON_FIELDS
    ),
    ("title",),
)
JOB = Schema(
    "JobPosting",
    ("JobPosting",),
    _fields(
        """
    title         text      title name
    company       person    hiringOrganization
    location      text      jobLocation.address jobLocation applicantLocationRequirements
    published     date      datePosted
    valid_through date      validThrough
    employment    text      employmentType
    salary  price  baseSalary.value.value baseSalary.value.minValue baseSalary estimatedSalary.value
    industry      text      industry occupationalCategory
    skills        text      skills qualifications experienceRequirements
    """
        + _COMMON_FIELDS
    ),
    ("title", "company"),
)
EVENT = Schema(
    "Event",
    (
        "Event",
        "BusinessEvent",
        "ChildrensEvent",
        "ComedyEvent",
        "ConferenceEvent",
        "CourseInstance",
        "DanceEvent",
        "EducationEvent",
        "ExhibitionEvent",
        "Festival",
        "FoodEvent",
        "Hackathon",
        "LiteraryEvent",
        "MusicEvent",
        "SaleEvent",
        "ScreeningEvent",
        "SocialEvent",
        "SportsEvent",
        "TheaterEvent",
        "VisualArtsEvent",
    ),
    _fields(
        """
    title         text      name
    start         date      startDate
    end           date      endDate
    venue         text      location.name
    location      text      location.address location
    price         price     offers.price offers.lowPrice
    currency      text      offers.priceCurrency
    availability  text      offers.availability
    organizer     person    organizer
    performer     person    performer performers actor
    status        text      eventStatus
    """
        + _COMMON_FIELDS
    ),
    ("title", "start"),
)

HEAD_FIELDS = ("title", "author", "published", "modified", "description", "image")
"""Fields that the metadata of any page has under the same name."""

SCHEMAS: Mapping[str, Schema] = {
    schema.name: schema for schema in (RECIPE, PRODUCT, JOB, EVENT, ARTICLE)
}
"""By name, the most telling first: a page with a recipe and an article is about the
recipe.
"""


@cache
def added_schemas() -> Mapping[str, Schema]:
    """Return the schemas that packages have added, by the name of their kind."""
    schemas: dict[str, Schema] = {}
    for kind in plugin_names(KINDS):
        schema = load_plugin(KINDS, kind)
        if not isinstance(schema, Schema):
            raise UsageError(
                f"The plug-in {kind} is no schema. "
                "Update or uninstall the package that it comes from."
            )
        schemas[kind] = schema
    return schemas


def all_schemas() -> list[Schema]:
    """Return all schemas, those that packages have added at the end."""
    return [*SCHEMAS.values(), *added_schemas().values()]


def schema_named(name: str) -> Schema:
    """Return the schema of a name, such as `Recipe`."""
    if name in SCHEMAS:
        return SCHEMAS[name]
    return next(schema for schema in added_schemas().values() if schema.name == name)
