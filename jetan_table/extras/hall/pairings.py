"""Who plays whom: everybody against everybody by Berger's tables, or the Swiss system.

Players are numbers from 0, the strongest first; the first of a pair has Black.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rules.sentences import _

from ...errors import MissingPackage, TableError

MOST_STEPS: Final = 100_000
"""So long pairing-core searches: some seconds on a Pi."""


class CannotPair(TableError, ValueError):
    """Players who cannot be paired so."""


class NoSeat(TableError, LookupError):
    """A table, a player or a round that this hall does not know."""


class Drawn(NamedTuple):
    """The pairs of a round, Black's player first, and who has no opponent."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """One player's story so far, round by round."""

    points: float = 0.0
    sides: str = ""
    """`b`, `o`, or `-` where he had no opponent."""
    opponents: tuple[int, ...] = ()
    had_bye: bool = False
    floats: str = ""
    """`D` where he met somebody with fewer points, `U` with more, else `-`."""


def berger(count: int, number: int) -> Drawn:
    """Return round `number`, from 1, of everybody against everybody; then again, sides changed.

    CannotPair beyond the second time.
    """
    slots = count + count % 2
    rounds = slots - 1
    if count < 2 or not 1 <= number <= 2 * rounds:
        raise CannotPair(_("round {number}: everybody has met everybody"), number=number)
    turn = (number - 1) % rounds
    first = turn * (slots // 2) % rounds
    last = slots - 1
    pairs = [(first, last) if turn % 2 == 0 else (last, first)]
    pairs += [((first + k) % rounds, (first - k) % rounds) for k in range(1, slots // 2)]
    if number > rounds:
        pairs = [(orange, black) for black, orange in pairs]
    bye = next((sum(pair) - count for pair in pairs if count in pair), None)
    return Drawn(tuple(pair for pair in pairs if count not in pair), bye)


def swiss(players: Sequence[Story], number: int) -> Drawn:
    """Return round `number` by the Dutch system, as pairing-core has it.

    Who has floated lately should not float again; where pairing-core finds no pairs by that, or not
    soon, that is left aside, as the rules let an arbiter do. MissingPackage without the library,
    CannotPair where no pairs are left that are allowed.
    """
    try:
        from pairing_core import PairingError
    except ImportError:
        raise MissingPackage(
            _("pairings by the Swiss system: pairing-core is missing; `./jetan hall` brings it")
        ) from None
    try:
        return _dutch(players, number, are_floats_kept=True)
    except PairingError:
        pass
    try:
        return _dutch(players, number, are_floats_kept=False)
    except PairingError as error:
        raise CannotPair(_("round {number}: {why}"), number=number, why=error) from error


def _dutch(players: Sequence[Story], number: int, are_floats_kept: bool) -> Drawn:
    from pairing_core import (
        DUTCH_TILL2026_COMPAT,
        CanonicalPlayer,
        CanonicalRequest,
        ExecutionBudgets,
        pair_canonical,
    )

    asked = tuple(
        CanonicalPlayer(
            id=index + 1,
            pairing_no=index + 1,
            rating=0,
            points=player.points,
            color_hist=player.sides.translate({ord("b"): "w", ord("o"): "b"}),
            opponents=tuple(other + 1 for other in player.opponents),
            received_bye=player.had_bye,
            float_hist=player.floats if are_floats_kept else "",
        )
        for index, player in enumerate(players)
    )
    request = CanonicalRequest(
        players=asked,
        ruleset=DUTCH_TILL2026_COMPAT,
        round_number=number,
        budgets=ExecutionBudgets(max_steps=MOST_STEPS),
    )
    boards = pair_canonical(request).pairings
    pairs = tuple((b.white_id - 1, b.black_id - 1) for b in boards if b.black_id is not None)
    byes = [board.white_id - 1 for board in boards if board.black_id is None]
    return Drawn(pairs, byes[0] if byes else None)
