"""Lessons, puzzles, guessing and study on the page."""

import os
from collections.abc import Awaitable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from starlette.requests import Request as HttpRequest

from rules import Game, Side, _, format_position, format_square, joined

from ...engine.endings import find_endings
from ...game.commands import CommandRefused, Line, NewGame
from ...game.events import Header
from ...languages import Language, SentenceData, as_data, say_in
from ...page.access import language_asked
from ...page.asked import AskedTable, GameNumber, Handler, PageRequest, PlyCount
from ...page.documents import kept_record
from ...page.house import Endpoint, House, PagePart
from ...session.umpire import check_help
from ..opponent.analyst import verdicts
from .desk import Desk, Teaching
from .exercise import (
    Exercise,
    LessonExercise,
    PuzzleExercise,
    lessons,
    read_progress,
    to_guess,
)
from .own import (
    OWN_KEPT_IN,
    MendExercise,
    is_exercise,
    looked_through,
    mistake_to_mend,
    read_mistakes,
    to_look_through,
)
from .proved import ProvedExercise, drawn, was_drawn
from .puzzles import LEVELS, THEMES, asked_puzzle, read_daily
from .study import Study, StudyDesk, named_lines, study_names

MOST_AT_ONCE: Final = 5
"""Games that one request has looked through: each takes seconds, on a small machine a minute."""
MISTAKES: Final = "how many mistakes there are in the games kept, the newest being looked through"


class LearnRequest(PageRequest, frozen=True, tag="learn"):
    """Open the course: at the lesson of that name, or at the first one that is not solved."""

    lesson: Annotated[str, msgspec.Meta(max_length=40)] | None = None


class PuzzleRequest(PageRequest, frozen=True, tag="puzzle"):
    """Set a puzzle: that of a number, or the day's among those of a theme and a level."""

    number: Annotated[int, msgspec.Meta(ge=1, le=10**6)] | None = None
    theme: Literal["win-3", "save", "draw", "win-5", "win-7"] | None = None
    level: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None
    is_own: bool = False
    """True for a mistake of the people's own games, of those that `/api/mistakes` has found."""
    is_proved: bool = False
    """True for an ending drawn from tables: that of the number, the one after that which is set, or
    the day's."""


class GuessRequest(PageRequest, frozen=True, tag="guess"):
    """Let people guess a side's moves in a kept game, from a ply on."""

    game: GameNumber
    side: Literal["black", "orange"] = "black"
    plies: PlyCount = 0


class LeaveRequest(PageRequest, frozen=True, tag="leave"):
    """Close the lessons, and go on with the game that was left for them, or begin one."""


class StudyRequest(PageRequest, frozen=True, tag="study"):
    """Study the game until it is left, or no more: every line is kept, the best moves are shown.

    With a `name` the study that is called so goes on, in a game of its own from its start.
    """

    is_wanted: bool
    name: Line | None = None


class NameStudyRequest(PageRequest, frozen=True, tag="name-study"):
    """Keep the lines of the study under a name from now on."""

    name: Line


class LessonState(msgspec.Struct, frozen=True):
    """The lesson that is taught: its name, which of how many, its heading and words.

    `answer` is what there is to say to the last try, `solved` the names of all that are solved.
    """

    name: str
    number: int
    count: int
    heading: SentenceData
    words: SentenceData
    wanted: tuple[str, str]
    """The square of the wanted piece, and the square where it is to go."""
    answer: SentenceData | None
    is_solved: bool
    is_done: bool
    """True once the course is finished."""
    solved: tuple[str, ...]


def lesson_state(teaching: Teaching) -> LessonState | None:
    """Return the page's view of a lesson; None for an exercise of another kind."""
    exercise = teaching.exercise
    if not isinstance(exercise, LessonExercise):
        return None
    wanted = exercise.wanted(0)
    return LessonState(
        name=exercise.name,
        number=exercise.number,
        count=len(exercise.course),
        heading=as_data(exercise.heading),
        words=as_data(exercise.asked),
        wanted=(format_square(wanted.from_square), format_square(wanted.to_square)),
        answer=as_data(joined(teaching.answers)) if teaching.answers else None,
        is_solved=teaching.is_over,
        is_done=teaching.is_done,
        solved=teaching.solved,
    )


class TrainingState(msgspec.Struct, frozen=True):
    """The exercise that is set: its heading, and all there is to say of it now.

    `name` is a puzzle's number; empty where moves of a game are guessed.
    """

    name: str
    heading: SentenceData
    words: list[SentenceData]
    is_right: bool
    is_over: bool
    refuted: tuple[str, ...]
    """The last try where it was wrong, and the reply that shows it, once it is taken back."""
    solved: tuple[str, ...]
    """The numbers of the puzzles that are solved."""
    is_own: bool
    """True where the exercise is a mistake of the people's own games."""
    is_proved: bool
    """True where it is drawn from solved endings."""


def training_state(teaching: Teaching, game: Game) -> TrainingState | None:
    """Return what a page shows of a puzzle, or of moves to be guessed; None for a lesson."""
    exercise, (_heading, *lines) = teaching.exercise, teaching.words()
    if isinstance(exercise, LessonExercise):
        return None
    is_back = game.start == exercise.start and len(game.plies) == 2 * teaching.count
    return TrainingState(
        name=exercise.name,
        heading=as_data(exercise.heading),
        words=list(map(as_data, lines)),
        is_right=teaching.count > 0 and not teaching.wrong,
        is_over=teaching.is_over,
        refuted=teaching.refuted if is_back else (),
        solved=teaching.solved,
        is_own=isinstance(exercise, MendExercise),
        is_proved=isinstance(exercise, ProvedExercise),
    )


class GoodLine(msgspec.Struct, frozen=True):
    """One of the best moves of a position, with what is expected to follow.

    `chance` is Black's share of the points to be expected.
    """

    moves: tuple[str, ...]
    chance: float


class StudyState(msgspec.Struct, frozen=True):
    """The study of the game: its lines from one start, the main line first, and the best moves."""

    name: str
    """Empty where it has none."""
    start: str
    """The position text of the start of its lines."""
    lines: list[tuple[str, ...]]
    best: list[GoodLine]


def study_state(study: Study, game: Game) -> StudyState:
    """Return what a page shows of the study of a game."""
    is_black = game.position.side is Side.BLACK
    return StudyState(
        name=study.name,
        start=format_position(game.start),
        lines=study.lines.texts(),
        best=[
            GoodLine(good.line, round(good.chance if is_black else 1 - good.chance, 3))
            for good in study.best
        ],
    )


class LessonsPart(msgspec.Struct, frozen=True):
    """The lessons, exercises or study at the table."""

    lesson: LessonState | None = None
    """The lesson at the table, or None."""
    training: TrainingState | None = None
    """The exercise set there, or None."""
    is_study: bool = False
    """True while people study: all lines are kept, and the best moves shown."""
    study: StudyState | None = None
    """What is studied, or None."""


class LessonsPage(PagePart):
    """Teaches, sets exercises, and lets people study."""

    state = LessonsPart
    panel = Path(__file__).with_name("static")

    def handlers(self) -> Mapping[type[PageRequest], Handler]:
        return {
            LearnRequest: learn,
            PuzzleRequest: set_puzzle,
            GuessRequest: set_guess,
            LeaveRequest: leave,
            StudyRequest: study,
            NameStudyRequest: name_study,
        }

    def state_of(self, asked: AskedTable) -> LessonsPart:
        desk, studied = asked.table.guest(Desk), asked.table.guest(StudyDesk)
        now = None if studied is None else studied.now
        record = asked.table.record
        shown = None if now is None else study_state(now, record.game)
        if desk is None or desk.teaching is None:
            return LessonsPart(is_study=now is not None, study=shown)
        taught = lesson_state(desk.teaching), training_state(desk.teaching, record.game)
        return LessonsPart(*taught, now is not None, shown)

    def seen(self, asked: AskedTable) -> object:
        desk, studied = asked.table.guest(Desk), asked.table.guest(StudyDesk)
        return (
            None if desk is None else desk.teaching,
            None if studied is None or studied.now is None else studied.now.shown,
        )

    def ways(self) -> Sequence[Endpoint]:
        course, puzzles = "the course: names and titles of its lessons", "the puzzles there are"
        return [
            Endpoint("/api/lessons/{language}", course, _lessons, "Lessons"),
            Endpoint("/api/puzzles/{language}", puzzles, _puzzles, "Puzzles"),
            Endpoint("/api/mistakes", MISTAKES, _mistakes, "Mistakes", is_known=True),
            Endpoint("/api/studies", "the names of the studies kept", _studies, "Names"),
        ]

    def is_listed(self, start: str) -> bool:
        return not (is_exercise(start) or was_drawn(start))


def learn(asked: AskedTable, request: LearnRequest) -> None:
    """Teach a lesson."""
    asked.table.check_disk()
    _desk(asked).learn(asked.table, request.lesson)


def set_puzzle(asked: AskedTable, request: PuzzleRequest) -> None:
    """Set a puzzle."""
    if request.is_own:
        teaching, solved = _desk(asked).teaching, read_progress(asked.folder, OWN_KEPT_IN).solved
        name = None if teaching is None else teaching.exercise.name
        _train(asked, MendExercise(mistake_to_mend(asked.folder, solved, name)))
        return
    today = datetime.fromtimestamp(asked.clock.now()).astimezone().toordinal()
    if request.is_proved:
        teaching = _desk(asked).teaching
        before = None if teaching is None else teaching.exercise
        following = before.number + 1 if isinstance(before, ProvedExercise) else today
        _train(asked, drawn(request.number or following, find_endings(os.environ)))
        return
    number, theme, level = request.number, request.theme, request.level
    _train(asked, PuzzleExercise(asked_puzzle(read_daily(), number, theme, level, today)))


def set_guess(asked: AskedTable, request: GuessRequest) -> None:
    """Let the moves of a kept game be guessed."""
    record = kept_record(asked.archive, request.game)
    check_help(record if record.ending is None else asked.table.record)
    side, names = Side[request.side.upper()], (record.header.black, record.header.orange)
    _train(asked, to_guess(record.game, side, request.plies, " - ".join(names)))


def _train(asked: AskedTable, exercise: Exercise) -> None:
    asked.table.check_disk()
    _desk(asked).train(asked.table, exercise)


def leave(asked: AskedTable, request: LeaveRequest) -> None:
    """Go back to the game that was left for the lessons."""
    asked.table.check_disk()
    asked.begin(_desk(asked).leave(asked.table, asked.clock.now()))


def study(asked: AskedTable, request: StudyRequest) -> None:
    """Let people study the game until it is left, or no more."""
    desk = _study_desk(asked)
    if not request.is_wanted:
        desk.close()
        return
    desk.check(asked.table.record)
    if request.name is not None:
        lines = named_lines(asked.folder, request.name)
        asked.begin(NewGame(Header.of(lines.games[0].start, asked.clock.now())))
    desk.study(asked.table.record, request.name or "")


def name_study(asked: AskedTable, request: NameStudyRequest) -> None:
    """Keep a study under a name."""
    studied = _study_desk(asked).now
    if studied is None:
        raise CommandRefused(_("nothing is studied just now"))
    studied.rename(request.name)


def _study_desk(asked: AskedTable) -> StudyDesk:
    desk = asked.table.guest(StudyDesk)
    if desk is None:
        raise CommandRefused(_("simulated people play both sides here"))
    return desk


def _desk(asked: AskedTable) -> Desk:
    desk = asked.table.guest(Desk)
    if desk is None:
        raise CommandRefused(_("simulated people play both sides here"))
    return desk


def _lessons(house: House, request: HttpRequest) -> Any:
    return lessons_document(language_asked(request))


def _studies(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.read(study_names, house.asked.folder)


def _puzzles(house: House, request: HttpRequest) -> Any:
    return puzzles_document(language_asked(request))


async def _mistakes(house: House, request: HttpRequest) -> Any:
    """Look through the newest games that nobody has looked through, and count all mistakes."""
    folder = house.asked.folder
    kept = await house.read(read_mistakes, folder)
    for game in (await house.kept(to_look_through, kept.newest))[-MOST_AT_ONCE:]:
        record, rows = await verdicts(house, request, game, "en")
        kept = await house.read(looked_through, folder, record, game, rows)
    return {"count": len(kept.found)}


def lessons_document(language: Language) -> list[dict[str, Any]]:
    """Return the names and titles of all lessons, in their order."""
    return [{"name": each.name, "title": say_in(language, each.lesson.title)} for each in lessons()]


def puzzles_document(language: Language) -> dict[str, Any]:
    """Return the themes of puzzles, from the easiest, with their names, levels and numbers."""
    daily = read_daily()
    return {
        "count": len(daily),
        "themes": [
            {
                "theme": task.value,
                "level": LEVELS[task],
                "title": say_in(language, THEMES[task]),
                "numbers": [puzzle.number for puzzle in daily if puzzle.task is task],
            }
            for task in sorted(LEVELS, key=LEVELS.__getitem__)
        ],
    }
