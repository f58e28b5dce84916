"""Turns times of the board's clock into the table's."""

from collections import deque
from dataclasses import dataclass

TURN_US = 1 << 32
"""The board counts microseconds in 32 bits."""

KEPT = 4
"""Answers looked back on: few, because a cheap board's clock runs off by 5 ms a second."""


@dataclass(frozen=True, slots=True)
class TimeSample:
    """One comparison of the two clocks."""

    at_us: int
    """A time on the board's clock, in microseconds."""
    at: float
    """When that was on the table clock, in seconds: half-way between question and answer."""
    took_s: float
    """How long the answer took."""


class BoardClock:
    """Learns how far the board's clock is off from pings: the quickest of the last answers counts.

    Half the time an answer took is the most by which it can be wrong.
    """

    def __init__(self) -> None:
        self._answers: deque[TimeSample] = deque(maxlen=KEPT)

    def learn(self, at_us: int, asked: float, answered: float) -> None:
        """Take in the board's time told in answer to a ping, and when that was asked and heard."""
        took = answered - asked
        self._answers.append(TimeSample(at_us, answered - took / 2, took))

    def forget(self) -> None:
        """The board has started anew: its clock begins at 0."""
        self._answers.clear()

    def table_time(self, at_us: int, now: float) -> float:
        """Return when the board's time was, at most `now`; `now` itself while nothing is known.

        The time must lie within 35 minutes of the last answer, or the turns are counted wrongly.
        """
        if not self._answers:
            return now
        best = min(self._answers, key=lambda answer: answer.took_s)
        since = (at_us - best.at_us + TURN_US // 2) % TURN_US - TURN_US // 2
        return min(best.at + since / 1_000_000, now)
