"""Published readings of Jetan, each as what it changes in the Appendix taken strictly."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .plain import NamedTuple


class Preset(NamedTuple):
    """A named reading: its source, and a value for each option it answers differently."""

    source: str
    differs: Mapping[str, str]


def _preset(source: str, /, **differs: str) -> Preset:
    """Make a preset; option names are written with `_` for `-` and `__` for `.`."""
    named = {name.replace("__", ".").replace("_", "-"): value for name, value in differs.items()}
    return Preset(source, MappingProxyType(named))


_EKMAN = "after Fredrik Ekman's two findings: the thoat {}, set-up of the {}"
_NINTH_RAY = "D. Henry, Ninth-Ray Jetan, centre crossed {}"

DEFAULT_PRESET = "appendix"

PRESETS = {
    "appendix": _preset("The Chessmen of Mars (1922), Appendix, taken strictly"),
    "chapter-two": _preset(
        "The Chessmen of Mars (1922), Chapter II",
        thoat="jumps",
        warrior="straight-or-diagonal-line",
        chief="line",
        princess_takes="yes",
        princess_ends="anywhere",
        escape="none",
    ),
    "abstract-games": _preset(
        "Abstract Games 6 (2001), suggested standard",
        thoat="jumps",
        repetition="threefold",
        captureless="50",
    ),
    "cazaux": _preset(
        "J.-L. Cazaux, as the German Wikipedia gives it",
        thoat="jumps",
        princess_ends="anywhere",
        escape="unoccupied",
        chief_taken_by_other="play-on",
        few_equal="any",
    ),
    "after-ekman-jumping": _preset(_EKMAN.format("jumps", "Appendix"), thoat="jumps"),
    "after-ekman-jumping-manator": _preset(
        _EKMAN.format("jumps", "city of Manator"), thoat="jumps", set_up="manator"
    ),
    "after-ekman-walking": _preset(
        _EKMAN.format("walks, straight first", "Appendix"), thoat="straight-first"
    ),
    "after-ekman-walking-manator": _preset(
        _EKMAN.format("walks, straight first", "city of Manator"),
        thoat="straight-first",
        set_up="manator",
    ),
    "wikipedia-exact": _preset(
        "English Wikipedia, all steps taken", escape="unoccupied", princess_ends="anywhere"
    ),
    "wikipedia-free": _preset(
        "English Wikipedia, one step to all of them",
        escape="unoccupied",
        princess_ends="anywhere",
        stride="up-to",
    ),
    "retired-chief": _preset(
        "English Wikipedia, its simplest cure for draws", chief_taken_by_other="play-on"
    ),
    "friedlander": _preset(
        "The Martian Chess applet by Ed Friedlander",
        thoat="jumps",
        escape="none",
        princess_ends="anywhere",
        chief_taken_by_other="play-on",
        few_equal="any",
        ending="checkmate",
        no_move="loss",
    ),
    "zillions": _preset("The Zillions of Games file", thoat="jumps", chief_taken_by_other="win"),
    "manator": _preset(
        "The city of Manator (Chapter XVII)", set_up="manator", thoat="jumps", flier_name="Odwar"
    ),
    "manator-arena": _preset(
        "The arena of Manator, where pieces fight for their squares",
        set_up="manator",
        thoat="jumps",
        flier_name="Odwar",
        duel="arena",
    ),
    "ninth-ray-clockwise": _preset(
        _NINTH_RAY.format("clockwise"),
        board="ninth-ray-clockwise",
        set_up="ninth-ray",
        flier_name="Odwar",
    ),
    "ninth-ray-counterclockwise": _preset(
        _NINTH_RAY.format("counterclockwise"),
        board="ninth-ray-counterclockwise",
        set_up="ninth-ray",
        flier_name="Odwar",
    ),
}
