"""A card for each piece: its figure as the book gives it, and how it moves by the rules in play."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rules import Kind, Rules
from rules.board import JUGGERNAUT_LETTER, KINDS, Piece, Side
from rules.explain import JUGGERNAUT, NOUNS, gait_in_words, kind_in_words
from rules.movement import law_of
from rules.sentences import Sentence, _, near_miss

from ..errors import TableError
from ..languages import LANGUAGES, Language, say_in, translation

FIGURES: Final[Mapping[Kind, Sentence]] = {
    Kind.PANTHAN: _("A mercenary: a warrior with one feather. {gait}."),
    Kind.THOAT: _("A warrior in the saddle, with two feathers. {gait}."),
    Kind.WARRIOR: _("A foot soldier with two feathers. {gait}."),
    Kind.PADWAR: _("A lieutenant with two feathers. {gait}."),
    Kind.DWAR: _("A captain with three feathers. {gait}."),
    Kind.FLIER: _("A propeller with three blades. {gait}."),
    Kind.CHIEF: _("A diadem with ten jewels. {gait}."),
    Kind.PRINCESS: _("A diadem with one jewel. {gait}."),
}
COLOSSUS: Final = _(
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
    name = say_in(language, JUGGERNAUT)
    return (*men, MoveCard(JUGGERNAUT_LETTER, name, say_in(language, COLOSSUS)))


def find_card(name: str, rules: Rules, language: Language) -> MoveCard:
    """Return the card of a piece by its name in any language, or its letter; NoSuchCard if none."""
    by_name: dict[str, MoveCard] = {}
    with_juggernaut = rules.changed({"juggernaut": "random-empty"})
    for own in cards(with_juggernaut, language):
        by_name[own.letter.lower()] = by_name[own.name.lower()] = own
    for spoken in LANGUAGES:
        for kind in KINDS:
            called = say_in(spoken, NOUNS[kind].name)
            by_name.setdefault(called.lower(), by_name[kind.value.lower()])
    if (card := by_name.get(name.lower())) is None:
        near = near_miss(name.lower(), by_name)
        raise NoSuchCard(_("{name}: no piece is called so{near}"), name=name, near=near)
    return card


def _card(kind: Kind, rules: Rules, language: Language) -> MoveCard:
    words, law = translation(language), law_of(rules)
    gait = law.peers[Piece(Side.BLACK, kind)].gait
    goes = gait_in_words(gait, kind, words)
    if gait.jumps:
        goes = say_in(language, _("{gait}, and jumps over pieces in between"), gait=goes)
    elif kind is not Kind.PANTHAN:
        goes = say_in(language, _("{gait}, not over pieces"), gait=goes)
    if kind is Kind.PRINCESS and not law.princess_takes:
        goes = say_in(language, _("{gait}; takes nothing"), gait=goes)
    if kind is Kind.PRINCESS and law.escape != "none":
        goes = say_in(language, _("{gait}; flees once a game"), gait=goes)
    figure = say_in(language, FIGURES[kind], gait=goes[:1].upper() + goes[1:])
    return MoveCard(kind.value, kind_in_words(kind, rules, words), figure)
