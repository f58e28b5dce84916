"""Which lamp lies under which square: a usual order from few lamps, any other from all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from hardware.orders import ORDERS
from rules import SQUARES, Square, format_square

from ..lamps.lights import Lamp

Order = tuple[Square, ...]
"""The square of each lamp, first wired first."""

OrderName = tuple[str, str, str]
"""A pattern of `ORDERS`, the corner of the first lamp, and `ranks` or `files`."""

ENOUGH = 4
"""So many lamps must agree with an order before it is believed."""


def _turned(order: Order) -> Iterator[Order]:
    """Yield an order as it runs from each corner, along ranks and along files."""
    for is_swapped in (False, True):
        for file_end in (0, 9):
            for rank_end in (0, 9):
                places = (divmod(square, 10) for square in order)
                turned = ((abs(rank_end - rank), abs(file_end - file)) for rank, file in places)
                yield tuple(
                    Square(10 * file + rank if is_swapped else 10 * rank + file)
                    for rank, file in turned
                )


def _named(pattern: str, order: Order) -> Iterator[tuple[OrderName, Order]]:
    for number, turned in enumerate(_turned(order)):
        yield (pattern, format_square(turned[0]), "ranks" if number < 4 else "files"), turned


NAMED: Mapping[OrderName, Order] = {
    name: turned for pattern, order in ORDERS.items() for name, turned in _named(pattern, order)
}
"""The usual orders, each by its pattern, the square of its first lamp, and along what it runs."""

USUAL: tuple[Order, ...] = tuple(NAMED.values())
"""The orders that have a name, from any corner, along ranks or files."""


def fits(readings: Mapping[Lamp, Square]) -> list[Order]:
    """Return the usual orders that agree with all readings."""
    return [
        order for order in USUAL if all(order[lamp] == square for lamp, square in readings.items())
    ]


def next_lamp(
    readings: Mapping[Lamp, Square], in_vain: Collection[Lamp], walks: bool
) -> Lamp | None:
    """Return the lamp that tells most, None where the order is known; `walks` asks for all.

    Lamps `in_vain` have told nothing: the switch above them may be dead.
    """
    left = [Lamp(n) for n in range(len(SQUARES)) if n not in readings and n not in in_vain]
    orders = fits(readings)
    if walks or not orders:
        return left[0] if left else None
    if len(orders) == 1 and len(readings) >= ENOUGH:
        return None
    return max(left, key=lambda lamp: len({order[lamp] for order in orders}), default=None)


def whole_order(readings: Mapping[Lamp, Square]) -> Order | None:
    """Return every lamp's square, as far as readings and usual orders tell; None if they do not."""
    orders = fits(readings)
    if len(orders) == 1:
        return orders[0]
    left = set(SQUARES) - set(readings.values())
    if len(set(readings.values())) < len(readings) or len(left) > 1:
        return None
    return tuple(readings[Lamp(n)] if n in readings else min(left) for n in range(len(SQUARES)))
