"""What every gesture is called, and what hands do for it: the one table of them, for people."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences import Sentence, _

from ..languages import Language, translation
from ..session.gestures import Deed

HOW_GESTURES_ARE_MADE = _(
    "Lift the pieces one after another, at most three seconds apart, and hold them until the light "
    "has filled up, four seconds. Putting one back calls it off."
)
"""How gestures are made."""

GESTURE_ROWS: Mapping[Deed, tuple[Sentence, Sentence]] = MappingProxyType(
    {
        Deed.RESIGN: (_("resign"), _("your Chief and your Princess")),
        Deed.DRAW: (
            _("offer a draw, or accept it"),
            _("your Chief, your Princess, and the other side's Chief"),
        ),
        Deed.TAKE_BACK: (
            _("take the last move back"),
            _("your Chief, your Princess, and the other side's Princess"),
        ),
        Deed.PAUSE: (
            _("stop the clock, or let it run again"),
            _("both Chiefs and both Princesses"),
        ),
        Deed.NEW_GAME: (
            _("begin another game"),
            _("set all pieces up for it, after a game or in the middle of one"),
        ),
    }
)
"""Each gesture's name and hands' part."""


def gestures_in_words(language: Language) -> list[tuple[str, str]]:
    """Return each gesture's name and hands' part."""
    say = translation(language)
    return [(say(name), say(what)) for name, what in GESTURE_ROWS.values()]


def gesture_lines(language: Language) -> list[str]:
    """Return the table as lines of text."""
    rows = gestures_in_words(language)
    wide = max(len(name) for name, _what in rows)
    return [
        translation(language)(HOW_GESTURES_ARE_MADE),
        *(f"{name:{wide}}  {what}" for name, what in rows),
    ]
