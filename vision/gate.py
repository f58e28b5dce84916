"""Which frames count: those in which nothing moves and nobody reaches over the board.

Every frame is looked at as a top view of the board and a strip around it. Where its points differ
from the frame before, something moves. A frame at rest is held against the last trusted ones: what
has changed and reaches in over the rim, against all of them, is an arm. In a film, squares that
newly look like nothing known are hidden by something, too. Whatever does not move for long is
scenery. A frame is trusted by whoever knows that the board has not changed in it. An arm that came
in before the first frame was trusted cannot be told, nor one where the picture ends at the board.
"""

import numpy as np

from .arm_detector import ArmDetector, TopView
from .arrays import Flags, Mask, Picture
from .finder import BoardPlace

CHANGED = 0.15
"""What differs more from the frame before moves, in logarithms of brightness (`features.LOG`): 37
grey levels off white, 2 off black."""

STILL = 0.01
"""The share of points that may do so in a still picture, for noise and lamps that flicker: on a
board of 100 squares and its surroundings, less than two squares."""

QUIET_FRAMES = 2
"""So many still frames in a row count as rest; how long that takes is the camera's affair."""

REMEMBERED = 5
"""Frames without an arm, against each of which a new one is held: what is as in any of them is no
arm. Each is about twice as old as the next, so that an arm that rests unseen never fills them."""

STRANGE_SQUARES = 2
"""Where so many squares look like nothing known, and did not before, something hides them."""

LEAST_S = 0.5
"""Of frames that are less apart than this, in seconds, one does."""

SAME_ARM = 0.8
"""An arm that covers so much of what it did, of what both cover together, has not moved."""

SCENERY_S = 10.0
"""An arm that has not moved for so many seconds is no arm: a book was laid down, say. Nor is one
that has not from one still to the next: they are taken longer apart than arms rest."""


class Gate:
    """Judges frames of one view. `are_stills`: each frame was taken at rest, so none is awaited."""

    def __init__(self, are_stills: bool) -> None:
        self._are_stills = are_stills
        self._arms: ArmDetector | None = None
        self._trusted: list[tuple[float, TopView]] = []
        self._now: TopView | None = None
        self._quiet = 0
        self._arm: Mask | None = None
        self._arm_since = 0.0
        self._usual: Flags | None = None
        """The squares that look strange without an arm."""
        self._strange: Flags | None = None
        self._strange_since = 0.0

    def enter(self, place: BoardPlace, picture: Picture) -> None:
        """Begin with a place. What was known of another is of use if a bump alone lies between."""
        bumped = self._arms if place.is_bumped else None
        if bumped is None:
            self.forget()
        self._arms = ArmDetector(place.view, place.layout, bumped)
        self._now = self._arms.top_view(picture)
        self._arm = self._strange = None

    def forget(self) -> None:
        """Hold frames against none from before: they show how blurred those were, not arms."""
        self._trusted.clear()

    def is_moving(self, picture: Picture) -> bool:
        """Take a frame in, and say whether something moves, or did a moment ago."""
        assert self._arms is not None, "enter comes first"
        before, self._now = self._now, self._arms.top_view(picture)
        if self._are_stills or before is None:
            return False
        change = (self._now - before).mean(axis=2)
        moving = np.abs(change - np.median(change)) > CHANGED
        self._quiet = 0 if moving.mean() > STILL else self._quiet + 1
        return self._quiet < QUIET_FRAMES

    def is_reached_into(self, at: float) -> bool:
        """Say whether somebody reaches over the board in the last frame taken in."""
        assert self._arms is not None
        assert self._now is not None
        arm: Mask | None = None
        for _, before in reversed(self._trusted):
            arm = self._arms.arm(self._now, before)
            if not arm.any():
                break
        if arm is None or not arm.any():
            self._arm = None
            return False
        if self._arm is None or (arm & self._arm).sum() < SAME_ARM * (arm | self._arm).sum():
            self._arm, self._arm_since = arm, at
            return True
        return not self._are_stills and at < self._arm_since + SCENERY_S

    def is_hidden(self, strange: Flags, at: float) -> bool:
        """Say whether something lies over the squares of a film that look like nothing known.

        Whatever has lain there for long belongs to the board. Stills are taken when hands have
        rested: what hides a square there hides the rest of the game as well.
        """
        if self._usual is None:
            self._usual = strange.copy()
        new = strange & ~self._usual
        if new.sum() >= STRANGE_SQUARES and self._trusted:
            assert self._arms is not None
            assert self._now is not None
            new &= ~self._arms.shadowed(self._now, self._trusted[-1][1])
        if new.sum() < STRANGE_SQUARES:
            self._strange = None
            return False
        before = self._strange
        if before is None or (new & before).sum() < SAME_ARM * (new | before).sum():
            self._strange, self._strange_since = new, at
            return True
        if at < self._strange_since + SCENERY_S:
            return True
        self._usual = self._usual | new
        return False

    def trust(self, at: float) -> None:
        """Remember the last frame taken in, at a time, as one that nobody reached into."""
        if self._now is None:
            return
        self._trusted.append((at, self._now))
        if len(self._trusted) > REMEMBERED:
            times = np.array([each for each, _ in self._trusted])
            gaps = (times[2:] - times[:-2]) / (at - times[:-2] + LEAST_S)
            del self._trusted[1 + int(gaps.argmin())]
