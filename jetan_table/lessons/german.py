"""The lessons' and cards' words in German, by the English ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rules.words import Language

GERMAN: Final[Mapping[str, str]] = {
    # Lessons
    "Panthan": "Panthan",
    (
        "You play Black, upwards. A Panthan takes one step: forward, diagonally forward or "
        "sideways, never back. Follow the light."
    ): (
        "Du spielst Schwarz, nach oben. Ein Panthan zieht einen Schritt: vor, schräg vor oder "
        "seitwärts, nie zurück. Folge dem Licht."
    ),
    "Warrior": "Krieger",
    "Exactly two straight steps. It may turn, but never passes through a piece.": (
        "Genau zwei gerade Schritte. Er darf abbiegen, aber durch keine Figur hindurch."
    ),
    "Padwar": "Padwar",
    "Exactly two diagonal steps: it never leaves its colour. Go round the Warrior.": (
        "Genau zwei schräge Schritte: Er bleibt auf seiner Farbe. Geh um den Krieger herum."
    ),
    "Thoat": "Thoat",
    "One straight step and one diagonal one, in either order, and not over pieces.": (
        "Ein gerader und ein schräger Schritt, gleich in welcher Folge, und nicht über Figuren."
    ),
    "Dwar": "Dwar",
    "Three straight steps, always all three. No square twice.": (
        "Drei gerade Schritte, immer alle drei. Kein Feld zweimal."
    ),
    "Flier": "Flieger",
    "Three diagonal steps, and it jumps: over the Dwar!": (
        "Drei schräge Schritte, und er springt: über den Dwar!"
    ),
    "Taking": "Schlagen",
    "A piece that ends on an enemy takes it. Lift the enemy off the board.": (
        "Wer auf einem Feind endet, schlägt ihn. Nimm den Feind vom Brett."
    ),
    "Chief": "Anführer",
    "Three steps, straight or diagonal, mixed as he likes. He cannot jump.": (
        "Drei Schritte, gerade oder schräg, beliebig gemischt. Springen kann er nicht."
    ),
    "Winning I": "Gewinnen I",
    ("Your Chief takes the enemy Chief: you win. If any other piece takes him, it is a draw."): (
        "Dein Anführer schlägt den feindlichen: gewonnen. Schlägt ihn eine andere Figur, ist "
        "es unentschieden."
    ),
    "Winning II": "Gewinnen II",
    (
        "Any piece that takes the Princess wins. When both sides have at most three pieces, "
        "of equal value, and ten more plies bring no win, the game is drawn."
    ): (
        "Wer die Prinzessin schlägt, gewinnt, mit jeder Figur. Haben beide höchstens drei "
        "Figuren, gleich viel wert, und bringen zehn weitere Züge keinen Sieg, ist es "
        "unentschieden."
    ),
    "Your Princess": "Deine Prinzessin",
    (
        "Three steps like the Chief, and she jumps. She takes nothing, and never ends where "
        "an enemy could take her."
    ): (
        "Drei Schritte wie der Anführer, und sie springt. Sie schlägt nicht und endet nie, wo "
        "ein Feind sie schlagen könnte."
    ),
    "Escape": "Flucht",
    ("She is threatened. Once a game she may flee to any empty square that no enemy threatens."): (
        "Sie ist bedroht. Einmal in der Partie darf sie fliehen: auf jedes freie Feld, das "
        "kein Feind bedroht."
    ),
    "Juggernaut": "Juggernaut",
    (
        "It belongs to nobody. After each move a die moves it; what it touches dies. Nobody "
        "can take it or pass through it. Go round."
    ): (
        "Er gehört niemandem. Nach jedem Zug bewegt ihn ein Würfel; was er berührt, stirbt. "
        "Niemand kann ihn schlagen oder durch ihn hindurch. Geh herum."
    ),
    "Round board": "Rundes Brett",
    ("On the Ninth-Ray disk the centre is crossed at a slant: straight ahead from a5 lies j5."): (
        "Auf der Scheibe vom Neunten Strahl geht es versetzt über die Mitte: geradeaus von a5 "
        "liegt j5."
    ),
    # What is said to a try, and around the course
    "Lesson {number} of {count}: {title}.": "Lektion {number} von {count}: {title}.",
    "Well done!": "Gut gemacht!",
    "{why} But here go from {start} to {end}.": "{why} Aber hier geht es von {start} nach {end}.",
    "You know Jetan now. Play your first game: the table shows you a good move each time.": (
        "Jetzt kannst du Jetan. Spiel deine erste Partie: Der Tisch zeigt dir jedes Mal einen "
        "guten Zug."
    ),
    "solved": "geschafft",
    "Type moves like `e3 d4`; `?` shows all words, `quit` leaves.": (
        "Züge tippst du so: `e3 d4`; `?` zeigt alle Wörter, `quit` geht."
    ),
    # Cards
    "A mercenary: a warrior with one feather. {gait}.": (
        "Ein Söldner: ein Kämpfer mit einer Feder. {gait}."
    ),
    "A warrior in the saddle, with two feathers. {gait}.": (
        "Ein Krieger im Sattel, mit zwei Federn. {gait}."
    ),
    "A foot soldier with two feathers. {gait}.": "Ein Fußsoldat mit zwei Federn. {gait}.",
    "A lieutenant with two feathers. {gait}.": "Ein Leutnant mit zwei Federn. {gait}.",
    "A captain with three feathers. {gait}.": "Ein Hauptmann mit drei Federn. {gait}.",
    "A propeller with three blades. {gait}.": "Ein Propeller mit drei Flügeln. {gait}.",
    "A diadem with ten jewels. {gait}.": "Ein Diadem mit zehn Juwelen. {gait}.",
    "A diadem with one jewel. {gait}.": "Ein Diadem mit einem Juwel. {gait}.",
    (
        "The Colossus of Yorn, which belongs to nobody. After each move a die sends it one "
        "step, or anywhere; whatever it touches dies."
    ): (
        "Der Koloss von Yorn, der niemandem gehört. Nach jedem Zug schickt ihn ein Würfel "
        "einen Schritt weiter, oder irgendwohin; was er berührt, stirbt."
    ),
    "{gait}, and jumps over pieces in between": "{gait} und springt dabei über andere",
    "{gait}, not over pieces": "{gait}, nicht über andere hinweg",
    "{gait}; takes nothing": "{gait}; schlägt nicht",
    "{gait}; flees once a game": "{gait}; flieht einmal in der Partie",
}
"""One dictionary for the room: every English sentence of it, and the German one."""


def in_language(language: Language, english: str, **values: object) -> str:
    """Return a sentence of this room in a language, with its values filled in."""
    return (GERMAN[english] if language == "de" else english).format(**values)
