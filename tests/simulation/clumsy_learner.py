"""A clumsy learner at a simulated real board: sees nothing of the table but frames of its lamps.

Which piece belongs on a lit square the learner knows from the lesson's sheet, as `docs/learn.md`
has it; when and where anything is to be done, the lamps alone tell.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

from hardware.ports import RGB
from jetan_table.game.events import Header
from jetan_table.game.placement import letters
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.lamps.cues import Cue
from jetan_table.lamps.palette import PALETTES
from jetan_table.lessons.teaching import Teaching
from jetan_table.lessons.tutor import Tutor
from jetan_table.opponent.seat import Seat
from jetan_table.settings import Settings
from jetan_table.simulation.typed import typed_hands
from jetan_table.table.dice import Dice
from jetan_table.table.loop import EagerClock
from jetan_table.table.seeds import Seeds
from jetan_table.wiring import join
from rules import SQUARES, Position, Side, Square, parse_rules
from rules.pieces import JUGGERNAUT_LETTER, PIECES

STEP_S = 0.05
MADE_UP_S = 2.0
"""So long the table may take to make up its mind before the lamps are looked at."""
LOOKED_S = 3.6
"""So long they are looked at: the slowest rhythms need it."""
MOST_LOOKS = 400
ARMY = Counter(letters(Position.start(parse_rules("appendix"))).values())


class ClumsyLearner:
    """Learns from the first lesson to the last; `begun` is what stands on the board before."""

    def __init__(self, folder: Path, begun: Position, seed: int, is_clumsy: bool = True) -> None:
        self.chance, self.clock = Random(f"learner {seed}"), EagerClock()
        self.slips = Counter[str]()
        self._is_clumsy = is_clumsy
        self._journal = Journal(folder)
        header = Header.of(begun, self.clock.now())
        opened = open_game(self._journal, header, header)
        self.hands = typed_hands(self._journal, opened, seed=seed, between_s=0.3)
        army = ARMY + Counter([JUGGERNAUT_LETTER])
        self.hands.box[:] = sorted((army - Counter(self.hands.standing.values())).elements())
        dice = Dice(Seeds(folder / "seeds", self.chance.randbytes))
        self.seat = Seat(opened.record, dice)
        table, self._lamps = join(
            self.hands.board, self._journal, opened, Settings(), dice, [self.seat]
        )
        self.table = table
        tutor = Tutor(folder, begun.rules["board"], may_change=False)
        tutor.open(None, opened.game)
        self.seat.teach(tutor)

    @property
    def teaching(self) -> Teaching:
        teaching = self.seat.teaching
        assert teaching is not None
        return teaching

    def close(self) -> None:
        self.seat.close()
        self._journal.close()

    def learn(self) -> int:
        """Follow the lamps until the course is through; return how often they were looked at."""
        for looks in range(MOST_LOOKS):
            if self.teaching.is_done:
                return looks
            self._obey(self.look())
        raise AssertionError(f"led on and on: {self.teaching}, {self.table.view}")

    def look(self) -> dict[Square, Cue]:
        """Wait, look at frames of the lamps for a while, and tell their meanings from them."""
        self._watch(MADE_UP_S)
        return meanings(self._watch(LOOKED_S))

    def _watch(self, seconds: float) -> list[tuple[RGB, ...]]:
        """Let time pass; return what the lamps showed."""
        frames = []
        for _ in range(round(seconds / STEP_S)):
            self.table.step(self.clock.now())
            self.clock.sleep(STEP_S)
            frames.append(tuple(self._lamps.lights))
        return frames

    def _obey(self, lit: dict[Square, Cue]) -> None:
        wrong, belongs, advised = (
            sorted(square for square, cue in lit.items() if cue is wanted)
            for wanted in (Cue.WRONG, Cue.BELONGS, Cue.ADVICE)
        )
        if wrong:
            self.hands.lift(wrong[0], self.clock.now())
            if belongs and belongs[0] not in self.hands.standing:
                self._put(belongs[0], self.hands.in_hand[-1])
            else:
                self.hands.drop()
        elif belongs:
            sheet = letters(self.teaching.position)
            free = [square for square in belongs if square not in self.hands.standing]
            self._put(free[0], sheet[free[0]])
        elif len(advised) == 1 and self.hands.in_hand:
            self._put(advised[0], self.hands.in_hand[-1])
        elif len(advised) == 2:
            self._play(advised)

    def _put(self, square: Square, letter: str) -> None:
        at_hand = letter in self.hands.in_hand or letter in self.hands.box
        assert at_hand, f"no {letter} lies ready"
        self.hands.put(square, self.clock.now(), letter)
        if self.hands.in_hand:
            self.hands.drop()

    def _play(self, advised: list[Square]) -> None:
        """Take the lit piece of one's own to the other lit square, or slip before that."""
        own = [s for s in advised if PIECES[self.hands.standing.get(s, "p")].side is Side.BLACK]
        start = own[0]
        end = next(square for square in advised if square != start)
        slip = self.chance.choice(("", "", "wrong", "tilt", "back", "victim")) * self._is_clumsy
        if slip:
            self.slips[slip] += 1
        now, hands = self.clock.now(), self.hands
        free = [square for square in SQUARES if square not in hands.standing and square != end]
        match slip:
            case "wrong":
                hands.lift(start, now)
                hands.put(self.chance.choice(free), now)
            case "tilt":
                hands.tilt(start, now)
                self._watch(5.0)
            case "back":
                hands.lift(start, now)
                self._watch(self.chance.uniform(0.1, 2.0))
                hands.put(start, self.clock.now())
            case "victim" if end in hands.standing:
                hands.take(end, now)
                self._watch(self.chance.uniform(0.1, 1.0))
                hands.move((start, end), self.clock.now())
            case _:
                hands.move((start, end), now)


def meanings(frames: list[tuple[RGB, ...]]) -> dict[Square, Cue]:
    """Return what each lamp that was lit means, by its brightest colour and how much it was lit."""
    found = {}
    for square in SQUARES:
        shown = [frame[square] for frame in frames]
        brightest = max(shown, key=sum)
        if sum(brightest):
            share = sum(map(sum, shown)) / len(shown) / sum(brightest)
            found[square] = min(Cue, key=lambda cue: _unlikeness(cue, brightest, share))
    return found


def _unlikeness(cue: Cue, brightest: RGB, share: float) -> float:
    """Return how little a cue looks like a lamp: of full colour, and of the share it is lit."""
    glow = PALETTES["standard"].looks[cue]
    levels = glow.rhythm.levels
    peak = max(levels)
    colour = sum(abs(a * peak - b) for a, b in zip(glow.colour, brightest, strict=True)) / 765
    return 3 * colour + abs(sum(levels) / len(levels) / peak - share)
