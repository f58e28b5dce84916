"""What the reader holds for likely: costs in nats, and patience in seconds, of `costs.toml`.

A cost is the natural logarithm of odds against: 0.7 is two to one, 2.3 ten to one, 4.6 a hundred to
one, 7 a thousand to one. All that goes against a hypothesis is added up. `MARGIN` is the measure:
what costs less leaves a rival open, so that the reader waits or asks; what costs 5, twice the
margin, is believed only where every hypothesis that does without it is as odd in other ways.

Names that end in `_S` are seconds, of ordinary hands, and are multiplied by the pace of the hands
at this board (see `habits`) where nothing else is said. All other names are nats. The file says of
each where it is from; `python -m training.reading.fit` counts and fits again.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import msgspec

COSTS_FILE = Path(__file__).with_name("costs.toml")


class Charge(float):
    """A number that knows its name in the table: as a charge, `times` the one that stands there."""

    __slots__ = ("name", "times")
    name: str
    times: float

    def __new__(cls, value: float, name: str, times: float = 1.0) -> Charge:
        """Make the figure that stands in the table for `value` over `times`."""
        figure = super().__new__(cls, value)
        figure.name, figure.times = name, times
        return figure

    def by(self, times: float) -> Charge:
        """Return the charge of so many times this."""
        return Charge(self * times, self.name, self.times * times)


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A number as it is kept, and where it is from.

    Where it was counted, and yet stands otherwise, `chosen` says why.
    """

    nats: float = 0.0
    seconds: float = 0.0
    counted: tuple[int, int] | None = None
    """On how many of how many occasions it was seen, or a span of time was beyond it."""
    fitted: int | None = None
    """On how many decisions between the true account and its best rival it was found."""
    chosen: str | None = None
    """Why, where it was set by hand."""


def entries() -> dict[str, Provenance]:
    """Return the whole table by name."""
    return msgspec.convert(tomllib.loads(COSTS_FILE.read_text("utf-8")), dict[str, Provenance])


class Bill(list[Charge]):
    """What an account is charged, one entry for each thing that goes against it."""

    def charge(self, figure: Charge, times: float = 1.0) -> None:
        """Charge so many times a figure; nothing where that is 0."""
        if times:
            self.append(figure if times == 1.0 else figure.by(times))

    @property
    def nats(self) -> float:
        """All of it."""
        return math.fsum(self)


def __getattr__(name: str) -> Charge:
    raise AttributeError(f"costs.toml has no {name}")


globals().update(
    {name: Charge(entry.nats + entry.seconds, name) for name, entry in entries().items()}
)
