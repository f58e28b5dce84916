"""Learning Jetan: short lessons as data, who teaches them at a table, puzzles and study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from .. import Extra

if TYPE_CHECKING:
    from ...page.house import PagePart
    from ...session.session import Guest
    from ...wiring import Seating

__all__ = ("EXTRA", "course", "desk", "exercise", "own", "page", "proved", "puzzles", "study")


class Lessons(Extra):
    """Teaches people the game."""

    needs = ("opponent",)
    commands = {
        "learn": "Learn Jetan in short lessons; see how a piece moves.",
        "puzzle": "Solve the puzzle of the day.",
        "study": "Try moves freely; see the best, and keep every line.",
    }

    def keeps(self) -> Mapping[str, type]:
        from .exercise import LESSONS_KEPT_IN, PUZZLES_KEPT_IN, Progress
        from .own import FOUND_IN, OWN_KEPT_IN, Mistakes
        from .proved import PROVED_KEPT_IN

        files = LESSONS_KEPT_IN, PUZZLES_KEPT_IN, OWN_KEPT_IN, PROVED_KEPT_IN
        solved = dict.fromkeys(files, Progress)
        return {**solved, FOUND_IN: Mistakes}

    @contextmanager
    def guests(self, seating: Seating) -> Iterator[Sequence[Guest]]:
        if seating.has_people:
            yield ()
            return
        from .desk import AskedLesson, Desk
        from .study import Study, StudyDesk

        folder, hands, wait_s = seating.folder, seating.hands, seating.wait_s
        desk = Desk(folder, hands, wait_s)
        lasting = None
        if seating.extra_options.get(AskedLesson) == AskedLesson(is_study=True):
            lasting = Study(folder, None if hands is None else hands.set_up, wait_s)
        with closing(StudyDesk(folder, desk, wait_s, lasting)) as study:
            yield desk, study

    @contextmanager
    def at_table(self, seating: Seating) -> Iterator[None]:
        from .desk import AskedLesson, Desk

        table = seating.table
        desk = None if table is None else table.guest(Desk)
        if table is None or desk is None:
            yield
            return
        asked = seating.extra_options.get(AskedLesson, AskedLesson())
        is_going_on = not asked.lesson and desk.go_on(table)
        if asked.exercise is not None:
            desk.train(table, asked.exercise, carries=True)
        elif asked.lesson is not None and not is_going_on:
            desk.learn(table, asked.lesson or None)
        yield
        if not seating.is_paged:
            desk.leave_and_tidy(table, seating.clock.now, seating.pause)

    def page(self) -> PagePart:
        from .page import LessonsPage

        return LessonsPage()


EXTRA = Lessons()
