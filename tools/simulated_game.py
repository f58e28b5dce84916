"""A game that simulated people play with magnets: strokes through space, and what they meant."""

from dataclasses import dataclass, field
from random import Random

from jetan_table.people.hands import (
    EARLY_PLIES,
    MISHAPS,
    HandDeed,
    Hands,
    Mishap,
    choose_move,
    topple,
)
from jetan_table.people.manners import Manners, PlayerManner
from jetan_table.people.truth import JuggernautRow, PlyRow, piece_word, ply_row
from jetan_table.people.world import MagnetWorld
from jetan_table.replay.recordings import microseconds
from rules import (
    SQUARE_NAMES,
    SQUARES,
    Direction,
    Move,
    MoveKind,
    Outcome,
    Position,
    Side,
    Square,
    Throw,
    fight,
)

SETTLING_DOWN_S = 3.0
OVERLAP_MOST_S = 0.35
FALLS_AFTER_S = (0.02, 0.25)
"""From a landing to the fall that follows it."""

FETCHES_S = 1.0
"""From a lost fight to the hand that takes the loser off."""


@dataclass(slots=True)
class SimulatedPly:
    """A ply, or a move of the Juggernaut, as hands meant it (`tools.recordings.MeantPly`)."""

    row: PlyRow | JuggernautRow
    move: Move
    deed: HandDeed
    candidates: tuple[Square, ...] = ()
    others: tuple[Square, ...] = ()
    undone_at: float | None = None


@dataclass(slots=True)
class SimulatedGame:
    """Two people at one table. Start, manners and chance make a game, exactly."""

    position: Position
    manners: Manners
    world: MagnetWorld
    rng: Random
    plies: list[SimulatedPly] = field(default_factory=list)
    juggernaut: list[SimulatedPly] = field(default_factory=list)
    incidents: list[dict[str, object]] = field(default_factory=list)
    settled: float = 0.0
    _hands: tuple[Hands, ...] = ()
    _standing: list[tuple[SimulatedPly, Position]] = field(default_factory=list)
    """The plies that stand, each with the position before it."""
    _just_landed: bool = False

    def __post_init__(self) -> None:
        self._hands = tuple(Hands(self.world, PlayerManner(self.manners, self.rng)) for _ in Side)

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on."""
        return self.position.outcome

    def play(self, plies: int) -> None:
        """Play until the game ends, or so many plies have been made."""
        while self.position.outcome is None and len(self.plies) < plies:
            self.play_ply()
            self._go_on()

    def _go_on(self) -> None:
        """Do what follows a ply: move the Juggernaut, or now and then take back."""
        if self.position.outcome is None and self.position.juggernaut is not None:
            self._move_juggernaut()
        elif self.position.outcome is None:
            self._take_back()

    def play_ply(self) -> None:
        """Let the side to move make its ply, with all that happens before it."""
        hands = self._hands[self.position.side]
        player, manners = hands.player, self.manners
        move = choose_move(self.position, manners, self.rng)
        tags: list[str] = []
        begun = self._overlapping(player, move)
        is_hurried = begun is not None
        if begun is None:
            begun = self.settled + player.thinks() + (0 if self.plies else SETTLING_DOWN_S)
            begun = self._mishaps(begun, hands, tags)
        else:
            tags.append("fast")
        first, before = len(self.plies), self.settled
        deed = self._make(begun, hands, move, tags)
        deed.landed = max(deed.landed, before + 0.001)
        deed.tags[:0] = tags
        ply = self._ply(move, deed)
        self.plies.append(ply)
        early = self.plies[first]
        if is_hurried and isinstance(early.row, PlyRow):
            early.row.overlap_us = max(0, microseconds(before - early.deed.begun))
        self.settled, self._just_landed = deed.landed, True
        if player.does(manners.topple_at_landing):
            self._topple_at_landing(hands, move, deed)
        is_fought = self.position.is_fought(move)
        is_lost = is_fought and self._lose_fight(hands, move, deed)
        self._standing.append((ply, self.position))
        if is_fought:  # what was fought for is not taken back
            self._standing.clear()
            self._just_landed = False
        self.position = self.position.play(move, duel_lost=is_lost)

    def _topple_at_landing(self, hands: Hands, move: Move, deed: HandDeed) -> None:
        """Let pieces fall right after a landing; those who play set them up before they go on."""
        begun = deed.landed + self.rng.uniform(*FALLS_AFTER_S)
        mishap = topple(begun, hands, self.position, spared=move.to_square)
        if mishap is not None:
            deed.tags.append("knock")
            self._tell("knock", begun, mishap)
            self.settled, self._just_landed = mishap.ended, False

    def _lose_fight(self, hands: Hands, move: Move, deed: HandDeed) -> bool:
        """Throw dice for both; an attacker who loses goes, and the other piece is put back."""
        throws: list[Throw] = []
        while (duel := fight(self.position, move, throws)) is None:
            throws.append(Throw(self.rng.randint(1, 10), self.rng.randint(1, 10), by_hand=True))
        if duel.attacker_won or deed.victim is None:
            return False
        begun = max(self.settled, deed.free_at) + hands.player.moves(FETCHES_S)
        loser = self.world.standing.pop(move.to_square)
        gone = hands.leave(max(begun, self.world.free_at.get(loser, 0.0)), loser, [])
        begun = max(gone.ended, self.world.free_at.get(deed.victim, 0.0))
        self.settled = hands.put(begun, move.to_square, deed.victim, "plain", [])
        return True

    def _overlapping(self, player: PlayerManner, move: Move) -> float | None:
        """Return when a hurried reply begins, before the last ply is down; None if it is not one.

        Nobody is as quick with the piece that is still in the other's hand.
        """
        free = self._just_landed and self.position.juggernaut is None
        if not free or not player.does(self.manners.overlap):
            return None
        last, _before = self._standing[-1]
        if move.to_square == last.move.to_square or "between" in last.deed.tags:
            return None
        longest = min(OVERLAP_MOST_S, player.moves(0.25))
        least = max(last.deed.begun, last.deed.landed - longest)
        begun = self.rng.uniform(least, last.deed.landed)
        for square in (move.from_square, move.to_square):
            magnet = self.world.standing.get(square)
            if magnet is not None:
                begun = max(begun, self.world.free_at.get(magnet, 0.0))
        return begun

    def _mishaps(self, at: float, hands: Hands, tags: list[str]) -> float:
        """Let incidents happen before the ply, and return when it can begin."""
        player = hands.player
        for tag, share, happen in MISHAPS:
            if player.does(getattr(self.manners, share)):
                mishap = happen(at, hands, self.position)
                if mishap is not None:
                    tags.append(tag)
                    self._tell(tag, at, mishap)
                    at = mishap.ended + player.rests(self.manners.recover)
        return at

    def _tell(self, kind: str, at: float, mishap: Mishap) -> None:
        times = {"t_us": microseconds(at), "t_end_us": microseconds(mishap.ended)}
        names = [SQUARE_NAMES[square] for square in mishap.squares]
        self.incidents.append({"type": kind, **times, "squares": names})

    def _make(self, at: float, hands: Hands, move: Move, tags: list[str]) -> HandDeed:
        """Make the move; a wrong square that stood long is a ply by itself."""
        player, manners = hands.player, self.manners
        if move.kind is MoveKind.CAPTURE:
            return hands.take(at, move, self.position, player.chooses(manners.takes))
        if player.does(manners.wrong_square):
            deed = self._slip(at, hands, move, tags)
            if deed is not None:
                return deed
        return hands.land(at, move, self.position)

    def _slip(self, at: float, hands: Hands, move: Move, tags: list[str]) -> HandDeed | None:
        """Put the piece down on a wrong square first; None where there is no such empty square."""
        player, manners, world = hands.player, self.manners, self.world
        beside = self.position.rules.board.neighbours[move.to_square]
        empty = [square for square in beside if square is not None and square not in world.standing]
        if not empty:
            return None
        wrong = self.rng.choice(empty)
        legal = next(
            (m for m in self.position.moves_from(move.from_square) if m.to_square == wrong), None
        )
        magnet = world.standing.pop(move.from_square)
        world.standing[wrong] = magnet
        down = hands.carry(at, magnet, world.place(wrong, manners.off_centre), "low").ended
        stands = player.does(0.4)
        up = down + player.rests(manners.stands if stands else manners.slips)
        names = ["wrong-square", "wrong-square-legal" if legal else "wrong-square-illegal"]
        self._tell("wrong-square", down, Mishap(up, [wrong]))
        if stands and legal is not None:
            made = HandDeed(at, down, down, [*tags, "wrong-square-moved"])
            ply = self._ply(legal, made)
            ply.undone_at = up
            assert isinstance(ply.row, PlyRow)
            ply.row.takeback = "wrong-square"
            self.plies.append(ply)
            tags.clear()
            names.append("wrong-square-final")
            at = up
        del world.standing[wrong]
        landed = hands.put(up, move.to_square, magnet, "low", names)
        return HandDeed(at, landed, landed, names)

    def _ply(self, move: Move, deed: HandDeed) -> SimulatedPly:
        position = self.position
        victim = position.piece_at(move.to_square)
        row = ply_row(position, move, deed.begun, deed.landed, deed.tags)
        if victim is None:
            ends = (other for other in position.moves() if other.to_square == move.to_square)
            sources = {other.from_square for other in ends} - {move.from_square}
            return SimulatedPly(row, move, deed, others=tuple(sorted(sources)))
        own = position.moves_from(move.from_square)
        targets = tuple(other.to_square for other in own if other.kind is MoveKind.CAPTURE)
        row.candidates = [SQUARE_NAMES[square] for square in targets]
        return SimulatedPly(row, move, deed, targets)

    def _take_back(self) -> None:
        """Now and then undo the last ply, or the last two."""
        player = self._hands[self.position.side].player
        if not self._standing or not player.does(self.manners.takeback):
            return
        two = len(self._standing) > 1 and player.does(self.manners.takeback_two)
        for index in range(1 + two):
            ply, before = self._standing.pop()
            wait = player.moves(0.9) if index else player.rests(self.manners.takeback_after)
            begun = self.settled + wait
            victim = ply.deed.victim
            magnet = self.world.standing[ply.move.to_square]
            begun = max(begun, self.world.free_at.get(magnet, 0.0))
            hands = self._hands[before.side]
            self.settled = hands.undo(begun, ply.move, victim)
            ply.undone_at = self.settled
            assert isinstance(ply.row, PlyRow)
            ply.row.takeback = "takeback"
            squares = [ply.move.from_square, ply.move.to_square]
            self._tell("takeback", begun, Mishap(self.settled, squares))
            self.position = before
            self._just_landed = False

    def _move_juggernaut(self) -> None:
        """Throw the die, and let the player who has just moved carry the Juggernaut."""
        start = self.position.juggernaut
        assert start is not None
        die, to = throw_for_juggernaut(self.position, self.rng)
        hands = self._hands[self.position.side.other]
        player = hands.player
        begun = self.settled + player.rests(self.manners.juggernaut_after)
        piece = self.position.piece_at(to)
        move = Move(start, to, MoveKind.MOVE if piece is None else MoveKind.CAPTURE)
        deed = HandDeed(self.settled, self.settled, self.settled)
        if to != start:
            deed = (
                hands.land(begun, move, self.position)
                if piece is None
                else hands.take(begun, move, self.position, player.chooses(self.manners.takes))
            )
        row = JuggernautRow(
            after_ply=self.position.ply_number - 1,
            die=die,
            from_=SQUARE_NAMES[start],
            to=SQUARE_NAMES[to],
            killed=[piece.side.word, piece_word(piece)] if piece else None,
            t_settled_us=microseconds(deed.landed),
            behaviours=["juggernaut", *deed.tags],
            t_lift_us=microseconds(deed.begun),
        )
        self.juggernaut.append(SimulatedPly(row, move, deed))
        self.settled = deed.landed
        self.position = self.position.move_juggernaut(to)
        self._just_landed = False


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
    beside = position.rules.board.neighbours[stands][Direction(die - 1)]
    return die, stands if beside is None else beside
