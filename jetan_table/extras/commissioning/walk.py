"""Finding out how a board is wired, with pieces put on named or lit squares.

The wizard is a pure machine that chooses the next square and draws conclusions from the answers.
Rows of the matrix may run under ranks, or under files if the board is turned, in any order. Eleven
squares tell all hundred switches if the wires form a matrix at all. A few lamps tell a usual chain,
and all of them any other.

The walk leads the hands: it says and lights an instruction, looks at the board, and reads typed
lines. Where a switch shows nothing, people press Enter or type a square. A trial leads hands in the
same way.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final, TypeAlias

from hardware.matrix import ORDERS
from hardware.ports import RGB, Flip, Occupancy, Switch
from rules import SQUARES, Notice, RulesError, Sentence, Square, _, format_square, parse_square

from ...errors import TableError
from ...languages import Language, say_in, worded_in
from ...light.lamps import OFF, Lamp
from ...table.board import Surface
from ...table.loop import Clock

SIZE = 10


class CommissioningRefused(TableError, ValueError):
    """Something that cannot be done to a table now; the message says why."""


ENOUGH_IN_VAIN = 2
"""Squares of a line to be tried in vain before it counts as the one that is left."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows and columns of the matrix by rank and file; `is_turned`: by file and rank."""

    is_turned: bool
    rows: Mapping[int, int]
    columns: Mapping[int, int]

    def switch(self, square: Square) -> Switch | None:
        """Return the switch under a square; None while its row or column is unknown."""
        along, across = _places(square, self.is_turned)
        if along not in self.rows or across not in self.columns:
            return None
        return Switch(self.rows[along] * SIZE + self.columns[across])


def grid_of(readings: Mapping[Square, Switch], is_turned: bool) -> Grid | None:
    """Return the grid of this kind that explains every reading, or None.

    If all ranks or files but one are known, the last one is what is left.
    """
    rows: dict[int, int] = {}
    columns: dict[int, int] = {}
    for square, switch in readings.items():
        # Each switch is one row and one column: ten squares that share neither tell all twenty
        # lines, and an eleventh tells whether ranks are rows.
        for lines, place, line in zip(
            (rows, columns), _places(square, is_turned), divmod(switch, SIZE), strict=True
        ):
            if lines.setdefault(place, line) != line:
                return None
    # Two ranks on one row are no grid of this kind. If both kinds fail, every square is asked for.
    if any(len(set(lines.values())) < len(lines) for lines in (rows, columns)):
        return None
    return Grid(is_turned, _completed(rows), _completed(columns))


def grids_for(readings: Mapping[Square, Switch]) -> list[Grid]:
    """Return the grids that explain every reading: two, one, or none where wires form none."""
    grids = (grid_of(readings, is_turned) for is_turned in (False, True))
    return [grid for grid in grids if grid is not None]


def next_square(readings: Mapping[Square, Switch], in_vain: Collection[Square]) -> Square | None:
    """Return the square that tells most; None if nothing is left to learn.

    Squares `in_vain` have told nothing: their switches may be dead.
    """
    grids = grids_for(readings)
    left = [square for square in SQUARES if square not in readings and square not in in_vain]
    if not grids:
        return left[0] if left else None
    files = _lacking({square % SIZE for square in readings}, [s % SIZE for s in in_vain])
    ranks = _lacking({square // SIZE for square in readings}, [s // SIZE for s in in_vain])

    def gain(square: Square) -> tuple[int, int]:
        lines_read = (square % SIZE in files) + (square // SIZE in ranks)
        # A new file on a known rank, or the reverse, tells whether the board is turned.
        is_telling = lines_read == 1 and readings and len(grids) == 2
        # A square on a line with silent ones may be silent for the same reason, a loose wire:
        # others come first.
        beside = sum(square % SIZE == s % SIZE or square // SIZE == s // SIZE for s in in_vain)
        return 3 if is_telling else lines_read, -beside

    best = max(left, key=gain, default=None)
    return best if best is not None and gain(best)[0] > 0 else None


def _places(square: Square, is_turned: bool) -> tuple[int, int]:
    rank, file = divmod(square, SIZE)
    return (file, rank) if is_turned else (rank, file)


def _lacking(known: set[int], in_vain: list[int]) -> set[int]:
    """Return the lines that must still be read; the last one may be left to be inferred."""
    lacking = set(range(SIZE)) - known
    # The last line can be inferred from the other nine, which saves people a piece that shows
    # nothing.
    is_last = len(lacking) == 1
    return {line for line in lacking if not is_last or in_vain.count(line) < ENOUGH_IN_VAIN}


def _completed(lines: dict[int, int]) -> dict[int, int]:
    if len(lines) == SIZE - 1:
        (place,) = set(range(SIZE)) - lines.keys()
        (line,) = set(range(SIZE)) - set(lines.values())
        return lines | {place: line}
    return lines


Order = tuple[Square, ...]
"""The square of each lamp, first wired first."""

OrderName = tuple[str, str, str]
"""A pattern of `ORDERS`, the corner of the first lamp, and `ranks` or `files`."""

ENOUGH_LAMPS = 4
"""Lamps that must agree with an order before it is believed."""


def _turned(order: Order) -> Iterator[Order]:
    """Yield an order as it runs from each corner, along ranks and along files."""
    for is_swapped in (False, True):
        for file_end in (0, 9):
            for rank_end in (0, 9):
                places = (divmod(square, 10) for square in order)
                turned = ((abs(rank_end - rank), abs(file_end - file)) for rank, file in places)
                yield tuple(
                    Square(10 * file + rank if is_swapped else 10 * rank + file)
                    for rank, file in turned
                )


def _named(pattern: str, order: Order) -> Iterator[tuple[OrderName, Order]]:
    for number, turned in enumerate(_turned(order)):
        yield (pattern, format_square(turned[0]), "ranks" if number < 4 else "files"), turned


NAMED_ORDERS: Mapping[OrderName, Order] = {
    name: turned for pattern, order in ORDERS.items() for name, turned in _named(pattern, order)
}
"""The usual orders, each by its pattern, the square of its first lamp, and along what it runs."""

USUAL_ORDERS: tuple[Order, ...] = tuple(NAMED_ORDERS.values())
"""The orders that have a name, from any corner, along ranks or files."""


def orders_for(readings: Mapping[Lamp, Square]) -> list[Order]:
    """Return the usual orders that agree with all readings."""
    return [
        order
        for order in USUAL_ORDERS
        if all(order[lamp] == square for lamp, square in readings.items())
    ]


def next_lamp(
    readings: Mapping[Lamp, Square], in_vain: Collection[Lamp], walks: bool
) -> Lamp | None:
    """Return the lamp that tells most; None if the order is known. `walks` asks for all.

    Lamps `in_vain` have told nothing: the switch above them may be dead.
    """
    left = [Lamp(n) for n in range(len(SQUARES)) if n not in readings and n not in in_vain]
    orders = orders_for(readings)
    if walks or not orders:
        return left[0] if left else None
    # One order may be left early by chance: a few more lamps have to agree before it is believed.
    if len(orders) == 1 and len(readings) >= ENOUGH_LAMPS:
        return None
    return max(left, key=lambda lamp: len({order[lamp] for order in orders}), default=None)


def whole_order(readings: Mapping[Lamp, Square]) -> Order | None:
    """Return every lamp's square, as far as readings and usual orders tell; None if they do not."""
    orders = orders_for(readings)
    if len(orders) == 1:
        return orders[0]
    left = set(SQUARES) - set(readings.values())
    if len(set(readings.values())) < len(readings) or len(left) > 1:
        return None
    return tuple(readings[Lamp(n)] if n in readings else min(left) for n in range(len(SQUARES)))


class SquareState(Enum):
    """The state of a square's switch, by its mark on the map."""

    GOOD = "o"
    DEAD = "X"
    STUCK = "#"
    UNTRIED = "."


@dataclass(frozen=True, slots=True)
class Instruction:
    """One thing that hands are asked to do, and what switches should show of it."""

    words: Sentence
    """With places for `square`, `start`, `end`, `between`, `seconds` and `count`."""
    squares: tuple[Square, ...] = ()
    """The lit squares: a piece to be lifted first, a place to be filled last."""
    wants: tuple[tuple[Square, bool], ...] = ()
    """The changes to be seen, in order: a square, and whether it is occupied then."""
    ply: int = 0
    """The ply that it is a part of; 0: of none."""
    lasts_s: float = 0.0
    """Seconds in which nothing is to be touched."""
    by_light: bool = False
    """Only the lamp says which square it is: the words do not."""
    by_words: bool = False
    """Only the words say it: the lamps are dark."""
    may_hide: bool = False
    """True if the last change may go unseen: a piece takes another's place at once."""
    is_named: bool = False
    """True if nothing is touched, and people type the lit square."""
    count: int = 0
    """Its number, where instructions are counted."""
    lamp: Lamp | None = None
    """The lit lamp, if the square above it is unknown."""

    @property
    def values(self) -> dict[str, object]:
        values: dict[str, object] = {"seconds": round(self.lasts_s), "count": self.count}
        if not self.squares:
            return values
        first, last = format_square(self.squares[0]), format_square(self.squares[-1])
        between = format_square(self.squares[len(self.squares) // 2])
        return values | {"square": first, "start": first, "between": between, "end": last}


PUT_ON = _("{count}. Put one piece on {square}.")
PUT_LIT = _("{count}. Put one piece on the lit square.")
NAME_LIT = _("{count}. Which square is lit? Type its name.")
DOES_NOT_FIT: Final = _("{switch} does not fit what was told before. Once more, please.")
"""The same is asked once more, and believed then."""
ON_NO_KNOWN_SQUARE: Final = _("{switch} is under no square yet known. Once more, please.")


@dataclass(frozen=True, slots=True)
class Wiring:
    """A board's wiring: the square of each switch and of each lamp, in the order of the wires."""

    switches: tuple[Square, ...]
    lamps: tuple[Square, ...]
    states: tuple[SquareState, ...]


class Wizard:
    """Asks for pieces on squares until the wiring is known, first the switches', then the lamps'.

    `walks`: every lamp is lit in turn, so that every switch is tried.
    """

    def __init__(self, stuck: Collection[Switch] = (), walks: bool = False) -> None:
        """`stuck` switches are closed on the empty board; they tell nothing."""
        self._stuck, self._walks = frozenset(stuck), walks
        self._switch_at: dict[Square, Switch] = {}
        self._square_of: dict[Lamp, Square] = {}
        self._vain_squares: set[Square] = set()
        self._vain_lamps: set[Lamp] = set()
        self._good: set[Square] = set()
        self._doubted: Square | Switch | None = None

    @property
    def step(self) -> Instruction | None:
        """The next instruction; None once everything is known that can be found out.

        A piece is put on a named square, or on the one that a lamp lights. If no piece has shown
        which square that is, people must say it.
        """
        count = self.count + 1
        square = next_square(self._switch_at, self._vain_squares)
        if square is not None:
            touches = ((square, True), (square, False))
            return Instruction(PUT_ON, (square,), touches, by_words=True, count=count)
        lit = Square(0)  # which one it is, the lamp says
        lamp = next_lamp(self._square_of, self._vain_lamps, self._walks)
        if lamp is not None:
            return Instruction(PUT_LIT, (lit,), ((lit, True), (lit, False)), count=count, lamp=lamp)
        silent = self._vain_lamps - self._square_of.keys()
        if silent and whole_order(self._square_of) is None:
            return Instruction(NAME_LIT, (lit,), is_named=True, count=count, lamp=min(silent))
        return None

    def walk_all(self) -> None:
        """Ask for every lamp from now on, so that every switch is tried."""
        self._walks = True

    @property
    def count(self) -> int:
        """The number of answers so far."""
        named = len(self._switch_at) + len(self._square_of)
        return named + len(self._vain_squares) + len(self._vain_lamps)

    def close(self, switch: Switch) -> Sentence | None:
        """Take in that a switch has closed under the wanted piece.

        Return the question if it has to be repeated, None if it is accepted.
        """
        step = self.step
        assert step is not None
        if step.lamp is None:
            (square,) = step.squares
            switch_at = self._switch_at | {square: switch}
            is_odd = bool(grids_for(self._switch_at)) and not grids_for(switch_at)
            if self._is_doubted(is_odd or switch in self._switch_at.values(), switch):
                return DOES_NOT_FIT
            # A switch is under one square: the one told later is believed.
            self._switch_at = {at: s for at, s in switch_at.items() if s != switch or at == square}
            self._good.add(square)
            return None
        lit = self._squares().get(switch)
        return ON_NO_KNOWN_SQUARE if lit is None else self._lit(lit, is_seen=True)

    def name(self, square: Square) -> None:
        """Take in the lit square, as people say it; their word is accepted at once."""
        self._doubted = square
        self._lit(square, is_seen=False)

    def pass_over(self) -> None:
        """Take in that nothing happened: the switch is dead, or its wire is off."""
        step = self.step
        assert step is not None
        self._doubted = None
        if step.lamp is None:
            self._vain_squares.update(step.squares)
        else:
            self._vain_lamps.add(step.lamp)

    def wiring(self) -> Wiring | None:
        """Return the wiring; None while it is incomplete."""
        squares = self._squares()
        lamps = whole_order(self._square_of)
        left = [square for square in SQUARES if square not in squares.values()]
        # A single dead switch need not spoil the rest: its place is the one that is left.
        if len(squares) == len(SQUARES) - 1:
            (switch,) = set(range(len(SQUARES))) - squares.keys()
            squares |= {Switch(switch): left[0]}
        if lamps is None or len(squares) < len(SQUARES):
            return None
        switches = tuple(squares[Switch(n)] for n in range(len(SQUARES)))
        return Wiring(switches, lamps, tuple(map(self._state, SQUARES)))

    def _lit(self, square: Square, is_seen: bool) -> Sentence | None:
        step = self.step
        assert step is not None
        assert step.lamp is not None
        square_of = self._square_of | {step.lamp: square}
        is_odd = bool(orders_for(self._square_of)) and not orders_for(square_of)
        if self._is_doubted(is_odd or square in self._square_of.values(), square):
            return DOES_NOT_FIT
        self._square_of = {
            lamp: at for lamp, at in square_of.items() if at != square or lamp == step.lamp
        }
        if is_seen:
            self._good.add(square)
        return None

    def _is_doubted(self, is_odd: bool, answer: Square | Switch) -> bool:
        """Return True if an answer must be repeated: a piece is easily put on the wrong square."""
        # The same odd answer twice is no slip of the hand: the wires are odd.
        self._doubted, before = answer, self._doubted
        return is_odd and answer != before

    def _squares(self) -> dict[Switch, Square]:
        """Return the squares of the switches, as far as they are known."""
        known = {switch: square for square, switch in self._switch_at.items()}
        grids = grids_for(self._switch_at)
        if len(grids) == 1:
            inferred = ((grids[0].switch(square), square) for square in SQUARES)
            known |= {switch: square for switch, square in inferred if switch is not None}
        return known

    def _state(self, square: Square) -> SquareState:
        switch_at = {at: switch for switch, at in self._squares().items()}
        if switch_at.get(square) in self._stuck:
            return SquareState.STUCK
        if square in self._good:
            return SquareState.GOOD
        lamps = whole_order(self._square_of) or ()
        in_vain = {lamps[lamp] for lamp in self._vain_lamps if lamps} | self._vain_squares
        return SquareState.DEAD if square in in_vain else SquareState.UNTRIED


BOARD_STEP_S: Final = 0.01
"""Seconds from one look at the board to the next."""

DARK: Final[Sequence[RGB]] = (OFF,) * len(SQUARES)


Flips: TypeAlias = Sequence[tuple[Flip, float]]
"""The changes on the board in one look, each with its time."""


class Leading:
    """Leads the hands at one board, and knows which squares are occupied."""

    def __init__(
        self,
        board: Surface,
        typed: Callable[[], Sequence[str]],
        clock: Clock,
        tell: Callable[[str], None],
        language: Language,
        trouble: Callable[[], Notice | None] = lambda: None,
        step_s: float = BOARD_STEP_S,
        hear: Callable[[Instruction, float], None] | None = None,
    ) -> None:
        """`typed` returns the lines that were typed since the last call.

        `tell` shows people a line, `trouble` is why the board cannot be trusted now, if so, and
        simulated hands `hear` what is asked for now.
        """
        self._board, self._typed, self._hear, self._clock = board, typed, hear, clock
        self.tell, self.language, self._step_s = tell, language, step_s
        self._trouble, self._troubled = trouble, trouble()
        self._shown: Sequence[RGB] | None = None
        self.occupancy = Occupancy()

    def lead(
        self,
        instruction: Instruction,
        is_done: Callable[[Flips, Sequence[str], float], bool],
        lights: Callable[[float], Sequence[RGB]] = lambda now: DARK,
        hint: Callable[[], None] = lambda: None,
        patience_s: float = inf,
    ) -> None:
        """Give one instruction until it is done, or people say so.

        `is_done` judges each look by the changes, the lines that were typed, and the time. After
        `patience_s` in vain, `hint` tells people more, once.
        """
        self._typed()  # what was typed before is no answer to this
        self.show(lights(self._clock.now()))
        self.say(instruction.words, **instruction.values)
        if self._hear is not None:
            self._hear(instruction, self._clock.now())
        helps_at = self._clock.now() + patience_s
        while True:
            flips = self._look(instruction)
            now = self._clock.now()
            if is_done(flips, self._typed(), now):
                return
            if now >= helps_at:
                helps_at = inf
                hint()
            self.show(lights(now))

    def say(self, what: Sentence, **values: object) -> None:
        self.tell(say_in(self.language, what, **values))

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, unless it is shown already."""
        if lights != self._shown:
            self._shown = lights
            self._board.show(lights)

    def _look(self, instruction: Instruction) -> list[tuple[Flip, float]]:
        """Let a moment pass, and return the changes on the board with their times.

        A board's trouble is shown once; when it has passed, the instruction is repeated.
        """
        self._clock.sleep(self._step_s)
        troubled, self._troubled = self._troubled, self._trouble()
        if self._troubled and self._troubled != troubled:
            self.tell(worded_in(self.language, self._troubled.found))
        elif troubled and not self._troubled:
            self.say(instruction.words, **instruction.values)
        return [
            (flip, each.at)
            for each in self._board.poll(self._clock.now())
            for flip in self.occupancy.update(each)
        ]


LIT: RGB = (90, 90, 90)
SEEN: RGB = (0, 90, 30)
EVERY = "every"
"""The kept answer after which every square is wanted."""

CLEAR = _("Take all pieces off the board, then press Enter, or the button.")
TAKE_OFF = _("Take the piece off again.")
IN_VAIN = _("(If it stands there and nothing happens: Enter, or the button.)")
IN_VAIN_LIT = _(
    "(If nothing happens: Enter, or the button, or the name of the square that is lit.)"
)


class WiringWalk:
    """One run of the wizard at a board, of which square n is taken for switch and lamp n."""

    def __init__(
        self,
        leading: Leading,
        earlier: Sequence[str] = (),
        keep: Callable[[str], None] = lambda answer: None,
    ) -> None:
        """`leading` leads the hands at the board.

        `keep` is given each answer as it comes: a switch's number, the name of a square, or nothing
        where nothing happened. A walk that was broken off goes on after its `earlier` ones.
        """
        self.leading, self._earlier, self.keep = leading, earlier, keep
        self._hinted: set[Sentence] = set()
        self.wizard: Wizard | None = None
        """The state of the walk; None before the board is empty."""

    def run(self, walks: bool) -> Wiring | None:
        """Ask until the wiring is known; return None if too many switches are silent.

        With `walks` every switch is tried.
        """
        leading, known = self.leading, self.leading.occupancy
        answers = list(self._earlier)  # the board was empty before

        def is_clear(flips: Flips, typed: Sequence[str], now: float) -> bool:
            answers.extend(typed)
            return bool(known) and bool(answers)

        leading.lead(Instruction(CLEAR), is_clear)
        stuck = [Switch(square) for square in sorted(known.occupied)]
        if stuck:
            switches = "; ".join(map(self.switch, stuck))
            leading.say(_("Stuck closed on the empty board: {switches}."), switches=switches)
        self.wizard = wizard = Wizard(stuck, walks)
        for answer in self._earlier:
            take_answer(wizard, answer)
        while (step := wizard.step) is not None:
            closed = self._ask(wizard, step)
            if closed is not None:
                self._await_lift(closed, step.lamp)
        leading.show(DARK)
        wiring = wizard.wiring()
        if wiring is None:
            leading.say(_("Too many switches did not respond: repair them and begin again."))
        return wiring

    def switch(self, switch: Switch) -> str:
        """Return the name of a switch."""
        row, column = divmod(switch, SIZE)
        words = _("row {row}, column {column}")
        return say_in(self.leading.language, words, row=row + 1, column=column + 1)

    def _ask(self, wizard: Wizard, step: Instruction) -> Square | None:
        """Ask until a piece that is put down, or a typed line, answers a step of the wizard.

        Return the closed switch, as the square of its number.
        """
        closed: Square | None = None

        def is_done(flips: Flips, typed: Sequence[str], now: float) -> bool:
            nonlocal closed
            if not step.is_named:
                closed = next((flip.square for flip, _at in flips if flip.is_occupied), None)
            if closed is None:
                return any(self._take_line(wizard, step, line.strip()) for line in typed)
            switch = Switch(closed)
            doubt, name = wizard.close(switch), self.switch(switch)
            self.leading.tell(name) if doubt is None else self.leading.say(doubt, switch=name)
            self.keep(str(int(closed)))
            return True

        def hint() -> None:
            words = IN_VAIN if step.lamp is None else IN_VAIN_LIT
            if words not in self._hinted:
                self._hinted.add(words)
                self.leading.say(words)

        self.leading.lead(step, is_done, lambda now: one_lit(step.lamp, LIT), hint, 0.0)
        return closed

    def _await_lift(self, closed: Square, lamp: Lamp | None) -> None:
        known = self.leading.occupancy
        self.leading.lead(
            Instruction(TAKE_OFF),
            lambda flips, typed, now: closed not in known.occupied,
            lambda now: one_lit(lamp, SEEN),
        )

    def _take_line(self, wizard: Wizard, step: Instruction, line: str) -> bool:
        """Carry out a typed line; return True if it answers the step."""
        say = self.leading.say
        if not line and not step.is_named:
            wizard.pass_over()
            self.keep("")
            say(_("nothing: noted"))
            return True
        try:
            if line and step.lamp is not None:
                wizard.name(parse_square(line))
                self.keep(line)
                return True
        except RulesError:
            pass
        say(_("{typed}: type a square, such as d4, or nothing"), typed=line)
        return False


def one_lit(lamp: Lamp | None, colour: RGB) -> Sequence[RGB]:
    """Return one lamp lit, or none."""
    return [colour if n == lamp else OFF for n in range(len(DARK))]


def take_answer(wizard: Wizard, answer: str) -> None:
    """Let a wizard take in a kept answer, unless it answers nothing any more."""
    if answer == EVERY:
        wizard.walk_all()
        return
    if wizard.step is None:
        return
    if not answer:
        wizard.pass_over()
    elif answer.isdigit():
        wizard.close(Switch(int(answer)))
    else:
        wizard.name(parse_square(answer))


def wiring_map(wiring: Wiring, language: Language) -> list[str]:
    """Return the board as lines of marks, rank 10 first, and a count of each state."""
    lines = []
    for rank in range(SIZE, 0, -1):
        states = wiring.states[(rank - 1) * SIZE : rank * SIZE]
        lines.append(f"{rank:2}  {'  '.join(state.value for state in states)}")
    lines.append(f"    {'  '.join('abcdefghij')}")
    counts = {state.name.lower(): wiring.states.count(state) for state in SquareState}
    return [
        *lines,
        say_in(
            language, _("Good {good}, dead {dead}, stuck {stuck}, not tried {untried}."), **counts
        ),
    ]
