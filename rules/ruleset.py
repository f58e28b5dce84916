"""A set of rules: a value for every option, and the texts that name one.

A rules text is `PRESET[+juggernaut][,OPTION=VALUE]...`; a rules file is TOML with `base = "PRESET"`
and the same names as keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from .board import PIECES, SQUARES, Kind, Piece, Square, Topology, grid, ninth_ray
from .options import CLASHES, FAMILIES, OPTIONS
from .plain import TYPE_CHECKING
from .presets import DEFAULT_PRESET, PRESETS
from .sentences import BadText, Contradiction, UnknownName, _, near_miss

if TYPE_CHECKING:
    from typing import Final

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
    def topology(self) -> Topology:
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
        rules = Rules(tuple(values), self.base)
        for clash in CLASHES:
            if all(rules[name] == value for name, value in clash.values):
                both = ", ".join(f"{name}={value}" for name, value in clash.values)
                raise Contradiction(
                    _("{told} contradict each other: {why}"), told=both, why=clash.why
                )
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
    """Read a rules text such as `appendix,thoat=jumps` or `cazaux+juggernaut`.

    Raises UnknownName, BadValue, Contradiction or BadText.
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
            raise Contradiction(_("{name} is told twice in rules {text!r}"), name=option, text=text)
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
