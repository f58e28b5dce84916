"""What a trial may find wrong with a board, each with its mend."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from rules import Square
from rules.sentences import Sentence, _
from vision.showing import Quality

from ...notices import Notice


class BoardFault(Enum):
    """What can be wrong with a board, in words, and its mend.

    `squares` are the squares, files or ranks that it befell, or how often. What is wrong with a
    camera's picture its doctor says.
    """

    DEAD = (
        _("These switches did not respond: {squares}."),
        _("Look at the reed and its two wires."),
    )
    STUCK = (
        _("These switches are always closed: {squares}."),
        _("Look for a magnet or a solder bridge beneath; else change the reed."),
    )
    DEAF = (
        _("These switches missed a touch now and then: {squares}."),
        _("Move the reed to the middle of its square, or take a stronger magnet."),
    )
    WEAK = (
        _("These switches let go under a piece: {squares}."),
        _("Take a stronger magnet, or a more sensitive reed."),
    )
    NOISY = (
        _("These switches bounce nearly as long as the hold-off: {squares}."),
        _("Set [reed] debounce_ms higher, or change the reed."),
    )
    FILES = (
        _("Wires are exchanged: what happens on these files shows on others: {squares}."),
        _("Exchange the wires, or run jetan wire."),
    )
    RANKS = (
        _("Wires are exchanged: what happens on these ranks shows on others: {squares}."),
        _("Exchange the wires, or run jetan wire."),
    )
    WIRES = (
        _("Switches are wired in another order than the settings say: {squares}."),
        _("Run jetan wire."),
    )
    LAMPS = (
        _("Lamps run in another order than the settings say: {squares}."),
        _("Run jetan wire, or set [lamps] order."),
    )

    MIRRORED = (
        _("The camera's picture is mirrored: {squares}."),
        _("Turn mirroring off where the camera is set; phones call it the selfie view."),
    )
    COVERED = (
        _("Hardly anything is to be seen: the lens is covered, or there is too little light."),
        _("Uncover the lens, and turn a lamp on."),
    )
    UNFOUND = (
        _("The camera does not find the board in its picture."),
        _("Show all of the board, straight from above; jetan camera doctor says more."),
    )
    ALIKE = (
        _("What stands on these squares at the start is not seen: {squares}."),
        _("Mark pieces that look like their squares with a pale dot on top, or light them better."),
    )
    BUMPED = (
        _("The camera or the board was moved, and the board found again: {squares} times."),
        _("Screw the camera tight."),
    )
    LOST = (
        _("The board was out of sight in {squares} % of all looks."),
        _("Screw the camera tight, and keep the board in its picture."),
    )

    @property
    def what(self) -> Sentence:
        return self.value[0]

    @property
    def mend(self) -> Sentence:
        return self.value[1]


@dataclass(frozen=True, slots=True)
class SightFigures:
    """What a camera gave."""

    looks_hz: float
    """So many pictures a second were looked at."""
    ages_s: Sequence[float]
    """How old each was when it was looked at, in seconds."""
    rested: float
    """The share of looks that showed the board at rest."""
    doubts: Mapping[Square, float]
    """Of squares that were in doubt, in what share of the looks at rest; the worst first."""
    worst: Quality | None
    """The worst that its pictures gave; None where no board was found."""


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """What a trial has of its camera: figures, what was wrong, and when something moved."""

    figures: SightFigures
    faults: Mapping[BoardFault, Sequence[str]]
    notices: Sequence[Notice]
    """What a camera's doctor says of its pictures that would spoil a game."""
    stirs: Sequence[float]
