"""Units of measure: one name for each, and how much one is of another of its kind."""

# ruff: noqa: RUF001 - pages have these characters

from __future__ import annotations

import re
from typing import NamedTuple

from scythe.collect.records.standardize.numbers import (
    NumberSpan,
    find_range,
    tidy_number,
)


class Unit(NamedTuple):
    """A unit: its name, what it measures, and how much of the first unit of that kind
    it is (0 where that varies).
    """

    name: str
    measures: str
    size: float


_TABLE = """
g       mass    1          g gr grs gram grams gramme grammes gramm gramos grammi gram. г гр
g       mass    1          грамм 克
kg      mass    1000       kg kgs kilo kilos kilogram kilograms kilogramm кг 公斤
mg      mass    0.001      mg milligram milligrams
oz      mass    28.3495    oz ounce ounces oz.
lb      mass    453.592    lb lbs pound pounds pfund 磅
ml      volume  1          ml milliliter milliliters millilitre millilitres millilitri мл 毫升
cl      volume  10         cl centiliter centilitre
dl      volume  100        dl deciliter decilitre
l       volume  1000       l liter liters litre litres litro litros litri л 升
tsp     volume  4.92892    tsp tsps teaspoon teaspoons teelöffel tl cucharadita cucharaditas
tsp     volume  4.92892    cucchiaino tsk ч.л 小匙 茶匙
tbsp    volume  14.7868    tbsp tbsps tbs tablespoon tablespoons esslöffel el cucharada
tbsp    volume  14.7868    cucharadas cucchiaio msk ст.л 大匙 汤匙
fl_oz   volume  29.5735    fl_oz floz fl.oz
cup     volume  236.588    cup cups tasse tassen tasses taza tazas tazza tazze xícara xícaras 杯
pint    volume  473.176    pint pints pt pts
quart   volume  946.353    quart quarts qt qts
gallon  volume  3785.41    gallon gallons gal
kcal    energy  1          kcal kcals cal calorie calories kalorien calorías calorie.
kcal    energy  1          kilocalories ккал 大卡
kJ      energy  0.239006   kj kilojoule kilojoules
cm      length  1          cm centimeter centimeters centimetre centimetres
mm      length  0.1        mm millimeter millimeters millimetre
m       length  100        m meter meters metre metres
km      length  100000     km kilometer kilometers kilometre kilometres
inch    length  2.54       inch inches in
ft      length  30.48      ft foot feet
mile    length  160934.4   mile miles mi
pinch   pinch   0          pinch pinches prise prisen pincée pincées pizca pizcas pizzico
pinch   pinch   0          nypa snufje щепотка 少许
dash    dash    0          dash dashes
clove   clove   0          clove cloves zehe zehen gousse gousses diente dientes spicchio
clove   clove   0          spicchi
can     can     0          can cans tin tins dose dosen boîte boîtes lata latas
package package 0          package packages packet packets pkg pkgs pack packs packung
package package 0          päckchen sachet sachets paquet paquets
slice   slice   0          slice slices scheibe scheiben tranche tranches rebanada rebanadas
slice   slice   0          fetta fette
bunch   bunch   0          bunch bunches bund botte manojo mazzo
stick   stick   0          stick sticks
piece   piece   0          piece pieces stück stk morceau morceaux pieza piezas
handful handful 0          handful handfuls handvoll poignée puñado
sprig   sprig   0          sprig sprigs zweig zweige brin brins
head    head    0          head heads
stalk   stalk   0          stalk stalks stange stangen
jar     jar     0          jar jars glas
bottle  bottle  0          bottle bottles flasche
drop    drop    0          drop drops tropfen
"""
UNITS: dict[str, Unit] = {}
for _line in filter(None, _TABLE.splitlines()):
    _name, _measures, _size, *_words = _line.split()
    UNITS.update(dict.fromkeys(_words, Unit(_name, _measures, float(_size))))
"""Every way to write a unit, in lower case, and the unit."""
_BY_NAME = {unit.name: unit for unit in UNITS.values()}

_SEVERAL_WORDS = re.compile(
    r"fl(?:uid)?\.?\s*oz\.?|fluid ounces?"
    r"|cuill[èe]res?\s+à\s+(?:soupe|caf[ée])|c\.?\s*à\s*[sc]\b\.?",
    re.IGNORECASE,
)
_WORD = re.compile(r"(?:ст|ч)\.\s?л|[^\W\d_]+", re.IGNORECASE)

_MAX_LENGTH = 300
"""Characters in which an amount is looked for: further on it is one of something else."""


def unit_at(text: str, start: int = 0) -> tuple[Unit, int] | None:
    """Return the unit that begins at a position of a text, and where it ends."""
    several = _SEVERAL_WORDS.match(text, start)
    if several:
        return _unit_of_several_words(several.group().lower()), several.end()
    word = _WORD.match(text, start)
    if not word:
        return None
    written = word.group()
    if written == "T":
        unit: Unit | None = _BY_NAME["tbsp"]
    elif written == "t":
        unit = _BY_NAME["tsp"]
    else:
        unit = UNITS.get(written.lower().replace(" ", ""))
    if unit is None:
        return None
    end = word.end()
    if text[end : end + 1] == ".":
        end += 1
    return unit, end


def _unit_of_several_words(words: str) -> Unit:
    if words.startswith("fl"):
        return _BY_NAME["fl_oz"]
    is_tablespoon = words.rstrip(".").endswith(("soupe", "s"))
    return _BY_NAME["tbsp" if is_tablespoon else "tsp"]


def convert(amount: float, unit: Unit, target_name: str) -> float | int | None:
    """Return an amount in another unit of the same kind, None where there is no way
    from one to the other.
    """
    target = _BY_NAME.get(target_name)
    if target is None or target.measures != unit.measures:
        return None
    if target == unit:
        return tidy_number(amount)
    if not target.size or not unit.size:
        return None
    return tidy_number(round(amount * unit.size / target.size, 2))


def is_unit(name: str) -> bool:
    """Return whether amounts can be asked for in a unit of this name."""
    return name in _BY_NAME and _BY_NAME[name].size > 0


def find_quantity(text: str, unit_name: str) -> float | int | None:
    """Return the first amount in a text that can be said in a unit; a number without a
    unit is taken to be in it already.
    """
    text = text[:_MAX_LENGTH]
    bare: NumberSpan | None = None
    position = 0
    while span := find_range(text, position):
        rest = text[span.end :]
        spaces = len(rest) - len(rest.lstrip())
        found = unit_at(text, span.end + spaces)
        if found is None:
            bare = bare or span
        else:
            amount = convert(span.low, found[0], unit_name)
            if amount is not None:
                return amount
        position = span.end
    return tidy_number(bare.low) if bare else None
