"""A second, plain player of Jetan to check the first: every path is walked, nothing remembered
but paths. It shares no code with `rules`; boards, steps and endings are told here once more, in
other terms: squares are names, the disk is sectors and rings, options are words.
"""

from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product

FILES = "abcdefghij"
NAMES = [f"{file}{rank}" for rank in range(1, 11) for file in FILES]
VALUES = {"P": 1, "T": 3, "W": 2, "A": 2, "D": 4, "F": 4, "C": 10, "Q": 0}
Options = dict[str, str]
Played = tuple[str, str, str]


@dataclass(frozen=True)
class State:
    """A position: letters by name, `b` or `o` to move, and the counts a position text has."""

    board: dict[str, str]
    turn: str
    escapes: frozenset[str] = frozenset("bo")
    juggernaut: str | None = None
    few: int | None = None
    quiet: int = 0
    ended: str | None = None
    options: Options = field(default_factory=dict)


def side_of(letter: str) -> str:
    return "b" if letter.isupper() else "o"


def other(turn: str) -> str:
    return "o" if turn == "b" else "b"


# Steps: a way is (rows, columns). On the grid rows count to the north; on the disk rows count
# inwards, and a way that has crossed the centre goes on outwards.

WAYS = [(rows, columns) for rows in (-1, 0, 1) for columns in (-1, 0, 1) if rows or columns]


def step(board: str, name: str, way: tuple[int, int]) -> tuple[str, tuple[int, int]] | None:
    """Return the square one step on, and the way a straight line goes on from there."""
    rows, columns = way
    file, rank = FILES.index(name[0]), int(name[1:])
    if board == "grid":
        file, rank = file + columns, rank + rows
        if not (0 <= file < 10 and 1 <= rank <= 10):
            return None
        return f"{FILES[file]}{rank}", way
    south = rank <= 5
    sector, ring = (file, rank) if south else (file + 10, 11 - rank)
    sector, ring = sector + columns, ring + rows
    if ring == 0:
        return None
    if ring == 6:
        sector, ring = sector + (9 if board.endswith("ray-clockwise") else 11), 5
        way = (-1, columns)
    half, file = divmod(sector % 20, 10)
    return f"{FILES[file]}{11 - ring if half else ring}", way


def is_forward(board: str, name: str, way: tuple[int, int], turn: str) -> bool:
    """Whether a step leads a Panthan on: by where it stands."""
    rows = way[0]
    if board != "grid" and int(name[1:]) > 5:
        rows = -rows  # inwards is to the south in the north half
    return rows > 0 if turn == "b" else rows < 0


def is_sideways(way: tuple[int, int]) -> bool:
    return way[0] == 0


def walks(options: Options, letter: str) -> list[str]:
    """Return the step orders of a kind: s straight, d diagonal."""
    kind = letter.upper()
    royal = {
        "any": ["".join(word) for word in product("sd", repeat=3)],
        "unmixed": ["sss", "ddd"],
        "line": ["sss", "ddd"],
    }[options["chief"]]
    whole = {
        "P": ["s", "d"],
        "T": {"straight-first": ["sd"]}.get(options["thoat"], ["sd", "ds"]),
        "W": {"straight": ["ss"], "any": ["ss", "sd", "ds", "dd"]}.get(
            options["warrior"], ["ss", "dd"]
        ),
        "A": ["dd"],
        "D": ["sss"],
        "F": ["ddd"],
        "C": royal,
        "Q": royal,
    }[kind]
    name = {
        "T": "thoat",
        "W": "warrior",
        "A": "padwar",
        "D": "dwar",
        "F": "flier",
        "C": "chief",
        "Q": "princess",
    }.get(kind)
    if name and options[f"stride.{name}"] == "up-to":
        return sorted({word[:length] for word in whole for length in range(1, len(word) + 1)})
    return whole


def in_line(options: Options, letter: str) -> bool:
    if letter in "Ww":
        return options["warrior"] == "straight-or-diagonal-line"
    return letter in "CcQq" and options["chief"] == "line"


def all_paths(options: Options, letter: str, start: str) -> tuple[tuple[str, ...], ...]:
    words = tuple(walks(options, letter))
    panthan = options["panthan"] if letter in "Pp" else ""
    line = in_line(options, letter)
    return _all_paths(options["board"], words, line, panthan, side_of(letter), start)


@cache
def _all_paths(
    board: str, words: tuple[str, ...], line: bool, panthan: str, turn: str, start: str
) -> tuple[tuple[str, ...], ...]:
    found = set()
    for word in words:
        partial: list[tuple[tuple[str, ...], tuple[int, int] | None]] = [((start,), None)]
        for sort in word:
            grown: list[tuple[tuple[str, ...], tuple[int, int] | None]] = []
            for path, heading in partial:
                for way in WAYS if heading is None or not line else [heading]:
                    if (abs(way[0]) + abs(way[1]) == 2) != (sort == "d"):
                        continue
                    if panthan and not panthan_may(board, path[-1], way, turn, panthan):
                        continue
                    reached = step(board, path[-1], way)
                    if reached is not None and reached[0] not in path:
                        grown.append(((*path, reached[0]), reached[1]))
            partial = grown
        found |= {path for path, _ in partial}
    return tuple(found)


def panthan_may(board: str, name: str, way: tuple[int, int], turn: str, panthan: str) -> bool:
    if is_forward(board, name, way, turn) or is_sideways(way):
        return True
    return panthan == "seven-ways" and way[1] != 0


def jumps(options: Options, letter: str) -> bool:
    if letter in "Tt":
        return options["thoat"] == "jumps"
    if letter in "Ff":
        return options["flier"] == "jumps"
    return letter in "Qq"


def reached(state: State, start: str, *, closed: set[str] | None = None) -> set[str]:
    """Return where the piece's steps may end; `closed` squares stop it instead of pieces."""
    letter = state.board[start]
    standing = set(state.board) | {state.juggernaut} if closed is None else closed
    stopped = standing if closed is not None or not jumps(state.options, letter) else set()
    return {
        path[-1]
        for path in all_paths(state.options, letter, start)
        if not any(name in stopped for name in path[1:-1])
    }


def threatened(state: State, turn: str) -> set[str]:
    """Return where a Princess of `turn` could be taken, she herself lifted off the board."""
    princess = "Q" if turn == "b" else "q"
    lifted = {name: letter for name, letter in state.board.items() if letter != princess}
    return attacked(replace(state, board=lifted), other(turn))


def attacked(state: State, turn: str) -> set[str]:
    ends: set[str] = set()
    for name, letter in state.board.items():
        takes = letter not in "Qq" or state.options["princess-takes"] == "yes"
        if side_of(letter) == turn and takes:
            ends |= reached(state, name)
    return ends


def legal(state: State) -> set[Played]:
    """Return every legal move as (from, to, kind)."""
    if state.ended or over_by_count(state):
        return set()
    return mobility(state)


def mobility(state: State) -> set[Played]:
    options, moves = state.options, set()
    for start, letter in state.board.items():
        if side_of(letter) != state.turn:
            continue
        ends = princess_ends(state, start) if letter in "Qq" else reached(state, start)
        for end in ends:
            victim = state.board.get(end)
            if end == state.juggernaut or (victim and side_of(victim) == state.turn):
                continue
            if victim and letter in "Qq" and options["princess-takes"] == "no":
                continue
            spared = victim and victim in "Cc" and letter not in "Cc"
            if spared and options["chief-taken-by-other"] == "forbidden":
                continue
            moves.add((start, end, "capture" if victim else "move"))
    moves = {move for move in moves if is_safe(state, move)}
    return moves | {move for move in escapes(state, moves) if is_safe(state, move)}


def princess_ends(state: State, start: str) -> set[str]:
    options = state.options
    danger = threatened(state, state.turn)
    closed = danger if options["princess-passes"] == "safe" else set()
    ends = reached(state, start, closed=closed)
    return ends - danger if options["princess-ends"] == "safe" else ends


def escapes(state: State, ordinary: set[Played]) -> set[Played]:
    option = state.options["escape"]
    home = [name for name, letter in state.board.items() if letter == royal(state.turn, "Q")]
    if option == "none" or state.turn not in state.escapes or not home:
        return set()
    danger = threatened(state, state.turn)
    if option == "when-threatened" and home[0] not in danger:
        return set()
    ends = set(NAMES) - set(state.board) - {state.juggernaut}
    if option != "unoccupied":
        ends -= danger
    ends -= {end for start, end, _ in ordinary if start == home[0]}
    return {(home[0], end, "escape") for end in ends}


def royal(turn: str, letter: str) -> str:
    return letter if turn == "b" else letter.lower()


def is_safe(state: State, move: Played) -> bool:
    """Whether the move leaves no royal piece to be taken, where the rules want that."""
    if state.options["ending"] == "capture":
        return True
    after = played(state, move)
    if after.ended:
        return True
    for start, letter in after.board.items():
        if side_of(letter) != after.turn:
            continue
        prey = {royal(state.turn, "C")} if letter in "Cc" else set()
        if letter not in "Qq" or state.options["princess-takes"] == "yes":
            prey.add(royal(state.turn, "Q"))
        if any(after.board.get(end) in prey for end in reached(after, start)):
            return False
    return True


def played(state: State, move: Played) -> State:
    """Return the state after a move, fights won by the piece that enters."""
    start, end, kind = move
    board = dict(state.board)
    letter = board.pop(start)
    victim = board.get(end)
    board[end] = letter
    spent = {state.turn} if kind == "escape" else set()
    after = replace(
        state,
        board=board,
        turn=other(state.turn),
        escapes=state.escapes - spent,
        quiet=0 if victim else state.quiet + 1,
        ended=ending(state, letter, victim),
    )
    count = (state.few or 0) + 1 if state.few is not None else 0
    return replace(after, few=count if few_and_equal(after) else None)


def ending(state: State, letter: str, victim: str | None) -> str | None:
    if victim is None or victim not in "CcQq":
        return None
    if victim in "Qq" or letter in "Cc":
        return state.turn
    return {"draw": "draw", "win": state.turn}.get(state.options["chief-taken-by-other"])


def few_and_equal(state: State) -> bool:
    sides = [[x.upper() for x in state.board.values() if side_of(x) == turn] for turn in "bo"]
    if max(map(len, sides)) > 3:
        return False
    return {
        "any": True,
        "count": len(sides[0]) == len(sides[1]),
        "value": sum(VALUES[x] for x in sides[0]) == sum(VALUES[x] for x in sides[1]),
    }[state.options["few-equal"]]


def over_by_count(state: State) -> bool:
    limit = state.options["captureless"]
    quiet = limit != "off" and state.quiet >= 2 * int(limit)
    return quiet or (state.few is not None and state.few >= 10)


def result(state: State) -> str | None:
    """Return the winner's letter, `draw`, or None while the game goes on."""
    if state.ended:
        return state.ended
    if not mobility(state):
        return "draw" if state.options["no-move"] == "draw" else other(state.turn)
    return "draw" if over_by_count(state) else None
