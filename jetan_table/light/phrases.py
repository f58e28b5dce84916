"""What all sentences of the table are made of: sides, pieces and squares in one language."""

from hardware.switches import FaultKind
from rules import Kind, Position, Rules, Side, Square, format_square
from rules.pieces import JUGGERNAUT_LETTER, PIECES
from rules.sentences import Sentence, _, in_words
from rules.words import JUGGERNAUT, SIDES, kind_in_words

from ..languages import Language, translation
from ..session.tabletop import UNKNOWN

TO_MOVE = _("{side} to move.")


class Phrases:
    """Puts sentences, sides and pieces into the words of one language."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.translate = translation(language)

    def say(self, what: Sentence, /, **values: object) -> str:
        return in_words(self.translate, what, **values)

    def side(self, side: Side) -> str:
        return self.say(SIDES[side.word])

    def kind(self, kind: Kind, rules: Rules) -> str:
        return kind_in_words(kind, rules, self.translate)

    def thing(self, letter: str, rules: Rules) -> str:
        """Return what a letter stands for, in words."""
        if letter == UNKNOWN:
            return self.say(_("piece"))
        if letter == JUGGERNAUT_LETTER:
            return self.say(JUGGERNAUT)
        return self.kind(PIECES[letter].kind, rules)

    def piece_on(self, position: Position, square: Square) -> str:
        """Return a piece and where it stands."""
        piece = position.piece_at(square)
        letter = piece.letter if piece else JUGGERNAUT_LETTER
        return f"{self.thing(letter, position.rules)} {format_square(square)}"

    def fault(self, square: str, kind: FaultKind) -> str:
        return self.say(
            _("The switch under {square} is stuck: the table plays on without it.")
            if kind is FaultKind.STUCK
            else _("The switch under {square} is dead: the table plays on without it."),
            square=square,
        )
