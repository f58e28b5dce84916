"""Every point on which published readings of Jetan differ, as data.

The first value of an option is the Appendix's, taken strictly; where the Appendix is silent it is
this project's. Options told kind by kind (`stride`, `value`) are one option per kind, named
`stride.thoat` and so on; the bare name stands for all of them at once.
"""

from __future__ import annotations

from .board import SQUARE_NAMES, Kind
from .plain import NamedTuple, whole_number
from .sentences import BadValue, Sentence, _, near_miss


class Option(NamedTuple):
    """One question and its answers."""

    name: str
    values: tuple[str, ...]
    """The named answers, the default first."""
    meaning: Sentence
    numbers: range | None = None
    """Whole numbers that are answers, too."""
    squares: bool = False
    """Whether the name of any square is an answer, too."""

    @property
    def default(self) -> str:
        return self.values[0]

    def check(self, value: str) -> str:
        """Return `value` as it is written in texts; BadValue where this option has no such one."""
        if value in self.values or (self.squares and value in SQUARE_NAMES):
            return value
        number = whole_number(value)
        if self.numbers and number in self.numbers:
            return str(number)
        near = near_miss(value, self.values)
        raise BadValue(
            _("{name} = {value}: must be {choices}{near}"),
            name=self.name,
            value=value,
            choices=self.choices,
            near=near,
        )

    @property
    def choices(self) -> str:
        """The values as people read them: `off, 1..999`."""
        shown = [] if self.numbers and self.default.isdigit() else list(self.values)
        if self.numbers:
            shown.append(f"{self.numbers[0]}..{self.numbers[-1]}")
        if self.squares:
            shown.append(f"{SQUARE_NAMES[0]}..{SQUARE_NAMES[-1]}")
        return ", ".join(shown)


VALUE_NUMBERS = range(1000)
_VALUES = {
    Kind.PANTHAN: ("1", _("what a panthan counts")),
    Kind.THOAT: ("3", _("what a thoat counts")),
    Kind.WARRIOR: ("2", _("what a warrior counts")),
    Kind.PADWAR: ("2", _("what a padwar counts")),
    Kind.DWAR: ("4", _("what a dwar counts")),
    Kind.FLIER: ("4", _("what a flier counts")),
    Kind.CHIEF: ("10", _("what a chief counts")),
    Kind.PRINCESS: ("0", _("what a princess counts")),
}

_STEPS = {
    Kind.THOAT: _("steps of a thoat: all, or one to all"),
    Kind.WARRIOR: _("steps of a warrior: all, or one to all"),
    Kind.PADWAR: _("steps of a padwar: all, or one to all"),
    Kind.DWAR: _("steps of a dwar: all, or one to all"),
    Kind.FLIER: _("steps of a flier: all, or one to all"),
    Kind.CHIEF: _("steps of a chief: all, or one to all"),
    Kind.PRINCESS: _("steps of a princess: all, or one to all"),
}

_STRIDES = tuple(
    Option(f"stride.{kind.word}", ("exact", "up-to"), meaning) for kind, meaning in _STEPS.items()
)
_WORTHS = tuple(
    Option(f"value.{kind.word}", (value,), meaning, numbers=VALUE_NUMBERS)
    for kind, (value, meaning) in _VALUES.items()
)

_ALL = (
    Option(
        "board",
        ("grid", "ninth-ray-clockwise", "ninth-ray-counterclockwise"),
        _("the flat board, or the disk and which way its centre is crossed"),
    ),
    Option("set-up", ("appendix", "manator", "ninth-ray"), _("how the back ranks stand")),
    *_STRIDES,
    Option(
        "thoat",
        ("walks", "jumps", "straight-first"),
        _("one straight and one diagonal step: blocked, jumping, or blocked and straight first"),
    ),
    Option(
        "warrior",
        ("straight", "straight-or-diagonal", "straight-or-diagonal-line", "any"),
        _("two straight steps; or two diagonal too, turning or in one line; or each step either"),
    ),
    Option("panthan", ("five-ways", "seven-ways"), _("not backward; or diagonally backward too")),
    Option(
        "chief", ("any", "unmixed", "line"), _("how Chief and Princess combine their three steps")
    ),
    Option("flier", ("jumps", "walks"), _("whether pieces in between stop a Flier")),
    Option("flier-name", ("Flier", "Odwar"), _("what the Flier is called")),
    Option("princess-takes", ("no", "yes"), _("whether the Princess may take")),
    Option(
        "princess-ends", ("safe", "anywhere"), _("whether a threatened square is closed to her")
    ),
    Option("princess-passes", ("anywhere", "safe"), _("whether she may cross a threatened square")),
    Option(
        "escape",
        ("unthreatened", "unoccupied", "when-threatened", "none"),
        _(
            "her one flight: to empty squares not threatened, to any empty one, only while she "
            "stands "
            "threatened (to one that is not), or never"
        ),
    ),
    Option(
        "chief-taken-by-other",
        ("draw", "play-on", "forbidden", "win"),
        _("what it means that a piece other than the Chief takes the Chief"),
    ),
    Option(
        "few-equal",
        ("value", "count", "any"),
        _(
            "when three pieces or less a side start the count of ten: equal values, equally many, "
            "any"
        ),
    ),
    Option("no-move", ("loss", "draw"), _("a side that cannot move")),
    Option("repetition", ("off", "threefold"), _("the same position for the third time is a draw")),
    Option(
        "captureless",
        ("off",),
        _("a draw after so many moves by each side without a capture"),
        numbers=range(1, 1000),
    ),
    Option("ending", ("capture", "checkmate"), _("whether the Princess is taken, or mated")),
    Option("duel", ("off", "arena"), _("whether a piece entered fights for its square")),
    Option(
        "juggernaut",
        ("off", "random-empty", "random-any", "centre"),
        _("the neutral piece of the die, and where it starts"),
        squares=True,
    ),
    Option("juggernaut-edge", ("stays", "rolls-again"), _("a roll that leads off the board")),
    *_WORTHS,
)

OPTIONS = {option.name: option for option in _ALL}
"""Every option by name, in the order texts and tables show them."""

FAMILIES = {
    "stride": tuple(option.name for option in _STRIDES),
    "value": tuple(option.name for option in _WORTHS),
}
"""Names that stand for one option per kind."""


class Clash(NamedTuple):
    """Values that cannot be played together, and why."""

    values: tuple[tuple[str, str], ...]
    why: Sentence


CLASHES = (
    Clash(
        (("ending", "checkmate"), ("no-move", "draw")),
        _("who is mated cannot move and loses, so a side without a move cannot draw"),
    ),
    Clash(
        (("duel", "arena"), ("chief-taken-by-other", "forbidden")),
        _("a Chief who loses a duel is taken by another piece"),
    ),
    Clash(
        (("duel", "arena"), ("princess-takes", "yes")),
        _("the Princess never fights, so she cannot take"),
    ),
)
