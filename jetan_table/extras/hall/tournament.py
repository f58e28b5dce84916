"""A tournament as a value: its players, its rounds, what has come of them, and who meets whom.

Pairs are drawn by Berger's tables, everybody against everybody, or by the Swiss system. There
players are numbers from 0, the strongest first; the first of a pair has Black.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from rules import RECOMMENDED, _

from ...errors import MissingPackage, TableError
from ...files import csv_text, read_json, write_whole
from ...game.events import ConductName, Result
from .payloads import SaidPair, SaidRound, SaidStanding

PlayerName = Annotated[
    str, msgspec.Meta(min_length=1, max_length=40, pattern=r"^[^\s?]([^\r\n\t]*\S)?$")
]
"""A name as game texts and tables hold it: one that nobody knows begins with `?`."""

POINTS: Final[dict[Result, tuple[float, float]]] = {
    "black": (1.0, 0.0),
    "orange": (0.0, 1.0),
    "draw": (0.5, 0.5),
}
BYE_POINTS: Final = 1.0
MOST_PLAYERS: Final = 400

Drawn: TypeAlias = tuple[Sequence[tuple[int, int]], int | None]
"""The pairs of a round, Black's player first, and who has no opponent."""

MOST_STEPS: Final = 100_000
"""The steps that pairing-core may search: some seconds on a Pi."""


class CannotPair(TableError, ValueError):
    """Players who cannot be paired so."""


class NoSeat(TableError, LookupError):
    """A table, a player or a round that this hall does not know."""


@dataclass(frozen=True, slots=True)
class Story:
    """One player's story so far, round by round."""

    points: float = 0.0
    sides: str = ""
    """`b`, `o`, or `-` where he had no opponent."""
    opponents: tuple[int, ...] = ()
    had_bye: bool = False
    floats: str = ""
    """`D` where he met somebody with fewer points, `U` with more, else `-`."""


class SeatedPair(msgspec.Struct, frozen=True):
    """Two players of a round at a table; games after number `after` of that table may be theirs."""

    table: str
    black: str
    orange: str
    after: int = 0
    result: Result = "*"
    is_by_hand: bool = False
    """True if the arbiter entered the result: the table's own counts no more."""


class PairedRound(msgspec.Struct, frozen=True):
    """A round; `bye` has no opponent, and gets a point."""

    pairs: tuple[SeatedPair, ...]
    bye: str | None = None

    @property
    def is_over(self) -> bool:
        """True once all its games are decided."""
        return all(pair.result != "*" for pair in self.pairs)


class Tournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Players, strongest first, their tables and rules, and the rounds so far."""

    players: Annotated[tuple[PlayerName, ...], msgspec.Meta(min_length=2, max_length=MOST_PLAYERS)]
    tables: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=1000)]
    system: Literal["berger", "swiss"] = "berger"
    rules: Annotated[str, msgspec.Meta(min_length=1, max_length=400)] = RECOMMENDED
    clock: Annotated[str, msgspec.Meta(max_length=40)] = "none"
    conduct: ConductName = "tournament"
    rounds: tuple[PairedRound, ...] = ()

    def next_round(self, games: dict[str, int]) -> Tournament:
        """Return it with one round more; `games` are the numbers that tables are at now.

        CannotPair while a round is open, where players have one name, or nobody is left to meet.
        """
        if self.rounds and not self.rounds[-1].is_over:
            raise CannotPair(_("round {number} is not over yet"), number=len(self.rounds))
        if len(set(self.players)) < len(self.players):
            raise CannotPair(_("two players have the same name"))
        number = len(self.rounds) + 1
        if self.system == "berger":
            pairs, bye = berger(len(self.players), number)
        else:
            pairs, bye = swiss(self.stories(), number)
        return replace(self, rounds=(*self.rounds, self._seated(pairs, bye, games)))

    def without_last(self) -> Tournament:
        """Return it as it was before its last round was paired."""
        if not self.rounds:
            raise NoSeat(_("no round has been paired"))
        return replace(self, rounds=self.rounds[:-1])

    def with_result(self, number: int, table: str, black: str, result: Result) -> Tournament:
        """Return it with the arbiter's result, `*` to let the table report it again.

        NoSeat if nobody of that name has Black there in that round.
        """
        if not 1 <= number <= len(self.rounds):
            raise NoSeat(_("round {number} has not been paired"), number=number)
        pairs = list(self.rounds[number - 1].pairs)
        for index, pair in enumerate(pairs):
            if (pair.table, pair.black) == (table, black):
                pairs[index] = replace(pair, result=result, is_by_hand=result != "*")
                return self._with_pairs(number, pairs)
        raise NoSeat(
            _("round {number}: {black} has not Black at {table}"),
            number=number,
            black=black,
            table=table,
        )

    def after_game(
        self, table: str, game: int, names: tuple[str, str], result: Result
    ) -> Tournament:
        """Return it with what a table says of a game, where that is one of the last round's."""
        if not self.rounds:
            return self
        pairs = list(self.rounds[-1].pairs)
        for index, pair in enumerate(pairs):
            is_theirs = pair.table == table and (pair.black, pair.orange) == names
            if is_theirs and game > pair.after and not pair.is_by_hand and pair.result != result:
                pairs[index] = replace(pair, result=result)
                return self._with_pairs(len(self.rounds), pairs)
        return self

    def pair_at(self, table: str) -> SeatedPair | None:
        """Return the current pair of a table, or None."""
        pairs = self.rounds[-1].pairs if self.rounds else ()
        return next((p for p in pairs if p.table == table and p.result == "*"), None)

    def stories(self) -> list[Story]:
        """Return every player's story, in the order of the players."""
        index = {name: number for number, name in enumerate(self.players)}
        stories = [Story() for _name in self.players]
        for paired in self.rounds:
            before = list(stories)
            for pair in paired.pairs:
                black, orange = index[pair.black], index[pair.orange]
                points = POINTS.get(pair.result, (0.0, 0.0))
                for own, other, side, gain in (
                    (black, orange, "b", points[0]),
                    (orange, black, "o", points[1]),
                ):
                    stories[own] = _after(before[own], other, before[other], side, gain)
            if paired.bye is not None:
                own = index[paired.bye]
                story = before[own]
                stories[own] = Story(
                    story.points + BYE_POINTS,
                    f"{story.sides}-",
                    story.opponents,
                    True,
                    f"{story.floats}D",
                )
        return stories

    def standings(self) -> list[SaidStanding]:
        """Return all players: by points, then by those of their opponents, then as entered."""
        stories = self.stories()
        ended = [pair for paired in self.rounds for pair in paired.pairs if pair.result != "*"]
        games = Counter(name for pair in ended for name in (pair.black, pair.orange))
        sums = [sum(stories[other].points for other in own.opponents) for own in stories]
        order = sorted(range(len(stories)), key=lambda at: (-stories[at].points, -sums[at], at))
        return [
            SaidStanding(
                place, self.players[at], stories[at].points, games[self.players[at]], sums[at]
            )
            for place, at in enumerate(order, 1)
        ]

    def said_round(self, number: int) -> SaidRound:
        """Return a round as the hall says it."""
        paired = self.rounds[number - 1]
        pairs = [SaidPair(p.table, p.black, p.orange, p.result) for p in paired.pairs]
        return SaidRound(number=number, pairs=pairs, bye=paired.bye)

    def _seated(
        self, drawn: Sequence[tuple[int, int]], bye: int | None, games: dict[str, int]
    ) -> PairedRound:
        """Seat pairs at the tables, one after the other if there are more pairs than tables."""
        pairs = []
        for index, (black, orange) in enumerate(drawn):
            table = self.tables[index % len(self.tables)]
            names = self.players[black], self.players[orange]
            pairs.append(SeatedPair(table, *names, after=games.get(table, 0)))
        return PairedRound(tuple(pairs), None if bye is None else self.players[bye])

    def _with_pairs(self, number: int, pairs: Sequence[SeatedPair]) -> Tournament:
        rounds = list(self.rounds)
        rounds[number - 1] = replace(rounds[number - 1], pairs=tuple(pairs))
        return replace(self, rounds=tuple(rounds))


def _after(story: Story, other: int, opponent: Story, side: str, gain: float) -> Story:
    drift = "-"
    if opponent.points != story.points:
        drift = "D" if opponent.points < story.points else "U"
    return Story(
        story.points + gain,
        story.sides + side,
        (*story.opponents, other),
        story.had_bye,
        story.floats + drift,
    )


def results_csv(tournament: Tournament) -> str:
    """Return all rounds as a table: round, table, black, orange, result."""
    rows: list[tuple[object, ...]] = [("round", "table", "black", "orange", "result")]
    for number, paired in enumerate(tournament.rounds, 1):
        rows += [(number, p.table, p.black, p.orange, p.result) for p in paired.pairs]
        if paired.bye is not None:
            rows.append((number, "", paired.bye, "", "bye"))
    return csv_text(rows)


def standings_csv(tournament: Tournament) -> str:
    """Return the standings as a table."""
    head = ("place", "player", "points", "games", "opponents")
    return csv_text([head, *map(msgspec.structs.astuple, tournament.standings())])


def read_tournament(path: Path) -> Tournament | None:
    """Return the kept tournament, or None. Damaged."""
    return read_json(path, Tournament)


def keep_tournament(path: Path, tournament: Tournament) -> None:
    """Keep it, as a whole; OSError where the disk refuses."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(tournament)))


# Who meets whom


def berger(count: int, number: int) -> Drawn:
    """Return round `number`, from 1, of everybody against everybody; then again, sides changed.

    CannotPair beyond the second time.
    """
    slots = count + count % 2
    rounds = slots - 1
    if count < 2 or not 1 <= number <= 2 * rounds:
        raise CannotPair(_("round {number}: everybody has met everybody"), number=number)
    turn = (number - 1) % rounds
    first = turn * (slots // 2) % rounds
    last = slots - 1
    pairs = [(first, last) if turn % 2 == 0 else (last, first)]
    pairs += [((first + k) % rounds, (first - k) % rounds) for k in range(1, slots // 2)]
    if number > rounds:
        pairs = [(orange, black) for black, orange in pairs]
    bye = next((sum(pair) - count for pair in pairs if count in pair), None)
    return [pair for pair in pairs if count not in pair], bye


def swiss(players: Sequence[Story], number: int) -> Drawn:
    """Return round `number` by the Dutch system, as pairing-core has it.

    Who has floated lately should not float again; where pairing-core finds no pairs by that, or not
    soon, that is left aside, as the rules let an arbiter do. MissingPackage without the library,
    CannotPair where no pairs are left that are allowed.
    """
    try:
        from pairing_core import PairingError
    except ImportError:
        raise MissingPackage(
            _("pairings by the Swiss system: pairing-core is missing; `./jetan hall` brings it")
        ) from None
    try:
        return _dutch(players, number, are_floats_kept=True)
    except PairingError:
        pass
    try:
        return _dutch(players, number, are_floats_kept=False)
    except PairingError as error:
        raise CannotPair(_("round {number}: {why}"), number=number, why=error) from error


def _dutch(players: Sequence[Story], number: int, are_floats_kept: bool) -> Drawn:
    from pairing_core import (
        DUTCH_TILL2026_COMPAT,
        CanonicalPlayer,
        CanonicalRequest,
        ExecutionBudgets,
        pair_canonical,
    )

    asked = tuple(
        CanonicalPlayer(
            id=index + 1,
            pairing_no=index + 1,
            rating=0,
            points=player.points,
            color_hist=player.sides.translate({ord("b"): "w", ord("o"): "b"}),
            opponents=tuple(other + 1 for other in player.opponents),
            received_bye=player.had_bye,
            float_hist=player.floats if are_floats_kept else "",
        )
        for index, player in enumerate(players)
    )
    request = CanonicalRequest(
        players=asked,
        ruleset=DUTCH_TILL2026_COMPAT,
        round_number=number,
        budgets=ExecutionBudgets(max_steps=MOST_STEPS),
    )
    boards = pair_canonical(request).pairings
    pairs = [(b.white_id - 1, b.black_id - 1) for b in boards if b.black_id is not None]
    byes = [board.white_id - 1 for board in boards if board.black_id is None]
    return pairs, byes[0] if byes else None
