"""Puzzles from one's own games: a mistake that the analysis found is to be played better.

The mistakes are kept in a file of the data folder, with the number of the newest game that was
looked through; which are solved is kept as with other puzzles. The search judges an answer, in the
position before the mistake.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from rules import (
    SIDES,
    Game,
    Move,
    Position,
    Worded,
    _,
    format_move,
    format_position,
    parse_position,
    parse_rules,
)

from ...engine.evaluation import fitted_weights, win_probability
from ...engine.library import quick_library
from ...engine.search import Limits, Search, Thought
from ...files import Damaged, read_json, write_whole
from ...game.events import GameId
from ...game.record import Record
from ...journal.archive import Archive
from ...light.words import moves_within
from .exercise import Exercise, read_progress, was_taught
from .puzzles import NoSuchExercise, TryVerdict

FOUND_IN: Final = "mistakes.json"
OWN_KEPT_IN: Final = "own-puzzles.json"

MOST_GAMES: Final = 20
"""Only so many games are looked through at once: the newest."""
MOST_MISTAKES: Final = 200
"""Only so many mistakes are kept: the newest."""
LEAST_LOSS: Final = 0.15
"""A move that gives away this share of the points, or more, is a mistake."""
AS_GOOD: Final = 0.08
"""A right answer may be worse than the best move by this share of the points."""
NODES: Final = 20_000
"""Positions that the search visits to judge one move."""


class Mistake(msgspec.Struct, frozen=True):
    """A bad move of a game, and a better one."""

    game: GameId
    ply: int
    """The plies before it."""
    rules: str
    position: str
    played: str
    best: str
    loss: float
    """The share of the points given away."""
    win_in: int | None
    """Plies to the win by force that was missed (or, if negative, to a loss); None without one."""

    @property
    def name(self) -> str:
        """Game and ply, such as `3.41`: the name under which it is kept once solved."""
        return f"{self.game}.{self.ply + 1}"


class Mistakes(msgspec.Struct, frozen=True):
    """The mistakes found, oldest first, and the newest game looked through."""

    newest: GameId
    found: tuple[Mistake, ...]


NOTHING_FOUND: Final = Mistakes(GameId(0), ())
"""Before any game was looked through."""

_STARTS: Final = set[str]()
"""Positions of the mistakes read last: a game that starts there is an exercise.

A process has only one table, and the page asks about a start, without its folder.
"""


def read_mistakes(folder: Path) -> Mistakes:
    """Return the mistakes kept in the data folder; none where the file is missing or damaged."""
    try:
        kept = read_json(folder / FOUND_IN, Mistakes) or NOTHING_FOUND
    except (OSError, Damaged):
        kept = NOTHING_FOUND
    _STARTS.clear()
    _STARTS.update(each.position for each in kept.found)
    return kept


def is_exercise(start: str) -> bool:
    """Return True if a game from this position text is a lesson or puzzle, not a real game."""
    return start in _STARTS or was_taught(start)


def to_look_through(archive: Archive, newest: GameId) -> list[GameId]:
    """Return the finished games after `newest`, oldest first, without exercises."""
    return [
        each.game
        for each in archive.games(MOST_GAMES)
        if each.game > newest
        and each.ending is not None
        and each.damage is None
        and each.plies
        and not is_exercise(each.header.start)
    ]


def looked_through(
    folder: Path, record: Record, number: GameId, verdicts: Iterable[Mapping[str, Any]]
) -> Mistakes:
    """Add a game's mistakes to those kept, by its verdicts, and return all; OSError.

    A verdict is a row of `jetan games analyse --json`.
    """
    kept, game = read_mistakes(folder), record.game
    new = tuple(
        Mistake(
            game=number,
            ply=ply,
            rules=record.header.rules,
            position=format_position(game.positions[ply]),
            played=verdict["played"],
            best=verdict["best"],
            loss=verdict["loss"],
            win_in=verdict["win_in"],
        )
        for ply, verdict in enumerate(verdicts)
        if verdict["loss"] >= LEAST_LOSS and verdict["best"] != verdict["played"]
    )
    after = Mistakes(number, (*kept.found, *new)[-MOST_MISTAKES:])
    write_whole(folder / FOUND_IN, msgspec.json.encode(after))
    return after


def mistake_to_mend(folder: Path, solved: Iterable[str], after: str | None = None) -> Mistake:
    """Return the newest mistake that is not solved; NoSuchExercise without any mistakes.

    With `after`, the name of the one that was set last, the search goes on from there to older
    ones, then begins again. Where all are solved, it is simply the next.
    """
    found = read_mistakes(folder).found[::-1]
    if not found:
        raise NoSuchExercise(
            _("there are no mistakes in your games yet: play one to its end, and ask again")
        )
    names = [each.name for each in found]
    at = names.index(after) + 1 if after in names else 0
    in_turn, done = [*found[at:], *found[:at]], set(solved)
    return next((each for each in in_turn if each.name not in done), in_turn[0])


def mistake_named(folder: Path, name: str) -> Mistake | None:
    """Return the mistake with this name; None without one."""
    return next((each for each in read_mistakes(folder).found if each.name == name), None)


@dataclass(frozen=True, slots=True)
class MendExercise(Exercise):
    """A mistake to be played better."""

    mistake: Mistake
    kept_in: ClassVar[str] = OWN_KEPT_IN
    takes_long: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return self.mistake.name

    @property
    def start(self) -> Position:
        return parse_position(self.mistake.position, parse_rules(self.mistake.rules))

    @property
    def heading(self) -> Worded:
        words = _("From your game {game}, move {number}")
        return Worded(words, game=self.mistake.game, number=self.start.move_number)

    @property
    def asked(self) -> Worded:
        side, played = SIDES[self.start.side.word], self.mistake.played
        plies = self.mistake.win_in
        if plies == 1:
            at_once = _("{side} played {move}, and could have won at once. Find the move.")
            return Worded(at_once, side=side, move=played)
        if plies is not None and plies > 0:
            words = _("{side} played {move}, and had a win by force in {number} moves. Find it.")
            return Worded(words, side=side, move=played, number=moves_within(plies))
        return Worded(_("{side} played {move}. Find a better move."), side=side, move=played)

    def judge(self, tried: Game) -> TryVerdict:
        """Judge the first move by the search, against the best move that it finds."""
        position, move = tried.start, tried.plies[0].move
        text, best = format_move(move, position), _think(position, None)
        if text == self.mistake.played:
            again = _("{move} is what was played; there is better.")
            return TryVerdict(Worded(again, move=text), is_right=False)
        found = best if best.move == move else _think(position, move)
        least = _worth(best) - AS_GOOD
        # Where there is a win by force, a good position is not enough.
        is_won = best.win_in is None or best.win_in < 0 or (found.win_in or -1) > 0
        if _worth(found) >= least and is_won:
            right = _("Yes: {move} is better than {played}.")
            return TryVerdict(Worded(right, move=text, played=self.mistake.played), is_right=True)
        if len(found.line) > 1:
            reply = format_move(found.line[1], position.play(move))
            wrong = _("No: after {move}, {reply} is too good.")
            return TryVerdict(Worded(wrong, move=text, reply=reply), is_right=False)
        return TryVerdict(Worded(_("No: {move} is not the move."), move=text), is_right=False)

    def wanted(self, after: int) -> Move | None:
        position = self.start
        moves = position.moves() if after == 0 else ()
        return next((m for m in moves if format_move(m, position) == self.mistake.best), None)


def cut_short(folder: Path) -> Iterator[MendExercise]:
    """Yield the exercise that was open when the table was switched off, if it was a mistake."""
    mistake = mistake_named(folder, read_progress(folder, OWN_KEPT_IN).open_at or "")
    if mistake is not None:
        yield MendExercise(mistake)


def _worth(thought: Thought) -> float:
    return win_probability(thought.score, thought.win_in)


def _think(position: Position, only: Move | None) -> Thought:
    """Return the search's thought on the best move, or on the `only` move allowed."""
    return Search(
        position,
        fitted_weights(),
        lambda: 0.0,  # no time limit: NODES bounds it
        Limits(nodes=NODES),
        allowed=None if only is None else [only],
        library=_library(),
    ).think()


@cache
def _library() -> Any:
    return quick_library(os.environ)
