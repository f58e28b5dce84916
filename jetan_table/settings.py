"""The table's settings: a TOML file, every option with a default, refused early in its words."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec
from msgspec.structs import replace

from hardware.lamps import ColourOrder
from hardware.matrix import Pin, index_of
from hardware.pins import COLUMNS, DIE_BUTTON, MENU_BUTTON, ROWS, PinMap
from hardware.ports import BadWiring, Switch
from rules import RECOMMENDED, Sentence, _, joined, near_miss

from .errors import TableError
from .extras import board_kinds, brought_sections
from .files import read_text
from .game.agreements import BadTimeControl, parse_time_control
from .languages import ENGLISH, LANGUAGES, Language
from .light.lamps import Lamp, LampChoice

Section = TypeVar("Section", bound=msgspec.Struct)

FILE_NAME = "table.toml"

MOST_LETTERS: Final = 1000
"""Longest text of an option."""

MOST_SHOWN: Final = 60
"""Most letters that are shown of a wrong value."""

FEED_MA, MOST_FEEDS = 3000, 4
"""Current that the plugs and the wires of one feed of the lamps carry."""


class BadSettings(TableError, ValueError):
    """A settings file that cannot be used; the message names the option and the mend."""


def _between(least: float, most: float) -> msgspec.Meta:
    return msgspec.Meta(ge=least, le=most)


def _takes(words: Sentence) -> msgspec.Meta:
    """Describe the values of an option whose type does not tell people."""
    return msgspec.Meta(description=str(words))


Order = Annotated[
    Literal["rows", "snake", "rings"] | tuple[str, ...],
    _takes(_('"rows", "snake", "rings" or a list of all squares')),
]
Pins = Annotated[tuple[int, ...], _takes(_("a list of ten GPIO numbers"))]

Spoken = Annotated[
    Language,
    msgspec.Meta(
        pattern=f"^({'|'.join(LANGUAGES)})$",
    ),
]


BoardKind: TypeAlias = Literal["screen", "simulated", "emulated", "serial", "pins", "camera"]
"""Our own kinds of board; `boards/opening.py` opens them."""

BOARD_KINDS: Final[tuple[BoardKind, ...]] = get_args(BoardKind)
FOREIGN: Final = r"[A-Za-z_][\w.]*:[A-Za-z_]\w*"
"""A board of another package: MODULE:NAME of what opens it."""


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[table]`: the board, the game, and how the table speaks of it."""

    board: str = "screen"
    """A picture on the screen, a real one that is simulated, the firmware in an emulated chip, one
    at a serial line (`[serial]`), one on the Pi's own pins (`[pins]`), or any that a camera sees
    (`[camera]`), which may look on at those two as well; or another package's, by MODULE:NAME.
    """
    rules: str = RECOMMENDED
    """Those of new games: a preset, a rules text, or the path of a file."""
    language: Spoken = ENGLISH
    rolls: Literal["asked", "self"] = "asked"
    """`asked`: the table's die waits until somebody asks for a roll."""
    patience_s: Annotated[float, _between(0.1, 10)] = 0.7
    """Seconds after which hands are led back from a board that nothing explains."""
    clock: str = "none"
    """The time control of new games, as people write it: `10+5`."""
    conduct: Literal["friendly", "strict", "tournament"] = "friendly"
    """The manners of new games about touched pieces, advice and corrections."""


class ReedSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[reed]`: the switches."""

    debounce_ms: Annotated[float, _between(1, 200)] = 6.0
    """Milliseconds after a change of a switch in which further ones are bounces, and ignored."""
    scan_hz: Annotated[float, _between(20, 1000)] = 200.0
    """Scans of the whole matrix in a second."""
    diodes: bool = True
    """True if every switch has one; without, three closed corners of a rectangle show a fourth."""
    order: Order = "rows"
    """The way of the wiring through the squares, row of the matrix by row."""

    def switch_of(self) -> tuple[Switch, ...]:
        """Return each square's switch; raises BadWiring."""
        return tuple(map(Switch, index_of(self.order)))


class LampSettings(LampChoice, frozen=True, forbid_unknown_fields=True):
    """`[lamps]`: palette and brightness as people may choose them, and how they are wired."""

    limit_ma: Annotated[float, _between(200, MOST_FEEDS * FEED_MA)] = 2000.0
    """Current of their supply, to which they are dimmed."""
    feeds: Annotated[int, _between(1, MOST_FEEDS)] = 1
    """Places where their supply comes in; each carries `FEED_MA`."""
    order: Order = "rows"
    """The way of their data wire through the squares."""
    colours: ColourOrder = "grb"
    """The order in which they take the parts of a colour."""

    def lamp_of(self) -> tuple[Lamp, ...]:
        """Return each square's lamp; raises BadWiring."""
        return tuple(map(Lamp, index_of(self.order)))


class SerialSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[serial]`: a board at the end of a cable."""

    port: str = "auto"
    """`auto`, the first board that says hello; a device, or a URL."""
    baud: Annotated[int, _between(9600, 2_000_000)] = 500_000
    """As the firmware was built for."""


class PinSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[pins]`: a board on the Pi's own pins, by their BCM numbers."""

    rows: Pins = ROWS
    columns: Pins = COLUMNS
    die_button: Annotated[int, _between(0, 27)] = DIE_BUTTON
    """0: there is none."""
    menu_button: Annotated[int, _between(0, 27)] = MENU_BUTTON
    """0: there is none."""
    spi: str = "/dev/spidev0.0"
    """The device for the lamps' data, at GPIO 10."""

    def pin_map(self) -> PinMap:
        """Return it checked; raises BadWiring."""
        return PinMap(
            tuple(map(Pin, self.rows)),
            tuple(map(Pin, self.columns)),
            Pin(self.die_button) if self.die_button else None,
            Pin(self.menu_button) if self.menu_button else None,
        )


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[camera]`: a camera over the board. Empty options are not there, or found out."""

    source: str = ""
    """One of `jetan watch`, as "usb:0"; without it there is no camera."""
    corners: str = ""
    """The pixels of the corners a1, j1, j10 and a10, commas between."""
    markers: str = ""
    """The file that `jetan camera sheet` wrote."""
    lens: str = ""
    """The file that `jetan camera calibrate --charuco` wrote."""


class WebSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[web]`: the page."""

    port: Annotated[int, _between(0, 65_535)] = 1922
    """0: any free one."""
    names: str = ""
    """Names of this machine besides its own, commas between: browsers may come by these."""


class SoundSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[sound]`: the table's voice."""

    speak: bool = False
    """True if it speaks, in its language."""
    by_ear: bool = False
    """True if it says all that people need who do not look at it."""
    command: str = ""
    """The command line that speaks, with `{language}` and `{text}`; empty: espeak-ng."""


class SeriesSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[series]`: the stakes of a new series, unless people agree otherwise."""

    stake: Annotated[int, _between(0, 1_000_000)] = 0
    """Tokens that the winner gets."""
    price: str = "1"
    """That of heads: "1" is their values, "2,C=30" twice these but for the Chief."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a table, section by section."""

    table: TableSettings = TableSettings()
    reed: ReedSettings = ReedSettings()
    lamps: LampSettings = LampSettings()
    serial: SerialSettings = SerialSettings()
    pins: PinSettings = PinSettings()
    camera: CameraSettings = CameraSettings()
    web: WebSettings = WebSettings()
    series: SeriesSettings = SeriesSettings()
    sound: SoundSettings = SoundSettings()
    extras: tuple[msgspec.Struct, ...] = ()
    """The sections of features that differ from their defaults."""

    def of(self, kind: type[Section]) -> Section:
        """Return a feature's section."""
        return next((each for each in self.extras if isinstance(each, kind)), None) or kind()

    def section(self, name: str) -> msgspec.Struct:
        """Return the section of that name."""
        brought = brought_sections().get(name)
        found: msgspec.Struct = getattr(self, name) if brought is None else self.of(brought)
        return found


def section_types() -> Mapping[str, type[msgspec.Struct]]:
    """Return all sections by name, those of features last."""
    own = {name: kind for name, kind in get_type_hints(Settings).items() if name != "extras"}
    return {**own, **brought_sections()}


def find_settings(
    named: Path | None, environment: Mapping[str, str], etc: Path = Path("/etc")
) -> Path | None:
    """Return the settings file to use: the first that is named or there, None where there is none.

    In this order: `named`, $JETAN_CONFIG, jetan/table.toml under $XDG_CONFIG_HOME and /etc.
    """
    if named is not None:
        return named
    if path := environment.get("JETAN_CONFIG"):
        return Path(path)
    return next((place for place in places(environment, etc) if place.is_file()), None)


def places(environment: Mapping[str, str], etc: Path = Path("/etc")) -> tuple[Path, ...]:
    """Return where a settings file is looked for that nothing names, the first to count first."""
    home = environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME", "/")) / ".config"
    return Path(home) / "jetan" / FILE_NAME, etc / "jetan" / FILE_NAME


def origins(path: Path | None) -> dict[tuple[str, str], str]:
    """Return where options come from that are not their defaults, by section and name.

    `path` is a settings file that can be read, None where there is none.
    """
    if path is None:
        return {}
    sections = tomllib.loads(read_text(path))
    return {(section, name): str(path) for section, options in sections.items() for name in options}


def read_settings(path: Path | None) -> Settings:
    """Read a settings file; without one all options have their defaults.

    Raises BadSettings, NotText, or OSError where the file cannot be read.
    """
    if path is None:
        return Settings()
    try:
        return parse_settings(read_text(path))
    except BadSettings as error:
        raise BadSettings(_("{path}: {why}"), path=path, why=error) from None


def parse_settings(text: str) -> Settings:
    """Read the text of a settings file; BadSettings names the first option that is wrong."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number or a nesting may be too long for it
        raise BadSettings(_("no TOML: {why}"), why=error) from None
    sections, brought = section_types(), brought_sections()
    for section, options in document.items():
        if section not in sections:
            raise BadSettings(
                _("[{section}]: no such section{near}"),
                section=_cut(section),
                near=near_miss(_cut(section), sections),
            )
        if not isinstance(options, dict):
            raise BadSettings(
                _("{section} = {shown}: must be a section, [{section}]"),
                section=section,
                shown=_shown(options),
            )
        types = get_type_hints(sections[section], include_extras=True)
        for name, value in options.items():
            _check(section, name, value, types)
    # What features brought is converted by itself: the settings do not know their types.
    own = {name: options for name, options in document.items() if name not in brought}
    added = [msgspec.convert(document[name], brought[name]) for name in brought if name in document]
    # A section that says what counts anyway says nothing: such settings are equal.
    added = [each for each in added if each != type(each)()]
    settings = replace(msgspec.convert(own, Settings), extras=tuple(added))
    _check_texts(settings)
    return settings


def _check_texts(settings: Settings) -> None:
    board = settings.table.board
    if board not in BOARD_KINDS and not re.fullmatch(FOREIGN, board) and board not in board_kinds():
        wanted = _('"screen", "simulated", "emulated", "serial", "pins", "camera" or MODULE:NAME')
        raise _must_be("table", "board", board, wanted)
    wirings: Mapping[str, Callable[[], object]] = {
        "reed": settings.reed.switch_of,
        "lamps": settings.lamps.lamp_of,
        "pins": settings.pins.pin_map,
    }
    for section, wiring in wirings.items():
        try:
            wiring()
        except BadWiring as error:
            raise BadSettings(_("[{section}] {why}"), section=section, why=error) from None
    lamps = settings.lamps
    if lamps.limit_ma > lamps.feeds * FEED_MA:
        raise BadSettings(
            _(
                "[lamps] limit_ma = {limit:g}: must be {most} at most, which wires carry; "
                "more by a second feed, and feeds = 2"
            ),
            limit=lamps.limit_ma,
            most=lamps.feeds * FEED_MA,
        )
    try:
        parse_time_control(settings.table.clock)
    except BadTimeControl as error:
        raise BadSettings(_("[table] {why}"), why=error) from None


def _check(section: str, name: str, value: Any, types: Mapping[str, Any]) -> None:
    if name not in types:
        raise BadSettings(
            _("[{section}] {name}: no such option{near}"),
            section=section,
            name=_cut(name),
            near=near_miss(_cut(name), types),
        )
    try:
        msgspec.convert(value, types[name])
        if isinstance(value, str) and len(value) > MOST_LETTERS:
            raise _must_be(section, name, value, _("a shorter text"))
    except msgspec.ValidationError:
        raise _must_be(section, name, value, _choices(types[name])) from None


def _shown(value: object) -> str:
    """Return a value much as it stands in the file, but no more than a line of it."""
    try:
        return _cut(msgspec.json.encode(value).decode())
    except ValueError:  # Python writes no number of thousands of digits
        return "..."


def _cut(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."


def _one_of(words: Iterable[str]) -> str:
    """Return words of which an option takes one, as a value of a sentence: `"en" or "de"`."""
    return joined((f'"{word}"' for word in words), _(" or "))


def _must_be(section: str, name: str, value: object, wanted: str) -> BadSettings:
    template, shown = _("[{section}] {name} = {shown}: must be {wanted}"), _shown(value)
    return BadSettings(template, section=section, name=name, shown=shown, wanted=wanted)


def _choices(option: Any) -> str:
    """Say what an option takes: `1..200`, or `"en" or "de"`."""
    match msgspec.inspect.type_info(option):
        case msgspec.inspect.Metadata(extra_json_schema={"description": str(words)}):
            return Sentence(words)
        case msgspec.inspect.Metadata(extra_json_schema={"pattern": _pattern}):
            return _one_of(LANGUAGES)
        case msgspec.inspect.FloatType(ge=least, le=most):
            return f"{least:g}..{most:g}"
        case msgspec.inspect.IntType(ge=least, le=most):
            return f"{least}..{most}"
        case msgspec.inspect.BoolType():
            return _("true or false")
        case msgspec.inspect.LiteralType(values=values):
            return _one_of(map(str, values))
        case _:
            return _("a text in quotes")


def data_folder(named: Path | None, environment: Mapping[str, str]) -> Path:
    """Return where games are kept: `named`, or jetan under $XDG_DATA_HOME."""
    if named is not None:
        return named
    home = environment.get("HOME", "/")
    return Path(environment.get("XDG_DATA_HOME") or Path(home, ".local", "share")) / "jetan"
