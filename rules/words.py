"""What the rules say to people: names of pieces, how they go, and why a move may be or not.

A template names what it needs: {piece} with its article, {start}, {end}, {path}, {named} (the
pieces the reason is about), {squares} (the same without names), {gait} (how the piece goes).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from .board import SQUARE_NAMES, Direction, Kind
from .explain import Explanation, Reason
from .movement import DIAGONAL, STRAIGHT, Gait
from .options import Rules
from .plain import NamedTuple
from .sentences import Sentence, Translate, _, english, in_words


class Noun(NamedTuple):
    """What a kind is called: alone, as it begins a sentence, and as the object of one."""

    name: Sentence
    subject: Sentence
    object: Sentence


NOUNS: Mapping[Kind, Noun] = {
    Kind.PANTHAN: Noun(_("Panthan"), _("A Panthan"), _("the Panthan")),
    Kind.THOAT: Noun(_("Thoat"), _("A Thoat"), _("the Thoat")),
    Kind.WARRIOR: Noun(_("Warrior"), _("A Warrior"), _("the Warrior")),
    Kind.PADWAR: Noun(_("Padwar"), _("A Padwar"), _("the Padwar")),
    Kind.DWAR: Noun(_("Dwar"), _("A Dwar"), _("the Dwar")),
    Kind.FLIER: Noun(_("Flier"), _("A Flier"), _("the Flier")),
    Kind.CHIEF: Noun(_("Chief"), _("The Chief"), _("the Chief")),
    Kind.PRINCESS: Noun(_("Princess"), _("The Princess"), _("the Princess")),
}
ODWAR = Noun(_("Odwar"), _("An Odwar"), _("the Odwar"))
JUGGERNAUT = _("Juggernaut")
SIDES: Mapping[str, Sentence] = {"black": _("Black"), "orange": _("Orange")}
"""What sides are called, by their words."""
AND = _(" and ")
"""What stands before the last of several."""

STEPS_IN_WORDS: Mapping[frozenset[str], Sentence] = {
    frozenset({STRAIGHT}): _("one straight steps"),
    frozenset({DIAGONAL}): _("one diagonal steps"),
    frozenset({STRAIGHT, DIAGONAL}): _("one steps, straight or diagonal"),
    frozenset({STRAIGHT * 2}): _("two straight steps"),
    frozenset({DIAGONAL * 2}): _("two diagonal steps"),
    frozenset({STRAIGHT * 2, DIAGONAL * 2}): _("two steps, all straight or all diagonal"),
    frozenset({STRAIGHT * 3}): _("three straight steps"),
    frozenset({DIAGONAL * 3}): _("three diagonal steps"),
    frozenset({STRAIGHT * 3, DIAGONAL * 3}): _("three steps, all straight or all diagonal"),
    frozenset(map("".join, product(STRAIGHT + DIAGONAL, repeat=2))): _(
        "two steps, straight or diagonal"
    ),
    frozenset(map("".join, product(STRAIGHT + DIAGONAL, repeat=3))): _(
        "three steps, straight or diagonal"
    ),
    frozenset({STRAIGHT + DIAGONAL}): _("one straight and then one diagonal step"),
    frozenset({STRAIGHT + DIAGONAL, DIAGONAL + STRAIGHT}): _("one straight and one diagonal step"),
}
"""How a piece goes, by the longest words of its gait (see `movement.Gait`)."""

REASONS: Mapping[Reason, Sentence] = {
    Reason.STEPS: _("{piece} {gait}: {path}."),
    Reason.TAKES: _("{piece} {gait}: {path}. It takes {named}."),
    Reason.ESCAPES: _("{piece} may flee from {start} to {end} by her one escape."),
    Reason.GAME_OVER: _("The game is over."),
    Reason.SAME_SQUARE: _("{piece} cannot end where it began, on {start}."),
    Reason.NOBODY_THERE: _("Nobody stands on {start}."),
    Reason.NOT_ITS_TURN: _(
        "The piece on {start} belongs to the side that is not to move. {piece} {gait}, and from "
        "there it threatens {named}."
    ),
    Reason.MOVED_BY_DIE: _("The Juggernaut on {start} is moved by its die alone."),
    Reason.OWN_PIECE: _("On {end} stands a piece of the same side."),
    Reason.JUGGERNAUT_STANDS: _("Nobody may take the Juggernaut, nor enter its square {end}."),
    Reason.PRINCESS_TAKES_NOTHING: _("The Princess takes nothing, and on {end} stands an enemy."),
    Reason.BACKWARD: _("{piece} {gait}: it never goes back from {start} to {end}."),
    Reason.COLOUR: _("{piece} {gait}: from {start} it never ends on {end}'s colour."),
    Reason.LEAVES_BOARD: _(
        "{piece} {gait}, and every such way from {start} to {end} leaves the board."
    ),
    Reason.WRONG_STEPS: _("{piece} {gait}: that never leads from {start} to {end}."),
    Reason.BLOCKED: _("{piece} {gait}, and every way to {end} is blocked: by {named}."),
    Reason.CROSSES_THREAT: _(
        "{piece} may not cross a threatened square, and every way to {end} does: over {squares}."
    ),
    Reason.THREATENED: _(
        "{piece} may not end on a threatened square: {end} is threatened by {named}."
    ),
    Reason.ONLY_CHIEF_TAKES: _("Only a Chief may take a Chief."),
    Reason.LEAVES_ROYAL: _("That would leave the Princess or the Chief to be taken, by {named}."),
    Reason.ESCAPE_SPENT: _("Her escape is spent."),
    Reason.ESCAPE_THREATENED: _("Her escape may not end on a threatened square."),
    Reason.ESCAPE_UNNEEDED: _("Her escape is only for when she stands threatened."),
}


class Explained(NamedTuple):
    """An explanation as a value of an error: English as text."""

    explanation: Explanation
    rules: Rules

    def said(self, translate: Translate) -> str:
        """Return it in one language."""
        return sentences(self.explanation, self.rules, translate)

    def __format__(self, how: str) -> str:
        return self.said(english)


def sentences(explanation: Explanation, rules: Rules, translate: Translate = english) -> str:
    """Say an explanation in one or two sentences."""
    piece, gait = explanation.piece, explanation.gait
    sentence = in_words(
        translate,
        REASONS[explanation.reason],
        piece="" if piece is None else noun(piece.kind, rules).subject,
        start=SQUARE_NAMES[explanation.start],
        end=SQUARE_NAMES[explanation.end],
        path="-".join(SQUARE_NAMES[square] for square in explanation.path),
        named=_named(explanation, rules, translate) or translate(_("nobody")),
        squares=", ".join(SQUARE_NAMES[square] for square, _piece in explanation.named),
        gait="" if gait is None or piece is None else gait_in_words(gait, piece.kind, translate),
    )
    if explanation.and_escape is not None and explanation.and_escape in REASONS:
        return f"{sentence} {in_words(translate, REASONS[explanation.and_escape], named='')}"
    return sentence


def noun(kind: Kind, rules: Rules) -> Noun:
    """Return what a kind is called under these rules; the Flier may be an Odwar."""
    return ODWAR if kind is Kind.FLIER and rules["flier-name"] == ODWAR.name else NOUNS[kind]


def kind_in_words(kind: Kind, rules: Rules, translate: Translate = english) -> str:
    """Return a kind's name under these rules."""
    return translate(noun(kind, rules).name)


def gait_in_words(gait: Gait, kind: Kind, translate: Translate = english) -> str:
    """Return how a kind goes, as the rest of a sentence about it."""
    if kind is Kind.PANTHAN:
        if Direction.SOUTH_EAST in gait.ways:
            return translate(_("takes one step in any direction but straight back"))
        return translate(_("takes one step forward, diagonally forward or sideways"))
    longest = max(map(len, gait.words))
    whole = frozenset(word for word in gait.words if len(word) == longest)
    steps = translate(STEPS_IN_WORDS[whole]) + (translate(_(", in one line")) if gait.line else "")
    if len(whole) == len(gait.words):
        return in_words(translate, _("takes exactly {steps}"), steps=steps)
    return in_words(translate, _("takes one step or more, up to {steps}"), steps=steps)


def _named(explanation: Explanation, rules: Rules, translate: Translate) -> str:
    pieces = []
    for square, piece in explanation.named:
        name = JUGGERNAUT if piece is None else noun(piece.kind, rules).name
        on = _("the {piece} on {square}")
        pieces.append(in_words(translate, on, piece=name, square=SQUARE_NAMES[square]))
    return translate(AND).join([", ".join(pieces[:-1]), pieces[-1]] if pieces[1:] else pieces)
