"""The match against a far table, as chosen on the command line."""

from dataclasses import dataclass
from typing import Annotated

from rules import _

from ...cli.options import PlayOption, misused, option
from ...game.events import SideName
from ...settings import Settings
from .settings import HallSettings


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
