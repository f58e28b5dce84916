"""The reader's prices from `costs.toml`: costs in nats, and patience in seconds.

A cost is the natural logarithm of odds against: 0.7 is two to one, 2.3 ten to one, 4.6 a hundred to
one, 7 a thousand to one. All that goes against a hypothesis is added up. `MARGIN` is the measure:
what costs less leaves a rival open, so that the reader waits or asks; what costs 5, twice the
margin, is believed only where every hypothesis that does without it is as odd in other ways.

Names that end in `_S` are seconds, of ordinary hands, and are multiplied by the pace of the hands
at this board (`scene.Tempo`) where nothing else is said. All other names are nats. The file says of
each where it is from; `python -m training.reading.fit` counts and fits again.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
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
    """The reason, where it was set by hand."""


def entries() -> dict[str, Provenance]:
    """Return the whole table by name."""
    return msgspec.convert(tomllib.loads(COSTS_FILE.read_text("utf-8")), dict[str, Provenance])


class Bill(list[Charge]):
    """The charges against an account, one entry for each."""

    def charge(self, figure: Charge, times: float = 1.0) -> None:
        """Charge so many times a figure; nothing where that is 0."""
        if times:
            self.append(figure if times == 1.0 else figure.by(times))

    @property
    def nats(self) -> float:
        """All of it."""
        return math.fsum(self)


@dataclass(frozen=True, slots=True)
class Prices:
    """Every figure of the table, by the name that it has there; the file says what each means."""

    MARGIN: Charge
    MARGIN_TO_RETRACT: Charge
    LIKELIER: Charge
    LOST: Charge
    LOST_AGAIN: Charge
    LOST_PLAINLY: Charge
    FORGET: Charge
    HOPELESS: Charge
    LIFTED: Charge
    LIFTED_OTHER: Charge
    OUT_OF_TURN: Charge
    FALL_S: Charge
    STRANGER: Charge
    PASSING: Charge
    NEVER_ROSE: Charge
    TOUCH: Charge
    TRANSIT: Charge
    RESTED: Charge
    FLICKER: Charge
    BLIP: Charge
    BLIP_BESIDE: Charge
    WOBBLE: Charge
    UNSEEN: Charge
    UNSEEN_BLIP: Charge
    UNSEEN_FLICKER: Charge
    UNSEEN_TRAIL: Charge
    PASSED_OVER: Charge
    ASIDE: Charge
    ON_RIM: Charge
    ON_SOURCE: Charge
    SHIFTED: Charge
    BOTH_KNOCKED: Charge
    FELL_ALONG: Charge
    THOUGHT: Charge
    HELD: Charge
    HELD_LONG: Charge
    HELD_LONG_S: Charge
    TOO_MANY: Charge
    ANOTHER_TAKEN: Charge
    OVERLAPPED: Charge
    HASTY: Charge
    SHOWN_LATE: Charge
    HELD_READY: Charge
    TOGETHER: Charge
    DISORDER: Charge
    NECK_AND_NECK: Charge
    PASSED: Charge
    MOVED_ON: Charge
    NEVER_DOWN: Charge
    SHORT_FLIGHT: Charge
    LONG_AIR: Charge
    RETRACT: Charge
    NEVER_LEFT: Charge
    ANSWERED: Charge
    FAULT: Charge
    HELD_BESIDE: Charge
    ANOTHER_FAULT: Charge
    FOLLOWED_LATELY: Charge
    BLIND_LANDING: Charge
    BLIND_LIFT: Charge
    KNOWN_BLIND_LIFT: Charge
    HELD_CLOSED: Charge
    PASSING_S: Charge
    SLIDING_S: Charge
    INSTANT_S: Charge
    NO_FLIGHT_S: Charge
    SHORT_FLIGHT_S: Charge
    SHOCK_S: Charge
    SHIFTED_S: Charge
    ASIDE_S: Charge
    WALKED_S: Charge
    EXIT_S: Charge
    NECK_AND_NECK_S: Charge
    MOVED_ON_S: Charge
    TOGETHER_S: Charge
    SHORTEST_S: Charge
    QUIET_S: Charge
    CALM_S: Charge
    ASTRAY_S: Charge
    HOLD_S: Charge
    COUNTED_S: Charge
    FLICKER_S: Charge
    BLINK_S: Charge
    OVERLAP_SLIDE_S: Charge
    DRAGGED_S: Charge
    OVERLAP_REPLY_S: Charge
    KNOCK_S: Charge
    VICTIM_S: Charge
    VICTIM_LONG_S: Charge
    VICTIM_ALONE_S: Charge
    HELD_S: Charge
    RISE_S: Charge
    FIRM_S: Charge
    HELD_CLOSED_S: Charge
    SECOND_THOUGHT_S: Charge
    SUSPECT_S: Charge
    AIR_S: Charge
    RECKONED: Charge
    TAKEN_BACK: Charge
    TAKEN_BACK_TOO: Charge
    DEED_S: Charge


PRICES = Prices(
    **{name: Charge(entry.nats + entry.seconds, name) for name, entry in entries().items()}
)
