"""A reader of Zillions' rules files, as much as Jetan needs. It shares no code with `rules`.

A file is read as nested lists, its definitions are put in where they are called, and each move is
walked over a board, a mapping of squares to men. What a condition means is told in Zillions' own
manual; an attack is a move that could take a man of the asker's on that square.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Text = Any
"""A word, or a list of texts."""


class Man(NamedTuple):
    """A man on a square."""

    player: str
    piece: str
    flags: frozenset[str] = frozenset()
    """The names of its attributes that are true."""


Board = dict[str, Man]


class Played(NamedTuple):
    """A move, and what stands on its end after it."""

    start: str
    end: str
    man: Man


def read(text: str) -> list[Text]:
    """Return a file as nested lists."""
    bare = "\n".join(line.partition(";")[0] for line in text.splitlines())
    words = bare.replace("(", " ( ").replace(")", " ) ").split()
    stack: list[list[Text]] = [[]]
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(word)
    (whole,) = stack
    return whole


@dataclass
class Game:
    """A game that was read."""

    links: dict[str, dict[str, str]] = field(default_factory=dict)
    turned: dict[str, str] = field(default_factory=dict)
    """Orange's way for each of Black's."""
    moves: dict[str, list[list[Text]]] = field(default_factory=dict)
    born: dict[str, frozenset[str]] = field(default_factory=dict)
    """The attributes a piece begins with."""
    start: Board = field(default_factory=dict)
    goals: list[Text] = field(default_factory=list)


def game(text: str) -> Game:
    """Read a game."""
    macros: dict[str, list[Text]] = {}
    found = Game()
    for part in read(text):
        if part[0] == "define":
            macros[part[1]] = part[2:]
            continue
        for what in part[1:]:
            if what[0] == "board":
                _read_board(found, what)
            elif what[0] == "board-setup":
                for player, *men in what[1:]:
                    for piece, *squares in men:
                        found.start.update({at: Man(player, piece) for at in squares})
            elif what[0] == "piece":
                _read_piece(found, what, macros)
            elif what[0].endswith("-condition"):
                found.goals.append(what)
    found.start = {at: man._replace(flags=found.born[man.piece]) for at, man in found.start.items()}
    return found


def _read_board(found: Game, board: list[Text]) -> None:
    for what in board[1:]:
        if what[0] == "links":
            found.links[what[1]] = dict(what[2:])
        elif what[0] == "symmetry":
            found.turned = dict(what[2:])
    squares = [each[0] for what in board[1:] if what[0] == "positions" for each in what[1:]]
    assert len(squares) == len(set(squares)) == 100


def _read_piece(found: Game, piece: list[Text], macros: dict[str, list[Text]]) -> None:
    parts = {what[0]: what[1:] for what in piece[1:]}
    (name,) = parts["name"]
    found.moves[name] = [list(_expanded(move, macros, [])) for move in parts.get("moves", [])]
    attribute = parts.get("attribute", ["", "false"])
    found.born[name] = frozenset(attribute[:1]) if attribute[1] == "true" else frozenset()


def _expanded(parts: list[Text], macros: dict[str, list[Text]], given: list[Text]) -> Iterator[Any]:
    """Yield instructions with their definitions put in."""
    for part in parts:
        if isinstance(part, str):
            yield given[int(part[1:]) - 1] if part[0] == "$" else part
        elif part[0] in macros:
            words = list(_expanded(part[1:], macros, given))
            yield from _expanded(macros[part[0]], macros, words)
        else:
            yield list(_expanded(part, macros, given))


def moves(rules: Game, board: Board, player: str) -> Iterator[Played]:
    """Yield every move of a player's men."""
    attacks = Attacks(rules, board, player)
    for start, man in board.items():
        if man.player == player:
            for instructions in rules.moves[man.piece]:
                yield from Walk(rules, board, start, man, attacks).follow(instructions)


class Attacks:
    """What the other side attacks of a player's, found when first asked for."""

    def __init__(self, rules: Game, board: Board, player: str) -> None:
        self._rules, self._board, self._player = rules, board, player
        self._found: set[str] | None = None

    def __contains__(self, square: str) -> bool:
        if self._found is None:
            self._found = set(self._all())
        return square in self._found

    def _all(self) -> Iterator[str]:
        for start, man in self._board.items():
            if man.player == self._player:
                continue
            for instructions in self._rules.moves[man.piece]:
                for played in Walk(self._rules, self._board, start, man, None).follow(instructions):
                    yield from self._takes(start, man, played.end, instructions)

    def _takes(self, start: str, man: Man, end: str, instructions: list[Text]) -> Iterator[str]:
        """Yield an end where the move would take a man of the asker's, if one stood there."""
        target = {**self._board, end: Man(self._player, "Panthan")}
        if any(Walk(self._rules, target, start, man, None).follow(instructions)):
            yield end


class Walk:
    """One man on one of its ways; the board is as it was before it left."""

    def __init__(
        self, rules: Game, board: Board, start: str, man: Man, attacks: Attacks | None
    ) -> None:
        self._rules, self._board, self._attacks = rules, board, attacks
        self._start, self._at, self._man = start, start, man
        self._flagged: dict[str, set[str]] = {}
        self._is_going = True

    def follow(self, instructions: list[Text]) -> Iterator[Played]:
        """Yield what is added on the way; a step off the board, or a check that fails, ends it."""
        for each in instructions:
            yield from self._do(each)
            if not self._is_going:
                return

    def _do(self, what: Text) -> Iterator[Played]:
        if what == "add":
            yield Played(self._start, self._at, self._man)
        elif isinstance(what, str):
            self._go(what)
        elif what[0] == "verify":
            self._is_going = self._holds(what[1])
        elif what[0] == "add":
            yield Played(self._start, self._at, Man(self._man.player, what[1]))
        elif what[0] == "set-attribute":
            kept = self._man.flags - {what[1]} | ({what[1]} if what[2] == "true" else set())
            self._man = self._man._replace(flags=frozenset(kept))
        elif what[0] == "set-position-flag":
            assert what[2] == "true"
            self._flagged.setdefault(what[1], set()).add(self._at)
        elif what[0] == "if":
            then, other = what[2:], []
            if "else" in then:
                at = then.index("else")
                then, other = then[:at], then[at + 1 :]
            yield from self.follow(then if self._holds(what[1]) else other)
        else:
            raise ValueError(f"{what}: not known")

    def _go(self, way: str) -> None:
        if way not in self._rules.links:
            self._at = way  # a square
            return
        turned = self._rules.turned[way] if self._man.player == "Orange" else way
        there = self._rules.links[turned].get(self._at)
        self._is_going = there is not None
        self._at = there or self._at

    def _holds(self, condition: Text) -> bool:
        name, *given = [condition] if isinstance(condition, str) else condition
        if name.startswith("not-"):
            return not self._holds([name.removeprefix("not-"), *given])
        there = self._board.get(self._at)
        match name:
            case "empty?":
                return there is None
            case "friend?":
                return there is not None and there.player == self._man.player
            case "piece?":
                return there is not None and there.piece == given[0]
            case "position?":
                return self._at == given[0]
            case "position-flag?":
                return self._at in self._flagged.get(given[0], ())
            case "attacked?":
                return self._attacks is None or self._at in self._attacks
            case name if name.endswith("?") and there is not None:
                return name in there.flags
        raise ValueError(f"{condition}: not known")
