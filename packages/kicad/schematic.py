"""Draws a circuit as a schematic for KiCad: a symbol a part, and a label at each pin."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from jetan_table.extras.workshop.circuits import GROUND, SUPPLY, Circuit, Part

PAPER = ("A3", 270.0)
"""The sheet, and how far down it symbols stand."""

COLUMN_MM, MARGIN_MM = 76.2, 25.4
_FLAG = "power:PWR_FLAG"
_WORDS = re.compile(
    r'\(symbol "[^"]*_(?P<unit>\d+)_\d+"'
    r"|\(pin \w+ \w+\s*\(at (?P<x>\S+) (?P<y>\S+) (?P<turn>\d+)\)"
    r'|\(number "(?P<number>[^"]*)"'
)


class SymbolPin(NamedTuple):
    """Where a pin ends, y up, and the way it points from there."""

    number: str
    x: float
    y: float
    turn: int


def schematic(circuit: Circuit, library: Callable[[str], str]) -> str:
    """Return the schematic's text; `library` returns KiCad's file of symbols by its name."""
    sheet = _uuid(circuit.name, "sheet")
    flags = (
        Part(f"#FLG{at}", _FLAG, "", "PWR_FLAG", {"1": net}, 0.0, 0.0)
        for at, net in enumerate((SUPPLY, GROUND), 1)
    )
    parts = (*circuit.parts, *flags)
    bodies = {part.symbol: _body(part.symbol, library) for part in parts}
    drawn = [(part, unit, pins) for part in parts for unit, pins in _units(bodies[part.symbol])]
    rows = [
        '(kicad_sch (version 20250114) (generator "eeschema") (generator_version "9.0")',
        f'(uuid "{sheet}") (paper "{PAPER[0]}") (title_block (title "{circuit.title}"))',
        "(lib_symbols",
        *bodies.values(),
        ")",
    ]
    spots = _spots([pins for _, _, pins in drawn])
    for (part, unit, pins), (x, y) in zip(drawn, spots, strict=True):
        rows += _symbol(circuit.name, sheet, part, unit, pins, x, y)
    return "\n".join([*rows, '(sheet_instances (path "/" (page "1")))', ")"]) + "\n"


def _uuid(*words: str) -> str:
    return str(uuid5(NAMESPACE_URL, "/".join(words)))


def _body(symbol: str, library: Callable[[str], str]) -> str:
    """Return a symbol as a schematic carries it."""
    nick, name = symbol.split(":")
    found = re.search(rf'^\t\(symbol "{re.escape(name)}"\n.*?^\t\)', library(nick), re.M | re.S)
    if found is None:
        raise ValueError(f"{symbol}: KiCad has no such symbol")
    return found[0].replace(f'(symbol "{name}"', f'(symbol "{symbol}"', 1)


def _units(body: str) -> Iterator[tuple[int, Sequence[SymbolPin]]]:
    """Yield the units of a symbol, each with its pins; pins of unit 0 belong to all."""
    units: dict[int, list[SymbolPin]] = {}
    unit, place = 0, ("0", "0", "0")
    for found in _WORDS.finditer(body):
        if found["unit"]:
            unit = int(found["unit"])
            units.setdefault(unit, [])
        elif found["turn"]:
            place = found["x"], found["y"], found["turn"]
        else:
            x, y, turn = place
            units[unit].append(SymbolPin(found["number"], float(x), float(y), int(turn)))
    shared = units.pop(0, [])
    for number, pins in (units or {1: []}).items():
        yield number, [*shared, *pins]


def _spots(symbols: Sequence[Sequence[SymbolPin]]) -> Iterator[tuple[float, float]]:
    """Yield where each symbol stands, one below the other, and then in the next column."""
    x, y = MARGIN_MM + COLUMN_MM / 2, MARGIN_MM
    for pins in symbols:
        above = max((pin.y for pin in pins), default=0.0)
        below = -min((pin.y for pin in pins), default=0.0)
        if y + above + below > PAPER[1]:
            x, y = x + COLUMN_MM, MARGIN_MM
        yield x, y + above
        y += above + below + 15.24


def _symbol(
    name: str, sheet: str, part: Part, unit: int, pins: Sequence[SymbolPin], x: float, y: float
) -> Iterator[str]:
    """Yield one unit of a part, and a label or a cross at each of its pins."""
    own = _uuid(name, part.ref, str(unit))
    in_bom = "yes" if part.is_bought else "no"
    yield f'(symbol (lib_id "{part.symbol}") (at {x:.2f} {y:.2f} 0) (unit {unit})'
    yield f"(exclude_from_sim no) (in_bom {in_bom}) (on_board yes) (dnp no)"
    yield f'(uuid "{own}")'
    texts = {"Reference": part.ref, "Value": part.value, "Footprint": part.footprint}
    for at, (key, text) in enumerate(texts.items()):
        top = y - max((pin.y for pin in pins), default=0.0) - 5.08 + 2.54 * at
        hidden = " (hide yes)" if key == "Footprint" or part.ref.startswith("#") else ""
        yield f'(property "{key}" "{text}" (at {x + 7.62:.2f} {top:.2f} 0)'
        yield f"(effects (font (size 1.27 1.27)) (justify left){hidden}))"
    yield f'(instances (project "{name}" (path "/{sheet}"'
    yield f'(reference "{part.ref}") (unit {unit})))))'
    for pin in pins:
        place = f"(at {x + pin.x:.2f} {y - pin.y:.2f}"
        mark = _uuid(name, part.ref, pin.number)
        net = part.pins.get(pin.number)
        if net is None:
            yield f'(no_connect {place}) (uuid "{mark}"))'
            continue
        turn = (pin.turn + 180) % 360
        justify = "right" if turn == 180 or turn == 270 else "left"
        yield f'(global_label "{net}" (shape passive) {place} {turn})'
        yield f'(effects (font (size 1.27 1.27)) (justify {justify})) (uuid "{mark}"))'
