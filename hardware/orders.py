"""In which order switches or lamps are wired through the squares."""

from collections.abc import Sequence

from rules import SQUARES, Square, parse_square
from rules.sentences import UnknownName, _, near_miss

from .errors import BadWiring

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
