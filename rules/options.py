"""A set of rules: the points on which readings of Jetan differ, the published readings, and texts.

Points and readings are data. The first value of an option is the Appendix's, taken strictly; where
the Appendix is silent it is this project's. Options told kind by kind (`stride`, `value`) are one
option per kind, named `stride.thoat` and so on; the bare name stands for all of them at once.

A rules text is `PRESET[+juggernaut][,OPTION=VALUE]...`; a rules file is TOML with `base = "PRESET"`
and the same names as keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from .board import PIECES, SQUARE_NAMES, SQUARES, Kind, Piece, Square, Topology, grid, ninth_ray
from .plain import TYPE_CHECKING, NamedTuple, whole_number
from .sentences import BadText, BadValue, Sentence, UnknownName, _, near_miss

if TYPE_CHECKING:
    from typing import Final


class Option(NamedTuple):
    """One question and its answers."""

    name: str
    values: tuple[str, ...]
    """The named answers, the default first."""
    meaning: Sentence
    numbers: range | None = None
    """Whole numbers that are answers, too."""
    squares: bool = False
    """True if the name of any square is an answer, too."""

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


CLASHES = {
    (("ending", "checkmate"), ("no-move", "draw")): _(
        "who is mated cannot move and loses, so a side without a move cannot draw"
    ),
    (("duel", "arena"), ("chief-taken-by-other", "forbidden")): _(
        "a Chief who loses a duel is taken by another piece"
    ),
    (("duel", "arena"), ("princess-takes", "yes")): _(
        "the Princess never fights, so she cannot take"
    ),
}
"""Values that cannot be played together, and why."""


class Preset(NamedTuple):
    """A published reading: its name, meaning and source, and its answers to some options."""

    title: Sentence
    gist: Sentence
    """Its meaning in a sentence."""
    source: Sentence
    differs: Mapping[str, str]
    """The options that it answers in another way than the Appendix."""


def _preset(title: Sentence, gist: Sentence, source: Sentence, /, **differs: str) -> Preset:
    """Make a preset; option names are written with `_` for `-` and `__` for `.`."""
    named = {name.replace("__", ".").replace("_", "-"): value for name, value in differs.items()}
    return Preset(title, gist, source, MappingProxyType(named))


DEFAULT_PRESET = "appendix"
"""The preset where none is named, as in a file without a base: the book's own words."""

RECOMMENDED = "zillions"
"""The preset for people who have not chosen one; docs/decisions.md gives the reasons."""

PRESETS = {
    "appendix": _preset(
        _("The book’s Appendix, to the letter"),
        _("As the book tells it: a Chief taken by anything but a Chief is a draw."),
        _("The Chessmen of Mars (1922), Appendix, taken strictly"),
    ),
    "chapter-two": _preset(
        _("The book’s second chapter"),
        _("Chief and Princess go in a line, and she may take."),
        _("The Chessmen of Mars (1922), Chapter II"),
        thoat="jumps",
        warrior="straight-or-diagonal-line",
        chief="line",
        princess_takes="yes",
        princess_ends="anywhere",
        escape="none",
    ),
    "abstract-games": _preset(
        _("Abstract Games magazine’s standard"),
        _("The Thoat leaps; fifty moves without a capture are a draw."),
        _("Abstract Games 6 (2001), suggested standard"),
        thoat="jumps",
        repetition="threefold",
        captureless="50",
    ),
    "cazaux": _preset(
        _("German Wikipedia (Cazaux)"),
        _("The Thoat leaps, and a taken Chief is only a piece lost."),
        _("J.-L. Cazaux, as the German Wikipedia gives it"),
        thoat="jumps",
        princess_ends="anywhere",
        escape="unoccupied",
        chief_taken_by_other="play-on",
        few_equal="any",
    ),
    "after-ekman-jumping": _preset(
        _("Ekman: the Thoat jumps"),
        _("Like the Appendix, but the Thoat leaps."),
        _("after Fredrik Ekman's two findings: the thoat jumps, set-up of the Appendix"),
        thoat="jumps",
    ),
    "after-ekman-jumping-manator": _preset(
        _("Ekman: the Thoat jumps, Manator’s set-up"),
        _("The Thoat leaps, and Chief faces Chief."),
        _("after Fredrik Ekman's two findings: the thoat jumps, set-up of the city of Manator"),
        thoat="jumps",
        set_up="manator",
    ),
    "after-ekman-walking": _preset(
        _("Ekman: the Thoat walks"),
        _("The Thoat walks: first straight, then diagonal."),
        _(
            "after Fredrik Ekman's two findings: the thoat walks, straight first, set-up of "
            "the Appendix"
        ),
        thoat="straight-first",
    ),
    "after-ekman-walking-manator": _preset(
        _("Ekman: the Thoat walks, Manator’s set-up"),
        _("The Thoat walks, and Chief faces Chief."),
        _(
            "after Fredrik Ekman's two findings: the thoat walks, straight first, set-up of the "
            "city of Manator"
        ),
        thoat="straight-first",
        set_up="manator",
    ),
    "wikipedia-exact": _preset(
        _("English Wikipedia, all steps taken"),
        _("The Princess may go into danger, and escapes to any empty square."),
        _("English Wikipedia, all steps taken"),
        escape="unoccupied",
        princess_ends="anywhere",
    ),
    "wikipedia-free": _preset(
        _("English Wikipedia, fewer steps allowed"),
        _("A piece may take fewer steps than it has."),
        _("English Wikipedia, one step to all of them"),
        escape="unoccupied",
        princess_ends="anywhere",
        stride="up-to",
    ),
    "retired-chief": _preset(
        _("The retired Chief"),
        _("A taken Chief is only a piece lost."),
        _("English Wikipedia, its simplest cure for draws"),
        chief_taken_by_other="play-on",
    ),
    "friedlander": _preset(
        _("Ed Friedlander’s program"),
        _("The Princess cannot escape; checkmate ends the game."),
        _("The Martian Chess applet by Ed Friedlander"),
        thoat="jumps",
        escape="none",
        princess_ends="anywhere",
        chief_taken_by_other="play-on",
        few_equal="any",
        ending="checkmate",
        no_move="loss",
    ),
    "zillions": _preset(
        _("Standard"),
        _("Any piece that takes the enemy Princess or the enemy Chief wins."),
        _("The Zillions of Games file"),
        thoat="jumps",
        chief_taken_by_other="win",
    ),
    "manator": _preset(
        _("The city of Manator"),
        _("The set-up of the city: Chief faces Chief, and the Thoat leaps."),
        _("The city of Manator (Chapter XVII)"),
        set_up="manator",
        thoat="jumps",
        flier_name="Odwar",
    ),
    "manator-arena": _preset(
        _("The arena of Manator: pieces fight"),
        _("A piece that attacks another fights for its square with dice."),
        _("The arena of Manator, where pieces fight for their squares"),
        set_up="manator",
        thoat="jumps",
        flier_name="Odwar",
        duel="arena",
    ),
    "ninth-ray-clockwise": _preset(
        _("Ninth-Ray, the round board, clockwise"),
        _("A round board: every ray meets in the middle."),
        _("D. Henry, Ninth-Ray Jetan, centre crossed clockwise"),
        board="ninth-ray-clockwise",
        set_up="ninth-ray",
        flier_name="Odwar",
    ),
    "ninth-ray-counterclockwise": _preset(
        _("Ninth-Ray, the round board, counterclockwise"),
        _("The round board, its middle crossed the other way."),
        _("D. Henry, Ninth-Ray Jetan, centre crossed counterclockwise"),
        board="ninth-ray-counterclockwise",
        set_up="ninth-ray",
        flier_name="Odwar",
    ),
}


_INDEX = {name: index for index, name in enumerate(OPTIONS)}
_JUGGERNAUT_SUFFIX = "+juggernaut"
TOPOLOGIES: dict[str, Callable[[], Topology]] = {
    "grid": grid,
    "ninth-ray-clockwise": lambda: ninth_ray("clockwise"),
    "ninth-ray-counterclockwise": lambda: ninth_ray("counterclockwise"),
}
# Letters of rank 1 and rank 10, file a to j.
_BACK_RANKS = {
    "appendix": ("WADFCQFDAW", "WADFQCFDAW"),
    "manator": ("WADFCQFDAW", "WADFCQFDAW"),
    "ninth-ray": ("WADFCQFDAW", "WADFCQFDAW"),
}


class Rules:
    """A value for every option, in the order of OPTIONS. `rules["thoat"]` answers one.

    `base` is the preset the rules were told by; two sets of rules that play alike are equal,
    whatever they were told by.
    """

    __slots__ = ("base", "values")

    def __init__(self, values: tuple[str, ...], base: str = DEFAULT_PRESET) -> None:
        self.values: Final = values
        self.base: Final = base

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def __repr__(self) -> str:
        return f"<Rules {format_rules(self)}>"

    def __getitem__(self, option: str) -> str:
        return self.values[_INDEX[option]]

    @property
    def board(self) -> Topology:
        return TOPOLOGIES[self["board"]]()

    def start_pieces(self) -> dict[Square, Piece]:
        """Return the men of the set-up by square."""
        south, north = _BACK_RANKS[self["set-up"]]
        letters = f"{south}TPPPPPPPPT{'.' * 60}tppppppppt{north.lower()}"
        return {
            square: PIECES[letter]
            for square, letter in zip(SQUARES, letters, strict=True)
            if letter != "."
        }

    def worth(self, kind: Kind) -> int:
        """Return what a piece counts in totals, wagers and duels."""
        return int(self[f"value.{kind.word}"])

    def word(self, kind: Kind) -> str:
        """Return the name of a kind under these rules: Panthan, ..., Flier or Odwar."""
        return self["flier-name"] if kind is Kind.FLIER else kind.word.capitalize()

    def changed(self, differs: Mapping[str, str]) -> Rules:
        """Return these rules with other values; the names are those of a rules text."""
        values = list(self.values)
        for name, value in _one_by_one(differs):
            values[_INDEX[name]] = OPTIONS[name].check(value)
        # All values are set before they are compared: a text may name one of a clashing pair first
        # and then the value that goes with it.
        rules = Rules(tuple(values), self.base)
        for clash, why in CLASHES.items():
            if all(rules[name] == value for name, value in clash):
                both = ", ".join(f"{name}={value}" for name, value in clash)
                raise BadValue(_("{told} contradict each other: {why}"), told=both, why=why)
        return rules

    def differences(self, other: Rules) -> dict[str, str]:
        """Return this set's values where `other` has different ones, in the order of OPTIONS."""
        pairs = zip(OPTIONS, self.values, other.values, strict=True)
        return {name: value for name, value, theirs in pairs if value != theirs}


def _one_by_one(differs: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Spell families out, kind by kind, before what is told of a single kind."""
    for family in FAMILIES.keys() & differs.keys():
        for name in FAMILIES[family]:
            yield name, differs[family]
    for name, value in differs.items():
        if name in OPTIONS:
            yield name, value
        elif name not in FAMILIES:
            near = near_miss(name, [*OPTIONS, *FAMILIES])
            raise UnknownName(_("{name}: no such option{near}"), name=name, near=near)


@lru_cache(maxsize=64)
def preset_rules(name: str) -> Rules:
    """Return a preset's rules; UnknownName where there is no such preset."""
    if name not in PRESETS:
        near = near_miss(name, PRESETS)
        raise UnknownName(_("{name}: no such preset{near}"), name=name, near=near)
    strict = Rules(tuple(option.default for option in OPTIONS.values()), name)
    return strict.changed(PRESETS[name].differs)


@lru_cache(maxsize=256)
def parse_rules(text: str) -> Rules:
    """Read a rules text such as `appendix,thoat=jumps`; UnknownName, BadValue or BadText.

    A preset, and the options that differ from it:

        >>> from rules import parse_rules
        >>> parse_rules("appendix,thoat=jumps")["thoat"]
        'jumps'
        >>> parse_rules("cazaux+juggernaut")["juggernaut"]
        'random-empty'
        >>> parse_rules("apendix")
        Traceback (most recent call last):
        rules.sentences.UnknownName: apendix: no such preset, did you mean appendix?
    """
    name, *parts = (part.strip() for part in text.split(","))
    if "=" in name or not name:
        raise BadText(
            _("{text!r}: rules begin with a preset, as in appendix,thoat=jumps"), text=text
        )
    differs: dict[str, str] = {}
    if name.endswith(_JUGGERNAUT_SUFFIX):
        name = name.removesuffix(_JUGGERNAUT_SUFFIX)
        differs["juggernaut"] = "random-empty"
    for part in parts:
        option, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise BadText(_("{part!r} in rules {text!r}: write OPTION=VALUE"), part=part, text=text)
        if option in differs:
            raise BadValue(_("{name} is told twice in rules {text!r}"), name=option, text=text)
        differs[option] = value
    return preset_rules(name).changed(differs)


def format_rules(rules: Rules) -> str:
    """Write rules as their preset and the options that differ; parse_rules reads it back."""
    base = preset_rules(rules.base)
    differs = _families_joined(rules, rules.differences(base))
    name = rules.base
    if differs.get("juggernaut") == "random-empty":
        name += _JUGGERNAUT_SUFFIX
        del differs["juggernaut"]
    return ",".join([name, *(f"{option}={value}" for option, value in differs.items())])


def _families_joined(rules: Rules, differs: dict[str, str]) -> dict[str, str]:
    """Write a family that differs in every member, and to one value, by its bare name."""
    joined: dict[str, str] = {}
    for name, value in differs.items():
        family = name.partition(".")[0]
        members = FAMILIES.get(family, ())
        whole = all(member in differs and rules[member] == value for member in members)
        joined[family if members and whole else name] = value
    return joined


def parse_rules_file(text: str) -> Rules:
    """Read the text of a rules file (TOML); the errors are parse_rules's."""
    import tomllib  # only where a file is read: the import costs as much as this module's own

    try:
        keys = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number or a nesting may be too long for it
        raise BadText(_("rules file: {why}"), why=error) from error
    base = keys.pop("base", DEFAULT_PRESET)
    if not isinstance(base, str):
        raise BadText(_('rules file: base must be the name of a preset, as in base = "appendix"'))
    differs: dict[str, str] = {}
    for name, value in keys.items():
        if isinstance(value, dict) and name in FAMILIES:
            members = {kind: _word(f"{name}.{kind}", each) for kind, each in value.items()}
            if "all" in members:
                differs[name] = members.pop("all")
            differs |= {f"{name}.{kind}": member for kind, member in members.items()}
        else:
            differs[name] = _word(name, value)
    return parse_rules(base).changed(differs)


def _word(name: str, value: object) -> str:
    """Return what an option is set to by a rules file; BadText where that is no word or number."""
    is_number = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9
    if not (is_number or isinstance(value, str)):
        raise BadText(
            _('rules file: {name} must be a word in quotes or a number, as in "off"'), name=name
        )
    return str(value)


def format_rules_file(rules: Rules) -> str:
    """Write rules as a TOML file; parse_rules_file reads it back."""
    lines = [f'base = "{rules.base}"']
    tables: dict[str, list[str]] = {}
    for name, value in _families_joined(rules, rules.differences(preset_rules(rules.base))).items():
        quoted = value if value.isdigit() else f'"{value}"'
        family, _, kind = name.partition(".")
        if kind:
            tables.setdefault(family, []).append(f"{kind} = {quoted}")
        else:
            lines.append(f"{name} = {quoted}")
    lines += [f"{family} = {{ {', '.join(pairs)} }}" for family, pairs in tables.items()]
    return "\n".join(lines) + "\n"
