"""Why a move is good, in words: `engine/why.py` has what can be said, this how."""

from collections.abc import Mapping, Sequence

from rules import Rules
from rules.explain import AND, noun
from rules.sentences import Sentence, _, in_words

from ..engine.why import Merit, Point
from ..languages import Language, translation

MERITS: Mapping[Merit, Sentence] = {
    Merit.TAKES_PRINCESS: _("takes the Princess and wins"),
    Merit.TAKES_CHIEF: _("takes the Chief and wins"),
    Merit.WINS: _("wins the game"),
    Merit.DRAWS: _("draws the game"),
    Merit.DRAWS_BY_CHIEF: _("draws the game by taking the Chief"),
    Merit.WINS_SOON: _("wins by force in {number} moves at most{prey}"),
    Merit.FLEES: _("uses the Princess's one escape"),
    Merit.SAVES_PRINCESS: _("saves the Princess"),
    Merit.FIGHTS: _("fights {kinds}, which the dice let it win {number} times in a hundred"),
    Merit.TAKES_FREELY: _("takes {kinds} for nothing"),
    Merit.TAKES_DEARER: _("takes {kinds} and would lose less for it"),
    Merit.TAKES: _("takes {kinds}"),
    Merit.RESCUES: _("brings {kinds} to safety"),
    Merit.FORKS: _("attacks {kinds} at once"),
    Merit.THREATENS: _("threatens {kinds}"),
    Merit.PINS: _("pins {kinds}: by any move it gives its Princess away"),
    Merit.GUARDS: _("guards {kinds}"),
    Merit.NARROWS: _("leaves the enemy Princess {number} of {of} safe squares within reach"),
    Merit.WIDENS: _("lets {kinds} reach {number} squares instead of {of}"),
}


def moves_within(plies: int) -> int:
    """Return how many moves of its own who wins after so many plies makes, at the most."""
    return plies // 2 + 1


def better_in_words(move: str, points: Sequence[Point], rules: Rules, language: Language) -> str:
    """Return a sentence on a move that was better, by its text, and on what speaks for it."""
    if not points:
        return in_words(translation(language), _("Better was {move}."), move=move)
    return _said_of(_("Better was {move}: it {points}."), points, rules, language, move=move)


def reply_in_words(
    played: str, reply: str, points: Sequence[Point], rules: Rules, language: Language
) -> str:
    """Return what a move has allowed: the reply and what that does; empty where that is nothing."""
    words = _("After {played}, {reply} {points}.")
    return _said_of(words, points, rules, language, played=played, reply=reply)


def why_in_words(points: Sequence[Point], rules: Rules, language: Language) -> str:
    """Return a sentence that says what speaks for a move; the empty text where nothing does."""
    return _said_of(_("The move {points}."), points, rules, language)


def _said_of(
    template: Sentence,
    points: Sequence[Point],
    rules: Rules,
    language: Language,
    **values: object,
) -> str:
    if not points:
        return ""
    clauses = [_clause(point, rules, language) for point in points]
    translate = translation(language)
    return in_words(translate, template, points=translate(AND).join(clauses), **values)


def _clause(point: Point, rules: Rules, language: Language) -> str:
    translate = translation(language)
    named = point.kinds[:1] if point.merit is Merit.PINS else point.kinds
    kinds = translate(AND).join(translate(noun(kind, rules).object) for kind in named)
    prey = in_words(translate, _(", taking {kinds} as it expects"), kinds=kinds) if kinds else ""
    counted = point.numbers
    if point.merit is Merit.WINS_SOON:
        counted = tuple(map(moves_within, counted))
    numbers = dict(zip(("number", "of"), counted, strict=False))
    return in_words(translate, MERITS[point.merit], **numbers, kinds=kinds, prey=prey)
