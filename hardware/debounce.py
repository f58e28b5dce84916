"""Makes the raw levels of switches steady: a change counts at once, its bounce does not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.sentences import _

from .errors import BadSensorSetting
from .switches import Change, Switch

DEBOUNCE_MS = 6.0
"""Default hold-off in milliseconds: a reed's worst burst is 5 ms."""

LONGEST_MS = 200.0
"""A hold-off above this would hide a piece slid across a square."""


@dataclass(frozen=True, slots=True)
class Bouncing:
    """How a switch has bounced so far: changes that did not count, and the longest burst."""

    changes: int = 0
    longest_s: float | None = None
    """From the change that counted to the last that did not; None where nobody measured it."""


class Debounce:
    """Eager debounce of many switches, each by itself.

    The first change of a settled switch counts at once and starts a hold-off in which that switch's
    further changes are ignored; if its raw level at the end of it is another one, that is a change
    too, then, and is held again. So a lift shows without delay, and a gap of a few milliseconds
    shows as a blip instead of vanishing. Time only runs forward.
    """

    def __init__(self, closed: Iterable[bool], debounce_ms: float = DEBOUNCE_MS) -> None:
        """Start with the levels `closed`, switch by switch, taken as settled.

        Raises BadSensorSetting when `debounce_ms` is not in 0..200.
        """
        if not 0 <= debounce_ms <= LONGEST_MS:
            raise BadSensorSetting(
                _("debounce_ms = {debounce_ms:g}: must be 0..{longest_ms:g}"),
                debounce_ms=debounce_ms,
                longest_ms=LONGEST_MS,
            )
        self._hold_off = debounce_ms / 1000
        self._raw = list(closed)
        self._steady = list(self._raw)
        self._held: dict[Switch, float] = {}
        self.bouncing: dict[Switch, Bouncing] = {}

    @property
    def levels(self) -> tuple[bool, ...]:
        """The steady levels, switch by switch."""
        return tuple(self._steady)

    @property
    def due(self) -> float | None:
        """When `advance` must be called next, in seconds; None while every switch is settled."""
        return min(self._held.values(), default=None)

    def feed(self, change: Change) -> list[Change]:
        """Take in a raw change, and return the steady ones by then, of ended hold-offs too."""
        changes = self.advance(change.at)
        self._raw[change.switch] = change.closed
        if change.switch in self._held:
            before = self.bouncing.get(change.switch, Bouncing())
            lasts = change.at - (self._held[change.switch] - self._hold_off)
            self.bouncing[change.switch] = Bouncing(
                before.changes + 1, max(before.longest_s or 0.0, lasts)
            )
        if change.switch not in self._held and self._steady[change.switch] != change.closed:
            changes.append(self._settle(change.at, change.switch))
        return changes

    def advance(self, now: float) -> list[Change]:
        """Return the changes that count because a hold-off has ended by `now`, oldest first."""
        changes = []
        while self._held:
            ended, switch = min((end, switch) for switch, end in self._held.items())
            if ended > now:
                break
            del self._held[switch]
            if self._raw[switch] != self._steady[switch]:
                changes.append(self._settle(ended, switch))
        return changes

    def _settle(self, at: float, switch: Switch) -> Change:
        self._steady[switch] = self._raw[switch]
        if self._hold_off:
            self._held[switch] = at + self._hold_off
        return Change(at, switch, self._steady[switch])
