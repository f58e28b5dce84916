"""Orders for makers who also place parts: lists and places as the two cheapest ask for them.

JLCPCB takes a part if the same designator is in its list and in its places; it counts turns as its
own library draws a part, so some of KiCad's are corrected. PCBWay takes makers' part numbers and
turns as KiCad has them. Only what a machine places is in them; `parts.csv` lists all parts.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from jetan_table.extras.workshop.circuits import GUARD, Circuit, Part


class Article(NamedTuple):
    """Something to buy: its maker, the maker's number, JLCPCB's number, and what may replace it."""

    maker: str
    number: str
    lcsc: str = ""
    instead: str = ""


_ROYAL: Final = "UNI-ROYAL"
ARTICLES: Final[Mapping[str, Article]] = {
    "WS2812B": Article("Worldsemi", "WS2812B-B/T", "C2761795", "XINGLIGHT XL-5050RGBC-WS2812B"),
    "1N4148W": Article("ST (Semtech)", "1N4148W", "C81598", "Diodes 1N4148W-7-F"),
    "100nF 0805": Article("YAGEO", "CC0805KRX7R9BB104", "C49678", "Samsung CL21B104KBCNNNC"),
    "100nF 1206": Article("Samsung", "CL31B104KBCNNNC", "C24497", "YAGEO CC1206KRX7R9BB104"),
    "100": Article(_ROYAL, "1206W4F1000T5E", "C17901", "YAGEO RC1206FR-07100RL"),
    "470": Article(_ROYAL, "1206W4F4700T5E", "", "YAGEO RC1206FR-07470RL"),
    "1k": Article(_ROYAL, "1206W4F1001T5E", "C4410", "YAGEO RC1206FR-071KL"),
    "4k7": Article(_ROYAL, "1206W4F4701T5E", "C17936", "YAGEO RC1206FR-074K7L"),
    GUARD[2]: Article("Vishay", "Si4425DDY-T1-GE3", "", "Infineon IRF7424, SO-8"),
    "74AHCT125": Article("Texas Instruments", "SN74AHCT125N", "", "any 74AHCT125 in DIP-14"),
    "reed, 14 mm": Article("Standex", "KSK-1A66-1520", "", "RMCIP MKA-14103 of 15 to 20 AT"),
    "3 A": Article("Littelfuse", "0297003.WXNV", "", "mini blade fuse; holder Keystone 3568"),
    "SOUTH": Article("Adam Tech", "BHR-12-VUA", "", "any box header 2 x 6, 2.54 mm"),
    "NORTH": Article("Adam Tech", "BHR-12-VUA", "", "any box header 2 x 6, 2.54 mm"),
    "Raspberry Pi": Article("Adam Tech", "BHR-40-VUA", "", "any box header 2 x 20, 2.54 mm"),
    "5 V, 4 A": Article("Phoenix Contact", "1715721", "", "any terminal of two, 5.08 mm"),
    "FEED": Article("Phoenix Contact", "1715721", "", "any terminal of two, 5.08 mm"),
}
"""By value, and by size where a value comes in two. Other plugs are of no maker: any of that shape
will do."""

TURNS: Final[Mapping[str, float]] = {"LED_WS2812B": 180.0, "SOIC-8": 270.0}
"""The degrees to add to KiCad's turn for JLCPCB's, by how a footprint's name begins; else none."""

PLACES: Final = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
PARTS: Final = (
    *("Designators", "Value", "Package", "Count", "Maker", "Part number"),
    *("Alternative", "Fitted by"),
)
PCBWAY: Final = (
    *("Item #", "Designator", "Qty", "Manufacturer", "Mfg Part #", "Description / Value"),
    *("Package/Footprint", "Type", "Your Instructions / Notes"),
)

Kind = tuple[str, str]
"""A part's value and package: what is bought together."""


def kinds(parts: Iterable[Part]) -> Mapping[Kind, list[Part]]:
    """Return the parts that are bought by their value and package."""
    found: dict[Kind, list[Part]] = {}
    for part in parts:
        if part.is_bought:
            found.setdefault((part.value, part.footprint.partition(":")[2]), []).append(part)
    return found


def article(kind: Kind) -> Article:
    """Return what to buy for parts of a kind."""
    value, package = kind
    sized = f"{value} {package[2:6]}"
    return ARTICLES.get(sized) or ARTICLES.get(value) or Article("", "", "", "any of this shape")


def orders(circuit: Circuit, placement: str) -> Iterator[tuple[str, str]]:
    """Yield the files' names and texts; `placement` is KiCad's list of what a machine places."""
    placed = {row["Ref"]: row for row in csv.DictReader(io.StringIO(placement))}
    listed = list(kinds(circuit.parts).items())
    machine = [each for each in listed if each[1][0].ref in placed]
    jlc, pcbway, everything = [], [], []
    for kind, parts in listed:
        refs, bought = ",".join(part.ref for part in parts), article(kind)
        by = "machine" if parts[0].ref in placed else "hand"
        numbers = (bought.maker, bought.number, bought.instead)
        everything.append((refs, *kind, len(parts), *numbers, by))
    for at, (kind, parts) in enumerate(machine, 1):
        refs, bought = ",".join(part.ref for part in parts), article(kind)
        jlc.append((kind[0], refs, kind[1], bought.lcsc))
        number = (bought.maker, bought.number)
        note = f"or {bought.instead}"
        pcbway.append((at, refs, len(parts), *number, kind[0], kind[1], "SMD", note))
    yield "parts.csv", _csv(PARTS, everything)
    yield "jlcpcb-bom.csv", _csv(("Comment", "Designator", "Footprint", "LCSC Part #"), jlc)
    yield "jlcpcb-cpl.csv", _csv(PLACES, (_place(row, turn(row)) for row in placed.values()))
    yield "pcbway-bom.csv", _csv(PCBWAY, pcbway)
    yield "pcbway-cpl.csv", _csv(PLACES, (_place(row, 0.0) for row in placed.values()))


def turn(row: Mapping[str, str]) -> float:
    """Return the degrees that JLCPCB's library counts more than KiCad's for a part."""
    return next((more for begin, more in TURNS.items() if row["Package"].startswith(begin)), 0.0)


def _place(row: Mapping[str, str], more: float) -> Sequence[str]:
    angle = (float(row["Rot"]) + more) % 360
    x, y = (f"{float(row[key]):.3f}" for key in ("PosX", "PosY"))
    return row["Ref"], x, y, row["Side"].capitalize(), f"{angle:g}"


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
