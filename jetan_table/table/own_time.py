"""Time for a table that is simulated: no moment in which something happens there is skipped."""

from collections.abc import Callable, Iterable, Iterator

from .loop import Clock

GRAIN_S = 0.005
"""While something happens, it is looked at so often, however seldom the machine comes to it."""

MOMENT_S = 0.5
"""What happens later than in so long is waited for calmly."""

MOST_AT_ONCE = 200
"""So many moments are caught up with before people are heard again."""


class OwnTime:
    """A clock that runs with another, but falls behind it rather than leap over what happens.

    A busy machine looks late; a look that is late would see a piece gone for half a second that
    was in the air for a moment. In its own time the simulated table is always looked at in time.
    """

    def __init__(self, clock: Clock, dues: Callable[[], Iterable[float | None]]) -> None:
        """`dues` tells when something happens next, None for never."""
        self._clock, self._dues = clock, dues
        self._now = clock.now()

    def now(self) -> float:
        if not self.is_busy:
            self._now = max(self._now, self._clock.now())
        return self._now

    def sleep(self, seconds: float) -> None:
        self._clock.sleep(seconds)

    @property
    def is_busy(self) -> bool:
        """Whether anything is still to happen within a moment."""
        until = self._now + MOMENT_S
        return any(due is not None and due < until for due in self._dues())

    def moments(self) -> Iterator[float]:
        """Yield the times at which to look, up to the present: one where nothing happens."""
        for _ in range(MOST_AT_ONCE):
            present = self._clock.now()
            if not self.is_busy or present <= self._now + GRAIN_S:
                self._now = max(self._now, present)
                yield self._now
                return
            self._now += GRAIN_S
            yield self._now
