"""Named tuples, new types and numbers, without an import that takes time.

`typing` takes as long to import as all of this package does, and a program at play needs nothing
else of it: `NamedTuple` and `NewType` are as it has them, and type checkers are shown the real
ones. A module that makes a `NamedTuple` postpones annotations (`from __future__`): otherwise Python
3.14 keeps them where no class is told of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""True for type checkers, which know it by its name."""

if TYPE_CHECKING:
    from typing import NamedTuple, NewType
else:
    from collections import namedtuple

    class _FromAnnotations(type):
        """Makes each class that names a NamedTuple as its base: its annotations name the places."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            places = body["__annotations__"]
            defaults = [body.pop(place) for place in places if place in body]
            plain = namedtuple(name, places, defaults=defaults, module=body["__module__"])
            return type(name, (plain,), {"__slots__": (), **body})

    NamedTuple = _FromAnnotations("NamedTuple", (), {})

    def NewType(name, base):  # noqa: N802  # named as typing names it
        """Return the base itself: only type checkers tell the new type from it."""
        return base


MOST_DIGITS = 20
"""Nothing here counts farther; Python itself refuses to read thousands of digits."""


def whole_number(text: str) -> int | None:
    """Return the number that a text of the digits 0 to 9 tells; None for any other text."""
    is_one = len(text) <= MOST_DIGITS and text.isascii() and text.isdigit()
    return int(text) if is_one else None


def decimal_number(text: str) -> float | None:
    """Return the number of a text such as 12 or 12.5; None for any other text."""
    whole, point, fraction = text.partition(".")
    parts = [whole, fraction] if point else [whole]
    return None if None in map(whole_number, parts) else float(text)


__all__ = ["TYPE_CHECKING", "NamedTuple", "NewType", "decimal_number", "whole_number"]
