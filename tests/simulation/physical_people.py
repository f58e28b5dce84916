"""Two people whose hands carry magnets over reeds at a table that is switched on and off.

They know how the pieces should stand and what the lamps mean: they play while the table follows
them, put right what is wrong, answer what it asks, and say so where it does not believe them.
"""

from __future__ import annotations

from random import Random

from hardware.ports import Observation
from hardware.reed_sensor import Reeds
from hardware.switches import Change, Switch
from jetan_table.game.commands import AnswerQuestion, BoardIsRight, Command, RollDie
from jetan_table.game.placement import letters
from jetan_table.session.view import Phase, View
from jetan_table.simulation.geometry import geometry_of
from jetan_table.simulation.magnetism import draw_reed
from jetan_table.simulation.manners import PhysicalProfile, PlayerManner
from jetan_table.simulation.physical_hands import PhysicalHands
from jetan_table.simulation.physical_world import PhysicalWorld
from jetan_table.simulation.reed_bank import ReedBank
from jetan_table.simulation.world import Magnet
from rules import SQUARES, Move, MoveKind, Position, Side, Square, format_square
from tests.simulation.plug import Switches

OFF_CENTRE = 0.08
LOOKS_S = 2.5
"""So long people let the table make up its mind before they do something about it."""


class PhysicalBoard(Switches):
    """A hundred reeds over which hands move magnets; a sensor that samples them as it is asked.

    Its own time runs on whatever the table's clock shows: `shift` is what lies between.
    """

    def __init__(self, position: Position, profile: PhysicalProfile, rng: Random) -> None:
        super().__init__()
        geometry = geometry_of(position.rules.topology)
        reeds = [draw_reed(rng, 0.02, 0.02, pitch) for pitch in geometry.pitches]
        self.letters = {Magnet(square): letter for square, letter in letters(position).items()}
        strengths = {magnet: rng.uniform(0.9, 1.1) for magnet in self.letters}
        self.world = PhysicalWorld(geometry, reeds, strengths, rng)
        self.world.set_up(letters(position), OFF_CENTRE)
        self.bank = ReedBank(geometry.centres, reeds, rng)
        for magnet, pose in self.world.starts.items():
            self.bank.stand(magnet, pose, strengths[magnet])
        self.shift = 0.0
        self._broken: dict[Square, bool] = {}
        self._reed_levels, self._levels = list(self.bank.closed), list(self.bank.closed)
        self._next = [0] * len(SQUARES)
        self._reeds: Reeds | None = None

    @property
    def standing(self) -> dict[Square, str]:
        """What people have put on each square, by its letter."""
        return {at: self.letters[magnet] for at, magnet in self.world.standing.items()}

    def run(self, now: float) -> None:
        """Let hands go on until a time of the table's clock, whoever looks."""
        for path in self.world.take_paths():
            self.bank.await_path(path)
        self.bank.run(now - self.shift)

    def poll(self, now: float) -> list[Observation]:
        """Sample every reed once; at first, and after a cable was put back, tell every square."""
        self.run(now)
        changed = self._sample(now - self.shift)
        if self.is_out:
            self._reeds = None
            return []
        if self._reeds is None:
            self._reeds = Reeds(self._levels, list(map(Switch, SQUARES)))
            return [self._reeds.whole(now)]
        observations = []
        for square in changed:
            observations += self._reeds.feed(Change(now, Switch(square), self._levels[square]))
        return observations + self._reeds.advance(now)

    def restart(self) -> None:
        """Let whoever asks next be told everything."""
        self._reeds = None

    def break_switch(self, square: Square, stays: bool) -> None:
        """Let a switch stay as it is from now on, closed or open."""
        self._broken[square] = stays

    def mend(self) -> None:
        """Let every switch follow its reed again."""
        self._broken.clear()

    def _sample(self, at: float) -> list[Square]:
        """Look at every reed; return what differs. An edge ahead, of a bounce, has not come yet."""
        changed = []
        for square, edges in enumerate(self.bank.edges):
            index = self._next[square]
            while index < len(edges) and edges[index][0] <= at:
                self._reed_levels[square] = edges[index][1]
                index += 1
            self._next[square] = index
            level = self._broken.get(Square(square), self._reed_levels[square])
            if level != self._levels[square]:
                self._levels[square] = level
                changed.append(Square(square))
        return changed


class PhysicalPeople:
    """Both players: one deed at a time, begun when the last one is done and looked at."""

    def __init__(self, board: PhysicalBoard, profile: PhysicalProfile, rng: Random) -> None:
        self.board, self._rng, self._manners = board, rng, profile.manners
        self._hands = {
            side: PhysicalHands(board.world, PlayerManner(profile.manners, rng)) for side in Side
        }
        self.free_at = 0.0
        """When both hands are empty and the table has had its time, in the board's own time."""
        self.deeds = 0
        self._last: Move | None = None

    def act(self, view: View, at: float) -> Command | None:
        """Begin the next deed, or return what is said to the table; nothing while it is not time.

        `at` is the board's own time.
        """
        if at < self.free_at or view.trouble is not None or view.phase is Phase.OVER:
            return None
        self.free_at = at + LOOKS_S
        standing, wanted = self.board.standing, letters(view.position)
        if view.dice.is_due:
            return RollDie()
        if view.asked_corner is not None:
            return AnswerQuestion(format_square(view.asked_corner.corner))
        if view.question is not None and view.asked:
            done = () if self._last is None else map(format_square, self._last[:2])
            truth = set(view.question.candidates).intersection(done)
            return AnswerQuestion(min(truth or view.question.candidates))
        if standing != wanted:
            self._put_right(standing, wanted, at)
            return None
        if view.phase is Phase.SETTING_UP or view.leading.repair or view.terms.touched:
            return BoardIsRight()
        self._play(view.position, at)
        return None

    def _put_right(self, standing: dict[Square, str], wanted: dict[Square, str], at: float) -> None:
        """Carry one piece to where it belongs, or off the board."""
        world, hands = self.board.world, self._hands[Side.BLACK]
        wrong = sorted(s for s, letter in standing.items() if wanted.get(s) != letter)
        empty = sorted(s for s, letter in wanted.items() if standing.get(s) is None)
        begins = max([at, *world.free_at.values()])
        for end in empty:
            source = next((s for s in wrong if standing[s] == wanted[end]), None)
            magnet = world.standing.pop(source) if source is not None else self._off(wanted[end])
            if magnet is not None:
                self.free_at = hands.put(begins, end, magnet, "plain", []) + LOOKS_S
                return
        gone = world.standing.pop(wrong[0])
        self.free_at = hands.leave(begins, gone, []).ended + LOOKS_S

    def _off(self, letter: str) -> Magnet | None:
        """A piece of that letter which lies off the board."""
        on = set(self.board.world.standing.values())
        off = (magnet for magnet, of in self.board.letters.items() if of == letter)
        return next((magnet for magnet in off if magnet not in on), None)

    def _play(self, position: Position, at: float) -> None:
        """Make a legal move, rather a capture, with all the habits of these hands."""
        moves = position.moves()
        taking = [move for move in moves if move.kind is MoveKind.CAPTURE]
        move = self._rng.choice(taking if taking and self._rng.random() < 0.6 else moves)
        hands, manners = self._hands[position.side], self._manners
        begins = max([at, *self.board.world.free_at.values()]) + self._rng.uniform(0.2, 2.0)
        if move.kind is MoveKind.CAPTURE:
            deed = hands.take(begins, move, position, hands.player.chooses(manners.takes))
        else:
            deed = hands.land(begins, move, position)
        self.deeds, self._last = self.deeds + 1, move
        self.free_at = max(deed.free_at, deed.landed) + LOOKS_S
