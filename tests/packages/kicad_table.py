"""A table of twenty strips and an adapter, put together from the netlists that KiCad made."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple
from xml.etree import ElementTree

from packages.kicad.ipc import pads
from rules import FILES

AWAY_MM: Final = 49.9
"""How far the border of the first square lies off the corner of KiCad's sheet."""

GATES: Final = {"2": ("3", "1"), "5": ("6", "4"), "9": ("8", "10"), "12": ("11", "13")}
"""Of a 74125 each input, with its output and what must be low for it."""

MOST_OHM: Final = 1000.0
"""What is stronger pulls a line, and does not lead on."""

Node = str
Pair = tuple[frozenset[str], frozenset[str]]
"""The pins of the brain at a reed: those beyond it, and those behind its diode."""


class Netlist(NamedTuple):
    """A board's parts, each with its symbol and value, and the net at each pin."""

    parts: Mapping[str, tuple[str, str]]
    nets: Mapping[tuple[str, str], str]


class Made(NamedTuple):
    """What a walk needs of a board: its netlist, and the list of its pads."""

    netlist: str
    pads: str


def read(text: str) -> Netlist:
    """Read the netlist that KiCad exports as XML."""
    root = ElementTree.fromstring(text)
    parts = {
        each.attrib["ref"]: (each.find("libsource").attrib["part"], each.findtext("value", ""))  # type: ignore[union-attr]
        for each in root.iter("comp")
    }
    nets = {
        (node.attrib["ref"], node.attrib["pin"]): net.attrib["name"]
        for net in root.iter("net")
        for node in net.iter("node")
    }
    return Netlist(parts, nets)


@dataclass(frozen=True, slots=True)
class Seen:
    """What a walk has found: the pins at each square's reeds, and the lamps in their order."""

    pairs: Mapping[str, set[Pair]]
    lamps: Sequence[str]
    faults: Sequence[str]


class Table:
    """Boards that are plugged together; a node is all nets that touch."""

    def __init__(self, strip: Made, adapter: Made, square_mm: float) -> None:
        self.boards = {"adapter": read(adapter.netlist)}
        one = read(strip.netlist)
        self.place = {pad.ref: int((pad.x - AWAY_MM) / square_mm) for pad in pads(strip.pads)}
        self._above: dict[Node, Node] = {}
        for half in ("south", "north"):
            self.boards |= {f"{half} {file}": one for file in FILES}
        for half, files in (("south", FILES), ("north", FILES[::-1])):
            chain = [f"{half} {file}" for file in files]
            for left, right in pairwise(chain):
                self._plug(left, "J2", right, "J1", 12)
        self._plug("adapter", "J2", "south j", "J2", 12)
        self._plug("adapter", "J3", "north j", "J1", 12)
        self._join(self._node("south a", "J1", "9"), self._node("south a", "J1", "10"))
        for at, file in enumerate(FILES, 1):
            self._join(self._node("adapter", "J4", str(at)), self._node(f"south {file}", "J3", "1"))
            self._join(
                self._node(f"south {file}", "J3", "2"), self._node(f"north {file}", "J3", "1")
            )

    def walk(self, lamp_pin: tuple[str, str]) -> Seen:
        """Go from each reed to the brain, and from the brain's lamp pin from lamp to lamp."""
        faults: list[str] = []
        pairs: dict[str, set[Pair]] = {}
        for board, ref in self._all("SW_Reed"):
            square = self._square(board, ref)
            pairs.setdefault(square, set()).add(self._pair(board, ref))
        powered = {
            self._square(*found) for found in self._all("C") if self._is_fed(*found, "1", "2")
        }
        faults += [
            f"{square}: no capacitor at its lamp" for square in pairs if square not in powered
        ]
        return Seen(pairs, list(self._lamps(self._node("adapter", *lamp_pin), faults)), faults)

    def _plug(self, one: str, plug: str, other: str, into: str, pins: int) -> None:
        for pin in map(str, range(1, pins + 1)):
            self._join(self._node(one, plug, pin), self._node(other, into, pin))

    def _join(self, one: Node, other: Node) -> None:
        one, other = self._root(one), self._root(other)
        if one != other:
            self._above[one] = other

    def _root(self, node: Node) -> Node:
        while node in self._above:
            node = self._above[node]
        return node

    def _node(self, board: str, ref: str, pin: str) -> Node:
        return self._root(f"{board}: {self.boards[board].nets[ref, pin]}")

    def _all(self, symbol: str) -> Iterator[tuple[str, str]]:
        for board, netlist in self.boards.items():
            if symbol == "R" or board != "adapter":
                yield from (
                    (board, ref) for ref, (kind, _) in netlist.parts.items() if kind == symbol
                )

    def _square(self, board: str, ref: str) -> str:
        half, file = board.split()
        place = self.place[ref]
        return f"{file}{place + 1 if half == 'south' else 10 - place}"

    def _near(self, node: Node) -> set[Node]:
        """Return a node, and what a resistor joins to it."""
        found = {node}
        for board, ref in self._all("R"):
            ends = {self._node(board, ref, "1"), self._node(board, ref, "2")}
            if node in ends and _ohm(self.boards[board].parts[ref][1]) <= MOST_OHM:
                found |= ends
        return found

    def _brain(self, node: Node) -> frozenset[str]:
        """Return the pins of the brain's header that a node is joined to."""
        near = self._near(node)
        nets = self.boards["adapter"].nets
        pins = (pin for ref, pin in nets if ref == "J1")
        return frozenset(pin for pin in pins if self._node("adapter", "J1", pin) in near)

    def _pair(self, board: str, ref: str) -> Pair:
        ends = [self._node(board, ref, pin) for pin in ("1", "2")]
        for _, diode in ((own, each) for own, each in self._all("D") if own == board):
            anode = self._node(board, diode, "2")
            if anode in ends:
                ends.remove(anode)
                return self._brain(ends[0]), self._brain(self._node(board, diode, "1"))
        return self._brain(ends[0]), frozenset()

    def _is_fed(self, board: str, ref: str, plus: str, minus: str) -> bool:
        """Whether two pins are at what comes through fuse and guard, and at the other pole."""
        if self._node("adapter", "F1", "2") != self._node("adapter", "Q1", "5"):
            return False
        supply = self._node("adapter", "Q1", "1"), self._node("adapter", "J5", "2")
        return supply == (self._node(board, ref, plus), self._node(board, ref, minus))

    def _lamps(self, node: Node, faults: list[str]) -> Iterator[str]:
        """Yield the squares of the lamps, from the node of the data on."""
        inputs: dict[Node, list[tuple[str, str, str]]] = {}
        for board, ref in self._all("WS2812B"):
            inputs.setdefault(self._node(board, ref, "4"), []).append((board, ref, "4"))
        for ref, (kind, _) in self.boards["adapter"].parts.items():
            for pin in GATES if kind == "74LS125" else ():
                inputs.setdefault(self._node("adapter", ref, pin), []).append(("adapter", ref, pin))
        ground = self._node("adapter", "J5", "2")
        while taken := [each for near in self._near(node) for each in inputs.pop(near, [])]:
            (board, ref, pin), *others = taken
            faults += [f"{other}: its data comes from two places" for other in others]
            if pin == "4":
                yield self._square(board, ref)
                if not self._is_fed(board, ref, "1", "3"):
                    faults.append(f"{self._square(board, ref)}: its lamp has no supply")
                node = self._node(board, ref, "2")
            else:
                out, low = GATES[pin]
                if self._node(board, ref, low) != ground or not self._is_fed(board, ref, "14", "7"):
                    faults.append(f"{board} {ref}: its gate is not open")
                node = self._node(board, ref, out)


def _ohm(value: str) -> float:
    """Return what a resistor's value says: 470, 1k, 4k7."""
    whole, is_kilo, rest = value.partition("k")
    return float(f"{whole}.{rest or 0}") * (1000 if is_kilo else 1)


def differences(
    found: Seen, files: Sequence[str], ranks: Sequence[str], order: Iterable[str]
) -> Iterator[str]:
    """Say what is not as it should be: a pair of pins at each square, and the lamps in order."""
    yield from found.faults
    for file, file_pin in zip(FILES, files, strict=True):
        for rank, rank_pin in enumerate(ranks, 1):
            pairs = found.pairs.get(f"{file}{rank}", set())
            if pairs != {(frozenset({file_pin}), frozenset({rank_pin}))}:
                yield f"{file}{rank}: {sorted(map(repr, pairs))}, not {file_pin} and {rank_pin}"
    if list(found.lamps) != list(order):
        yield f"the lamps run {' '.join(found.lamps)}"
