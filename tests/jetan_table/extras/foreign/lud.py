"""A reader of Ludii's files, as much as Jetan needs. It shares no code with `rules`.

A file is read as nested lists, its definitions are put in where they are called, and each ludeme is
evaluated over a state as Ludii's own sources do it, with their peculiarities: sites around a region
leave that region out, a threat is looked for with the threatened piece put on its square and with
no threats within, ends are looked at before the counter is counted up, and a counter that is set is
set to -1.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Text = Any
"""A word, or a list of texts; a list in braces begins with `{`."""

WORD = re.compile(r'//.*|"[^"]*"|[(){}]|[^\s(){}]+')
COMPASS = {"N": (0, 1), "NE": (1, 1), "E": (1, 0), "SE": (1, -1)}
STEPS = COMPASS | {
    {"N": "S", "NE": "SW", "E": "W", "SE": "NW"}[name]: (-x, -y) for name, (x, y) in COMPASS.items()
}
STEPS_OF = {
    **{name: [step] for name, step in STEPS.items()},
    "Orthogonal": [step for step in STEPS.values() if 0 in step],
    "Diagonal": [step for step in STEPS.values() if 0 not in step],
    "Adjacent": list(STEPS.values()),
}
AT = {f"{'ABCDEFGHIJ'[x]}{y + 1}": (x, y) for y in range(10) for x in range(10)}
SQUARES = list(AT)
BESIDE = {
    (square, step): SQUARES[10 * (y + step[1]) + x + step[0]]
    for square, (x, y) in AT.items()
    for step in STEPS.values()
    if 0 <= x + step[0] < 10 and 0 <= y + step[1] < 10
}


class Man(NamedTuple):
    """A component on a site: its owner, 1 or 2, and its name without the owner."""

    owner: int
    name: str


class State(NamedTuple):
    """What Ludii keeps of a game."""

    board: dict[str, Man]
    mover: int = 1
    values: Mapping[int, int] = MappingProxyType({})
    """By player; undefined at first."""
    var: int = -1
    counter: int = 0
    last_to: str = ""
    result: str | None = None
    """`Win` or `Draw`, for who moved last."""
    from_: str = ""
    to: str = ""
    is_within: bool = False
    """True while a threat is looked for."""


def read(text: str) -> list[Text]:
    """Return a file as nested lists."""
    stack: list[list[Text]] = [[]]
    for word in WORD.findall(text):
        if word.startswith("//"):
            continue
        if word in "({":
            stack.append(["{"] if word == "{" else [])
        elif word in ")}":
            inner = stack.pop()
            assert (inner[:1] == ["{"]) == (word == "}")
            named = stack[-1][-1:] and str(stack[-1][-1]).endswith(":")
            stack[-1].append([stack[-1].pop(), inner] if named else inner)
        else:
            stack[-1].append(word)
    (whole,) = stack
    return whole


class Game:
    """A game that was read."""

    def __init__(self, text: str) -> None:
        self.defines: dict[str, Text] = {}
        self.moves: dict[str, Text] = {}
        self.start: dict[str, Man] = {}
        self.ends: list[Text] = []
        for part in read(text):
            if part[0] == "define":
                self.defines[part[1]] = part[2]
            elif part[0] == "game":
                self._read(part)

    def _read(self, game: Text) -> None:
        parts = {each[0]: each for each in game[2:]}
        for each in parts["equipment"][1][1:]:
            if each[0] == "piece":
                _piece, name, who, moves = each
                assert who == "Each"
                self.moves[name.strip('"')] = self._expanded(moves, [])
            else:
                assert each == ["board", ["square", "10"]]
        start, play, ends = parts["rules"][1:]
        assert play == ["play", ["forEach", "Piece"]]
        for _place, name, *where in start[1][1:]:
            squares = where[0][1:] if where[0][0] == "{" else [where[0].removeprefix("coord:")]
            for square in squares or where[1:]:
                at = square.strip('"')
                assert at in SQUARES
                self.start[at] = Man(int(name[-2]), name[1:-2])
        self.ends = [self._expanded(each, []) for each in ends[1][1:]]

    def _expanded(self, text: Text, given: list[Text]) -> Text:
        """Put definitions in, with what they are given for `#1` and so on."""
        if isinstance(text, str):
            name, mark, number = text.rpartition("#")
            if mark:
                inner = given[int(number) - 1]
                return [name, inner] if name else inner
            return self._expanded(self.defines[text], []) if text in self.defines else text
        if text and isinstance(text[0], str) and text[0] in self.defines:
            words = [self._expanded(each, given) for each in text[1:]]
            return self._expanded(self.defines[text[0]], words)
        return [self._expanded(each, given) for each in text]

    # Moves

    def legal(self, state: State) -> Iterator[State]:
        """Yield the state after each move, before its ends are looked at."""
        for square, man in state.board.items():
            if man.owner == state.mover:
                yield from self.legal_from(state, square)

    def legal_from(self, state: State, square: str) -> Iterator[State]:
        """Yield the states after the moves of the man on a square."""
        moves = self.moves[state.board[square].name]
        yield from self._moves(moves, state._replace(from_=square))

    def _moves(self, text: Text, state: State) -> Iterator[State]:
        match text:
            case ["or", *branches]:
                for branch in branches:
                    yield from self._moves(branch, state)
            case ["if", condition, *branches]:
                chosen = branches[:1] if self._holds(condition, state) else branches[1:]
                for branch in chosen:
                    yield from self._moves(branch, state)
            case ["move", ["from"], ["to", region, *more], *then]:
                yield from self._go(state, region, more, then)
            case _:
                raise ValueError(text)

    def _go(
        self, state: State, region: Text, more: list[Text], then: list[Text]
    ) -> Iterator[State]:
        condition = next((each[1] for each in more if each[0] == "if:"), None)
        effects = [each[1] for each in more if each[0] == "apply"]
        assert len(more) == (condition is not None) + len(effects)
        for to in self._region(region, state):
            here = state._replace(to=to)
            if condition is not None and not self._holds(condition, here):
                continue
            after = here
            for effect in effects:
                after = self._effect(effect, after)
            board = dict(after.board)
            board[to] = board.pop(state.from_)
            after = after._replace(board=board, last_to=to)
            for each in then:
                assert each[0] == "then"
                after = self._effect(each[1], after)
            yield after

    def _effect(self, text: Text, state: State) -> State:
        match text:
            case ["and", ["{", *each]] | ["and", *each]:
                for one in each:
                    state = self._effect(one, state)
                return state
            case ["if", condition, effect]:
                return self._effect(effect, state) if self._holds(condition, state) else state
            case ["remove", ["to"]]:
                board = {at: man for at, man in state.board.items() if at != state.to}
                return state._replace(board=board)
            case ["set", "Counter"]:
                return state._replace(counter=-1)
            case ["set", "Var", number]:
                return state._replace(var=int(number))
            case ["set", "Value", "Mover", number]:
                return state._replace(values={**state.values, state.mover: int(number)})
        raise ValueError(text)

    def played(self, after: State) -> State:
        """Look at the ends, count up, and let the other move."""
        for _if, condition, (_result, who, what) in self.ends:
            assert who == "Mover"
            if self._holds(condition, after):
                after = after._replace(result=what)
                break
        return after._replace(mover=3 - after.mover, counter=after.counter + 1)

    # Regions

    def _region(self, text: Text, state: State) -> set[str]:
        match text:
            case ["union", ["{", *regions]]:
                return set().union(*(self._region(each, state) for each in regions))
            case ["difference", whole, part]:
                return self._region(whole, state) - self._region(part, state)
            case ["sites", "Empty"]:
                return set(SQUARES) - set(state.board)
            case ["sites", "Around", where, word, *more]:
                begun = {state.from_} if where == ["from"] else self._region(where, state)
                return self._around(begun, STEPS_OF[word], more, state) - begun
        raise ValueError(text)

    def _around(
        self, begun: set[str], steps: list[tuple[int, int]], more: list[Text], state: State
    ) -> set[str]:
        found = set()
        for square in begun:
            for step in steps:
                to = BESIDE.get((square, step))
                if to is not None:
                    here = state._replace(from_=square, to=to)
                    if all(self._holds(condition, here) for _if, condition in more):
                        found.add(to)
        return found

    # Conditions and numbers

    def _holds(self, text: Text, state: State) -> bool:
        match text:
            case ["not", condition]:
                return not self._holds(condition, state)
            case ["and", ["{", *conditions]] | ["and", *conditions]:
                return all(self._holds(each, state) for each in conditions)
            case ["is", "Empty", where]:
                return self._site(where, state) not in state.board
            case ["is", ("Friend" | "Enemy") as word, ["who", ["at:", where]]]:
                man = state.board.get(self._site(where, state))
                return man is not None and (man.owner == state.mover) == (word == "Friend")
            case ["is", "Mover", player]:
                return bool(state.mover == int(player[1]))
            case ["is", "Threatened", what, ["at:", where]]:
                return self._is_threatened(what, self._site(where, state), state)
            case ["no", "Moves", "Next"]:
                return not any(True for _ in self.legal(state._replace(mover=3 - state.mover)))
            case ["=", one, other]:
                return bool(self._number(one, state) == self._number(other, state))
            case ["<=", one, other]:
                return bool(self._number(one, state) <= self._number(other, state))
            case [">=", one, other]:
                return bool(self._number(one, state) >= self._number(other, state))
        raise ValueError(text)

    def _is_threatened(self, what: Text, square: str, state: State) -> bool:
        if state.is_within:
            return False
        _id, name, who = what
        assert who == "Mover"
        man = Man(state.mover, name.strip('"'))
        board = {**state.board, square: man}
        enemy = state._replace(board=board, mover=3 - state.mover, is_within=True)
        return any(after.last_to == square for after in self.legal(enemy))

    def _site(self, where: Text, state: State) -> str:
        match where:
            case ["to"]:
                return state.to
            case ["from"]:
                return state.from_
            case ["last", "To"]:
                return state.last_to
        raise ValueError(where)

    def _number(self, text: Text, state: State) -> Any:
        match text:
            case str():
                return int(text)
            case ["counter"]:
                return state.counter
            case ["var"]:
                return state.var
            case ["value", "Player", "Mover"]:
                return state.values.get(state.mover, -1)
            case ["what", ["at:", where]]:
                return state.board.get(self._site(where, state))
            case ["id", name, who]:
                return Man(self._player(who, state), name.strip('"'))
            case ["count", "Pieces", who, *name]:
                owner = self._player(who, state)
                men = [man for man in state.board.values() if man.owner == owner]
                return sum(not name or name[0].strip('"') in man.name for man in men)
            case ["+", ["{", *each]]:
                return sum(self._number(one, state) for one in each)
            case ["*", one, other]:
                return self._number(one, state) * self._number(other, state)
        raise ValueError(text)

    def _player(self, who: str, state: State) -> int:
        named = {"Mover": state.mover, "Next": 3 - state.mover}
        return named[who] if who in named else int(who[1])
