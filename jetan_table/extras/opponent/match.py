"""Matches between two players: every opening twice, with colours exchanged, and what they prove.

Each game is written to a file (`.jgn`) as it ends, so that none is lost and a match that was broken
off goes on from there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from random import Random
from typing import Final, Protocol

from rules import (
    TELEPORT,
    Duel,
    Game,
    Move,
    MoveKind,
    Position,
    Roll,
    Rules,
    RulesError,
    Side,
    Throw,
    _,
    fight,
    juggernaut_starts,
    parse_move,
)
from rules.text import GameText, format_game

from ...engine.process import EngineProcess
from ...engine.protocol import NO_MOVE, BadLine
from ...engine.search import Limits
from ...table.games import BadGameFile, read_games

MOST_PLIES: Final = 300
"""A game as long as this is broken off and counted as a draw."""

OPENING_PLIES: Final = 4
"""The number of random plies that begin a pair, so that no two pairs are alike."""

CONFIDENT: Final = 1.96
"""Standard errors on each side of a figure that leave out one case in twenty."""

ELO: Final = 400
"""The difference in rating by which ten games are won for one lost, as in chess."""

MATCH: Final = "Match"
"""The tag that says which match a game is of; a game's place in the file is its number."""

SIDES: Final = ("Black", "Orange")


class Player(Protocol):
    """Anything that answers a game with a move text."""

    @property
    def name(self) -> str: ...

    def play(self, game: Game) -> str:
        """Return the move to play."""
        ...


class MatchPlayer:
    """A player of a match: a process, thinking within limits each ply."""

    def __init__(self, process: EngineProcess, limits: Limits) -> None:
        self._process, self._limits = process, limits

    @property
    def name(self) -> str:
        return self._process.name

    def play(self, game: Game) -> str:
        # The first ply of each side follows an opening that the engine has not seen: it begins a
        # game.
        if len(game.plies) < OPENING_PLIES + 2:
            self._process.begin_game()
        self._process.think(game, self._limits)
        answer = None
        while answer is None:
            answer = self._process.poll(1.0)
        if answer == NO_MOVE:
            complaints = "; ".join(self._process.errors)
            raise BadLine(
                _("{name} has no move: {why}"),
                name=self.name,
                why=complaints or _("and gives no reason"),
            )
        return answer


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A game of a match."""

    game: Game
    black: int
    """The player with Black, 0 or 1."""
    pair: int
    """The number of its opening, from 0; two games share one."""

    @classmethod
    def numbered(cls, game: Game, number: int) -> MatchGame:
        """Return the game with that number in its match, from 0."""
        pair, black = divmod(number, 2)
        return cls(game, black, pair)

    @property
    def points(self) -> float:
        """The first player's points: 1, 0 or a half."""
        outcome = self.game.outcome
        if outcome is None or outcome.winner is None:
            return 0.5
        return 1.0 if (outcome.winner is Side.BLACK) == (self.black == 0) else 0.0


def play_match(
    players: tuple[Player, Player], rules: Rules, games: range, seed: int
) -> Iterator[MatchGame]:
    """Yield games of a match as they end, by their numbers from 0; none depends on those before.

    Two follow each opening, with colours exchanged.
    """
    for number in games:
        pair, black = divmod(number, 2)
        chance = Random(f"{seed} {pair}")
        opening = random_opening(rules, chance)
        # Each opening is played with both colours, so an opening that favours one side favours
        # nobody.
        seated = players if black == 0 else players[::-1]
        yield MatchGame.numbered(play_game(opening, seated, chance), number)


def random_opening(rules: Rules, chance: Random) -> Game:
    """Return a game a few quiet plies in, with nothing decided."""
    while True:
        start = Position.start(rules)
        places = juggernaut_starts(start)
        game = Game.begin(start.move_juggernaut(chance.choice(places)) if places else start)
        for _ply in range(OPENING_PLIES):
            quiet = [move for move in game.position.moves() if move.kind is MoveKind.MOVE]
            if game.outcome is not None or not quiet:
                break
            game = rolled(game.play(chance.choice(quiet)), chance)
        if game.outcome is None and len(game.plies) == OPENING_PLIES:
            return game


def play_game(opening: Game, seated: tuple[Player, Player], chance: Random) -> Game:
    """Return the game two players make of an opening; Black's comes first."""
    game = opening
    while game.outcome is None and len(game.plies) < MOST_PLIES:
        player = seated[game.position.side]
        answer = player.play(game)
        try:
            move = parse_move(answer, game.position)
        except RulesError as error:
            raise BadLine(_("{name}: {why}"), name=player.name, why=error) from error
        duel = None
        if game.position.is_fought(move):
            duel = fought(game.position, move, chance)
        game = rolled(game.play(move, duel), chance)
    return game


def fought(position: Position, move: Move, chance: Random) -> Duel:
    """Throw until a fight is decided."""
    throws: tuple[Throw, ...] = ()
    while True:
        throws = (*throws, Throw(chance.randint(1, 10), chance.randint(1, 10)))
        duel = fight(position, move, throws)
        if duel is not None:
            return duel


def rolled(game: Game, chance: Random) -> Game:
    """Throw the Juggernaut's die until it is content."""
    while game.awaits_roll and game.outcome is None:
        face = chance.randint(1, 10)
        more = (chance.randint(1, 10), chance.randint(1, 10)) if face == TELEPORT else (None, None)
        game = game.roll(Roll(face, *more))
    return game


@dataclass(frozen=True, slots=True)
class Tally:
    """The first player's score, in games and in points.

    It is our own: packages treat every game as independent evidence, and here two are alike.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[float, ...] = ()
    """The points of each pair of games, 0..2."""

    @classmethod
    def of(cls, played: Iterable[MatchGame]) -> Tally:
        """Return the tally of games in the order of their numbers."""
        return reduce(cls.after, played, cls())

    def after(self, played: MatchGame) -> Tally:
        points = played.points
        pairs = list(self.pairs[: played.pair])
        before = self.pairs[played.pair] if played.pair < len(self.pairs) else 0.0
        return Tally(
            self.wins + (points == 1),
            self.draws + (points == 0.5),
            self.losses + (points == 0),
            (*pairs, before + points),
        )

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of all points."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def error(self) -> float:
        """Half the width of the interval of 95 % around `share`.

        From the pairs, for the two games of an opening are alike. A few games all of one sort prove
        less than their own spread says, so half a won and half a lost game are thought beside them.
        """
        if not self.games:
            return 0.5
        # Without these two a match of three wins would have a spread of nought, and claim
        # certainty.
        shares = [points / 2 for points in self.pairs] + [0.0, 1.0]
        mean = sum(shares) / len(shares)
        spread = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
        return CONFIDENT * math.sqrt(spread / len(shares))

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo: lower end, best estimate, upper end of the same interval."""
        least, most = 0.5 / (self.games + 1), 1 - 0.5 / (self.games + 1)
        low, mid, high = (
            elo_of(min(max(share, least), most))
            for share in (self.share - self.error, self.share, self.share + self.error)
        )
        return low, mid, high


def elo_of(share: float) -> float:
    """Return the Elo difference that lets a share of the points be expected."""
    return -ELO * math.log10(1 / share - 1)


class MatchFile:
    """The games of a match in a file, in order; `played` are those so far.

    `match` names the match with its players and conditions, `names` are the players'. BadGameFile
    where the file at `path` holds anything else.
    """

    def __init__(self, path: Path, match: str, names: tuple[str, str]) -> None:
        self._path, self._match, self._names = path, match, names
        self.played = self._read() if path.exists() else []

    def _read(self) -> list[MatchGame]:
        games = read_games(self._path)
        for text in games:
            other = text.tags.get(MATCH, "other games")
            if other != self._match:
                wrong = f"holds {other}, not {self._match}"
                raise BadGameFile(
                    _("{path}: {wrong}; name another file or remove it"),
                    path=self._path,
                    wrong=wrong,
                )
        return [MatchGame.numbered(text.game, number) for number, text in enumerate(games)]

    def add(self, played: MatchGame) -> None:
        """Write one more game behind the others."""
        self.played.append(played)
        names = self._names if played.black == 0 else self._names[::-1]
        tags = {"Event": "Match", "Round": str(len(self.played)), MATCH: self._match}
        text = format_game(GameText(played.game, tags | dict(zip(SIDES, names, strict=True))))
        with self._path.open("a", encoding="utf-8") as file:
            print(text, file=file)
