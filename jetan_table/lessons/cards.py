"""A card for each piece: its figure as the book gives it, and how it moves by the rules in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules import Kind, Rules
from rules.errors import near_miss
from rules.law import law_of
from rules.pieces import JUGGERNAUT_LETTER, KINDS, Piece, Side
from rules.words import CATALOGUES, Language, gait_in_words, kind_in_words

from ..errors import TableError
from .german import in_language

FIGURES: Final[Mapping[Kind, str]] = {
    Kind.PANTHAN: "A mercenary: a warrior with one feather. {gait}.",
    Kind.THOAT: "A warrior in the saddle, with two feathers. {gait}.",
    Kind.WARRIOR: "A foot soldier with two feathers. {gait}.",
    Kind.PADWAR: "A lieutenant with two feathers. {gait}.",
    Kind.DWAR: "A captain with three feathers. {gait}.",
    Kind.FLIER: "A propeller with three blades. {gait}.",
    Kind.CHIEF: "A diadem with ten jewels. {gait}.",
    Kind.PRINCESS: "A diadem with one jewel. {gait}.",
}
JUGGERNAUT: Final = (
    "The Colossus of Yorn, which belongs to nobody. After each move a die sends it one step, or "
    "anywhere; whatever it touches dies."
)


class NoSuchCard(TableError, LookupError):
    """A name that no piece has."""


@dataclass(frozen=True, slots=True)
class MoveCard:
    """One piece: its letter as in position texts (`*`: the Juggernaut), name, and two sentences."""

    letter: str
    name: str
    sentences: str


def cards(rules: Rules, language: Language) -> tuple[MoveCard, ...]:
    """Return the cards of all pieces that play by these rules, the Juggernaut's last."""
    men = [_card(kind, rules, language) for kind in KINDS]
    if rules["juggernaut"] == "off":
        return tuple(men)
    name = CATALOGUES[language].juggernaut
    return (*men, MoveCard(JUGGERNAUT_LETTER, name, in_language(language, JUGGERNAUT)))


def find_card(name: str, rules: Rules, language: Language) -> MoveCard:
    """Return the card of a piece by its name in any language, or its letter; NoSuchCard if none."""
    by_name: dict[str, MoveCard] = {}
    with_juggernaut = rules.changed({"juggernaut": "random-empty"})
    for own in cards(with_juggernaut, language):
        by_name[own.letter.lower()] = by_name[own.name.lower()] = own
    for catalogue in CATALOGUES.values():
        for kind in KINDS:
            by_name.setdefault(catalogue.kinds[kind].lower(), by_name[kind.value.lower()])
    if (card := by_name.get(name.lower())) is None:
        near = near_miss(name.lower(), by_name)
        raise NoSuchCard(f"{name}: no piece is called so{near}")
    return card


def _card(kind: Kind, rules: Rules, language: Language) -> MoveCard:
    words, law = CATALOGUES[language], law_of(rules)
    gait = law.peers[Piece(Side.BLACK, kind)].gait
    goes = gait_in_words(gait, kind, words)
    if gait.jumps:
        goes = in_language(language, "{gait}, and jumps over pieces in between", gait=goes)
    elif kind is not Kind.PANTHAN:
        goes = in_language(language, "{gait}, not over pieces", gait=goes)
    if kind is Kind.PRINCESS and not law.princess_takes:
        goes = in_language(language, "{gait}; takes nothing", gait=goes)
    if kind is Kind.PRINCESS and law.escape != "none":
        goes = in_language(language, "{gait}; flees once a game", gait=goes)
    figure = in_language(language, FIGURES[kind], gait=goes[:1].upper() + goes[1:])
    return MoveCard(kind.value, kind_in_words(kind, rules, words), figure)
