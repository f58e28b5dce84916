"""Leads people through the wizard at a board: what is lit, what is said, what their pieces do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from hardware.ports import RGB
from hardware.switches import Switch
from rules import SQUARES, RulesError, Square, format_square, parse_square
from rules.sentences import Sentence, _

from ..lamps.lights import OFF, Lamp
from ..languages import Language, say_in
from ..reading.occupancy import Flip, Occupancy
from ..table.board import Surface
from ..table.loop import Clock
from .lines import SIZE
from .wizard import SquareState, Wiring, WiringAnswer, Wizard, WizardStep

LIT: RGB = (90, 90, 90)
SEEN: RGB = (0, 90, 30)
EVERY = "every"
"""Among the answers that are kept: from here on every square is wanted."""

STEP_S = 0.01
"""From one look at the board to the next."""


class Typist(Protocol):
    """Who types at the wizard."""

    def read(self) -> list[str]:
        """Return the lines typed since the last call."""
        ...


class Walk:
    """One run of the wizard at a board."""

    def __init__(
        self,
        board: Surface,
        typist: Typist,
        clock: Clock,
        tell: Callable[[str], None],
        language: Language,
        trouble: Callable[[], str | None] = lambda: None,
        earlier: Sequence[str] = (),
        keep: Callable[[str], None] = lambda answer: None,
    ) -> None:
        """At a board of which square n is taken for switch n, and lamp n for itself.

        `tell` shows people a line; `trouble` is why the board cannot be trusted now, if so.

        `keep` is given each answer as it comes: a switch's number, the name of a square, or nothing
        where nothing happened. A walk that was broken off goes on after its `earlier` ones.
        """
        self._board, self._typist, self._clock = board, typist, clock
        self._trouble, self._troubled = trouble, trouble()
        self._tell, self._language = tell, language
        self._occupancy = Occupancy()
        self._hinted: set[Sentence] = set()
        self._earlier, self._keep = earlier, keep
        self.wizard: Wizard | None = None
        """What is asked and known; None before the board is empty."""

    @property
    def occupied(self) -> Collection[Square]:
        """Where a piece is seen, each switch taken for the square of its number."""
        return self._occupancy.occupied

    def run(self, walks: bool) -> Wiring | None:
        """Ask until the wiring is known; None where too many switches are silent.

        `walks`: every switch is tried.
        """
        self._say(_("Take all pieces off the board, then press Enter, or the button."))
        self._show(None, LIT)
        is_clear = False
        while not (is_clear and self._occupancy):
            self._look()
            is_clear = is_clear or bool(self._typist.read())
        stuck = [Switch(square) for square in sorted(self._occupancy.occupied)]
        if stuck:
            self._say(
                _("Stuck closed on the empty board: {switches}."),
                switches="; ".join(map(self._switch, stuck)),
            )
        self.wizard = wizard = Wizard(stuck, walks)
        for answer in self._earlier:
            take_answer(wizard, answer)
        while (step := wizard.step) is not None:
            self._ask(step, wizard.count + 1)
            self._wait(wizard, step)
        self._show(None, LIT)
        wiring = wizard.wiring()
        if wiring is None:
            self._say(_("Too many switches did not respond: repair them and begin again."))
        return wiring

    def _ask(self, step: WizardStep, count: int) -> None:
        self._typist.read()  # what was typed before is no answer to this
        self._show(step.lamp, LIT)
        if step.square is not None:
            self._say(
                _("{count}. Put one piece on {square}."),
                count=count,
                square=format_square(step.square),
            )
        else:
            self._say(
                _("{count}. Which square is lit? Type its name.")
                if step.must_be_named
                else _("{count}. Put one piece on the lit square."),
                count=count,
            )
        hint = (
            _("(If it stands there and nothing happens: Enter, or the button.)")
            if step.lamp is None
            else _(
                "(If nothing happens: Enter, or the button, or the name of the square that is lit.)"
            )
        )
        if hint not in self._hinted:
            self._hinted.add(hint)
            self._say(hint)

    def _wait(self, wizard: Wizard, step: WizardStep) -> None:
        """Wait for one answer to a step: a switch that closes, or a line."""
        while True:
            for square, is_occupied in self._look():
                if is_occupied and not step.must_be_named:
                    self._answer(wizard.close(Switch(square)), Switch(square))
                    self._keep(str(square))
                    self._await_lift(square, step.lamp)
                    return
            for line in self._typist.read():
                if self._take_line(wizard, step, line.strip()):
                    return

    def _take_line(self, wizard: Wizard, step: WizardStep, line: str) -> bool:
        """Do what was typed, and return whether it answers the step."""
        if not line and not step.must_be_named:
            wizard.pass_over()
            self._keep("")
            self._say(_("nothing: noted"))
            return True
        try:
            if line and step.square is None:
                wizard.name(parse_square(line))
                self._keep(line)
                return True
        except RulesError:
            pass
        self._say(_("{typed}: type a square, such as d4, or nothing"), typed=line)
        return False

    def _answer(self, answer: WiringAnswer, switch: Switch) -> None:
        if answer is WiringAnswer.TAKEN:
            self._tell(self._switch(switch))
        else:
            what = (
                _("{switch} does not fit what was told before. Once more, please.")
                if answer is WiringAnswer.DOUBTED
                else _("{switch} is under no square yet known. Once more, please.")
            )
            self._say(what, switch=self._switch(switch))

    def _await_lift(self, square: Square, lamp: Lamp | None) -> None:
        self._show(lamp, SEEN)
        self._say(_("Take the piece off again."))
        while square in self._occupancy.occupied:
            self._look()

    def _look(self) -> list[Flip]:
        """Let a moment pass, and return what has changed on the board."""
        self._clock.sleep(STEP_S)
        troubled, self._troubled = self._troubled, self._trouble()
        if self._troubled and self._troubled != troubled:
            self._tell(self._troubled)
        observations = self._board.poll(self._clock.now())
        return [flip for each in observations for flip in self._occupancy.update(each)]

    def _show(self, lamp: Lamp | None, colour: RGB) -> None:
        self._board.show([colour if n == lamp else OFF for n in range(len(SQUARES))])

    def _switch(self, switch: Switch) -> str:
        row, column = divmod(switch, SIZE)
        return say_in(
            self._language, _("row {row}, column {column}"), row=row + 1, column=column + 1
        )

    def _say(self, what: Sentence, **values: object) -> None:
        self._tell(say_in(self._language, what, **values))


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
