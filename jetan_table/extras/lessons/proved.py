"""Puzzles with proof: positions of few men, drawn from solved endings, with one shortest win.

A number draws the same puzzle wherever the same tables lie. The tables judge every answer, and
choose the reply that holds out longest.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import ClassVar, Final

from rules import (
    PRESETS,
    SIDES,
    SQUARES,
    Game,
    Kind,
    Move,
    Piece,
    Position,
    Rules,
    Sentence,
    Side,
    Worded,
    _,
    format_move,
    format_position,
    parse_rules,
    preset_rules,
    whole_number,
)

from ...engine.endings import Endings, TableHead, Worth, find_endings, rules_for
from ...light.words import moves_within
from .exercise import Exercise, read_progress
from .puzzles import NoSuchExercise, TryVerdict

PROVED_KEPT_IN: Final = "proved-puzzles.json"
NAMED: Final = "proved-"
"""What a name begins with, also in an address of the page."""

LEAST_PLIES: Final = 3
"""A win at once is too easy."""
CHOSEN_OF: Final = 8
"""The longest of so many that were found is set: most are short."""
DRAWN: Final = 20_000
"""Placements that are looked at for one puzzle."""

_STARTS: Final = set[str]()
"""Positions that were drawn: a game that starts there is an exercise."""


@dataclass(frozen=True, slots=True)
class ProvedExercise(Exercise):
    """A win by force in a solved ending."""

    number: int
    position: Position
    plies: int
    """Plies to the end, if nobody errs."""
    endings: Endings
    kept_in: ClassVar[str] = PROVED_KEPT_IN
    takes_long: ClassVar[bool] = True

    @property
    def name(self) -> str:
        return f"{NAMED}{self.number}"

    @property
    def start(self) -> Position:
        return self.position

    @property
    def heading(self) -> Worded:
        return Worded(_("Proved ending {number}"), number=self.number)

    @property
    def asked(self) -> Worded:
        words = _(
            "{side} moves, and wins in {number} moves at most, whatever is replied. "
            "Only one first move does it."
        )
        return Worded(words, side=SIDES[self.position.side.word], number=moves_within(self.plies))

    def judge(self, tried: Game) -> TryVerdict:
        """Return what the last move comes to by the tables, and the longest defence."""
        before, move = tried.positions[-2], tried.plies[-1].move
        after, text = tried.position, format_move(move, before)
        worth = self._answers(before)[move]
        left = self.plies - len(tried.plies) + 1
        is_right = worth.result > 0 and worth.plies <= left
        if after.outcome is not None:
            proved = _("{move} wins: solved. Proved: won in {number} moves, whatever is replied.")
            words = proved if is_right else _("No: {move} ends the game without a win.")
            number = moves_within(self.plies)
            return TryVerdict(Worded(words, move=text, number=number), is_right=is_right)
        reply = next(iter(self._answers(after)))
        answer, number = format_move(reply, after), moves_within(worth.plies)
        if is_right:
            good = _("Good: {move}. {reply} holds out longest; proved: won in {number} more.")
            answered = Worded(good, move=text, reply=answer, number=number - 1)
            return TryVerdict(answered, is_right=True, reply=reply)
        answered = Worded(_MISSED[worth.result], move=text, reply=answer, number=number)
        return TryVerdict(answered, is_right=False, refuted=(text, answer))

    def proof(self) -> list[list[str]]:
        """Return the lines from the start that answer each reply to the first move, longest first.

        Each goes on with the quickest win against the longest defence.
        """
        key = next(iter(self._answers(self.position)))
        after = self.position.play(key)
        begun = [[key, reply] for reply in self._answers(after)]
        return [self._texts([*line, *self.endings.line(after.play(line[1]))]) for line in begun]

    def _answers(self, position: Position) -> dict[Move, Worth]:
        answers = self.endings.answers(position)
        if answers is None:  # a file without the tables that its own lead to
            raise NoSuchExercise(NO_TABLES)
        return answers

    def _texts(self, line: list[Move]) -> list[str]:
        texts, position = [], self.position
        for move in line:
            texts.append(format_move(move, position))
            position = position.play(move)
        return texts


_MISSED: Final[dict[int, Sentence]] = {
    1: _("No: {move} wins too, but takes {number} moves: {reply} holds out longer."),
    0: _("No: after {move}, {reply} holds."),
    -1: _("No: after {move}, {reply} wins."),
}
NO_TABLES: Final = _(
    "no solved endings are here to draw puzzles from; `jetan endings make zillions` makes some"
)


def drawn(number: int, endings: Endings) -> ProvedExercise:
    """Return the puzzle that a number draws; NoSuchExercise without tables that hold one."""
    found = islice(_found(number, endings), CHOSEN_OF)
    chosen = max(found, key=lambda each: each.plies, default=None)
    if chosen is None:
        raise NoSuchExercise(NO_TABLES)
    _STARTS.add(format_position(chosen.position))
    return chosen


def _found(number: int, endings: Endings) -> Iterator[ProvedExercise]:
    """Yield positions that are won by one shortest way, though not at once."""
    # Only where every capture ends the game: elsewhere a count may begin anew, and prove nothing.
    tables = [
        (head, _reading(head))
        for file in endings.files.values()
        for head in file.tables
        if head.is_final and head.won
    ]
    chance = Random(number)
    for _at in range(DRAWN if tables else 0):
        position = _placed(*chance.choice(tables), chance)
        worth = endings.worth(position)
        if worth is None or worth.result < 1 or worth.plies < LEAST_PLIES:
            continue
        answers = endings.answers(position) or {}
        if list(answers.values()).count(worth) == 1:
            yield ProvedExercise(number, position, worth.plies, endings)


def was_drawn(start: str) -> bool:
    """Return True if a game from this position text is a puzzle that this process drew."""
    return start in _STARTS


def cut_short(folder: Path) -> Iterator[ProvedExercise]:
    """Yield the puzzle that was open when the table was switched off, if it was a proved one."""
    name = read_progress(folder, PROVED_KEPT_IN).open_at or ""
    number = whole_number(name.removeprefix(NAMED))
    if number is not None:
        with suppress(NoSuchExercise):
            yield drawn(number, find_endings(os.environ))


def _placed(head: TableHead, rules: Rules, chance: Random) -> Position:
    """Return a random position of a table, Black to move."""
    men = head.material
    letters = men.movers + men.others
    sides = [Side.BLACK] * len(men.movers) + [Side.ORANGE] * len(men.others)
    mays = (men.may_escape, men.may_others)
    return Position.of(
        rules,
        {
            square: Piece(side, Kind(letter))
            for square, side, letter in zip(
                chance.sample(SQUARES, len(letters)), sides, letters, strict=True
            )
        },
        Side.BLACK,
        escapes=frozenset(side for side, may in zip(Side, mays, strict=True) if may),
    )


def _reading(head: TableHead) -> Rules:
    """Return the first preset that decides such endings as a table does; else its rules alone."""
    presets = map(preset_rules, PRESETS)
    same = (rules for rules in presets if rules_for(rules, head.material) == head.rules)
    return next(same, parse_rules(head.rules))
