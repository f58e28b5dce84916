"""The table's settings: a TOML file, every option with a default, refused early in its words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import msgspec

from rules.errors import near_miss

from .errors import TableError

FILE_NAME = "table.toml"


class BadSettings(TableError, ValueError):
    """A settings file that cannot be used; the message names the option and the mend."""


def _between(least: float, most: float) -> msgspec.Meta:
    return msgspec.Meta(ge=least, le=most)


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[table]`: the game, and how the table speaks of it. `patience_s` as in `session`."""

    rules: str = "appendix"
    language: Literal["en", "de"] = "en"
    patience_s: Annotated[float, _between(0.1, 10)] = 0.7


class ReedSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[reed]`: the switches. `scan_hz` is how often the whole matrix is read."""

    debounce_ms: Annotated[float, _between(1, 200)] = 6.0
    scan_hz: Annotated[float, _between(20, 1000)] = 200.0


class LampSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[lamps]`: `brightness` is a share of full, `limit_ma` what their supply gives."""

    palette: Literal["standard", "red-green", "mono"] = "standard"
    brightness: Annotated[float, _between(0.02, 1)] = 1.0
    limit_ma: Annotated[float, _between(200, 20_000)] = 2000.0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of them."""

    table: TableSettings = TableSettings()
    reed: ReedSettings = ReedSettings()
    lamps: LampSettings = LampSettings()


def find_settings(
    named: Path | None, environment: Mapping[str, str], etc: Path = Path("/etc")
) -> Path | None:
    """Return the settings file to use: the first that is named or there, None where there is none.

    In this order: `named`, $JETAN_CONFIG, jetan/table.toml under $XDG_CONFIG_HOME and /etc.
    """
    if named is not None:
        return named
    if told := environment.get("JETAN_CONFIG"):
        return Path(told)
    home = environment.get("XDG_CONFIG_HOME") or Path(environment.get("HOME", "/")) / ".config"
    places = (Path(home) / "jetan" / FILE_NAME, etc / "jetan" / FILE_NAME)
    return next((place for place in places if place.is_file()), None)


def read_settings(path: Path | None) -> Settings:
    """Read a settings file; without one all options have their defaults.

    Raises BadSettings, or OSError where the file cannot be read.
    """
    if path is None:
        return Settings()
    try:
        return parse_settings(path.read_text(encoding="utf-8"))
    except (BadSettings, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: {error}") from None


def parse_settings(text: str) -> Settings:
    """Read the text of a settings file; BadSettings names the first option that is wrong."""
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"no TOML: {error}") from None
    sections = get_type_hints(Settings)
    for section, options in told.items():
        if section not in sections:
            raise BadSettings(f"[{section}]: no such section{near_miss(section, sections)}")
        if not isinstance(options, dict):
            raise BadSettings(f"{section} = {options!r}: must be a section, [{section}]")
        types = get_type_hints(sections[section], include_extras=True)
        for name, value in options.items():
            _check(section, name, value, types)
    return msgspec.convert(told, Settings)


def _check(section: str, name: str, value: Any, types: Mapping[str, Any]) -> None:
    if name not in types:
        raise BadSettings(f"[{section}] {name}: no such option{near_miss(name, types)}")
    try:
        msgspec.convert(value, types[name])
    except msgspec.ValidationError:
        shown = msgspec.json.encode(value).decode()
        wanted = _choices(types[name])
        raise BadSettings(f"[{section}] {name} = {shown}: must be {wanted}") from None


def _choices(option: Any) -> str:
    """Say in words what an option takes: `1..200`, or `"en" or "de"`."""
    told = msgspec.inspect.type_info(option)
    match told:
        case msgspec.inspect.FloatType(ge=least, le=most):
            return f"{least:g}..{most:g}"
        case msgspec.inspect.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case _:
            return "a text in quotes"
