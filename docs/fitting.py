"""The fit of magnets, reeds and their places: pieces seen, and reeds held closed by neighbours.

The field is that of `hardware.build`: dipoles, and reeds that feel it along themselves alone. It
was never measured at a real board.
"""

from collections.abc import Iterator, Sequence
from math import cos, dist, hypot, sin

from hardware.build import A_PER_TURN, Build, Spot, drive
from rules import SQUARES, Square

STEP_MM = 1.0
"""Distance between the places at which a piece is tried."""

LEAST_SEEN = 0.99
MOST_HELD = 0.5
"""Some reeds open only below half of what closes them."""

SAMPLE = tuple(square for square in SQUARES if square % 10 == 4 and square < 60)
"""No square is more crowded than one of these: the middle of a flat board, and each ring."""


def seen(build: Build) -> float:
    """Return the share of a piece's places, of all in its play, at which it closes its switch.

    The reeds are the least sensitive ones of their class, no other piece is near, and the square is
    the one with the smallest share.
    """
    return min(_seen_on(build, square) for square in SAMPLE)


def _seen_on(build: Build, square: Square) -> float:
    needed = build.turns_at(square)[1] * A_PER_TURN
    spots = list(_places(build.play_on(square)))
    closing = sum(
        any(abs(drive(reed, (*spot, 0.0), build.magnet.moment)) >= needed for reed in build.sensed)
        for spot in spots
    )
    return closing / len(spots)


def held(build: Build, are_alike: bool = False) -> float:
    """Return the effect of pieces on all other squares on a reed, as a share of what closes it.

    The reed is the most sensitive of its class, at the square with the largest effect. Each magnet
    adds to the others, or has the same pole up as all if they `are_alike`.
    """
    return max(_held_at(build, square, are_alike) for square in SAMPLE)


def _held_at(build: Build, square: Square, are_alike: bool) -> float:
    others = _others(build, square)
    felt = (
        [drive(reed, (*spot, 0.0), build.magnet.moment) for spot in others] for reed in build.sensed
    )
    most = max(abs(sum(each)) if are_alike else sum(map(abs, each)) for each in felt)
    return most / (build.turns_at(square)[0] * A_PER_TURN)


def is_recommended(share_seen: float, share_held: float) -> bool:
    """Return True if a square would see its own piece nearly everywhere, and no other one."""
    return share_seen >= LEAST_SEEN and share_held <= MOST_HELD


def push_mn(build: Build) -> float:
    """Return the push between two pieces on neighbouring squares, at most, in millinewtons.

    Their magnets have the same pole up.
    """
    one, *others = (build.middle(square) for square in SQUARES[40:50])
    nearest = min(dist(one, other) for other in others) / 1000
    return 1000 * 3e-7 * build.magnet.moment**2 / nearest**4


def _places(far: float) -> Iterator[Spot]:
    steps = int(far / STEP_MM)
    for x in range(-steps, steps + 1):
        for y in range(-steps, steps + 1):
            spot = STEP_MM * x, STEP_MM * y
            if hypot(*spot) <= far:
                yield spot


def _others(build: Build, square: Square) -> Sequence[Spot]:
    """Return where all others stand, as seen from a square's middle and along its reeds."""
    (x, y), turn = build.middle(square), build.turn(square)
    along, across = cos(turn), sin(turn)
    spots = []
    for other in SQUARES:
        if other != square:
            ox, oy = build.middle(other)
            dx, dy = ox - x, oy - y
            spots.append((along * dx + across * dy, along * dy - across * dx))
    return spots
