"""A matrix of switches over pins: its scan, the orders it is wired in, and a simulated one.

One row is driven at a time, and the columns are read. The simulated one stands under the real scan.
Modelled: the net of closed switches between rows and columns, with a diode at each switch or
without (then three closed corners of a rectangle close the fourth); columns that rise slowly after
they were pulled low, and read at random until then. Not modelled: pulls, voltages, two outputs that
fight, noise and cross-talk, and the time a scan itself takes: the contacts stand still during one.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, compress
from operator import not_
from random import Random
from typing import NewType, Protocol

from rules import SQUARES, Square, UnknownName, _, near_miss, parse_square

from .ports import BadWiring

Pin = NewType("Pin", int)
"""Number of a pin as the driver of the pins counts them (on a Pi: BCM)."""

SETTLE_S = 100e-6
"""Wait after driving a row: three time constants of a 50 kOhm pull-up on 600 pF of wire."""


class Pins(Protocol):
    """General-purpose pins, which have pull-ups as inputs."""

    def drive_low(self, pin: Pin) -> None:
        """Make `pin` an output that pulls to ground."""
        ...

    def release(self, pin: Pin) -> None:
        """Make `pin` an input."""
        ...

    def read(self, pins: Sequence[Pin]) -> Sequence[bool]:
        """Return True for each pin that is high."""
        ...


class Matrix:
    """A matrix of switches, each with a diode from its column to its row.

    Rows that are not driven are inputs: two outputs that fight over two closed switches of one
    column would burn. Their own pull-ups charge their wires, else columns would have to, through
    the diodes. Without diodes any three closed corners of a rectangle close the fourth, which no
    scan can see through: `doubted` names such corners.

        >>> from random import Random
        >>> from hardware.matrix import Matrix, SimulatedMatrix
        >>> rows, columns = (4, 5), (18, 19)
        >>> pins = SimulatedMatrix(lambda: [False, True, False, False], rows, columns, Random(1))
        >>> Matrix(pins, rows, columns, pins.wait).scan()
        (False, True, False, False)
        >>> three = [True, True, True, False]
        >>> pins = SimulatedMatrix(lambda: three, rows, columns, Random(1), diodes=False)
        >>> matrix = Matrix(pins, rows, columns, pins.wait, diodes=False)
        >>> matrix.scan(), sorted(matrix.doubted(matrix.scan()))
        ((True, True, True, True), [0, 1, 2, 3])
    """

    def __init__(
        self,
        pins: Pins,
        rows: Sequence[Pin],
        columns: Sequence[Pin],
        wait: Callable[[float], None],
        settle_s: float = SETTLE_S,
        diodes: bool = True,
    ) -> None:
        """Release all pins. `wait(seconds)` lets the columns settle.

        Raises BadWiring when a pin is named twice.
        """
        wired = [*rows, *columns]
        twice = sorted({pin for pin in wired if wired.count(pin) > 1})
        if twice:
            raise BadWiring(
                _("pin {pin} is wired twice: each row and column needs its own"),
                pin=twice[0],
            )
        self._pins, self._rows, self._columns = pins, tuple(rows), tuple(columns)
        self._wait, self._settle_s, self._diodes = wait, settle_s, diodes
        for pin in wired:
            pins.release(pin)

    @property
    def switches(self) -> int:
        """The number of switches."""
        return len(self._rows) * len(self._columns)

    def scan(self) -> tuple[bool, ...]:
        """Return which switches are closed now, by switch index (row x columns + column)."""
        closed: list[bool] = []
        for row in self._rows:
            self._pins.drive_low(row)
            self._wait(self._settle_s)
            closed += map(not_, self._pins.read(self._columns))
            self._pins.release(row)
        return tuple(closed)

    def doubted(self, closed: Sequence[bool]) -> frozenset[int]:
        """Return the switches of a scan that may be closed by three others only; none with diodes.

        Two rows that share two closed columns are a rectangle, and any of its corners may be false.
        """
        if self._diodes:
            return frozenset()
        width = len(self._columns)
        doubted: set[int] = set()
        for first, second in combinations(range(0, len(closed), width), 2):
            shared = [n for n in range(width) if closed[first + n] and closed[second + n]]
            if len(shared) > 1:
                doubted.update(row + n for row in (first, second) for n in shared)
        return frozenset(doubted)


RISE_S = 15e-6
"""Time in which a column rises through its pull-up."""


class SimulatedMatrix:
    """The pins of a simulated board; `closed` returns its contacts, row x columns + column."""

    def __init__(
        self,
        closed: Callable[[], Sequence[bool]],
        rows: Sequence[Pin],
        columns: Sequence[Pin],
        rng: Random,
        diodes: bool = True,
    ) -> None:
        self._closed = closed
        self._rows, self._columns = tuple(rows), tuple(columns)
        self._rng, self._diodes = rng, diodes
        self._driven: set[Pin] = set()
        self._low: set[Pin] = set()
        self._waited = 0.0
        self._rises: dict[Pin, float] = {}

    def wait(self, seconds: float) -> None:
        """Let the columns settle."""
        self._waited += seconds

    def drive_low(self, pin: Pin) -> None:
        """Pull `pin` to ground."""
        self._drive(self._driven | {pin})

    def release(self, pin: Pin) -> None:
        """Make `pin` an input."""
        self._drive(self._driven - {pin})

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        """Return True for each pin that is high; one that still rises reads at random."""
        low, waited, rises = self._low, self._waited, self._rises
        return [
            pin not in low and (waited >= rises.get(pin, 0.0) or self._rng.random() < 0.5)
            for pin in pins
        ]

    def _drive(self, driven: set[Pin]) -> None:
        # The contacts stand still while a row is driven, so that a look at them for each change of
        # the rows is enough: reading the columns needs none of its own.
        before, self._driven = self._low, driven
        self._low = (
            low_pins(self._closed(), self._rows, self._columns, driven, self._diodes)
            if driven
            else set()
        )
        for column in before - self._low:
            self._rises[column] = self._waited + RISE_S


def low_pins(
    closed: Sequence[bool],
    rows: Sequence[Pin],
    columns: Sequence[Pin],
    driven: Iterable[Pin],
    diodes: bool = True,
) -> set[Pin]:
    """Return the pins that those `driven` pull to ground, themselves included.

    `closed` is by switch, row x columns + column. Without diodes current also flows from a column
    on into further rows.
    """
    # A search over the net of closed switches. With diodes it ends after one step: current flows
    # from columns to rows only.
    width, low = len(columns), set(driven)
    pending = list(map(rows.index, low.intersection(rows)))
    while pending:
        row = pending.pop()
        low.update(compress(columns, closed[row * width : (row + 1) * width]))
        if diodes:
            continue
        reached = [column for column in range(width) if closed[row * width + column]]
        for index, pin in enumerate(rows):
            if pin not in low and any(closed[index * width + column] for column in reached):
                low.add(pin)
                pending.append(index)
    return low


Order = str | Sequence[str]
"""The name of an order, or all squares by name, first wired first."""


def _snake() -> tuple[Square, ...]:
    """Row by row, every second one back."""
    return tuple(
        Square(10 * rank + (file if rank % 2 == 0 else 9 - file))
        for rank in range(10)
        for file in range(10)
    )


def _rings() -> tuple[Square, ...]:
    """Ring by ring of a disk, from the rim, where j1 is beside a10 and j10 beside a1."""
    return tuple(
        Square(10 * rank + file)
        for ring in range(5)
        for rank in (ring, 9 - ring)
        for file in range(10)
    )


ORDERS = {"rows": tuple(SQUARES), "snake": _snake(), "rings": _rings()}
"""`rows`: a1, b1, .. j1, a2, .. j10; `snake`: a1 .. j1, j2 .. a2, a3 ..; `rings`, for a disk: a1 ..
j1, a10 .. j10, a2 .. j2, a9 .."""


def squares_in_order(order: Order) -> tuple[Square, ...]:
    """Return the square of each switch or lamp; raises BadWiring unless each is named once."""
    # A list must name every square once: one that is left out would be a switch that nobody reads.
    if isinstance(order, str):
        if order not in ORDERS:
            raise BadWiring(
                _("order {order!r}: no such order{near}"),
                order=order,
                near=near_miss(order, ORDERS),
            )
        return ORDERS[order]
    try:
        squares = tuple(parse_square(name) for name in order)
    except UnknownName as error:
        raise BadWiring(_("order: {why}"), why=error) from None
    twice = [name for name in order if list(order).count(name) > 1]
    if twice:
        raise BadWiring(_("order: {square} is named twice"), square=twice[0])
    if len(squares) != len(SQUARES):
        raise BadWiring(
            _("order: {count} squares; a board has {whole}"),
            count=len(squares),
            whole=len(SQUARES),
        )
    return squares


def index_of(order: Order) -> tuple[int, ...]:
    """Return each square's place in the order, by square; raises BadWiring as above."""
    squares = squares_in_order(order)
    place = {square: index for index, square in enumerate(squares)}
    return tuple(place[square] for square in SQUARES)
