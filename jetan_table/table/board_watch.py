"""What a table's board has shown of itself: its squares, how late it is looked at, its lamps."""

from collections import deque
from collections.abc import Iterable

from hardware.ports import Evidence, Observation
from hardware.sensors import SquareHistories
from rules import Square

LOOKS = 2000
"""So many looks at the board are remembered: ten seconds of a usual one."""

TAPPED_S = 3.0
"""A lamp that is tapped on the page is lit for so long."""


class BoardWatch:
    """Follows a board while it is played on. Squares have the names that the board is wired by."""

    def __init__(self) -> None:
        self.histories = SquareHistories()
        self.evidence: dict[Square, Evidence | None] = {}
        """What was seen last of each square."""
        self.gaps: deque[float] = deque(maxlen=LOOKS)
        """The seconds from each look at the board to the next, the latest last."""
        self._looked_at: float | None = None
        self._tapped: tuple[Square, float] | None = None

    def note(self, now: float, observations: Iterable[Observation]) -> None:
        """Take in one look at the board, and what it showed."""
        if self._looked_at is not None:
            self.gaps.append(now - self._looked_at)
        self._looked_at = now
        for observation in observations:
            self.histories.observe(observation)
            self.evidence.update(observation.squares)

    def tap(self, square: Square, now: float) -> None:
        """Light the lamp of a square alone for a while; it is named as it really lies."""
        self._tapped = square, now + TAPPED_S

    def tapped(self, now: float) -> Square | None:
        """Return the square whose lamp was tapped and is lit still."""
        if self._tapped is not None and now >= self._tapped[1]:
            self._tapped = None
        return None if self._tapped is None else self._tapped[0]
