"""How the lamps look by people's choice, kept in the data folder for the evenings to come."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ..files import write_whole

FILE_NAME = "lamps.json"


class LampChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lamps' palette, and their brightness as a share of full."""

    palette: Literal["standard", "red-green", "mono"] = "standard"
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] = 1.0


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A look, and that of the settings when it was chosen."""

    chosen: LampChoice
    instead_of: LampChoice


def kept_choice(folder: Path, by_settings: LampChoice) -> LampChoice:
    """Return the look chosen last, or `told` by the settings, if they have changed since."""
    with suppress(FileNotFoundError, msgspec.DecodeError):
        choice = msgspec.json.decode((folder / FILE_NAME).read_bytes(), type=_Choice)
        if choice.instead_of == by_settings:
            return choice.chosen
    return by_settings


def keep_choice(folder: Path, chosen: LampChoice, by_settings: LampChoice) -> None:
    """Keep a look that was chosen instead of that `told` by the settings; OSError if refused."""
    write_whole(folder / FILE_NAME, msgspec.json.encode(_Choice(chosen, by_settings)))
