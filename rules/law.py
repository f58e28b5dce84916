"""Rules made ready to play by: posts for every piece, and answers the position asks every ply."""

import sys
from functools import lru_cache

from .board import Kind, Outcome, Piece, Side, Termination
from .movement import Army, Gait, Peers, gaits
from .options import Rules

FEW = 3
"""At most so many pieces a side start the count of ten plies."""

FEW_PLIES = 10
BY_COUNT = frozenset({Termination.FEW_PIECES, Termination.CAPTURELESS})
"""Ends that a side without a move forestalls: its loss is a win on the last ply counted."""


class Law:
    """What a set of rules means for play. One is made per set of rules and shared.

    `crossings` are the Princess's posts where she may not cross a threatened square: she is then
    stopped by threats as walkers are by pieces. `is_plain`: every end of a man's steps is legal.
    """

    __slots__ = (
        "captureless_plies",
        "chief_by_other",
        "chief_only_by_chief",
        "crossings",
        "escape",
        "few_equal",
        "is_plain",
        "mate_ends",
        "no_move_draws",
        "peers",
        "princess_ends_safe",
        "princess_takes",
        "rules",
        "worth",
    )

    def __init__(self, rules: Rules) -> None:
        gait_of = gaits(rules)
        royal = gait_of[Kind.PRINCESS]
        blocked = Gait(royal.words, jumps=False, line=royal.line, ways=royal.ways)
        board = rules.board
        self.rules = rules
        self.peers = {
            Piece(side, kind): Peers(board, gait, Piece(side, kind))
            for side in Side
            for kind, gait in gait_of.items()
        }
        passes_safe = rules["princess-passes"] == "safe"
        self.crossings = (
            {side: Peers(board, blocked, Piece(side, Kind.PRINCESS)) for side in Side}
            if passes_safe
            else None
        )
        self.worth = {kind: rules.worth(kind) for kind in Kind}
        self.princess_takes = rules["princess-takes"] == "yes"
        self.princess_ends_safe = rules["princess-ends"] == "safe"
        self.escape = rules["escape"]
        self.chief_by_other = rules["chief-taken-by-other"]
        self.chief_only_by_chief = self.chief_by_other == "forbidden"
        self.few_equal = rules["few-equal"]
        self.no_move_draws = rules["no-move"] == "draw"
        self.mate_ends = rules["ending"] == "checkmate"
        self.is_plain = not (self.mate_ends or self.chief_only_by_chief)
        captureless = rules["captureless"]
        # The option counts moves by each side, the position counts plies.
        self.captureless_plies = sys.maxsize if captureless == "off" else 2 * int(captureless)

    def taken(self, victim: Kind, by: Piece) -> Outcome | None:
        """Return how the game ends when `by` takes a piece of kind `victim`; None: it goes on."""
        if victim is Kind.PRINCESS:
            return Outcome(by.side, Termination.PRINCESS_TAKEN)
        if victim is not Kind.CHIEF:
            return None
        if by.kind is Kind.CHIEF:
            return Outcome(by.side, Termination.CHIEF_BY_CHIEF)
        if self.chief_by_other == "draw":
            return Outcome(None, Termination.CHIEF_BY_OTHER)
        if self.chief_by_other == "win":
            return Outcome(by.side, Termination.CHIEF_BY_OTHER)
        return None

    def counted_out(self, few_counter: int | None, quiet_plies: int) -> Outcome | None:
        """Return the draw that the counts of a position bring; None while they do not."""
        if few_counter is not None and few_counter >= FEW_PLIES:
            return Outcome(None, Termination.FEW_PIECES)
        if quiet_plies >= self.captureless_plies:
            return Outcome(None, Termination.CAPTURELESS)
        return None

    def are_few_and_equal(self, ours: Army, theirs: Army) -> bool:
        """Whether both sides have at most three pieces, equal as the rules count them."""
        if len(ours) > FEW or len(theirs) > FEW:
            return False
        if self.few_equal == "count":
            return len(ours) == len(theirs)
        totals = [sum(self.worth[post.kind] for post in army.posts()) for army in (ours, theirs)]
        return self.few_equal == "any" or totals[0] == totals[1]


def law_of(rules: Rules) -> Law:
    """Return the rules' law, from memory where it has been made.

    Equal rules told by different presets have laws of their own, so that each is told as it was.
    """
    return _law_of(rules, rules.base)


@lru_cache(maxsize=64)
def _law_of(rules: Rules, _base: str) -> Law:
    return Law(rules)
