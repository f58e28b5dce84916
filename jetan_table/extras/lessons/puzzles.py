"""Puzzles out of games: one move forces a win, or saves; every answer is proved, not looked up."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from rules import (
    Move,
    Position,
    Sentence,
    Termination,
    Worded,
    _,
    format_move,
    parse_position,
    parse_rules,
    whole_number,
)

from ...engine.evaluation import null_move
from ...engine.positions import Spend, free, has_won, wins_at_once, wins_in
from ...errors import TableError

PUZZLES_FILE: Final = Path(__file__).with_name("puzzles.txt")


class NoSuchExercise(TableError, LookupError):
    """A lesson's name, a puzzle's number, or a theme and level, that none has here."""


class Task(StrEnum):
    """The task of the side to move."""

    WIN_3 = "win-3"
    SAVE = "save"
    WIN_5 = "win-5"
    DRAW = "draw"
    WIN_7 = "win-7"


LEVELS: Final = {Task.WIN_3: 1, Task.SAVE: 2, Task.DRAW: 2, Task.WIN_5: 3, Task.WIN_7: 4}
PLIES: Final = {Task.WIN_3: 3, Task.SAVE: 1, Task.DRAW: 1, Task.WIN_5: 5, Task.WIN_7: 7}
"""The number of plies for each task, with its first and last move."""
THEMES: Final = {
    Task.WIN_3: _("Win with the second move"),
    Task.SAVE: _("The one move that saves"),
    Task.WIN_5: _("Win with the third move"),
    Task.DRAW: _("A draw by the Chief"),
    Task.WIN_7: _("Win with the fourth move"),
}
"""The name of each task in a list."""
ASKED: Final = {
    Task.WIN_3: _("{side} moves, and wins with the second move, whatever is replied."),
    Task.SAVE: _("{side} moves: every move but one loses at once."),
    Task.WIN_5: _("{side} moves, and wins with the third move, whatever is replied."),
    Task.DRAW: _("{side} moves and draws by taking the Chief: every other move loses."),
    Task.WIN_7: _(
        "{side} moves, and wins with the fourth move at the latest, whatever is replied."
    ),
}


@dataclass(frozen=True, slots=True)
class DailyPuzzle:
    """A position out of a game, and what is asked in it."""

    number: int
    """Its number, from 1."""
    task: Task
    position: Position

    @property
    def level(self) -> int:
        """From 1, the easiest, to 4."""
        return LEVELS[self.task]


@dataclass(frozen=True, slots=True)
class TryVerdict:
    """The verdict on a tried move."""

    words: Worded
    is_right: bool
    reply: Move | None = None
    """The other side's next move; None if nothing is left to find."""
    refuted: tuple[str, ...] = ()
    """The texts of a wrong move and of the reply that shows it."""

    @property
    def is_solved(self) -> bool:
        """True if it was right and everything is found."""
        return self.is_right and self.reply is None


def read_daily() -> tuple[DailyPuzzle, ...]:
    """Return the puzzles that come with the table."""
    lines = [line for line in PUZZLES_FILE.read_text().splitlines() if not line.startswith("#")]
    parts = (line.split(" | ") for line in lines)
    return tuple(
        DailyPuzzle(number, Task(task), parse_position(text, parse_rules(rules)))
        for number, (rules, task, text) in enumerate(parts, 1)
    )


def puzzle_numbered(text: str) -> DailyPuzzle | None:
    """Return the puzzle of a number, or None."""
    number, puzzles = whole_number(text), read_daily()
    return puzzles[number - 1] if number and number <= len(puzzles) else None


def matching(
    puzzles: Sequence[DailyPuzzle], theme: str | None, level: int | None
) -> list[DailyPuzzle]:
    """Return the puzzles of a theme, a task's word, and a level; None: of any. NoSuchExercise."""
    chosen = [
        each
        for each in puzzles
        if (theme is None or each.task == theme) and (level is None or each.level == level)
    ]
    if not chosen:
        raise NoSuchExercise(_("no puzzle has that theme and that level"))
    return chosen


def asked_puzzle(
    puzzles: Sequence[DailyPuzzle],
    number: int | None,
    theme: str | None,
    level: int | None,
    day: int,
) -> DailyPuzzle:
    """Return the puzzle of a number, or a day's among those of a theme and level; NoSuchExercise.

    Days are counted from whenever: each puzzle comes in turn, none twice before all were.
    """
    if number is None:
        chosen = matching(puzzles, theme, level)
        return chosen[day % len(chosen)]
    if number > len(puzzles):
        raise NoSuchExercise(_("there are puzzles 1 to {last}"), last=len(puzzles))
    return puzzles[number - 1]


def solutions(position: Position, task: Task, spend: Spend = free) -> list[Move]:
    """Return the moves that solve a task; none if the position allows more than the task asks.

    To save is not to lose to the next move, nor within three plies by threats. In a draw every
    other move loses so.
    """
    moves = position.moves()
    if wins_at_once(position):
        return []
    if task is Task.DRAW:
        drawing = [move for move in moves if draws_by_chief(position.play(move))]
        others = (position.play(move) for move in moves if move not in drawing)
        return drawing if drawing and all(loses(after, 3, spend) for after in others) else []
    if task is not Task.SAVE:
        plies = PLIES[task]
        # A puzzle asks for the quickest win: a position that wins sooner belongs to an easier task.
        if any(wins_in(position, fewer, spend) for fewer in range(3, plies, 2)):
            return []
        return [move for move in moves if has_won(position.play(move), plies - 1, spend)]
    # Cheap checks first: most positions fail at the one-ply look, and never reach the search by
    # threats.
    holding = [move for move in moves if not loses(position.play(move), 1)]
    if len(holding) != 1 or len(moves) < 2:
        return []
    after = position.play(holding[0])
    return [] if loses(after, 3, spend) else holding


def loses(after: Position, plies: int, spend: Spend = free) -> bool:
    """Return True if the side that has moved loses by it, or within `plies` plies by threats."""
    if after.ended is not None:
        return after.ended.winner is after.side
    return wins_in(after, plies, spend)


def draws_by_chief(after: Position) -> bool:
    """Return True if the side that has moved has drawn by taking the Chief."""
    ended = after.ended
    return ended is not None and ended == (None, Termination.CHIEF_BY_OTHER)


def judge(position: Position, task: Task, plies: int, move: Move) -> TryVerdict:
    """Return the verdict on a move, with that many plies left to win in, and the reply to it.

    A right move is answered by the reply that holds out longest, a wrong one by its refutation.
    """
    after, text = position.play(move), format_move(move, position)
    if task is Task.DRAW:
        drawn = _("{move} takes the Chief and draws: solved.")
        return _right(drawn, text) if draws_by_chief(after) else _lost(after, text)
    if task is Task.SAVE:
        return _lost(after, text) if loses(after, 1) else _right(_("{move} saves: solved."), text)
    if after.outcome is not None and after.outcome.winner is position.side:
        return _right(_("{move} wins: solved."), text)
    if after.outcome is not None:
        return _wrong(_("No: {move} ends the game without a win."), text, "")
    # A try that only wins later is wrong, too: the reply shown is one after which the task cannot
    # be done in the plies that are left.
    left = plies - 2
    holding = next((reply for reply in after.moves() if holds(after.play(reply), left)), None)
    if holding is not None:
        words = _("No: after {move}, {reply} holds.")
        return _wrong(words, text, format_move(holding, after))
    # The reply that holds out longest makes people find the whole win; any other would shorten it.
    longest = [move for move in after.moves() if not wins_in(after.play(move), plies - 4)]
    answer = (longest or after.moves())[0]
    words = _("Good: {move}. The reply is {reply}; go on.")
    worded = Worded(words, move=text, reply=format_move(answer, after))
    return TryVerdict(worded, is_right=True, reply=answer)


def holds(position: Position, plies: int) -> bool:
    """Return True if the side to move cannot force a win in `plies` plies, quiet moves included."""
    if position.ended is not None:
        return True
    if wins_in(position, plies):
        return False
    return plies < 3 or not any(map(squeezes, position.after_each()))


def squeezes(after: Position) -> bool:
    """Return True if the last move threatens nothing, and yet wins after every reply.

    If it does threaten, `wins_in` has gone through the replies.
    """
    if after.ended is not None or wins_at_once(null_move(after)):
        return False
    replies = list(after.after_each())
    if not replies:
        return after.outcome is not None and after.outcome.winner is after.side.other
    return all(reply.ended is None and wins_at_once(reply) for reply in replies)


def _right(words: Sentence, move: str) -> TryVerdict:
    return TryVerdict(Worded(words, move=move), is_right=True)


def _lost(after: Position, move: str) -> TryVerdict:
    """Return that a move loses, by the reply that wins, or is the first of those that do."""
    winning = next((reply for reply in after.moves() if _wins(after, reply)), None)
    if winning is None and after.ended is None:
        begins = (reply for reply in after.moves() if has_won(after.play(reply), 2))
        winning = next(begins, None)
    if winning is None:
        return _wrong(_("No: {move} loses."), move, "")
    words = _("No: after {move}, {reply} wins.")
    return _wrong(words, move, format_move(winning, after))


def _wrong(words: Sentence, move: str, reply: str) -> TryVerdict:
    refuted = (move, reply) if reply else (move,)
    return TryVerdict(Worded(words, move=move, reply=reply), is_right=False, refuted=refuted)


def _wins(position: Position, move: Move) -> bool:
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner is position.side
