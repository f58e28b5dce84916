"""A game that simulated people play, touch by touch and with its truth beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from rules import (
    SQUARES,
    Direction,
    Kind,
    Move,
    MoveKind,
    Outcome,
    Position,
    Side,
    Square,
)
from rules.duel import Throw, fight
from rules.topology import SQUARE_NAMES

from ..replay.recordings import microseconds
from .habits import Habits, Person, Weights
from .hands import HandPly, Hands
from .mishaps import Mishap, adjust, hesitate, knock, try_illegal
from .truth import JuggernautRow, PlyRow, piece_word
from .world import Magnet, MagnetWorld

SETTLING_DOWN = 4.0
"""Seconds more before the first ply of the game."""

QUICKEST_HAND = 0.04
"""Seconds, at pace 1, in which even the hastiest hand does not reach another piece."""

EARLY_PLIES = 100
"""Up to here the players mostly leave a piece alone whose capture ends the game."""


JUGGERNAUT_TAKES = ("capture-victim-first", "capture-attacker-first", "capture-swept")
JUGGERNAUT_MOVES = ("plain", "slide")


@dataclass(frozen=True, slots=True)
class StandingPly:
    """A ply that stands: its line in the truth, the position it left, and the piece it took."""

    row: PlyRow
    before: Position
    move: Move
    victim: Magnet | None


class SimulatedGame:
    """Two simulated people at one table. Start, habits and seed make a game, exactly.

    `play_ply`, and then `go_on` or `move_juggernaut`, let them go on by one step; the touches of
    it are then in `world`. No further step touches the board before `quiet_from`.
    """

    def __init__(
        self, start: Position, habits: Habits, seed: int | str, begins: float = 0.0
    ) -> None:
        """Sit down at `start` when the table clock shows `begins` seconds."""
        self.rng = Random(seed)
        self.habits = habits
        self.position = start
        occupied = [square for square in SQUARES if self.position.occupied >> square & 1]
        self.world = MagnetWorld(occupied)
        self.hands = tuple(Hands(self.world, Person(habits, self.rng)) for _ in Side)
        self.rows: list[PlyRow] = []
        self.juggernaut_rows: list[JuggernautRow] = []
        self.incidents: list[dict[str, object]] = []
        self.settled = begins
        """When the last step's last touch was, in seconds."""
        self._settled_before = begins
        self._standing: list[StandingPly] = []
        self._just_landed = False
        self.awaits_roll = False
        """The Juggernaut is to move before the next ply."""
        self.awaits_fight = False
        """The last ply began a fight."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on."""
        return self.position.outcome

    @property
    def is_waiting(self) -> bool:
        """Whether dice come before the next ply."""
        return self.awaits_roll or self.awaits_fight

    @property
    def quiet_from(self) -> float:
        """No further step touches the board before this time, in seconds."""
        return self.settled - self.habits.overlap.most * self.habits.pace

    def play_ply(self) -> None:
        """Let the side to move make its ply, with all that goes wrong before it and after."""
        hands = self.hands[self.position.side]
        person, habits = hands.person, self.habits
        move = choose_move(self.position, habits, self.rng)
        knocks = person.does(habits.knock)
        at_landing = knocks and person.does(habits.knock_at_landing)
        tags: list[str] = []
        overlap = self._overlap(person, move)
        if overlap:
            begun = self.settled - overlap
            tags.append("fast")
        else:
            begun = self.settled + person.thinks() + (0 if self.rows else SETTLING_DOWN)
            begun = self._mishaps(begun, hands, tags, knocks and not at_landing)
        first = len(self.rows)
        made = self._make(begun, hands, move, tags, fast=overlap > 0)
        row = self._row(move, made, tags)
        self._just_landed = True
        self._settled_before, self.settled = self.settled, made.landed
        if at_landing:
            self._knock_at_landing(hands, move, row)
        self.rows.append(row)
        if overlap:
            self.rows[first].overlap_us = microseconds(overlap)
        self._standing.append(StandingPly(row, self.position, move, made.victim))
        self.awaits_fight = self.position.is_fought(move)
        if not self.awaits_fight:
            self._end_ply(move, is_lost=False)

    def _end_ply(self, move: Move, is_lost: bool) -> None:
        self.position = self.position.play(move, duel_lost=is_lost)
        self.awaits_roll = self.position.juggernaut is not None

    def throw(self) -> Throw:
        """Throw both sides' own dice in a fight."""
        return Throw(self.rng.randint(1, 10), self.rng.randint(1, 10), by_hand=True)

    def end_fight(self, throws: Sequence[Throw], told_at: float) -> None:
        """Carry out what the throws decide, not before `told_at`; equal ones decide nothing."""
        played = self._standing[-1]
        duel = fight(played.before, played.move, throws)
        if duel is None:
            return
        square, victim = played.move.to_square, played.victim
        if not duel.attacker_won and victim is not None:
            person = self.hands[self.position.side].person
            at = max(self.settled, told_at) + person.takes(self.habits.juggernaut_after)
            self.world.lift(at, square)
            self.settled = at + person.takes(self.habits.fetch)
            self.world.put(self.settled, square, victim)
        self.awaits_fight = self._just_landed = False
        self._standing.clear()  # what was fought for is not taken back
        self._end_ply(played.move, is_lost=not duel.attacker_won)

    def go_on(self) -> None:
        """Do what follows a ply: fight, roll and move the Juggernaut, or now and then take back."""
        throws: list[Throw] = []
        while self.awaits_fight:
            throws.append(self.throw())
            self.end_fight(throws, self.settled)
        if self.outcome is not None:
            return
        if self.awaits_roll:
            self.move_juggernaut(*self.roll_juggernaut())
        else:
            self.take_back()

    def take_back(self) -> None:
        """Now and then undo the last ply, or the last two."""
        person = self.hands[self.position.side].person
        habits = self.habits
        if not self._standing or not person.does(habits.takeback):
            return
        count = 2 if len(self._standing) > 1 and person.does(habits.takeback_two) else 1
        for index in range(count):
            played = self._standing.pop()
            wait = habits.takeback_next if index else habits.takeback_after
            begun = self.settled + person.takes(wait)
            self.settled = self.hands[played.before.side].undo(begun, played.move, played.victim)
            played.row.taken_back_us = microseconds(self.settled)
            played.row.takeback = "takeback"
            self.incidents.append(
                {
                    "type": "takeback",
                    "ply": played.row.ply,
                    "plies": count,
                    "t_us": microseconds(begun),
                    "t_end_us": microseconds(self.settled),
                }
            )
            self.position = played.before
            self._just_landed = False

    def roll_juggernaut(self) -> tuple[int, Square]:
        """Throw the die, and return its number and where it sends the Juggernaut."""
        return throw_for_juggernaut(self.position, self.rng)

    def move_juggernaut(self, die: int, to: Square, rolled_at: float = 0.0) -> None:
        """Let the player who has just moved take the Juggernaut to a square, or leave it.

        Nobody touches it before `rolled_at`, when the table has told the roll.
        """
        start = self.position.juggernaut
        assert start is not None
        hands = self.hands[self.position.side.other]
        known = max(self.settled, rolled_at)
        begun = known + hands.person.takes(self.habits.juggernaut_after)
        piece = self.position.piece_at(to)
        kind = MoveKind.MOVE if piece is None else MoveKind.CAPTURE
        made = HandPly(known, known, [])
        if to != start:
            made = self._carry_juggernaut(begun, hands, Move(start, to, kind))
        self.juggernaut_rows.append(
            JuggernautRow(
                after_ply=self.position.ply_number - 1,
                die=die,
                from_=SQUARE_NAMES[start],
                to=SQUARE_NAMES[to],
                killed=[piece.side.word, piece_word(piece)] if piece else None,
                t_settled_us=microseconds(made.landed),
                behaviours=["juggernaut", *made.tags],
                t_lift_us=microseconds(made.begun),
            )
        )
        self.settled = made.landed
        self.position = self.position.move_juggernaut(to)
        self.awaits_roll = False

    def _carry_juggernaut(self, at: float, hands: Hands, move: Move) -> HandPly:
        habits, person = self.habits, hands.person
        if move.kind is MoveKind.CAPTURE:
            style = person.chooses(_only(habits.takes, JUGGERNAUT_TAKES))
            return hands.take(at, move, style, self.position)
        style = person.chooses(_only(habits.moves, JUGGERNAUT_MOVES))
        return hands.land(at, move, style, self.position)

    def _overlap(self, person: Person, move: Move) -> float:
        """Return by how many seconds this reply begins before the last ply is down; mostly 0.

        A hurried reply follows a ply, no incident and no Juggernaut.
        """
        habits = self.habits
        hurried = self._just_landed and self.position.juggernaut is None
        if not hurried or not person.does(habits.fast):
            return 0.0
        last = self._standing[-1]
        if set(habits.unhurried_after).intersection(last.row.behaviours):
            return 0.0
        # Nobody lifts a piece before their own last one is down.
        overlap = min(person.within(habits.overlap), 0.9 * (self.settled - self._settled_before))
        if move.to_square == last.move.to_square or habits.spread:
            return min(overlap, QUICKEST_HAND * habits.pace)
        return overlap

    def _mishaps(self, at: float, hands: Hands, tags: list[str], knocks: bool) -> float:
        """Let incidents happen before the ply, and return when it can begin."""
        person, habits = hands.person, self.habits

        def meet(tag: str, mishap: Mishap | None) -> None:
            nonlocal at
            if mishap is not None:
                tags.append(tag)
                self.incidents.append(mishap.row)
                at = mishap.ended + person.takes(habits.recover)

        if knocks:
            meet("knock", knock(at, person, self.world, self.position))
        for tag, share, happen in (
            ("jadoube", habits.jadoube, adjust),
            ("hesitation", habits.hesitation, hesitate),
            ("illegal", habits.illegal, try_illegal),
        ):
            if person.does(share):
                meet(tag, happen(at, hands, self.position))
        return at

    def _make(self, at: float, hands: Hands, move: Move, tags: list[str], fast: bool) -> HandPly:
        """Make the move in a style of habit; a wrong square that stood long is a ply by itself."""
        habits, person = self.habits, hands.person
        if move.kind is MoveKind.CAPTURE:
            style = person.chooses(habits.fast_takes if fast else habits.takes)
            return hands.take(at, move, style, self.position)
        style = person.chooses(habits.fast_moves if fast else habits.moves)
        slip = hands.slip(at, move, self.position) if style == "wrong-square" else None
        if slip is None:
            return hands.land(at, move, style, self.position)
        self.incidents.append(slip.row(self.position.ply_number))
        if slip.was_ply and slip.legal is not None:
            made = HandPly(slip.begun, slip.down, ["wrong-square-moved"])
            row = self._row(slip.legal, made, tags)
            row.taken_back_us, row.takeback = microseconds(slip.up), "wrong-square"
            self.rows.append(row)
            tags.clear()
        return hands.correct(slip, move)

    def _row(self, move: Move, made: HandPly, tags: list[str]) -> PlyRow:
        victim = self.position.piece_at(move.to_square)
        behaviours = [*tags, *made.tags]
        row = ply_row(self.position, move, made.begun, made.landed, behaviours)
        for name, fact in made.facts.items():
            setattr(row, name, fact)
        if victim is not None:
            own = self.position.moves_from(move.from_square)
            targets = [other.to_square for other in own if other.kind is MoveKind.CAPTURE]
            row.candidates = [SQUARE_NAMES[square] for square in targets]
            row.ambiguous = "capture-no-gap" in made.tags and len(targets) > 1
        return row

    def _knock_at_landing(self, hands: Hands, move: Move, row: PlyRow) -> None:
        person = hands.person
        begun = self.settled + person.takes(self.habits.knock_after)
        mishap = knock(begun, person, self.world, self.position, spared=move.to_square)
        if mishap is None:
            return
        self.incidents.append(mishap.row)
        row.behaviours.append("knock")
        row.t_landed_us = row.t_settled_us
        row.t_settled_us = microseconds(mishap.ended)
        self.settled = mishap.ended
        self._just_landed = False


class MoveShares(Protocol):
    """How often which kinds of moves are chosen, where there are any."""

    @property
    def capture(self) -> float: ...
    @property
    def escape(self) -> float: ...
    @property
    def end_early(self) -> float: ...
    @property
    def end_late(self) -> float: ...


def choose_move(position: Position, shares: MoveShares, rng: Random) -> Move:
    """Choose a legal move: by habit an escape, the end of the game, a capture, or another."""
    kinds: dict[str, list[Move]] = {"escape": [], "end": [], "capture": [], "move": []}
    for move in position.moves():
        victim = position.piece_at(move.to_square)
        royal = victim is not None and victim.kind in (Kind.CHIEF, Kind.PRINCESS)
        kinds["end" if royal else move.kind.value].append(move)
    ends = shares.end_early if position.ply_number < EARLY_PLIES else shares.end_late
    wanted = {"escape": shares.escape, "end": ends, "capture": shares.capture}
    for name, share in wanted.items():
        if kinds[name] and rng.random() < share:
            return rng.choice(kinds[name])
    rest = kinds["move"] or kinds["capture"] or kinds["escape"] or kinds["end"]
    return rng.choice(rest)


def throw_for_juggernaut(position: Position, rng: Random) -> tuple[int, Square]:
    """Throw the die, and return its number and where it sends the Juggernaut.

    Early in the game a throw that would end it is thrown again, or few games would last.
    """
    while True:
        die, to = _throw(position, rng)
        early = position.ply_number < EARLY_PLIES
        if not early or position.move_juggernaut(to).outcome is None:
            return die, to


def _throw(position: Position, rng: Random) -> tuple[int, Square]:
    stands = position.juggernaut
    assert stands is not None
    die = rng.randint(1, 10)
    if die == 10:
        return die, rng.choice(SQUARES)
    if die == 9:
        return die, stands
    beside = position.rules.topology.neighbours[stands][Direction(die - 1)]
    return die, stands if beside is None else beside


def _only(weights: Weights, names: Sequence[str]) -> Weights:
    return [(name, weight) for name, weight in weights if name in names]


def ply_row(
    position: Position, move: Move, begun: float, landed: float, behaviours: list[str]
) -> PlyRow:
    """Return a ply's line in the truth, as far as the move itself tells it; times in seconds."""
    piece, victim = position.piece_at(move.from_square), position.piece_at(move.to_square)
    assert piece is not None
    return PlyRow(
        ply=position.ply_number,
        side=piece.side.word,
        piece=piece_word(piece),
        from_=SQUARE_NAMES[move.from_square],
        to=SQUARE_NAMES[move.to_square],
        kind=move.kind.value,
        captured=piece_word(victim) if victim else None,
        t_lift_us=microseconds(begun),
        t_settled_us=microseconds(landed),
        behaviours=behaviours,
        ambiguous=False,
    )
