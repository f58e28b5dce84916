"""The engine's lines as UGI, the Universal Game Interface: for match runners that know no game.

Such a runner asks the engines themselves whose turn it is and who has won (`query`). Black is its
first player. Everything else is the engine's own protocol in other words.
"""

from collections.abc import Callable, Sequence
from typing import Final

from rules import DEFAULT_PRESET, Game, Position, RulesError, Side, _, parse_rules

from ...engine.protocol import BadLine, Lines, parse_position_line
from ...errors import TableError

MOVES_TO_GO: Final = 30
"""A side's time is meant to last for so many more of its moves."""

INCREMENT_SHARE: Final = 0.75

WORDS: Final = {"ugi": "jetan", "uginewgame": "newgame"}
"""Lines of UGI whose meaning the engine has another word for."""

RESULTS: Final = {Side.BLACK: "p1win", Side.ORANGE: "p2win", None: "draw"}


def in_ugi(lines: Lines, say: Callable[[str], None]) -> tuple[Lines, Callable[[str], None]]:
    """Return the two ends that the engine uses with a runner at these."""
    ugi = Ugi(lines, say)
    return ugi, ugi.tell


class Ugi:
    """Lines of a runner, as the engine reads them; what the engine says goes out by `tell`."""

    def __init__(self, lines: Lines, say: Callable[[str], None]) -> None:
        self._lines, self._say = lines, say
        self._rules = parse_rules(DEFAULT_PRESET)
        self._game = Game.begin(Position.start(self._rules))

    @property
    def is_closed(self) -> bool:
        return self._lines.is_closed

    def next(self, seconds: float | None = 0.0) -> str | None:
        while (line := self._lines.next(seconds)) is not None:
            try:
                own = self._translated(line.split())
            except (TableError, RulesError) as error:
                self.tell(f"error {error}")
                continue
            if own:
                return own
        return None

    def _translated(self, words: Sequence[str]) -> str:
        """Return a line as the engine knows it; nothing where it is answered here."""
        match words:
            case ["query", *asked]:
                self._say(f"response {self._answer(asked)}")
                return ""
            case ["setoption", "name", "Rules", "value", *text]:
                rules = parse_rules(" ".join(text))
                if rules["juggernaut"] != "off" or rules["duel"] != "off":
                    raise BadLine(_("{rules}: UGI has no words for dice"), rules=" ".join(text))
                self._rules = rules
                self._game = Game.begin(Position.start(rules))
            case ["uginewgame"]:
                self._game = Game.begin(Position.start(self._rules))
            case ["position", kind, *rest]:
                words = ["position", *(["start"] if kind == "startpos" else []), *rest]
                position, earlier = parse_position_line(words[1:], self._rules)
                self._game = Game((*earlier, position))
            case ["go", *limits]:
                return f"go {' '.join(self._limits(limits))}"
        return " ".join([WORDS.get(word, word) for word in words[:1]] + [*words[1:]])

    def _answer(self, asked: Sequence[str]) -> str:
        outcome = self._game.outcome
        match asked:
            case ["gameover"]:
                return "false" if outcome is None else "true"
            case ["p1turn"]:
                return "true" if self._game.position.side is Side.BLACK else "false"
            case ["result"]:
                return "none" if outcome is None else RESULTS[outcome.winner]
        raise BadLine(_("query {words}: gameover, p1turn or result"), words=" ".join(asked))

    def _limits(self, words: Sequence[str]) -> Sequence[str]:
        """Return the limits of `go`; those of two clocks become the time for this move."""
        if not {"p1time", "p2time"} & set(words):
            return words
        clocks = dict(zip(words[::2], words[1::2], strict=False))
        player = "p1" if self._game.position.side is Side.BLACK else "p2"
        try:
            left, added = (int(clocks.get(f"{player}{each}", "0")) for each in ("time", "inc"))
        except ValueError as error:
            raise BadLine(_("go {words}: {why}"), words=" ".join(words), why=error) from error
        spent = min(left / MOVES_TO_GO + INCREMENT_SHARE * added, left / 2)
        return "movetime", str(max(1, round(spent)))

    def tell(self, line: str) -> None:
        """Say a line of the engine's as runners read it."""
        match line.split():
            case ["jetanok"]:
                line = "ugiok"
            case ["bestmove", move, *_pondered]:
                line = f"bestmove {move}"
            case ["error", *words]:
                line = f"info string {' '.join(words)}"
            case ["info", "depth", depth, "score", ("win" | "loss") as end, plies, *rest]:
                moves = (int(plies) + 1) // 2 * (1 if end == "win" else -1)
                line = f"info depth {depth} score mate {moves} {' '.join(rest)}"
            case ["info", "depth", depth, "score", *rest]:
                line = f"info depth {depth} score cp {' '.join(rest)}"
        self._say(line)
