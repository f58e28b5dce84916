"""What a tutor is at, as a value: everything that can be said and shown of a lesson."""

from __future__ import annotations

from dataclasses import dataclass

from rules import Move, Position
from rules.explain import Explanation

from .course import Lesson
from .progress import Progress


@dataclass(frozen=True, slots=True)
class Teaching:
    """What a tutor is at: which lesson, and what came of the last try."""

    lesson: Lesson
    number: int
    """1 for the first lesson of the course."""
    count: int
    """How many lessons the course has."""
    progress: Progress
    position: Position
    """Where the lesson begins."""
    wanted: tuple[Move, ...]
    """The plies that solve it; lamps show the first."""
    tried: Explanation | None = None
    """Why a piece may not go where it was last put, or how it went though that was not asked."""
    is_solved: bool = False
    is_after_another: bool = False
    """Whether the lesson before has just been solved."""
    is_done: bool = False
    """Whether that was the last lesson: the course is through."""
