"""Teaching at a table: the teacher of one exercise after another, and the desk that calls him.

An exercise is a game of its own. The teacher follows it, answers a wrong try with the reason and
takes it back, wishes for the replies, helps after a while, and lays his light over the view.
Judging may take seconds and runs beside the table. The desk calls a teacher when an exercise is
set, and resumes the game that was left for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace as changed

from rules import Game, Move, PlayedPly, Position, Square, Worded, _, explain

from ...game.commands import AskAdvice, Command, CommandRefused, Help, New, NewGame, TakeBackLast
from ...game.events import BadRecord, GameId, Header
from ...game.record import Record
from ...game.texts import game_text, read_saved, start_from
from ...session.session import Guest, News, Session
from ...session.umpire import check_command, check_help
from ...session.view import Advice, Phase, View
from ...table.loop import Table
from . import own, proved
from .exercise import (
    SHOWN_AFTER,
    Exercise,
    Progress,
    cut_short,
    keep_progress,
    lesson_to_learn,
    lessons,
    read_progress,
)
from .puzzles import TryVerdict

if TYPE_CHECKING:
    from ...boards.screen import TypedHands


@dataclass(frozen=True, slots=True)
class Teaching:
    """The current exercise, and people's progress in it."""

    exercise: Exercise
    solved: tuple[str, ...]
    praise: Worded | None = None
    """Praise for the exercise before, if it has just been solved."""
    answer: Worded | None = None
    """The answer to the last try; None before the first."""
    is_refused: bool = False
    """True if the answer says why a piece may not go where it was put last."""
    reply: Move | None = None
    """The other side's move, to be played now."""
    help: Help | None = None
    """The part of the wanted move that is shown."""
    right: int = 0
    """The number of moves found at the first try."""
    count: int = 0
    """The number of moves found."""
    wrong: int = 0
    """The number of wrong tries in the current position."""
    refuted: tuple[str, ...] = ()
    """The texts of the last try where it was wrong, and of the reply that shows it."""
    is_over: bool = False

    @property
    def is_done(self) -> bool:
        """True once it is over and nothing follows by itself."""
        return self.is_over and self.exercise.next is None

    @property
    def answers(self) -> list[Worded]:
        """All there is to say but what the exercise is and asks."""
        summary = self.exercise.summary(self.right, self.count) if self.is_over else None
        return [line for line in (self.answer, summary) if line is not None]

    def words(self) -> list[Worded]:
        """Return all there is to say now."""
        praise = [] if self.praise is None else [self.praise]
        asked = [] if self.is_over else [self.exercise.asked]
        return [*praise, self.exercise.heading, *asked, *self.answers]

    def advice(self, after: int) -> Advice | None:
        """Return the advice on the move to be found after that many plies."""
        helped = Help.MOVE if self.wrong >= SHOWN_AFTER else self.help
        move = None if self.is_over else self.exercise.wanted(after)
        return None if helped is None or move is None else Advice(helped, move)

    def after(self, answer: TryVerdict) -> Teaching:
        """Return what it is once a try is judged."""
        if not answer.is_right:
            return replace(
                self,
                answer=answer.words,
                is_refused=False,
                wrong=self.wrong + 1,
                refuted=answer.refuted,
            )
        is_over, solved, name = answer.is_solved, self.solved, self.exercise.name
        if is_over and name and name not in solved:
            solved = (*solved, name)
        return replace(
            self,
            answer=answer.words,
            is_refused=False,
            reply=answer.reply,
            help=None,
            right=self.right + (self.wrong == 0),
            count=self.count + 1,
            wrong=0,
            refuted=(),
            is_over=is_over,
            solved=solved,
        )


PRAISE_S: Final = 1.2
"""Seconds that a solved exercise stays before the next begins."""

SetUpPieces: TypeAlias = Callable[[Position, float], None]
"""Sets simulated pieces up at once for a position, at a time."""
Carry: TypeAlias = Callable[[Sequence[Square], float], None]
"""Lets hands carry a piece over squares, at a time."""


class Teacher(Guest):
    """Teaches at one table, and keeps what is solved in its folder.

    `set_up` sets drawn pieces up, and `carry` has hands play the replies; without them lamps lead.
    `wait_s` is how long one look may wait for a judgement: 0 where lamps must go on.
    """

    def __init__(
        self,
        folder: Path,
        set_up: SetUpPieces = lambda _position, _now: None,
        carry: Carry | None = None,
        wait_s: float = 0.0,
    ) -> None:
        self.teaching: Teaching | None = None
        """None before an exercise is opened, and once people have begun another game."""
        self._folder, self._set_up, self._carry, self._wait_s = folder, set_up, carry, wait_s
        self._progress = Progress()
        self._helps_at: float | None = None
        """The time at which the wanted move is shown; None while none is wanted."""
        self._started: tuple[float, str] | None = None
        """The start of the exercise's game, as time and position; None before it."""
        self._found: tuple[PlayedPly, ...] = ()
        """The plies that stand: what was found, and the replies."""
        self._next_at = 0.0
        self._worker: ThreadPoolExecutor | None = None
        self._tried: Game | None = None
        self._asked: Future[TryVerdict] | None = None
        self._refused: tuple[Square, Square] | None = None
        self._worded: Teaching | None = None
        self._words: tuple[str, ...] = ()
        """The sentences about `_worded`."""

    @property
    def left(self) -> GameId | None:
        return self._progress.left

    def open(
        self, exercise: Exercise, left: GameId | None = None, praise: Worded | None = None
    ) -> None:
        """Set an exercise next; `left` is the game that is left for it."""
        before, kept = self.teaching, self._progress
        if before is None or before.exercise.kept_in != exercise.kept_in:
            kept = read_progress(self._folder, exercise.kept_in)
        self.teaching, self._started = Teaching(exercise, kept.solved, praise), None
        game = kept.left if left is None else left
        self._keep(Progress(kept.solved, exercise.name or None, game))

    def take_up(self, record: Record, exercise: Exercise) -> bool:
        """Go on with an exercise where the table is in the middle of it; return whether it is."""
        # The game itself tells which exercise it is of, by its rules and start position.
        begun, header = Header.of(exercise.start, 0.0), record.header
        if (begun.rules, begun.start) != (header.rules, header.start):
            return False
        self._progress = read_progress(self._folder, exercise.kept_in)
        self.teaching = Teaching(exercise, self._progress.solved)
        self._started = header.started, header.start
        # Only whole pairs of try and reply are known to be right; a try without its reply is judged
        # again.
        plies = record.game.plies
        self._found = plies[: len(plies) - len(plies) % 2]
        return True

    def close(self) -> GameId | None:
        """Teach no more; return the game that was left, if any."""
        left = self._progress.left
        self._drop()
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None
        if self.teaching is not None:
            self._keep(Progress(self._progress.solved))
        self.teaching = None
        return left

    # What the table asks

    def attend(self, session: Session, now: float) -> list[News]:
        """Look at what is certain, and do what is to be done; return what has happened by it."""
        teaching, record = self.teaching, session.record
        if teaching is None:
            return []
        if self._started is None:
            return self._begin(teaching, session, now)
        if (record.header.started, record.header.start) != self._started:
            self.close()  # people have begun another game
            return []
        if teaching.is_over:
            if teaching.exercise.next is not None and now >= self._next_at:
                self.open(teaching.exercise.next, praise=teaching.answer)
            return []
        if record.question is not None:
            return []
        if record.ending is not None and record.game.plies == self._found:
            self._started = None  # somebody resigned, or the like: once more
            return []
        if self._helps_at is None:
            self._await_move(teaching, now)
        news = self._look(teaching, session, now)
        if self.teaching is None or self.teaching.is_over:
            self._helps_at = None
        elif self._helps_at is not None and now >= self._helps_at:
            self._helps_at = inf
            self.teaching = replace(self.teaching, help=Help.MOVE)
        return news

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        """Show the piece, and then the move, to people who ask; None to let the engine answer."""
        teaching = self.teaching
        if not isinstance(command, AskAdvice) or teaching is None or self._started is None:
            return None
        if teaching.is_over or teaching.exercise.wanted(len(self._found)) is None:
            return None
        if command.wanted == "off":
            self.teaching = replace(teaching, help=None)
            return []
        check_help(session.record)
        wanted = None if command.wanted is None else Help[command.wanted.upper()]
        more = Help.PIECE if teaching.help is None else teaching.help.more
        self.teaching = replace(teaching, help=min(wanted or more, Help.MOVE))
        return []

    def overlay(self, view: View) -> View:
        """Return the view with the words, and in light a reply that is wished, or help."""
        teaching = self.teaching
        if teaching is None:
            return view
        if teaching is not self._worded:
            self._worded, self._words = teaching, tuple(teaching.words())
        words, is_led = self._words, view.leading.repair is not None
        if is_led and teaching.is_refused:  # the table says it
            words = words[:-1]
        help_ = replace(view.help, taught=words, has_own_place=True)
        played = view.record.last_played + 1 - view.record.game.start.ply_number
        is_asked = self._started is not None and played == len(self._found)
        if view.phase is Phase.PLAYING and not is_led and is_asked:
            if teaching.reply is not None:
                help_ = replace(help_, wish=teaching.reply)
            elif (advice := teaching.advice(len(self._found))) is not None:
                help_ = replace(help_, advice=advice)
        return replace(view, help=help_)

    def _await_move(self, teaching: Teaching, now: float) -> None:
        """Let people look for a move; what the exercise knows is shown after a while, once."""
        self._helps_at = now + teaching.exercise.patience_s

    def _look(self, teaching: Teaching, session: Session, now: float) -> list[News]:
        """Judge new plies, and refused tries."""
        game = session.record.game
        if game.plies[: len(self._found)] != self._found:  # people took something back
            self._found = game.plies[: len(game.plies) - len(game.plies) % 2]
            self.teaching = teaching = replace(teaching, reply=None, wrong=0)
            self._drop()
        if len(game.plies) > len(self._found):
            return self._follow(teaching, game, session, now)
        session.wait_for(teaching.reply)
        self._note_refused(teaching, session.view)
        return []

    def _follow(self, teaching: Teaching, game: Game, session: Session, now: float) -> list[News]:
        """Take in the first ply that is new; what is wrong is taken back, the last ply first."""
        count = len(self._found) + 1
        if teaching.reply is not None:
            if game.plies[count - 1].move != teaching.reply:
                return self._take_back(session, now)
            self._stand(replace(teaching, reply=None), game.plies[:count], now)
            return []
        # A judgement may take seconds on a thread of its own. It belongs to the plies it was asked
        # about; if people play something else meanwhile, it is dropped.
        if self._tried is None or self._tried.plies != game.plies[:count]:
            self._drop()
            self._tried = Game(game.positions[: count + 1], game.plies[:count])
            self._asked = self._judging(teaching.exercise, self._tried)
        if self._asked is not None:
            try:
                answer = self._asked.result(self._wait_s)
            except TimeoutError:
                return []
            self._asked = None
            self.teaching = teaching = teaching.after(answer)
            if answer.is_right:
                self._stand(teaching, game.plies[:count], now)
                return []
        # A wrong try is taken back from the last ply on, one step a look, since hands may have
        # played more on top of it.
        news = self._take_back(session, now)
        if len(session.record.game.plies) == len(self._found):
            self._tried = None
        return news

    def _stand(self, teaching: Teaching, plies: tuple[PlayedPly, ...], now: float) -> None:
        """Let plies stand, and ask for the next."""
        self.teaching, self._found, self._refused = teaching, plies, None
        self._await_move(teaching, now)
        if teaching.is_over:
            self._next_at = now + PRAISE_S
            self._keep(changed(self._progress, solved=teaching.solved))
        elif self._carry is not None and teaching.reply is not None:
            self._carry(teaching.reply[:2], now)

    def _judging(self, exercise: Exercise, tried: Game) -> Future[TryVerdict]:
        # One thread is enough: only the newest try matters, and the older one has been dropped.
        if exercise.takes_long:
            self._worker = self._worker or ThreadPoolExecutor(1, "exercise")
            return self._worker.submit(exercise.judge, tried)
        judged = Future[TryVerdict]()
        judged.set_result(exercise.judge(tried))
        return judged

    def _note_refused(self, teaching: Teaching, view: View) -> None:
        """Note why a piece may not stand where hands have put it, once they are led back."""
        step, start = view.leading.repair, view.position
        if step is None or step.from_square is None or step.to_square is None:
            return
        piece, tried = start.piece_at(step.to_square), (step.to_square, step.from_square)
        if piece is None or piece.letter != step.letter or view.phase is not Phase.PLAYING:
            return
        if tried != self._refused and not (explained := explain(start, *tried)).is_legal:
            self._refused = tried
            answer = Worded(_("{why}"), why=explained)
            self.teaching = replace(teaching, answer=answer, is_refused=True)

    # Within

    def _begin(self, teaching: Teaching, session: Session, now: float) -> list[News]:
        start = teaching.exercise.start
        header = Header.of(start, now)
        self._started, self._found, self._refused = (header.started, header.start), (), None
        self.teaching = Teaching(teaching.exercise, teaching.solved, teaching.praise)
        self._drop()
        self._await_move(teaching, now)
        news = session.obey(NewGame(header), now)
        self._set_up(start, now)
        return news

    def _take_back(self, session: Session, now: float) -> list[News]:
        news = session.obey(TakeBackLast(), now)
        self._set_up(session.record.position, now)
        return news

    def _drop(self) -> None:
        """Judge no more what was tried."""
        if self._asked is not None:
            self._asked.cancel()
        self._tried = self._asked = None

    def _keep(self, progress: Progress) -> None:
        self._progress = progress
        if self.teaching is not None:
            with suppress(OSError):  # a disk that refuses is told of by the journal
                keep_progress(self._folder, progress, self.teaching.exercise.kept_in)


@dataclass(frozen=True, slots=True)
class AskedLesson:
    """The lesson or exercise that a command line asks for."""

    lesson: str | None = None
    """The name of a lesson; empty: the first one that is not solved."""
    exercise: Exercise | None = None
    is_study: bool = False
    """True to study: people's lines are kept, and the best moves shown."""


class Desk(Guest):
    """A table's teacher, who comes when an exercise is set and goes when it is left.

    Progress is kept in `folder`. `hands` are simulated hands: they set up the pieces, and play the
    replies too if asked to. `wait_s` is the time that one look may wait for a judgement.
    """

    rank = 20

    def __init__(self, folder: Path, hands: TypedHands | None, wait_s: float = 0.0) -> None:
        self._folder, self._hands, self._wait_s = folder, hands, wait_s
        self._teacher: Teacher | None = None

    @property
    def teaching(self) -> Teaching | None:
        """The current teaching; None without a teacher."""
        return None if self._teacher is None else self._teacher.teaching

    @property
    def _left(self) -> GameId | None:
        """The game that was left for what is taught here, if any."""
        return None if self._teacher is None else self._teacher.left

    def learn(self, table: Table, name: str | None) -> None:
        """Open the course, at the lesson of that name or the first that is not solved.

        CommandRefused where the game that is played may not be left.
        """
        given = lessons(table.record.position.rules["board"], self._hands is not None)
        self.train(table, lesson_to_learn(given, name, read_progress(self._folder).solved))

    def train(self, table: Table, exercise: Exercise, carries: bool = False) -> None:
        """Set an exercise; simulated hands play its replies where they are to `carry` them.

        CommandRefused where the game that is played may not be left.
        """
        check_command(table.record, New())
        teacher = self._new_teacher(carries)
        teacher.open(exercise, table.game if self.teaching is None else self._left)
        self.teach(teacher, table)

    def teach(self, teacher: Teacher, table: Table) -> None:
        """Let a teacher take the place of whoever plays or teaches here."""
        self._teacher = teacher
        table.make_way_for(self)

    def go_on(self, table: Table) -> bool:
        """Go on with what was taught when the table was switched off; False if that was nothing."""
        if table.sides:
            return False
        teacher, board = self._new_teacher(), table.record.position.rules["board"]
        given = cut_short(self._folder, board, self._hands is not None)
        own_ones, proved_ones = own.cut_short(self._folder), proved.cut_short(self._folder)
        for exercise in (*given, *own_ones, *proved_ones):
            if teacher.take_up(table.record, exercise):
                self.teach(teacher, table)
                return True
        return False

    def leave(self, table: Table, now: float) -> New | NewGame:
        """End the teaching and return the game that goes on; CommandRefused without a teacher.

        That is the game left for it, if it had begun, was not over and is not damaged; else a new
        one.
        """
        if self._teacher is None or self.teaching is None:
            raise CommandRefused(_("no course is open here"))
        left = self._teacher.close()
        self._teacher = None
        if left is None:
            return New(rules=table.record.header.rules)
        try:
            record = table.archive.record(left)
        except BadRecord:  # the list of games names it; lessons can be left nevertheless
            return New(rules=table.record.header.rules)
        if not record.game.plies or record.game.outcome is not None:
            return New(rules=record.header.rules)
        begun = start_from(read_saved(game_text(record)), None, now)
        return NewGame(begun.header, begun.events)

    def leave_and_tidy(
        self, table: Table, now: Callable[[], float], pause: Callable[[], None]
    ) -> None:
        """Go on with the game that was left; simulated hands set it up in a moment."""
        if self.teaching is None:
            return
        table.obey(self.leave(table, now()), now())
        if self._hands is not None:
            self._hands.set_up(table.session.record.position, now())
            until = now() + SET_UP_S
            while now() < until:
                table.step(now())
                pause()

    def _new_teacher(self, carries: bool = False) -> Teacher:
        hands = self._hands
        if hands is None:
            return Teacher(self._folder, wait_s=self._wait_s)
        return Teacher(self._folder, hands.set_up, hands.move if carries else None, self._wait_s)

    # What the table asks of its guests

    def give_way(self) -> None:
        self._teacher = None

    def attend(self, session: Session, now: float) -> list[News]:
        return [] if self._teacher is None else self._teacher.attend(session, now)

    def hear(self, command: Command, session: Session, now: float) -> list[News] | None:
        return None if self._teacher is None else self._teacher.hear(command, session, now)

    def overlay(self, view: View) -> View:
        return view if self._teacher is None else self._teacher.overlay(view)


SET_UP_S = 2.5
"""Seconds that simulated hands take to set up a game that goes on, before the table is left."""
