"""Why a move is good, in words: `opponent/why.py` has what can be said, this how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules import Kind, Rules
from rules.words import CATALOGUES, Language, kind_in_words

from ..engine.why import Merit, Point

ENGLISH: Mapping[Merit, str] = {
    Merit.TAKES_PRINCESS: "takes the Princess and wins",
    Merit.TAKES_CHIEF: "takes the Chief and wins",
    Merit.WINS: "wins the game",
    Merit.DRAWS: "draws the game",
    Merit.DRAWS_BY_CHIEF: "draws the game by taking the Chief",
    Merit.WINS_SOON: "wins by force in {0} plies at most{prey}",
    Merit.FLEES: "uses the Princess's one escape",
    Merit.SAVES_PRINCESS: "saves the Princess",
    Merit.FIGHTS: "fights {kinds}, which the dice let it win {0} times in a hundred",
    Merit.TAKES_FREELY: "takes {kinds} for nothing",
    Merit.TAKES_DEARER: "takes {kinds} and would lose less for it",
    Merit.TAKES: "takes {kinds}",
    Merit.RESCUES: "brings {kinds} to safety",
    Merit.THREATENS: "threatens {kinds}",
    Merit.GUARDS: "guards {kinds}",
    Merit.NARROWS: "leaves the enemy Princess {0} of {1} safe squares within reach",
    Merit.WIDENS: "lets {kinds} reach {0} squares instead of {1}",
}

GERMAN: Mapping[Merit, str] = {
    Merit.TAKES_PRINCESS: "schlägt die Prinzessin und gewinnt",
    Merit.TAKES_CHIEF: "schlägt den Anführer und gewinnt",
    Merit.WINS: "gewinnt die Partie",
    Merit.DRAWS: "führt zum Unentschieden",
    Merit.DRAWS_BY_CHIEF: "führt durch das Schlagen des Anführers zum Unentschieden",
    Merit.WINS_SOON: "gewinnt erzwungen in höchstens {0} Zügen{prey}",
    Merit.FLEES: "nutzt die eine Flucht der Prinzessin",
    Merit.SAVES_PRINCESS: "rettet die Prinzessin",
    Merit.FIGHTS: "kämpft gegen {kinds}, was mit Würfeln in {0} von hundert Fällen gelingt",
    Merit.TAKES_FREELY: "schlägt {kinds} ungestraft",
    Merit.TAKES_DEARER: "schlägt {kinds} und kann dafür nur weniger verlieren",
    Merit.TAKES: "schlägt {kinds}",
    Merit.RESCUES: "bringt {kinds} in Sicherheit",
    Merit.THREATENS: "bedroht {kinds}",
    Merit.GUARDS: "deckt {kinds}",
    Merit.NARROWS: "lässt der feindlichen Prinzessin {0} von {1} sicheren Feldern in Reichweite",
    Merit.WIDENS: "lässt {kinds} {0} statt {1} Felder erreichen",
}

PREY: Mapping[Language, str] = {
    "en": ", taking {kinds} as it expects",
    "de": ", wie erwartet über {kinds}",
}
MOVE: Mapping[Language, str] = {"en": "The move {points}.", "de": "Der Zug {points}."}


def why_in_words(points: Sequence[Point], rules: Rules, language: Language) -> str:
    """Return a sentence that says what speaks for a move; the empty text where nothing does."""
    if not points:
        return ""
    clauses = [_clause(point, rules, language) for point in points]
    return MOVE[language].format(points=CATALOGUES[language].joined.join(clauses))


def _clause(point: Point, rules: Rules, language: Language) -> str:
    templates = GERMAN if language == "de" else ENGLISH
    named = [_the(kind, rules, language) for kind in point.kinds]
    kinds = CATALOGUES[language].joined.join(named)
    prey = PREY[language].format(kinds=kinds) if kinds else ""
    return templates[point.merit].format(*point.numbers, kinds=kinds, prey=prey)


def _the(kind: Kind, rules: Rules, language: Language) -> str:
    """Return a kind as the object of a sentence: `the Flier`, `den Flieger`."""
    name = kind_in_words(kind, rules, CATALOGUES[language])
    if language == "en":
        return f"the {name}"
    return f"{'die' if kind is Kind.PRINCESS else 'den'} {name}"
