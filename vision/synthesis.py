"""What whole boards would look like, and which of a few the picture shows.

A piece that comes or goes changes a picture where its volume is, in front of some pieces and behind
others. So what may have happened since a picture of a known position (a piece went here, one square
farther, or none did) is told by the pixels in which the pictures that it would lead to differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np

from rules import Occupant, Square

from .arrays import Floats, Indices
from .features import whole_size
from .layout import Layout
from .pose import Pose
from .topview import Colouring, Likely, points_of
from .volumes import ANY, Layers, Volumes, fitting_volumes

Change = tuple[Occupant, int]
"""What stands on a square now, and how high it is, as a number of `volumes.LEVELS`."""

Changes = Mapping[Square, Change]
"""Squares on which something else stands than did, or nothing, or the same piece anew."""

GONE: Change = (Occupant.EMPTY, ANY)

WITNESS = 1 / 6
"""How much each point counts: neighbours see the same, so six are one witness."""

MOST, RARE = 3.0, 0.003
"""One point says no more than so many nats; and how likely anything unforeseen is at a point."""

NOISE, NOISE_BOUNDS = 1.5, (0.06, 0.4)
"""How far a point's colour may go that has not changed: so many medians of all changes, within
these bounds, in logarithms."""

FLICKER = 0.01
"""How likely a point looks otherwise for no reason, beside that it stays as it was."""

SHADOW, DARKER, TINGE = 0.08, (-0.1, 0.9), 0.15
"""How likely a shadow has come or gone at a point; how much darker it makes it, and how little it
changes its colour, in logarithms."""

CROWD = 0.9
"""Behind a piece that leaves at least a tenth may be bare board."""

STIRS, CHANGED = 0.12, -1.5
"""A square is looked at closely from such a share on, of what a piece on it may cover, that looks
otherwise by so many nats."""

PRICE, LONE = 0.5, 6.0
"""What each change costs, in nats; and what each piece, 400 to 1, that has gone without having come
anywhere or come without having gone."""

REMOVED, ARRIVED = 6, 8
"""So many pieces that may have gone are tried with so many places to which they may have."""

ROUNDS, WORTH = 3, 4.0
"""How many moves may lie between two pictures, and how many nats each further one must explain."""

SUREST = 25.0
"""No square says more than this, in nats."""


class Synthesis:
    """Tells what has changed since a picture that was understood, by whole boards."""

    def __init__(self, layout: Layout, pose: Pose, colours: Floats, occupants: Indices) -> None:
        """Begin with the `colours` of all points over a known position."""
        points = points_of(layout)
        self._palette = Colouring(colours, points, occupants)
        likely = self._palette.likelihoods(colours)
        self._is_known = occupants >= 0
        """Squares of which it was ever known what stands there: it has no say on others."""
        self._occupants = np.maximum(occupants, Occupant.EMPTY)
        self._levels = np.full(len(occupants), ANY)
        self._volumes = fitting_volumes(points, layout, pose, self._occupants, likely)
        self.pose = pose
        """The camera's place for which all this holds."""
        self._before = colours
        self._understand({Square(int(square)) for square in np.flatnonzero(self._occupants)})

    def learn(self, colours: Floats, occupants: Indices) -> None:
        """Take what all points show for what these occupants look like; -1 where nobody knows.

        What pieces on unknown squares may cover stays as it was.
        """
        unknown = np.zeros(len(colours), bool)
        for square in np.flatnonzero(occupants < 0):
            unknown[self._volumes.of(Square(int(square))).points] = True
        self._before = np.where(unknown[:, None], self._before, colours)
        new = np.flatnonzero((occupants > 0) & (occupants != self._occupants))
        self._occupants = np.where(occupants < 0, self._occupants, occupants)
        self._is_known |= occupants >= 0
        self._understand({Square(int(square)) for square in new})

    def move(self, pose: Pose) -> None:
        """Go on with a camera at another place; what pieces cover is right again with a lesson."""
        self.pose, self._volumes = pose, self._volumes.seen_from(pose)

    def _understand(self, new: set[Square]) -> None:
        """Find out what is seen where, and how high the pieces are that are new on a square."""
        likely = self._palette.likelihoods(self._before)
        if new:
            unknown = np.zeros_like(self._levels)
            layers = Layers(self._volumes, self._occupants, unknown, likely, new)
            for square, level in layers.levels().items():
                self._levels[square] = level
        self._layers = Layers(self._volumes, self._occupants, self._levels, likely)

    def likelihoods(self, colours: Floats) -> Floats:
        """Return how well each occupant explains each square, (squares, 4), in nats.

        0 for the best, as in `SquareEvidence`, by what has to be so beside it for that.
        """
        change = colours - self._before
        size = whole_size(change)
        spread = np.clip(NOISE * np.median(size), *NOISE_BOUNDS)
        same = (1 - FLICKER) * (1 + (size / spread) ** 2 / 3) ** -3 + FLICKER
        is_shaded = (
            (np.abs(change[:, 1]) + np.abs(change[:, 2]) < TINGE)
            & (-change[:, 0] > DARKER[0])
            & (-change[:, 0] < DARKER[1])
        )
        same = np.maximum(same, SHADOW * is_shaded)
        likely = self._palette.likelihoods(colours)
        weighed = self._rivals(same, likely).likelihoods()
        return np.where(self._is_known[:, None], weighed, 0.0)

    def _rivals(self, same: Floats, likely: Likely) -> Rivals:
        """Return what weighs changes on the squares that look otherwise."""
        changed = (same < np.exp(CHANGED)).astype(float)
        squares = []
        for square in self._volumes.order:
            volume = self._volumes.of(square)
            if volume.share @ changed[volume.points] > STIRS * volume.whole:
                squares.append(square)
        return Rivals(
            self._volumes, self._layers, self._occupants, self._levels, squares, same, likely
        )


class Rivals:
    """Weighs what may have changed on some squares by one picture."""

    def __init__(
        self,
        volumes: Volumes,
        layers: Layers,
        occupants: Indices,
        levels: Indices,
        squares: list[Square],
        same: Floats,
        likely: Likely,
    ) -> None:
        """`same` is how likely each point looks as it does where nothing has changed, 1 at most.

        `layers` are what was known of `occupants`, whose heights are `levels`.
        """
        self._volumes, self._occupants, self._levels = volumes, occupants, levels
        self._squares, self._was = squares, occupants.tolist()
        self._who = [Occupant.EMPTY, *likely.pieces]
        self._known: dict[frozenset[tuple[Square, Change]], float] = {frozenset(): 0.0}
        points = [volumes.of(square).points for square in squares] or [np.zeros(0, int)]
        self._points = np.unique(np.concatenate(points))
        self._place = np.full(len(same), -1)
        self._place[self._points] = np.arange(len(self._points))
        self._shares: dict[tuple[Square, int], Floats] = {}
        self._clear: dict[tuple[Square, frozenset[Square]], Floats] = {}
        self._same, self._bare = same[self._points], likely.bare[self._points]
        self._known_same = np.log(self._same + RARE)
        self._pieces = {who: of_piece[self._points] for who, of_piece in likely.pieces.items()}
        self._seen = {
            square: spread
            for square, shown in layers.seen.items()
            if (spread := self._spread(volumes.of(square, int(levels[square])).points, shown)).any()
        }
        """How surely each piece is seen at each point; of those that are seen at any."""
        self._crowd, self._crowd_likely = np.zeros((2, len(self._points)))
        for square in self._seen:
            share = self._share(square, int(levels[square]))
            self._crowd += share
            self._crowd_likely += share * self._of(square)

    def _spread(self, points: Indices, values: Floats) -> Floats:
        """Return values of some points as of all points that matter here, 0 for the others."""
        spread = np.zeros(len(self._points))
        at = self._place[points]
        spread[at[at >= 0]] = values[at >= 0]
        return spread

    def _share(self, square: Square, level: int) -> Floats:
        """Return how likely a piece of such a height covers each point."""
        share = self._shares.get((square, level))
        if share is None:
            volume = self._volumes.of(square, level)
            share = self._shares[square, level] = self._spread(volume.points, volume.share)
        return share

    def _shown(self, square: Square, gone: frozenset[Square]) -> Floats:
        """Return how surely no piece before a square hides each point; `gone` are none of them."""
        clear = self._clear.get((square, gone))
        if clear is None:
            clear = np.ones(len(self._points))
            for other in self._volumes.order:
                if other == square:
                    break
                if other in self._seen and other not in gone:
                    clear *= 1 - self._seen[other]
            self._clear[square, gone] = clear
        return clear

    def likelihoods(self) -> Floats:
        """Return how well each occupant explains each square: see `Synthesis.likelihoods`."""
        likeliest = self._searched()
        for square, who in product(self._squares, self._who):
            self._weigh({**likeliest, square: (who, ANY)})
        stands = np.tile(self._occupants, (len(self._known), 1))
        for row, changes in zip(stands, self._known, strict=True):
            for square, (who, _) in changes:
                row[square] = who
        nats = np.array(list(self._known.values()))[:, None]
        found = np.stack(
            [np.where(stands == who, nats, -np.inf).max(axis=0) for who in Occupant], axis=1
        )
        weighed: Floats = np.maximum(found - found.max(axis=1, keepdims=True), -SUREST)
        return weighed

    def _searched(self) -> dict[Square, Change]:
        """Return the changes that explain the picture best: moves, one upon another."""
        best: dict[Square, Change] = {}
        nats = 0.0
        for _ in range(ROUNDS):
            tried = list(self._moves(best))
            if not tried:
                break
            better = max(tried, key=self._weigh)
            if self._weigh(better) < nats + WORTH:
                break
            best, nats = better, self._weigh(better)
        return best

    def _moves(self, changes: dict[Square, Change]) -> Iterable[dict[Square, Change]]:
        """Yield changes by one piece more: it has gone, come, moved or been straightened."""
        free = [square for square in self._squares if square not in changes]
        for square, who in product(free, self._who):
            yield {**changes, square: (who, ANY)}
        gone = [square for square in free if square in self._seen]
        gone.sort(key=lambda square: -self._weigh({**changes, square: GONE}))
        for start in gone:
            yield {**changes, start: self._piece(start)}
        for start in gone[:REMOVED]:
            who, level = self._piece(start)
            ends = [square for square in free if self._occupants[square] != who]
            ends.sort(key=lambda square: -self._weigh({**changes, square: (who, ANY)}))
            for end in ends[:ARRIVED]:
                yield {**changes, start: GONE, end: (who, level)}

    def _piece(self, square: Square) -> Change:
        """Return what stood on a square, and how high it is."""
        return Occupant(int(self._occupants[square])), int(self._levels[square])

    def _weigh(self, changes: Changes) -> float:
        """Return how much better the picture is explained by changes than by none, in nats."""
        key = frozenset(
            (square, change) for square, change in changes.items() if change[0] or self._was[square]
        )
        nats = self._known.get(key)
        if nats is None:
            nats = self._known[key] = self._told(dict(key)) - self._price(dict(key))
        return nats

    def _told(self, changes: Changes) -> float:
        """Return what the points tell for changes, in nats."""
        gone = frozenset(square for square in changes if square in self._seen)
        at = self._touched(changes)
        leaves = np.zeros(len(at))
        crowd, crowd_likely = self._crowd[at], self._crowd_likely[at]
        for square in gone:
            share = self._share(square, int(self._levels[square]))[at]
            leaves += self._seen[square][at]
            crowd -= share
            crowd_likely -= share * self._of(square)[at]
        np.minimum(leaves, 1.0, out=leaves)
        of_pieces = np.clip(crowd, 0.0, CROWD)
        behind = (1 - of_pieces) * self._bare[at]
        behind += of_pieces * np.maximum(crowd_likely, 0.0) / np.maximum(crowd, 1e-6)
        likely = leaves * behind + (1 - leaves) * self._same[at]
        for square in sorted(changes, key=self._volumes.depth, reverse=True):
            who, level = changes[square]
            if who:
                covered = self._share(square, level)[at] * self._shown(square, gone)[at]
                likely = covered * self._pieces[who][at] + (1 - covered) * likely
        nats = np.log(likely + RARE) - self._known_same[at]
        return WITNESS * float(np.clip(nats, -MOST, MOST).sum())

    def _touched(self, changes: Changes) -> Indices:
        """Return the points that may look otherwise by changes: others are as likely as before."""
        is_touched = np.zeros(len(self._same), bool)
        for square, (who, level) in changes.items():
            if square in self._seen:
                is_touched |= self._seen[square] > 0
            if who:
                is_touched |= self._share(square, level) > 0
        return np.flatnonzero(is_touched)

    def _price(self, changes: Changes) -> float:
        """Return how unlikely changes are beforehand, in nats."""
        moved = [0] * len(Occupant)
        for square, (who, _) in changes.items():
            was = self._was[square]
            moved[who] += 1
            if who in (0, was):
                moved[was] -= 1
        return PRICE * len(changes) + LONE * sum(map(abs, moved[1:]))

    def _of(self, square: Square) -> Floats:
        """Return how likely all points are the piece that stood on a square."""
        of_piece: Floats = self._pieces[Occupant(int(self._occupants[square]))]
        return of_piece
