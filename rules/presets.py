"""Published readings of Jetan, each as what it changes in the Appendix taken strictly."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .plain import NamedTuple
from .sentences import Sentence, _


class Preset(NamedTuple):
    """A named reading: its source, and a value for each option it answers differently."""

    source: Sentence
    differs: Mapping[str, str]


def _preset(source: Sentence, /, **differs: str) -> Preset:
    """Make a preset; option names are written with `_` for `-` and `__` for `.`."""
    named = {name.replace("__", ".").replace("_", "-"): value for name, value in differs.items()}
    return Preset(source, MappingProxyType(named))


DEFAULT_PRESET = "appendix"
"""What a rules text changes, and what is meant where none is written: the book's own words."""

RECOMMENDED = "zillions"
"""What people play who have not chosen a reading: docs/decisions.md says why."""

PRESETS = {
    "appendix": _preset(_("The Chessmen of Mars (1922), Appendix, taken strictly")),
    "chapter-two": _preset(
        _("The Chessmen of Mars (1922), Chapter II"),
        thoat="jumps",
        warrior="straight-or-diagonal-line",
        chief="line",
        princess_takes="yes",
        princess_ends="anywhere",
        escape="none",
    ),
    "abstract-games": _preset(
        _("Abstract Games 6 (2001), suggested standard"),
        thoat="jumps",
        repetition="threefold",
        captureless="50",
    ),
    "cazaux": _preset(
        _("J.-L. Cazaux, as the German Wikipedia gives it"),
        thoat="jumps",
        princess_ends="anywhere",
        escape="unoccupied",
        chief_taken_by_other="play-on",
        few_equal="any",
    ),
    "after-ekman-jumping": _preset(
        _("after Fredrik Ekman's two findings: the thoat jumps, set-up of the Appendix"),
        thoat="jumps",
    ),
    "after-ekman-jumping-manator": _preset(
        _("after Fredrik Ekman's two findings: the thoat jumps, set-up of the city of Manator"),
        thoat="jumps",
        set_up="manator",
    ),
    "after-ekman-walking": _preset(
        _(
            "after Fredrik Ekman's two findings: the thoat walks, straight first, set-up of "
            "the Appendix"
        ),
        thoat="straight-first",
    ),
    "after-ekman-walking-manator": _preset(
        _(
            "after Fredrik Ekman's two findings: the thoat walks, straight first, set-up of the "
            "city of Manator"
        ),
        thoat="straight-first",
        set_up="manator",
    ),
    "wikipedia-exact": _preset(
        _("English Wikipedia, all steps taken"), escape="unoccupied", princess_ends="anywhere"
    ),
    "wikipedia-free": _preset(
        _("English Wikipedia, one step to all of them"),
        escape="unoccupied",
        princess_ends="anywhere",
        stride="up-to",
    ),
    "retired-chief": _preset(
        _("English Wikipedia, its simplest cure for draws"), chief_taken_by_other="play-on"
    ),
    "friedlander": _preset(
        _("The Martian Chess applet by Ed Friedlander"),
        thoat="jumps",
        escape="none",
        princess_ends="anywhere",
        chief_taken_by_other="play-on",
        few_equal="any",
        ending="checkmate",
        no_move="loss",
    ),
    "zillions": _preset(_("The Zillions of Games file"), thoat="jumps", chief_taken_by_other="win"),
    "manator": _preset(
        _("The city of Manator (Chapter XVII)"), set_up="manator", thoat="jumps", flier_name="Odwar"
    ),
    "manator-arena": _preset(
        _("The arena of Manator, where pieces fight for their squares"),
        set_up="manator",
        thoat="jumps",
        flier_name="Odwar",
        duel="arena",
    ),
    "ninth-ray-clockwise": _preset(
        _("D. Henry, Ninth-Ray Jetan, centre crossed clockwise"),
        board="ninth-ray-clockwise",
        set_up="ninth-ray",
        flier_name="Odwar",
    ),
    "ninth-ray-counterclockwise": _preset(
        _("D. Henry, Ninth-Ray Jetan, centre crossed counterclockwise"),
        board="ninth-ray-counterclockwise",
        set_up="ninth-ray",
        flier_name="Odwar",
    ),
}
