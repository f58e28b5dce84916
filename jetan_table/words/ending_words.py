"""How a game has ended, in a sentence that also says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules import Termination
from rules.sentences import Sentence, _

WON: Final[Mapping[str, Sentence]] = {
    Termination.PRINCESS_TAKEN.value: _("{side} wins: the Princess is taken."),
    Termination.CHIEF_BY_CHIEF.value: _("{side} wins: Chief has taken Chief."),
    Termination.CHIEF_BY_OTHER.value: _("{side} wins: the Chief is taken."),
    Termination.CHECKMATE.value: _("{side} wins: the Princess cannot be saved."),
    Termination.NO_MOVE.value: _("{side} wins: {other} cannot move."),
    Termination.RESIGNED.value: _("{side} wins: {other} has resigned."),
    Termination.TIME.value: _("{side} wins: {other} has run out of time."),
}
DRAWN: Final[Mapping[str, Sentence]] = {
    Termination.CHIEF_BY_OTHER.value: _(
        "A draw: a Chief has fallen, but not to a Chief, so nobody wins."
    ),
    Termination.JUGGERNAUT.value: _(
        "A draw: the Juggernaut has crushed a Chief or a Princess, so nobody wins."
    ),
    Termination.NO_MOVE.value: _("A draw: the side to move cannot move."),
    Termination.FEW_PIECES.value: _(
        "A draw: three pieces or fewer a side, of equal worth, and ten more moves decided nothing."
    ),
    Termination.CAPTURELESS.value: _("A draw: nothing has been taken for too long."),
    Termination.REPETITION.value: _("A draw: the same position has come three times."),
    Termination.AGREED.value: _("A draw: both sides agreed."),
}
