"""What every gesture is called, and what hands do for it: the one table of them, for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rules.words import Language

from ..board.gestures import Deed


@dataclass(frozen=True, slots=True)
class Guide:
    """How gestures are made, in one language: in general, and each one's name and hands' part."""

    how: str
    rows: Mapping[Deed, tuple[str, str]]

    def lines(self) -> list[str]:
        """Return the table as lines of text."""
        wide = max(len(name) for name, _ in self.rows.values())
        return [self.how, *(f"{name:{wide}}  {what}" for name, what in self.rows.values())]


_ENGLISH = Guide(
    "Lift the pieces one after another, at most three seconds apart, and hold them until the light "
    "has filled up, four seconds. Putting one back calls it off.",
    MappingProxyType(
        {
            Deed.RESIGN: ("resign", "your Chief and your Princess"),
            Deed.DRAW: (
                "offer a draw, or accept it",
                "your Chief, your Princess, and the other side's Chief",
            ),
            Deed.TAKE_BACK: (
                "take the last ply back",
                "your Chief, your Princess, and the other side's Princess",
            ),
            Deed.PAUSE: ("stop the clock, or let it run again", "both Chiefs and both Princesses"),
            Deed.NEW_GAME: (
                "begin another game",
                "set all men up for it, after a game or in the middle of one",
            ),
        }
    ),
)

_GERMAN = Guide(
    "Die Figuren nacheinander anheben, höchstens drei Sekunden auseinander, und halten, bis das "
    "Licht voll ist, vier Sekunden. Eine zurückstellen bricht ab.",
    MappingProxyType(
        {
            Deed.RESIGN: ("aufgeben", "dein Anführer und deine Prinzessin"),
            Deed.DRAW: (
                "Remis anbieten oder annehmen",
                "dein Anführer, deine Prinzessin und der Anführer der anderen Seite",
            ),
            Deed.TAKE_BACK: (
                "den letzten Zug zurücknehmen",
                "dein Anführer, deine Prinzessin und die Prinzessin der anderen Seite",
            ),
            Deed.PAUSE: (
                "die Uhr anhalten oder weiterlaufen lassen",
                "beide Anführer und beide Prinzessinnen",
            ),
            Deed.NEW_GAME: (
                "eine neue Partie beginnen",
                "alle Figuren dafür aufstellen, nach einer Partie oder mittendrin",
            ),
        }
    ),
)

GUIDES: Mapping[Language, Guide] = MappingProxyType({"en": _ENGLISH, "de": _GERMAN})
"""How gestures are made, by language."""
