"""What the wiring wizard says, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from rules.words import Language


class Say(Enum):
    """Everything the wizard can say."""

    CLEAR = auto()
    STUCK = auto()
    PUT_ON = auto()
    PUT_ON_LIT = auto()
    NAME_LIT = auto()
    HINT = auto()
    HINT_LIT = auto()
    ROW_COLUMN = auto()
    SQUARE = auto()
    TAKE_OFF = auto()
    DOUBTED = auto()
    UNKNOWN = auto()
    IN_VAIN = auto()
    SAY_WHICH = auto()
    NOT_WHOLE = auto()
    FOUND = auto()
    WRITTEN = auto()


ENGLISH: Mapping[Say, str] = {
    Say.CLEAR: "Take all pieces off the board, then press Enter.",
    Say.STUCK: "Stuck closed on the empty board: {switches}.",
    Say.PUT_ON: "{count}. Put one piece on {square}.",
    Say.PUT_ON_LIT: "{count}. Put one piece on the lit square.",
    Say.NAME_LIT: "{count}. Which square is lit? Type its name.",
    Say.HINT: "(If it stands there and nothing happens: Enter.)",
    Say.HINT_LIT: "(If nothing happens: Enter, or the name of the square that is lit.)",
    Say.ROW_COLUMN: "row {row}, column {column}",
    Say.SQUARE: "{square}: {switch}",
    Say.TAKE_OFF: "Take the piece off again.",
    Say.DOUBTED: "{switch} does not fit what was told before. Once more, please.",
    Say.UNKNOWN: "{switch} is under no square yet known. Once more, please.",
    Say.IN_VAIN: "nothing: noted",
    Say.SAY_WHICH: "{typed}: type a square, such as d4, or nothing",
    Say.NOT_WHOLE: "Too many switches told nothing: mend them, and begin again.",
    Say.FOUND: "Good {good}, dead {dead}, stuck {stuck}, not tried {untried}.",
    Say.WRITTEN: "{path}: the wiring is written.",
}

GERMAN: Mapping[Say, str] = {
    Say.CLEAR: "Alle Figuren vom Brett nehmen, dann Enter drücken.",
    Say.STUCK: "Auf dem leeren Brett geschlossen, klemmt also: {switches}.",
    Say.PUT_ON: "{count}. Eine Figur auf {square} stellen.",
    Say.PUT_ON_LIT: "{count}. Eine Figur auf das erleuchtete Feld stellen.",
    Say.NAME_LIT: "{count}. Welches Feld leuchtet? Seinen Namen tippen.",
    Say.HINT: "(Wenn sie da steht und nichts geschieht: Enter.)",
    Say.HINT_LIT: "(Wenn nichts geschieht: Enter, oder der Name des erleuchteten Feldes.)",
    Say.ROW_COLUMN: "Zeile {row}, Spalte {column}",
    Say.SQUARE: "{square}: {switch}",
    Say.TAKE_OFF: "Die Figur wieder wegnehmen.",
    Say.DOUBTED: "{switch} passt nicht zum Bisherigen. Bitte noch einmal.",
    Say.UNKNOWN: "{switch} liegt unter keinem bekannten Feld. Bitte noch einmal.",
    Say.IN_VAIN: "nichts: notiert",
    Say.SAY_WHICH: "{typed}: ein Feld tippen, etwa d4, oder nichts",
    Say.NOT_WHOLE: "Zu viele Schalter schweigen: heilen, und von vorn beginnen.",
    Say.FOUND: "Gut {good}, tot {dead}, klemmt {stuck}, nicht versucht {untried}.",
    Say.WRITTEN: "{path}: die Verdrahtung ist geschrieben.",
}

WORDS: Mapping[Language, Mapping[Say, str]] = {"en": ENGLISH, "de": GERMAN}
