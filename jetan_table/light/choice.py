"""How the lamps look by people's choice, kept in the data folder for the evenings to come."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ..files import Damaged, read_json, write_whole

FILE_NAME = "lamps.json"


class LampChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lamps' palette, and their brightness as a share of full."""

    palette: Literal["standard", "red-green", "mono"] = "standard"
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] = 1.0


class KeptChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What people have chosen, and what the settings said then."""

    chosen: LampChoice
    instead_of: LampChoice


def kept_choice(folder: Path, as_set: LampChoice) -> LampChoice:
    """Return what was chosen last, or what is set, if that has changed since."""
    with suppress(OSError, Damaged):
        choice = read_json(folder / FILE_NAME, KeptChoice)
        if choice is not None and choice.instead_of == as_set:
            return choice.chosen
    return as_set


def keep_choice(folder: Path, chosen: LampChoice, as_set: LampChoice) -> None:
    """Keep what was chosen instead of what is set; OSError where the disk refuses."""
    write_whole(folder / FILE_NAME, msgspec.json.encode(KeptChoice(chosen, as_set)))
