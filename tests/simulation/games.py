"""Games in a row: other rules and terms, who begins, and where the Juggernaut goes."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from jetan_table.game.commands import New, Resign, RollDie
from jetan_table.game.conduct import ConductName
from jetan_table.journal.agreement import Agreement
from jetan_table.lamps.cues import Cue, cues
from tests.simulation.evenings import CUTS, NUMBERS, Evenings, begun_by, is_going_on, is_sound, of
from tests.simulation.plug import Cut


class Rolls(Evenings):
    """Two people, and the die."""

    @precondition(lambda evening: evening.table.view.dice.is_due)
    @rule(cut=CUTS, is_touched=st.booleans(), face=st.integers(1, 9))
    def roll(self, cut: Cut | None, is_touched: bool, face: int) -> None:
        """Roll the die, in words or by a touch, or throw a real one where the table's is known.

        The lamps then say where the Juggernaut goes.
        """
        lit = [s for s, cue in cues(self.table.view).items() if cue is Cue.DICE]
        self.table.cut_next(cut)
        if self.player.must_throw:
            self.table.obey(RollDie(str(face)))
        elif is_touched and lit and is_sound(self) and cut is None:
            self.player.touch(lit[0])
            self.player.drop()
        else:
            self.table.obey(RollDie())
        self._agree()


class Games(Rolls):
    """Two people who play one game after another."""

    @rule(
        rules=of("presets"),
        seed=NUMBERS,
        cut=CUTS,
        clock=of("clocks"),
        conduct=of("conducts"),
        agreement=of("agreements"),
    )
    def begin_anew(
        self,
        rules: str,
        seed: int,
        cut: Cut | None,
        clock: str,
        conduct: ConductName,
        agreement: Agreement,
    ) -> None:
        """Begin another game, by other rules and terms; the lamps lead the set-up."""
        begun = begun_by(rules, seed)
        black, orange = agreement.players or ((begun.black, begun.orange))
        wanted = New(
            rules=begun.rules,
            black=black,
            orange=orange,
            position=begun.start,
            clock=clock,
            conduct=conduct,
            series=agreement.series,
            stake=agreement.stake,
            prices=agreement.prices,
            for_bias=agreement.for_bias,
            first=agreement.first,
            bias=agreement.bias,
        )
        self.table.cut_next(cut)
        self.table.obey(wanted)
        self._agree()

    @precondition(lambda evening: evening.table.view.choices and is_sound(evening))
    @rule(choice=NUMBERS, is_cut_before=st.booleans())
    def choose_by_touch(self, choice: int, is_cut_before: bool) -> None:
        """Say who begins, or the bias, by touching a piece that is lit for it."""
        if is_cut_before:
            self.table.pull_plug()
        while choices := self.table.view.choices:
            due = self.record.unsettled
            self.player.touch(choices[choice % len(choices)])
            self._agree()
            assert self.record.unsettled != due

    @precondition(is_going_on)
    @rule(is_switched_off=st.booleans(), cut=CUTS)
    def resign(self, is_switched_off: bool, cut: Cut | None) -> None:
        """Give up, and perhaps switch off; the next switching on begins another game then."""
        self.table.cut_next(cut)
        self.table.obey(Resign())
        if is_switched_off:
            self.table.pull_plug()
        self._agree()


class Stakes(Games):
    """Games for which way the centre is crossed in the next."""

    @precondition(is_sound)
    @rule(seed=NUMBERS, choice=NUMBERS)
    def play_for_the_bias(self, seed: int, choice: int) -> None:
        """Give up a game for the bias; who has won chooses it by a touch, as the lamps show."""
        for _ in range(2):
            self.begin_anew(
                rules="ninth-ray-clockwise",
                seed=seed,
                cut=None,
                clock="none",
                conduct="friendly",
                agreement=Agreement("bias", for_bias=True),
            )
            if self.table.view.choices:
                self.choose_by_touch(choice, is_cut_before=False)
            while self.table.view.dice.is_due:
                self.roll(cut=None, is_touched=False, face=9)
            self.resign(is_switched_off=False, cut=None)
