"""The opponent of the people, as chosen on the command line."""

from dataclasses import dataclass
from typing import Annotated

from rules import Side, _

from ...cli.options import PlayOption, misused, option
from ...game.events import SideName
from ...settings import Settings
from .seat import THINK_S, Invitation


@dataclass(frozen=True, slots=True)
class OpponentOptions(PlayOption):
    """The opponent of the people."""

    opponent: Annotated[
        str | None,
        option(
            "Play against the table: panthan, than, padwar, dwar, odwar, jedwar, jed or "
            "jeddak; or against 'command:' and another engine's command line.",
            metavar="LEVEL",
        ),
    ]
    opponent_side: Annotated[SideName, option(default="orange")]
    think: Annotated[float, option("Its seconds a move.", least=0.05, default=THINK_S)]
    ponder: Annotated[bool, "It thinks on your time, too."]
    guide: Annotated[bool, "The table shows you a good move each time."]
    no_book: Annotated[bool, "It thinks from the first move on."]

    @property
    def invitation(self) -> Invitation | None:
        """The invitation, or None."""
        if not self.opponent:
            return None
        side = Side[self.opponent_side.upper()]
        how = self.think, self.ponder, self.guide, not self.no_book
        return Invitation(self.opponent, side, *how)

    def check(self, settings: Settings, has_people: bool) -> None:
        """Refuse to play against simulated people."""
        if self.opponent and has_people:
            raise misused(_("--opponent: simulated people play both sides"))
