"""A tidy player: knows the pieces, and does with any kind of hands what the lamps say."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from jetan_table.game.commands import (
    AnswerQuestion,
    BoardIsRight,
    DecideFight,
    RollDie,
    TakeBackLast,
)
from jetan_table.game.events import Question, TakeBack
from jetan_table.game.record import Fight
from jetan_table.game.rolling import thrown_for
from jetan_table.light.lamps import Cue, cues
from jetan_table.session.view import Phase
from rules import JUGGERNAUT_LETTER, Move, Square, format_square, letters, parse_square
from tests.simulation.hands import TidyHands

PATIENT_S = 2.0
"""The table is given so long to make up its mind before anything is done."""

MOST_STEPS = 150
"""Who is led has arrived after so many steps: a hundred pieces fit on the board."""

LONGEST_S = 40.0
"""The table has read a ply, or asked about it, after so long."""


class Ambush(NamedTuple):
    """What strikes after hands have been led by so many steps."""

    after: int
    strike: Callable[[], None]


class Player:
    """Knows the pieces, plays by the rules, and otherwise does what the lamps say.

    `duel` is how a fight ends: as people say, or where they say nothing, by dice. `made` is the ply
    that was made last, `plies_seen` how many there were when people last agreed with the table, and
    `undone_seen` how often hands had taken one back. `wanted` counts what lamps have wanted.
    """

    def __init__(self, hands: TidyHands) -> None:
        self.hands, self.table, self.switches = hands, hands.table, hands.switches
        self.duel: bool | None = None
        self.made: Move | None = None
        self.plies_seen = self.undone_seen = 0
        self.wanted = 0

    @property
    def must_throw(self) -> bool:
        """Whether only real dice can tell: a game was taken up again after the seed was shown."""
        die = self.table.record.die
        return die is not None and die.seed is not None

    def wait(self) -> None:
        """Wait until the table wants something, or has read all that it can read now."""
        self.table.wait(PATIENT_S)
        waited = PATIENT_S
        while waited < LONGEST_S and self._is_reading:
            self.table.wait(PATIENT_S)
            waited += PATIENT_S

    @property
    def _is_reading(self) -> bool:
        view = self.table.view
        is_put = not view.lifted or not self.hands.held  # a failed switch may hide where it was put
        return self.is_calm and is_put and self.table.table.session.due is not None

    # Being led

    @property
    def is_calm(self) -> bool:
        """Whether the table asks for nothing."""
        view = self.table.view
        asked = (
            view.leading.repair,
            view.leading.placing,
            view.question,
            view.fight,
        )
        return not any(wanted is not None for wanted in asked)

    @property
    def is_agreed(self) -> bool:
        """Whether the table asks for nothing but a roll, and nothing is in the air."""
        view = self.table.view
        is_set_up = not view.leading.missing and not view.leading.extra
        is_thrown = is_set_up and bool(thrown_for(view.record))
        is_ready = is_thrown or view.phase is not Phase.SETTING_UP
        return self.is_calm and not view.lifted and is_ready

    def follow(self, ambush: Ambush | None = None) -> int:
        """Do what the lamps say until they are content; return how many steps that took.

        An ambush strikes if there are as many.
        """
        steps = 0
        self.wait()
        while not self.is_agreed or self._sees_amiss:
            if ambush is not None and steps == ambush.after:
                strike, ambush = ambush.strike, None
                strike()
                self.wait()
                continue
            steps += 1
            assert steps <= MOST_STEPS, f"led in circles: {self.table.view}"
            self._do_next()
            self.wait()
        self.hands.drop()
        self._look_after_failed_switches()
        self.plies_seen, self.undone_seen = self._plies, self._undone
        self.made = None
        return steps

    @property
    def _plies(self) -> int:
        return len(self.table.record.game.plies)

    @property
    def _undone(self) -> int:
        """How many plies hands have taken back in all games, as the table tells."""
        events = (entry.event for entries in self.table.told.values() for entry in entries)
        return sum(isinstance(event, TakeBack) and event.by == "hands" for event in events)

    @property
    def _sees_amiss(self) -> bool:
        """Whether people see that the table errs, and no lamp can tell."""
        return self._is_misread or self._is_overlooked or self._bare is not None

    def _look_after_failed_switches(self) -> None:
        """Put right what only people can see: where a switch has failed, no lamp may tell."""
        wanted, stands = letters(self.table.record.position), self.hands.standing.copy()
        for square in self.switches.failed:
            stands.pop(square, None)
            if square in wanted:
                stands[square] = wanted[square]
        self.hands.arrange(stands)

    @property
    def _is_misread(self) -> bool:
        """Whether the table tells of a new ply that was not made.

        It is by a piece that stands elsewhere, for pieces that somebody moves about can look like
        one; or real hands, or any by a switch that fails just then, have made another.
        """
        view, game = self.table.view, self.table.record.game
        if view.question is not None or view.fight is not None:
            return False
        wanted, made = letters(view.position), self.made
        for ply, before in list(zip(game.plies, game.positions, strict=False))[self.plies_seen :]:
            stands = self.hands.standing.get(ply.move.to_square)
            mover = letters(before)[ply.move.from_square]
            if stands not in (None, mover, wanted.get(ply.move.to_square)):
                return True
            is_doubtful = self.switches.kind != "tidy" or bool(self.switches.failed)
            if made is not None and ply.move[:2] != made[:2] and is_doubtful:
                return True
        return False

    @property
    def _is_overlooked(self) -> bool:
        """Whether the table is content, and pieces stand otherwise than it says.

        By tidy hands that is where other pieces were moved about than the ply that it says was
        taken back, and where a cut came before a ply off a switch known to have failed was told.
        By others a reed may stay closed from which a piece was taken.
        """
        if not self.is_agreed or self.hands.standing == letters(self.table.view.position):
            return False
        faults = self.table.record.faults
        is_off_failed = self.made is not None and self.made.from_square in faults
        is_lost = is_off_failed and self._plies <= self.plies_seen
        return self._undone > self.undone_seen or is_lost or self.switches.kind != "tidy"

    @property
    def _bare(self) -> Square | None:
        """A square whose switch is said to have failed, and in truth its piece is not there."""
        record = self.table.record
        bare = record.faults.keys() & letters(record.position).keys() - self.hands.standing.keys()
        return min(bare - self.switches.failed.keys(), default=None)

    def _do_next(self) -> None:
        view, bare = self.table.view, self._bare
        self.wanted += 1
        if self._is_misread:
            self.table.obey(TakeBackLast())
            return
        if self._is_overlooked:
            self._put_right()
            return
        if self.is_agreed and bare is not None:
            self._obey_wanted(bare, letters(view.position)[bare])
            return
        shown = cues(view)
        wrong = [square for square in shown if shown[square] is Cue.WRONG]
        wanted = sorted(square for square in shown if shown[square] is Cue.BELONGS)
        if view.corner is not None:  # the board lies as it is wired
            self.table.obey(AnswerQuestion(format_square(view.corner)))
        elif view.question is not None:
            self._answer(view.question)
        elif view.fight is not None and not wrong and not wanted:
            self._fight(view.fight)
        elif wrong:
            self._obey_wrong(wrong[0], wanted)
        else:
            lit = wanted or view.lifted
            assert lit, f"the table waits, and no lamp says for what: {view}"
            self._obey_wanted(lit[-1], letters(view.position)[lit[-1]])

    def _fight(self, fight: Fight) -> None:
        """Say who has won, or let the table throw, as its lamp asks."""
        if self.duel is not None and not fight.throws:
            self.table.obey(DecideFight("won" if self.duel else "lost"))
        elif self.must_throw:
            self.table.obey(DecideFight("7,3"))
        elif fight.square in self.switches.failed:
            self.table.obey(RollDie())
        else:
            assert cues(self.table.view)[fight.square] is Cue.DICE
            self.hands.touch(fight.square)

    def _obey_wrong(self, square: Square, wanted: Sequence[Square]) -> None:
        """Take what stands on a square to the one that is lit besides, or off the board.

        Where nothing stands on the one, or something on the other, a switch shows what is not so.
        """
        if square not in self.hands.standing or self.hands.standing.keys() & set(wanted[:1]):
            self._say_right()
            return
        self.hands.lift(square)
        if wanted:
            self.hands.put(wanted[0], self.hands.held[-1])

    def _say_right(self) -> None:
        """Put right what is wrong anywhere, and say that it is right, unless the table sees so."""
        self._put_right()
        self.wait()
        if not self.is_agreed:
            self.table.obey(BoardIsRight())

    def _put_right(self) -> None:
        wanted = letters(self.table.view.position)
        for square in [s for s, letter in self.hands.standing.items() if wanted.get(s) != letter]:
            self.hands.lift(square)
        for square in sorted(wanted.keys() - self.hands.standing.keys()):
            self.hands.put(square, wanted[square])

    def _obey_wanted(self, square: Square, letter: str) -> None:
        """Put what belongs on a lit square, which people remember."""
        if self.hands.standing.get(square) == letter:
            self._say_right()
            return
        astray = self._astray(letter)
        if astray and letter not in self.hands.held:
            self.hands.lift(astray[0])
        self.hands.put(square, letter)

    def _astray(self, letter: str) -> list[Square]:
        """Return where such a piece stands wrong, and no lamp may show it.

        The ply that took it there was lost to a cut, and another piece belongs there; or, where
        none is in the box, its switch has failed.
        """
        belongs = letters(self.table.view.position)
        at = [square for square, stands in self.hands.standing.items() if stands == letter]
        wrong = [square for square in at if belongs.get(square) != letter]
        failed = [square for square in at if square in self.switches.failed]
        return wrong or ([] if self.hands.box[letter] else failed)

    def _answer(self, question: Question) -> None:
        """Say what is true of a ply that is asked about; where nothing is, take it back."""
        true = [square for square in question.squares if self._is_true(question, square)]
        if true and true[0] in self.hands.standing and true[0] not in self.switches.failed:
            self.hands.touch(true[0])
        else:
            self.table.obey(AnswerQuestion(format_square(true[0])) if true else TakeBackLast())

    def _is_true(self, question: Question, square: Square) -> bool:
        if not question.is_ply:
            return self.hands.standing.get(square) == JUGGERNAUT_LETTER
        if question.from_square is None:
            return square not in self.hands.standing
        moved = letters(self.table.record.position)[parse_square(question.from_square)]
        return self.hands.standing.get(square) == moved
