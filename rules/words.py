"""What the rules say to people, in English and German: one catalogue a language.

A template names what it needs: {piece} with its article, {start}, {end}, {path}, {named} (the
pieces the reason is about), {squares} (the same without names), {gait} (how the piece goes).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .explain import Explanation, Reason
from .movement import DIAGONAL, STRAIGHT, Gait
from .pieces import Kind
from .plain import NamedTuple
from .ruleset import Rules
from .topology import SQUARE_NAMES, Direction

Language = Literal["en", "de"]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words of one language."""

    kinds: Mapping[Kind, str]
    definite: Mapping[Kind, str]
    """The articles of kinds of which a side has one piece; the others have the next two."""
    article: str
    odwar_article: str
    on: str
    """A piece and where it stands."""
    joined: str
    """What stands before the last of several."""
    juggernaut: str
    steps: Mapping[frozenset[str], str]
    """How a piece goes, by the longest words of its gait (see `movement.Gait`)."""
    exactly: str
    """A gait of whole moves alone; {} is one of `steps`."""
    up_to: str
    """A gait with shorter moves, too."""
    in_line: str
    """What is added where all steps go in one direction."""
    panthan: str
    panthan_back: str
    """A Panthan that may go diagonally backward, too."""
    reasons: Mapping[Reason, str]


def _steps(
    counts: tuple[str, str, str], straight: str, diagonal: str, mixed: str, both: str, thoat: str
) -> dict[frozenset[str], str]:
    """Name every set of whole moves a gait can have: so many steps of one sort, or mixed."""
    named: dict[frozenset[str], str] = {}
    for number, count in enumerate(counts, start=1):
        plain = {STRAIGHT: straight, DIAGONAL: diagonal}
        for letter, sort in plain.items():
            named[frozenset({letter * number})] = f"{count} {sort}"
        named[frozenset({STRAIGHT * number, DIAGONAL * number})] = both.format(count)
        words = {""}
        for _ in range(number):
            words = {word + letter for word in words for letter in plain}
        named[frozenset(words)] = mixed.format(count)
    first, either = thoat.split("|")
    named[frozenset({"+x"})] = first
    named[frozenset({"+x", "x+"})] = either
    return named


_ENGLISH = Catalogue(
    kinds={kind: kind.word.capitalize() for kind in Kind},
    definite={Kind.CHIEF: "The", Kind.PRINCESS: "The"},
    article="A",
    odwar_article="An",
    on="the {piece} on {square}",
    joined=" and ",
    juggernaut="Juggernaut",
    steps=_steps(
        ("one", "two", "three"),
        "straight steps",
        "diagonal steps",
        "{} steps, straight or diagonal",
        "{} steps, all straight or all diagonal",
        "one straight and then one diagonal step|one straight and one diagonal step",
    ),
    exactly="takes exactly {}",
    up_to="takes one step or more, up to {}",
    in_line=", in one line",
    panthan="takes one step forward, diagonally forward or sideways",
    panthan_back="takes one step in any direction but straight back",
    reasons={
        Reason.STEPS: "{piece} {gait}: {path}.",
        Reason.TAKES: "{piece} {gait}: {path}. It takes {named}.",
        Reason.ESCAPES: "{piece} may flee from {start} to {end} by her one escape.",
        Reason.GAME_OVER: "The game is over.",
        Reason.SAME_SQUARE: "{piece} cannot end where it began, on {start}.",
        Reason.NOBODY_THERE: "Nobody stands on {start}.",
        Reason.NOT_ITS_TURN: "The piece on {start} belongs to the side that is not to move.",
        Reason.MOVED_BY_DIE: "The Juggernaut on {start} is moved by its die alone.",
        Reason.OWN_PIECE: "On {end} stands a piece of the same side.",
        Reason.JUGGERNAUT_STANDS: "Nobody may take the Juggernaut, nor enter its square {end}.",
        Reason.PRINCESS_TAKES_NOTHING: "The Princess takes nothing, and on {end} stands an enemy.",
        Reason.BACKWARD: "A Panthan never goes back: so not from {start} to {end} either.",
        Reason.COLOUR: "{piece} {gait}: from {start} it never ends on {end}'s colour.",
        Reason.LEAVES_BOARD: "{piece} {gait}, and every such way from {start} to {end} leaves the "
        "board.",
        Reason.WRONG_STEPS: "{piece} {gait}: that never leads from {start} to {end}.",
        Reason.BLOCKED: "{piece} {gait}, and every way to {end} is blocked: by {named}.",
        Reason.CROSSES_THREAT: "{piece} may not cross a threatened square, and every way to {end} "
        "does: over {squares}.",
        Reason.THREATENED: "{piece} may not end on a threatened square: {end} is threatened by "
        "{named}.",
        Reason.ONLY_CHIEF_TAKES: "Only a Chief may take a Chief.",
        Reason.LEAVES_ROYAL: "That would leave the Princess or the Chief to be taken, by {named}.",
        Reason.ESCAPE_SPENT: "Her escape is spent.",
        Reason.ESCAPE_THREATENED: "Her escape may not end on a threatened square.",
        Reason.ESCAPE_UNNEEDED: "Her escape is only for when she stands threatened.",
    },
)

_GERMAN = Catalogue(
    kinds={
        Kind.PANTHAN: "Panthan",
        Kind.THOAT: "Thoat",
        Kind.WARRIOR: "Krieger",
        Kind.PADWAR: "Padwar",
        Kind.DWAR: "Dwar",
        Kind.FLIER: "Flieger",
        Kind.CHIEF: "Anführer",
        Kind.PRINCESS: "Prinzessin",
    },
    definite={Kind.CHIEF: "Der", Kind.PRINCESS: "Die"},
    article="Ein",
    odwar_article="Ein",
    on="{piece} auf {square}",
    joined=" und ",
    juggernaut="Juggernaut",
    steps=_steps(
        ("einen", "zwei", "drei"),
        "gerade Schritte",
        "schräge Schritte",
        "{} Schritte, gerade oder schräg",
        "{} Schritte, alle gerade oder alle schräg",
        "erst einen geraden, dann einen schrägen Schritt|einen geraden und einen schrägen Schritt",
    ),
    exactly="zieht genau {}",
    up_to="zieht einen Schritt oder mehr, höchstens {}",
    in_line=", in einer Linie",
    panthan="zieht einen Schritt vor, schräg vor oder seitwärts",
    panthan_back="zieht einen Schritt in jede Richtung außer gerade zurück",
    reasons={
        Reason.STEPS: "{piece} {gait}: {path}.",
        Reason.TAKES: "{piece} {gait}: {path}. Geschlagen wird: {named}.",
        Reason.ESCAPES: "{piece} darf von {start} nach {end} fliehen, einmal in der Partie.",
        Reason.GAME_OVER: "Die Partie ist zu Ende.",
        Reason.SAME_SQUARE: "{piece} kann nicht auf {start} enden, wo der Zug beginnt.",
        Reason.NOBODY_THERE: "Auf {start} steht niemand.",
        Reason.NOT_ITS_TURN: "Die Figur auf {start} gehört der Seite, die nicht am Zug ist.",
        Reason.MOVED_BY_DIE: "Den Juggernaut auf {start} bewegt nur sein Würfel.",
        Reason.OWN_PIECE: "Auf {end} steht eine Figur derselben Seite.",
        Reason.JUGGERNAUT_STANDS: "Der Juggernaut auf {end} kann nicht geschlagen, sein Feld nicht "
        "betreten werden.",
        Reason.PRINCESS_TAKES_NOTHING: "Die Prinzessin schlägt nicht, auf {end} steht ein Feind.",
        Reason.BACKWARD: "Ein Panthan geht nie zurück, so auch nicht von {start} nach {end}.",
        Reason.COLOUR: "{piece} {gait}: von {start} endet das nie auf der Farbe von {end}.",
        Reason.LEAVES_BOARD: "{piece} {gait}, und jeder solche Weg von {start} nach {end} verlässt "
        "das Brett.",
        Reason.WRONG_STEPS: "{piece} {gait}: das führt nie von {start} nach {end}.",
        Reason.BLOCKED: "{piece} {gait}, und jeder Weg nach {end} ist versperrt: {named}.",
        Reason.CROSSES_THREAT: "{piece} darf kein bedrohtes Feld überqueren, und jeder Weg nach "
        "{end} tut es: über {squares}.",
        Reason.THREATENED: "{piece} darf nicht auf einem bedrohten Feld enden. Es bedroht {end}: "
        "{named}.",
        Reason.ONLY_CHIEF_TAKES: "Nur ein Anführer darf einen Anführer schlagen.",
        Reason.LEAVES_ROYAL: "Danach könnte Prinzessin oder Anführer geschlagen werden: {named}.",
        Reason.ESCAPE_SPENT: "Ihre Flucht ist verbraucht.",
        Reason.ESCAPE_THREATENED: "Ihre Flucht darf nicht auf einem bedrohten Feld enden.",
        Reason.ESCAPE_UNNEEDED: "Fliehen darf sie nur, solange sie bedroht steht.",
    },
)

CATALOGUES: Mapping[Language, Catalogue] = {"en": _ENGLISH, "de": _GERMAN}


class Explained(NamedTuple):
    """An explanation as a value of an error: English as text."""

    explanation: Explanation
    rules: Rules

    def said(self, language: Language) -> str:
        """Return it in a language."""
        return sentences(self.explanation, self.rules, language)

    def __format__(self, how: str) -> str:
        return self.said("en")


def sentences(explanation: Explanation, rules: Rules, language: Language = "en") -> str:
    """Say an explanation in one or two sentences."""
    words = CATALOGUES[language]
    piece, gait = explanation.piece, explanation.gait
    sentence = words.reasons[explanation.reason].format(
        piece="" if piece is None else _with_article(piece.kind, rules, words),
        start=SQUARE_NAMES[explanation.start],
        end=SQUARE_NAMES[explanation.end],
        path="-".join(SQUARE_NAMES[square] for square in explanation.path),
        named=_named(explanation, rules, words),
        squares=", ".join(SQUARE_NAMES[square] for square, _ in explanation.named),
        gait="" if gait is None or piece is None else gait_in_words(gait, piece.kind, words),
    )
    if explanation.and_escape is not None and explanation.and_escape in words.reasons:
        return f"{sentence} {words.reasons[explanation.and_escape].format(named='')}"
    return sentence


def kind_in_words(kind: Kind, rules: Rules, words: Catalogue) -> str:
    """Return a kind's name; the Flier may be an Odwar."""
    if kind is Kind.FLIER and rules["flier-name"] != "Flier":
        return rules["flier-name"]
    return words.kinds[kind]


def gait_in_words(gait: Gait, kind: Kind, words: Catalogue) -> str:
    """Return how a kind goes, as the rest of a sentence about it."""
    if kind is Kind.PANTHAN:
        return words.panthan_back if Direction.SOUTH_EAST in gait.ways else words.panthan
    longest = max(map(len, gait.words))
    whole = frozenset(word for word in gait.words if len(word) == longest)
    is_exact = len(whole) == len(gait.words)
    steps = words.steps[whole] + (words.in_line if gait.line else "")
    return (words.exactly if is_exact else words.up_to).format(steps)


def _with_article(kind: Kind, rules: Rules, words: Catalogue) -> str:
    name = kind_in_words(kind, rules, words)
    article = words.odwar_article if name == "Odwar" else words.definite.get(kind, words.article)
    return f"{article} {name}"


def _named(explanation: Explanation, rules: Rules, words: Catalogue) -> str:
    pieces = []
    for square, piece in explanation.named:
        name = words.juggernaut if piece is None else kind_in_words(piece.kind, rules, words)
        pieces.append(words.on.format(piece=name, square=SQUARE_NAMES[square]))
    return words.joined.join([", ".join(pieces[:-1]), pieces[-1]] if pieces[1:] else pieces)
