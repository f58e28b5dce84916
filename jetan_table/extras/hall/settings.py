"""`[hall]`: which broker a table tells what is played at it.

Which match against a far table is asked for, on the command line.
"""

from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from rules.sentences import _

from ...cli.options import PlayOption, misused, option
from ...game.events import SideName
from ...settings import Settings

TABLE_NAME: Final = r"[a-z0-9][a-z0-9-]{0,31}"
"""What a table may be called in a hall: it stands in topics, files and the names of users."""

NO_TABLE_NAME: Final = _(
    "{name!r}: a table is called by up to 32 small letters, digits and dashes, such as alpha"
)


class HallSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[hall]`: where a table tells what is played at it; without a broker nowhere."""

    broker: str = ""
    """`mqtt://host:1883`, or `mqtts://host:8883`."""
    table: str = ""
    """What this table is called there: small letters, digits, dashes."""
    user: str = ""
    """Who it is for the broker; empty: as the table is called."""
    password: str = ""
    """The file with its password."""
    certificate: str = ""
    """The file by which the broker's certificate is trusted; empty: as the system trusts."""
    home_assistant: bool = False
    """Whether the table shows itself to Home Assistant."""


@dataclass(frozen=True, slots=True)
class FarOptions(PlayOption):
    """The match against a far table that was asked for; None: against nobody."""

    match: Annotated[
        str | None, option("Play a far table: new, or its code.", "--far", metavar="MATCH")
    ]
    far_side: Annotated[SideName, option("Your own side, where you invite.", default="black")]

    def code(self, made_up: str) -> str:
        """Return the match's code: `made_up` where a new match is asked for."""
        code = (self.match or "").upper()
        if code == "NEW":
            return made_up
        if len(code) != 6 or not (code.isascii() and code.isalpha()):
            raise misused(
                _("--far {match}: say new, or the six letters of a match"), match=self.match
            )
        return code

    def check(self, settings: Settings, has_people: bool) -> None:
        """Refuse a match where no broker leads to it."""
        if self.match is None:
            return
        self.code("")
        if not settings.of(HallSettings).broker:
            raise misused(_("--far: the settings name no broker: [hall] broker and table"))
