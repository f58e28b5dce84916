"""Clumsy people at a simulated real board, who see nothing of its table but frames of its lamps.

Which piece belongs on a lit square a learner knows from the lesson's sheet, as `docs/learn.md` has
it, and a student by what was played; when and where anything is to be done, the lamps alone tell.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from hardware.ports import RGB
from jetan_table.extras.lessons.desk import Desk, Teacher, Teaching
from jetan_table.extras.lessons.exercise import lessons
from jetan_table.extras.lessons.study import Study
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import MEANINGS, Cue
from jetan_table.table.dice import Dice, Seeds
from rules import (
    JUGGERNAUT_LETTER,
    PIECES,
    SQUARES,
    Game,
    Position,
    Side,
    Square,
    letters,
    parse_rules,
)
from tests.jetan_table.sitting import Evening

STEP_S = 0.05
MADE_UP_S = 2.0
"""So long the table may take to make up its mind before the lamps are looked at."""
LOOKED_S = 3.6
"""So long they are looked at: the slowest rhythms need it."""
MOST_LOOKS, MOST_LED = 400, 12
LIES_S = 5.0
ARMY = Counter(letters(Position.start(parse_rules("appendix"))).values())
FEW_NODES = 150
PATIENT_S = 20.0


class Clumsy(Evening):
    """Somebody who studies at a table, or has a seat at it; `slips` counts what went wrong."""

    def __init__(
        self, folder: Path, begun: Position, seed: int, guest: Study | None = None
    ) -> None:
        self.chance, self.slips = Random(f"{type(self).__name__} {seed}"), Counter[str]()
        dice = Dice(Seeds(folder / "seeds", self.chance.randbytes))
        super().__init__(
            Journal(folder), Header.of(begun, 1.0), seed=seed, between_s=0.3, dice=dice
        )
        self.guest = guest or Desk(folder, self.hands)
        self.table.welcome(self.guest)

    def close(self) -> None:
        if isinstance(self.guest, Study):
            self.guest.close()
        self.journal.close()

    def watch(self, seconds: float) -> list[tuple[RGB, ...]]:
        """Let time pass; return what the lamps showed."""
        frames = []
        for _ in range(round(seconds / STEP_S)):
            self.table.step(self.clock.now())
            self.clock.sleep(STEP_S)
            frames.append(tuple(self.table.lights))
        return frames

    def see(self) -> dict[Cue, list[Square]]:
        """Wait, look at frames of the lamps for a while, and tell what squares mean from them."""
        self.watch(MADE_UP_S)
        found = meanings(self.watch(LOOKED_S))
        return {cue: [square for square in SQUARES if found.get(square) is cue] for cue in Cue}

    def slip(self, kind: str, start: Square, free: Sequence[Square]) -> None:
        """Put a piece on a wrong square, knock it over, or put it back where it was."""
        self.slips[kind] += 1
        if kind == "tilt":
            self.hands.tilt(start, self.clock.now())
            self.watch(LIES_S)
            return
        self.hands.lift(start, self.clock.now())
        if kind == "back":
            self.watch(self.chance.uniform(0.1, 2.0))
        self.hands.put(start if kind == "back" else self.chance.choice(free), self.clock.now())


class Learner(Clumsy):
    """Learns from the first lesson to the last; `begun` is what stands on the board before."""

    def __init__(self, folder: Path, begun: Position, seed: int, is_clumsy: bool = True) -> None:
        super().__init__(folder, begun, seed)
        self._is_clumsy = is_clumsy
        army = ARMY + Counter([JUGGERNAUT_LETTER])
        self.hands.box[:] = sorted((army - Counter(self.hands.standing.values())).elements())
        teacher = Teacher(folder)
        teacher.open(lessons(begun.rules["board"], may_change=False)[0], self.table.game)
        assert isinstance(self.guest, Desk)
        self.desk = self.guest
        self.desk.teach(teacher, self.table)

    @property
    def teaching(self) -> Teaching:
        teaching = self.desk.teaching
        assert teaching is not None
        return teaching

    def learn(self) -> None:
        """Follow the lamps until the course is through."""
        for _ in range(MOST_LOOKS):
            if self.teaching.is_done:
                return
            self._obey(self.see())
        raise AssertionError(f"led on and on: {self.teaching}, {self.view}")

    def _obey(self, lit: dict[Cue, list[Square]]) -> None:
        wrong, belongs, advised = lit[Cue.WRONG], lit[Cue.BELONGS], lit[Cue.ADVICE]
        if wrong:
            self.hands.lift(wrong[0], self.clock.now())
            if belongs and belongs[0] not in self.hands.standing:
                self._put_down(belongs[0], self.hands.in_hand[-1])
            else:
                self.hands.drop()
        elif belongs:
            sheet = letters(self.teaching.exercise.start)
            free = [square for square in belongs if square not in self.hands.standing]
            self._put_down(free[0], sheet[free[0]])
        elif len(advised) == 1 and self.hands.in_hand:
            self._put_down(advised[0], self.hands.in_hand[-1])
        elif len(advised) == 2:
            self._play(advised)

    def _put_down(self, square: Square, letter: str) -> None:
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
        kind = self.chance.choice(("", "", "wrong", "tilt", "back", "victim")) * self._is_clumsy
        if kind in ("wrong", "tilt", "back"):
            standing = {*self.hands.standing, end}
            self.slip(kind, start, [square for square in SQUARES if square not in standing])
            return
        if kind and end in self.hands.standing:
            self.slips[kind] += 1
            self.hands.take(end, self.clock.now())
            self.watch(self.chance.uniform(0.1, 1.0))
        self.hands.move((start, end), self.clock.now())


class Student(Clumsy):
    """Tries moves and takes them back; `game` is what the student takes the table to have read.

    `tried` has each line that was tried, as its plies.
    """

    def __init__(self, folder: Path, start: Position, seed: int) -> None:
        super().__init__(folder, start, seed, Study(folder, None, PATIENT_S, FEW_NODES))
        self.game = Game.begin(start)
        self.tried = {self.game.plies}
        self.watch(MADE_UP_S)

    def explore(self) -> None:
        """Take a ply back, or slip, or play what is lit."""
        if self.game.plies and (self.game.outcome or self.chance.random() < 0.35):
            self._take_back()
        else:
            self._play()
        self._follow_lamps()

    def _play(self) -> None:
        start = self.chance.choice(self.see()[Cue.ADVICE])
        kind = self.chance.choice(("", "", "wrong", "tilt", "back"))
        if kind:
            taken = {move.to_square for move in self.game.position.moves_from(start)}
            taken.update(self.hands.standing)
            # Of a Princess who may escape anywhere no square is wrong.
            self.slip(kind, start, [s for s in SQUARES if s not in taken] or [start])
            self._follow_lamps()
        self.hands.lift(start, self.clock.now())
        end = self.chance.choice(self.see()[Cue.ADVICE])
        move = next(move for move in self.game.position.moves_from(start) if move.to_square == end)
        if end in self.hands.standing:
            self.hands.take(end, self.clock.now())
        self.hands.put(end, self.clock.now())
        self.game = self.game.play(move)
        self.tried.add(self.game.plies)

    def _take_back(self) -> None:
        """Put the piece back, and what it took where it stood."""
        move, before = self.game.plies[-1].move, self.game.positions[-2]
        victim = letters(before).get(move.to_square)
        self.hands.move((move.to_square, move.from_square), self.clock.now())
        if victim is not None:
            self.hands.put(move.to_square, self.clock.now(), victim)
        self.game = self.game.take_back()
        self.slips["taken back"] += 1

    def _follow_lamps(self) -> None:
        """Put back what the lamps call wrong, until they call nothing so."""
        for _ in range(MOST_LED):
            lit = self.see()
            if not lit[Cue.WRONG]:
                return
            self.hands.move((lit[Cue.WRONG][0], lit[Cue.BELONGS][0]), self.clock.now())
        raise AssertionError(f"led on and on: {self.view}")


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
    levels, full = MEANINGS[cue].rhythm.levels, MEANINGS[cue].colour("standard")
    peak = max(levels)
    colour = sum(abs(a * peak - b) for a, b in zip(full, brightest, strict=True)) / 765
    return 3 * colour + abs(sum(levels) / len(levels) / peak - share)
