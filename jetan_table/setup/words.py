"""What the wiring wizard says, in English and German."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from rules.words import Language


class WiringSay(Enum):
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


ENGLISH: Mapping[WiringSay, str] = {
    WiringSay.CLEAR: "Take all pieces off the board, then press Enter.",
    WiringSay.STUCK: "Stuck closed on the empty board: {switches}.",
    WiringSay.PUT_ON: "{count}. Put one piece on {square}.",
    WiringSay.PUT_ON_LIT: "{count}. Put one piece on the lit square.",
    WiringSay.NAME_LIT: "{count}. Which square is lit? Type its name.",
    WiringSay.HINT: "(If it stands there and nothing happens: Enter.)",
    WiringSay.HINT_LIT: "(If nothing happens: Enter, or the name of the square that is lit.)",
    WiringSay.ROW_COLUMN: "row {row}, column {column}",
    WiringSay.SQUARE: "{square}: {switch}",
    WiringSay.TAKE_OFF: "Take the piece off again.",
    WiringSay.DOUBTED: "{switch} does not fit what was told before. Once more, please.",
    WiringSay.UNKNOWN: "{switch} is under no square yet known. Once more, please.",
    WiringSay.IN_VAIN: "nothing: noted",
    WiringSay.SAY_WHICH: "{typed}: type a square, such as d4, or nothing",
    WiringSay.NOT_WHOLE: "Too many switches told nothing: mend them, and begin again.",
    WiringSay.FOUND: "Good {good}, dead {dead}, stuck {stuck}, not tried {untried}.",
    WiringSay.WRITTEN: "{path}: the wiring is written.",
}

GERMAN: Mapping[WiringSay, str] = {
    WiringSay.CLEAR: "Alle Figuren vom Brett nehmen, dann Enter drücken.",
    WiringSay.STUCK: "Auf dem leeren Brett geschlossen, klemmt also: {switches}.",
    WiringSay.PUT_ON: "{count}. Eine Figur auf {square} stellen.",
    WiringSay.PUT_ON_LIT: "{count}. Eine Figur auf das erleuchtete Feld stellen.",
    WiringSay.NAME_LIT: "{count}. Welches Feld leuchtet? Seinen Namen tippen.",
    WiringSay.HINT: "(Wenn sie da steht und nichts geschieht: Enter.)",
    WiringSay.HINT_LIT: "(Wenn nichts geschieht: Enter, oder der Name des erleuchteten Feldes.)",
    WiringSay.ROW_COLUMN: "Zeile {row}, Spalte {column}",
    WiringSay.SQUARE: "{square}: {switch}",
    WiringSay.TAKE_OFF: "Die Figur wieder wegnehmen.",
    WiringSay.DOUBTED: "{switch} passt nicht zum Bisherigen. Bitte noch einmal.",
    WiringSay.UNKNOWN: "{switch} liegt unter keinem bekannten Feld. Bitte noch einmal.",
    WiringSay.IN_VAIN: "nichts: notiert",
    WiringSay.SAY_WHICH: "{typed}: ein Feld tippen, etwa d4, oder nichts",
    WiringSay.NOT_WHOLE: "Zu viele Schalter schweigen: heilen, und von vorn beginnen.",
    WiringSay.FOUND: "Gut {good}, tot {dead}, klemmt {stuck}, nicht versucht {untried}.",
    WiringSay.WRITTEN: "{path}: die Verdrahtung ist geschrieben.",
}

WORDS: Mapping[Language, Mapping[WiringSay, str]] = {"en": ENGLISH, "de": GERMAN}
