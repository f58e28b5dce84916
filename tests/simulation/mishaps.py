"""What people do to pieces: plies, finished or not, deft ones, and pieces moved about."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from jetan_table.game.record import Record
from rules import SQUARES, Move, MoveKind, format_move, format_square
from tests.simulation.evening import CUTS, DUELS, NUMBERS, Evenings, is_open, is_sound, say, step
from tests.simulation.games import Games
from tests.simulation.sometimes import FAULTS
from tests.simulation.troubles import Troubles

TROUBLED = 0.3
"""In so large a share of plies something goes wrong, where things do."""


def captures(record: Record) -> list[Move]:
    return [move for move in record.position.moves() if move.kind is MoveKind.CAPTURE]


def may_take_unseen(evening: Evenings) -> bool:
    """Whether tidy hands may take a piece so that no switch notices."""
    record = evening.record
    is_free = is_open(evening) and not record.terms.touched and not record.game.awaits_roll
    is_able = is_sound(evening) and evening.table.switches.kind == "tidy"
    return is_free and is_able and bool(captures(record))


class Mishaps(Games, Troubles):
    """Two people to whom things happen."""

    @step(
        is_open,
        choice=NUMBERS,
        is_victim_first=st.booleans(),
        duel=DUELS,
        cut=CUTS,
        trouble=st.sampled_from([None, *FAULTS]),
        at=st.integers(0, 3),
        is_midst=st.booleans(),
    )
    def play(
        self,
        choice: int,
        is_victim_first: bool = True,
        duel: bool | None = None,
        trouble: str | None = None,
        at: int = 0,
        is_midst: bool = False,
    ) -> None:
        """Make a ply; it is read as it was played, unless something strikes in the middle of it.

        `at` which touch, before it or, if `is_midst`, before the table has looked. Nobody but who
        asks can tell a ply from or to a switch not known to have failed, nor always what hands made
        that do not wait: it may have been led back instead.
        """
        move, before, game = self.choose(choice), self.record, self.table.table.game
        is_well = is_sound(self) or (trouble == "plug" and bool(before.moves))
        if move is None or (trouble is not None and not is_well):
            return
        self.player.duel, self.player.made = duel, move
        mends: list[Callable[[], None]] = []

        def strike(phase: str | None = None) -> None:
            mends.append(self.strike(str(trouble), choice, phase))

        for touch in self.hands.make(before.position, move, is_victim_first):
            if trouble is None or touch != at:
                continue
            if is_midst:
                self.table.strike = strike
            else:
                strike()
        self.table.strike = None
        for mend in mends:
            mend()
        self.player.wait()
        self.agree()
        is_tidy = self.table.switches.kind == "tidy"
        if trouble != "page":
            may_be_lost = trouble not in (None, "disk", "card", "engine")
            self.assert_read(game, before, move, not is_tidy or may_be_lost)

    @step(is_sound, count=st.integers(1, 60), seed=NUMBERS, duel=DUELS, is_troubled=st.booleans())
    def play_a_while(
        self, count: int, seed: int, duel: bool | None = None, is_troubled: bool = False
    ) -> None:
        """Make some plies of any kind, game after game, and suffer meanwhile what is not off."""
        rng = Random(seed)
        for _ in range(count):
            if is_troubled and is_sound(self) and (not is_open(self) or rng.random() < TROUBLED):
                self._suffer_some(rng)
            if not is_open(self):
                self.begin_another()
            trouble = rng.choice(FAULTS) if is_troubled and rng.random() < TROUBLED else None
            at, is_midst = rng.randrange(3), rng.random() < 0.3
            self.play(
                choice=rng.randrange(9999), duel=duel, trouble=trouble, at=at, is_midst=is_midst
            )
            if not is_sound(self):
                self.mend()

    def _suffer_some(self, rng: Random) -> None:
        """Let something strike now, or as soon as hands are led, which they perhaps are at once."""
        trouble, choice = rng.choice(FAULTS), rng.randrange(9999)
        if rng.random() < 0.4:
            self.suffer(trouble=trouble, choice=choice)
            return
        self.suffer_when_led(trouble=trouble, choice=choice, steps=rng.randrange(2))
        if may_take_unseen(self) and "take_unseen" not in self.off and rng.random() < 0.7:
            self.take_unseen(choice=choice)
        elif "meddle" not in self.off and rng.random() < 0.4:
            self.meddle(choice=choice)

    @step(may_take_unseen, choice=NUMBERS, cut=CUTS)
    def take_unseen(self, choice: int) -> None:
        """Take so deftly that no switch notices: the table asks what was taken, if it must."""
        record, game = self.record, self.table.table.game
        taking = captures(record)
        move = taking[choice % len(taking)]
        say(format_move(move, record.position))
        self.hands.lift(move.from_square)
        self.hands.standing[move.to_square] = self.hands.held.pop()
        self.player.wait()
        self.agree()
        self.assert_read(game, record, move)

    @step(is_open, choice=NUMBERS, is_victim_first=st.booleans(), count=st.integers(1, 2))
    def give_up_a_ply(self, choice: int, is_victim_first: bool = True, count: int = 1) -> None:
        """Pull the plug with pieces in the air; they are then led back, and nothing is read."""
        move, before = self.choose(choice), self.record
        if move is None:
            return
        squares = [square for square in move[:2] if square in self.hands.standing]
        for square in squares[:: -1 if is_victim_first else 1][:count]:
            self.hands.lift(square)
        self.table.pull_plug()
        self.agree()
        assert self.record.moves == before.moves

    @step(choice=NUMBERS, count=st.integers(1, 4), is_off=st.booleans())
    def meddle(self, choice: int, count: int = 1, is_off: bool = False) -> None:
        """Somebody moves pieces about, perhaps while the table is off, and is led back."""
        rng, standing = Random(choice), self.hands.standing.copy()
        free = [square for square in SQUARES if square not in standing]
        moved = list(zip(rng.sample(sorted(standing), count), rng.sample(free, count), strict=True))
        say(", ".join(f"{format_square(start)}-{format_square(end)}" for start, end in moved))
        if is_off:
            ways = dict(moved)
            self.hands.arrange({ways.get(at, at): letter for at, letter in standing.items()})
            self.table.pull_plug()
        else:
            for start, end in moved:
                self.hands.move(start, end)
        self.agree()
