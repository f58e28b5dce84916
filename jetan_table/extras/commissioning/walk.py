"""The walk along the wires: hands at a board are led, and what pieces answer is the wizard's.

Each demand is said and lit; then the board is looked at, and what is typed is read. What a switch
does not show, people say: they press Enter, or type a square. A trial leads hands so, too.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final, NamedTuple, Protocol

from hardware.ports import RGB, Flip, Occupancy, Switch
from rules import SQUARES, RulesError, Square, format_square, parse_square
from rules.sentences import Sentence, _

from ...languages import Language, said_in, say_in
from ...light.lamps import OFF, Lamp
from ...session.guests import Walk
from ...table.board import Surface
from ...table.loop import Clock
from .wizard import SIZE, SquareState, Wiring, Wizard, WizardStep

STEP_S: Final = 0.01
"""From one look at the board to the next."""

DARK: Final[Sequence[RGB]] = (OFF,) * len(SQUARES)


@dataclass(frozen=True, slots=True)
class Errand:
    """One thing that hands are asked to do, and what switches should show of it."""

    words: Sentence
    """With places for `square`, `start`, `end`, `between`, `seconds` and `count`."""
    squares: tuple[Square, ...] = ()
    """What is lit: a piece to be lifted first, a place to be filled last."""
    wants: tuple[tuple[Square, bool], ...] = ()
    """The changes to be seen, in order: a square, and whether it is occupied then."""
    ply: int = 0
    """The ply that it is a part of; 0: of none."""
    lasts_s: float = 0.0
    """So long nothing is to be touched."""
    by_light: bool = False
    """Only the lamp says which square it is: the words do not."""
    by_words: bool = False
    """Only the words say it: the lamps are dark."""
    may_hide: bool = False
    """Whether the last change may go unseen: a piece takes the place of another at once."""
    is_named: bool = False
    """Whether nothing is touched, and the square that is lit is typed."""
    count: int = 0
    """How many there have been, this one included, where they are counted."""

    @property
    def values(self) -> dict[str, object]:
        values: dict[str, object] = {"seconds": round(self.lasts_s), "count": self.count}
        if not self.squares:
            return values
        first, last = format_square(self.squares[0]), format_square(self.squares[-1])
        between = format_square(self.squares[len(self.squares) // 2])
        return values | {"square": first, "start": first, "between": between, "end": last}


class Typist(Protocol):
    """Who does what is asked, and types where the board shows nothing of it."""

    def hear(self, errand: Errand, now: float) -> None:
        """Take in what is asked for now."""
        ...

    def read(self) -> list[str]:
        """Return the lines typed since the last call."""
        ...


class Seen(NamedTuple):
    """What came of one look: what changed on the board and when, and the lines that were typed."""

    flips: Sequence[tuple[Flip, float]]
    typed: Sequence[str]


class HandDemand(ABC):
    """Base of what is asked of hands."""

    patience_s = inf

    def __init__(self, errand: Errand) -> None:
        self.errand = errand

    @abstractmethod
    def see(self, look: Seen, now: float) -> bool:
        """Judge what was seen since the last look; return whether it is done."""

    def help(self) -> None:  # noqa: B027  # most have nothing to add
        """Help people on: nothing more is known."""

    def lights(self, now: float) -> Sequence[RGB]:
        """Return one colour a lamp."""
        return DARK


class Until(HandDemand):
    """What is asked until something is so; lights stay as they are."""

    def __init__(
        self, words: Sentence, is_so: Callable[[Seen], bool], lights: Sequence[RGB] = DARK
    ) -> None:
        super().__init__(Errand(words))
        self._is_so, self._lights = is_so, lights

    def see(self, look: Seen, now: float) -> bool:
        return self._is_so(look)

    def lights(self, now: float) -> Sequence[RGB]:
        return self._lights


class Leading:
    """Hands at one board, who are led; it is known what stands where."""

    def __init__(
        self,
        board: Surface,
        typist: Typist,
        clock: Clock,
        tell: Callable[[str], None],
        language: Language,
        trouble: Callable[[], str | None] = lambda: None,
        step_s: float = STEP_S,
    ) -> None:
        """`tell` shows people a line; `trouble` is why the board cannot be trusted now, if so."""
        self._board, self._typist, self._clock = board, typist, clock
        self.tell, self.language, self._step_s = tell, language, step_s
        self._trouble, self._troubled = trouble, trouble()
        self._shown: Sequence[RGB] | None = None
        self._walk: Walk[Seen] = Walk()
        self.occupancy = Occupancy()

    def lead(self, demand: HandDemand) -> None:
        """Ask for one thing until it is done, or people say so."""
        self._typist.read()  # what was typed before is no answer to this
        self.show(demand.lights(self._clock.now()))
        self.say(demand.errand.words, **demand.errand.values)
        self._typist.hear(demand.errand, self._clock.now())
        self._walk.ask(demand, self._clock.now())
        while self._walk.demand is not None:
            flips = self._look(demand.errand)
            now = self._clock.now()
            self._walk.look(Seen(flips, self._typist.read()), now)
            if self._walk.demand is not None:
                self.show(demand.lights(now))

    def say(self, what: Sentence, **values: object) -> None:
        self.tell(say_in(self.language, what, **values))

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, where that is another than before."""
        if lights != self._shown:
            self._shown = lights
            self._board.show(lights)

    def _look(self, errand: Errand) -> list[tuple[Flip, float]]:
        """Let a moment pass, and return what has changed on the board, and when.

        A board's trouble is told once; when it has passed, what is asked is said again.
        """
        self._clock.sleep(self._step_s)
        troubled, self._troubled = self._troubled, self._trouble()
        if self._troubled and self._troubled != troubled:
            self.tell(said_in(self.language, self._troubled))
        elif troubled and not self._troubled:
            self.say(errand.words, **errand.values)
        return [
            (flip, each.at)
            for each in self._board.poll(self._clock.now())
            for flip in self.occupancy.update(each)
        ]


LIT: RGB = (90, 90, 90)
SEEN: RGB = (0, 90, 30)
EVERY = "every"
"""Among the answers that are kept: from here on every square is wanted."""

CLEAR = _("Take all pieces off the board, then press Enter, or the button.")
PUT_ON = _("{count}. Put one piece on {square}.")
PUT_LIT = _("{count}. Put one piece on the lit square.")
NAME_LIT = _("{count}. Which square is lit? Type its name.")
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
        self.hinted: set[Sentence] = set()
        self.wizard: Wizard | None = None
        """What is asked and known; None before the board is empty."""

    def run(self, walks: bool) -> Wiring | None:
        """Ask until the wiring is known; None where too many switches are silent.

        `walks`: every switch is tried.
        """
        leading, known = self.leading, self.leading.occupancy
        answers = list(self._earlier)  # the board was empty before

        def is_clear(look: Seen) -> bool:
            answers.extend(look.typed)
            return bool(known) and bool(answers)

        leading.lead(Until(CLEAR, is_clear))
        stuck = [Switch(square) for square in sorted(known.occupied)]
        if stuck:
            switches = "; ".join(map(self.switch, stuck))
            leading.say(_("Stuck closed on the empty board: {switches}."), switches=switches)
        self.wizard = wizard = Wizard(stuck, walks)
        for answer in self._earlier:
            take_answer(wizard, answer)
        while (step := wizard.step) is not None:
            wanted = WireDemand(self, wizard, step)
            leading.lead(wanted)
            if (closed := wanted.closed) is not None:
                lifted = lambda _seen, at=closed: at not in known.occupied  # noqa: E731
                leading.lead(Until(TAKE_OFF, lifted, one_lit(step.lamp, SEEN)))
        leading.show(DARK)
        wiring = wizard.wiring()
        if wiring is None:
            leading.say(_("Too many switches did not respond: repair them and begin again."))
        return wiring

    def switch(self, switch: Switch) -> str:
        """Return what a switch is called."""
        row, column = divmod(switch, SIZE)
        words = _("row {row}, column {column}")
        return say_in(self.leading.language, words, row=row + 1, column=column + 1)


class WireDemand(HandDemand):
    """A step of the wizard: a piece that is put down answers it, or a line."""

    patience_s = 0.0

    def __init__(self, walk: WiringWalk, wizard: Wizard, step: WizardStep) -> None:
        square = Square(0) if step.square is None else step.square
        words = PUT_LIT if step.square is None else PUT_ON
        touches = ((square, True), (square, False))
        errand = Errand(
            NAME_LIT if step.must_be_named else words,
            (square,),
            () if step.must_be_named else touches,
            by_words=step.square is not None,
            is_named=step.must_be_named,
            count=wizard.count + 1,
        )
        super().__init__(errand)
        self._walk, self._wizard, self._step = walk, wizard, step
        self.closed: Square | None = None
        """The switch that has closed, as the square of its number."""

    def see(self, look: Seen, now: float) -> bool:
        closed = [flip.square for flip, _at in look.flips if flip.is_occupied]
        if closed and not self._step.must_be_named:
            self.closed = closed[0]
            switch = Switch(closed[0])
            doubt, name = self._wizard.close(switch), self._walk.switch(switch)
            leading = self._walk.leading
            leading.tell(name) if doubt is None else leading.say(doubt, switch=name)
            self._walk.keep(str(int(closed[0])))
            return True
        return any(self._take_line(line.strip()) for line in look.typed)

    def help(self) -> None:
        hint = IN_VAIN if self._step.lamp is None else IN_VAIN_LIT
        if hint not in self._walk.hinted:
            self._walk.hinted.add(hint)
            self._walk.leading.say(hint)

    def lights(self, now: float) -> Sequence[RGB]:
        return one_lit(self._step.lamp, LIT)

    def _take_line(self, line: str) -> bool:
        """Do what was typed, and return whether it answers the step."""
        say, keep = self._walk.leading.say, self._walk.keep
        if not line and not self._step.must_be_named:
            self._wizard.pass_over()
            keep("")
            say(_("nothing: noted"))
            return True
        try:
            if line and self._step.square is None:
                self._wizard.name(parse_square(line))
                keep(line)
                return True
        except RulesError:
            pass
        say(_("{typed}: type a square, such as d4, or nothing"), typed=line)
        return False


def one_lit(lamp: Lamp | None, colour: RGB) -> Sequence[RGB]:
    """Return one lamp lit, or none."""
    return [colour if n == lamp else OFF for n in range(len(DARK))]


def take_answer(wizard: Wizard, answer: str) -> None:
    """Let a wizard take in an answer that was kept; one that answers nothing any more is left."""
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
    """Return the board as lines of marks, rank 10 first, and how many switches are how."""
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
