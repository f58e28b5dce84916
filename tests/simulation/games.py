"""Games in a row: other rules and terms, who begins, and where the Juggernaut goes."""

from typing import Any

from hypothesis import strategies as st

from jetan_table.game.commands import New, Resign, RollDie
from jetan_table.game.events import ConductName
from jetan_table.light.lamps import Cue, cues
from rules import format_rules
from tests.simulation.evening import (
    CLOCKS,
    CONDUCTS,
    CUTS,
    NUMBERS,
    RULES,
    Evenings,
    begun_by,
    is_going_on,
    is_open,
    is_sound,
    step,
)

AGREEMENTS: dict[str, dict[str, Any]] = {
    "game": {},
    "roll": {"first": "roll"},
    "evening": {"series": "evening"},
    "stake": {"series": "evening", "stake": 10, "for_bias": True},
    "for bias": {"series": "evening", "for_bias": True},
    "bias": {"series": "bias", "for_bias": True},
}
"""What the next game is agreed to be, by a word for it."""


def must_roll(evening: Evenings) -> bool:
    return evening.table.view.is_roll_due


def may_choose(evening: Evenings) -> bool:
    return bool(evening.table.view.choices) and is_sound(evening)


class Games(Evenings):
    """Two people who play one game after another, and the die."""

    @step(must_roll, cut=CUTS, is_touched=st.booleans(), face=st.integers(1, 9))
    def roll(self, is_touched: bool = False, face: int = 9) -> None:
        """Roll the die, in words or by a touch, or throw a real one where the table's is known.

        The lamps then say where the Juggernaut goes.
        """
        lit = [s for s, cue in cues(self.table.view).items() if cue is Cue.DICE]
        if self.player.must_throw:
            self.table.obey(RollDie(str(face)))
        elif is_touched and lit and is_sound(self) and self.cut_at is None:
            self.hands.touch(lit[0])
            self.hands.drop()
        else:
            self.table.obey(RollDie())
        self.agree()

    @step(
        rules=RULES,
        seed=NUMBERS,
        cut=CUTS,
        clock=CLOCKS,
        conduct=CONDUCTS,
        agreement=st.sampled_from(sorted(AGREEMENTS)),
    )
    def begin_anew(
        self,
        rules: str,
        seed: int = 0,
        clock: str = "none",
        conduct: ConductName = "friendly",
        agreement: str = "game",
    ) -> None:
        """Begin another game, by other rules and terms; the lamps lead the set-up."""
        begun = begun_by(rules, seed)
        wanted = New(
            rules=begun.rules,
            black=begun.black,
            orange=begun.orange,
            position=begun.start,
            clock=clock,
            conduct=conduct,
            **AGREEMENTS[agreement],
        )
        self.table.obey(wanted)
        self.agree()

    def begin_another(self) -> None:
        """Begin another game by the same rules, and see to it that a ply may be made."""
        if not is_open(self) and not must_roll(self) and not self.record.unsettled:
            self.begin_anew(rules=format_rules(self.record.position.rules))
        while not is_open(self):
            if must_roll(self):
                self.roll()
            else:
                self.choose_by_touch(choice=0)

    @step(may_choose, choice=NUMBERS, cut=CUTS)
    def choose_by_touch(self, choice: int) -> None:
        """Say who begins, or the bias, by touching a piece that is lit for it."""
        due, choices = self.record.unsettled, self.table.view.choices
        self.hands.touch(choices[choice % len(choices)])
        self.agree()
        assert self.cut_at is not None or self.record.unsettled != due

    @step(is_going_on, is_switched_off=st.booleans(), cut=CUTS)
    def resign(self, is_switched_off: bool = False) -> None:
        """Give up, and perhaps switch off; the next switching on begins another game then."""
        self.table.obey(Resign())
        if is_switched_off:
            self.table.pull_plug()
        self.agree()
