"""What the table refuses people, in English and German: one sentence each, with its mend."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, unique

from rules.errors import Near, RulesError
from rules.words import Explained, Language

from ..errors import TableError
from .rules_in_german import RULES_IN_GERMAN


@unique
class No(Enum):
    """Everything the table refuses people, in English and German.

    A template names what is filled in; `{near}` is a `Near`.
    """

    GAME_IS_OVER = "the game is over already", "die Partie ist schon zu Ende"
    NO_SUCH_TURN = (
        "a board whose a1 is {a1} cannot have its b1 on {b1}: name a corner and its neighbour",
        "liegt a1 auf {a1}, dann nicht b1 auf {b1}: eine Ecke und ihr Nachbarfeld nennen",
    )
    TURNED_BEFORE = (
        "the plies so far cannot have been played on a board that lies so",
        "die bisherigen Züge können auf einem so liegenden Brett nicht gespielt worden sein",
    )
    NOT_NAMED = "say which piece stands on {squares}", "sagen, welche Figur auf {squares} steht"
    NOT_SEEN = (
        "no piece is seen on {squares}: put it there, or leave it out",
        "auf {squares} ist keine Figur zu sehen: hinstellen, oder weglassen",
    )
    TOO_MANY = (
        "{count} of {letter} are named: at most {most} are in a game",
        "{count} mal {letter} genannt: höchstens {most} gehören zur Partie",
    )
    NONE_NAMED = (
        "no {letter} is named: without it no game goes on",
        "kein {letter} ist genannt: ohne geht keine Partie weiter",
    )
    OVER_AS_NAMED = "a game that stands so is over", "eine Partie, die so steht, ist zu Ende"
    OFFERED_ALREADY = (
        "a draw is offered already: the other side answers",
        "Remis ist schon angeboten: die andere Seite antwortet",
    )
    NO_OFFER = (
        "nobody offers a draw (offer black or offer orange does)",
        "niemand bietet Remis an (offer black oder offer orange tut es)",
    )
    NO_NEXT_GAME = "no other game can be begun here", "hier kann keine neue Partie beginnen"
    UNSURE_SIGN = (
        "the switch on {square} has failed, so that your hands may mean something else: say it",
        "der Schalter auf {square} ist ausgefallen, die Geste könnte anderes heißen: bitte sagen",
    )
    NO_PLY = "there is no ply to take back", "es gibt keinen Zug zurückzunehmen"
    NO_QUESTION = "no question is open", "es ist keine Frage offen"
    NOT_ASKED = (
        "{name} was not asked about: say {names}",
        "nach {name} wurde nicht gefragt: {names} nennen",
    )
    NO_ANSWER = "{name}: {why}", "{name} kann es nicht sein: {why}"
    ANSWER_MISFITS = (
        "{name} does not fit what followed: {why}",
        "{name} passt nicht zu dem, was folgte: {why}",
    )
    BOARD_IS_RIGHT = (
        "no switch says that the board is wrong",
        "kein Schalter sagt, dass das Brett falsch steht",
    )
    NO_ADVISER = "nobody is here who could give a hint", "hier ist niemand, der raten könnte"
    NOTHING_TO_ADVISE = (
        "there is no move to advise just now",
        "gerade ist kein Zug zu raten",
    )
    OPPONENTS_TURN = (
        "it is the opponent's turn: ask when it is yours",
        "der Gegner ist am Zug: fragen, wenn du es bist",
    )
    DRAW_DECLINED = "the opponent plays on", "der Gegner spielt weiter"

    BAD_CLOCK = (
        "clock {text!r}: write as in 10 (minutes), 10+5, 10d5, 10b5, 1:30+2, hourglass 3; or none",
        "Uhr {text!r}: wie 10 (Minuten), 10+5, 10d5, 10b5, 1:30+2, hourglass 3; oder none",
    )

    NO_CLOCK = "this game is played without a clock", "diese Partie wird ohne Uhr gespielt"
    AFTER_FIRST_PLY = (
        "a ply has been played: clock and conduct are agreed before the first",
        "es wurde schon gezogen: Uhr und Umgang vereinbart man vor dem ersten Zug",
    )
    PAUSED_ALREADY = "the game is paused already", "die Partie pausiert schon"
    NOT_PAUSED = "the game is not paused", "die Partie pausiert nicht"
    PLIES_PRESS = (
        "plies press this clock; to press it yourselves: a clock such as 10+5 buttons",
        "diese Uhr drücken die Züge; um selbst zu drücken: eine Uhr wie 10+5 buttons",
    )
    NOTHING_TOUCHED = "nothing is touched", "es ist nichts berührt"
    TOO_LATE_TO_ADJUST = (
        "{square} has been touched: say adjust before you touch",
        "{square} ist berührt: adjust sagt man, bevor man berührt",
    )
    NO_TOUCH_MOVE = (
        "pieces may be touched freely in this game",
        "in dieser Partie darf man Figuren frei berühren",
    )
    ARBITER_ONLY = (
        "in a tournament game only the arbiter does that: arbiter PIN back, and so on",
        "in einer Turnierpartie darf das nur der Schiedsrichter: arbiter PIN back und so weiter",
    )

    NO_HELP = (
        "no help in a tournament game",
        "in einer Turnierpartie gibt es keine Hilfe",
    )
    NO_ARBITER = "this table has no arbiter", "dieser Tisch hat keinen Schiedsrichter"
    WRONG_ARBITER_PIN = (
        "that is not the arbiter's PIN: the file `arbiter` in the data folder has it",
        "das ist nicht die PIN des Schiedsrichters: sie steht in der Datei `arbiter` bei den Daten",
    )
    ARBITER_SAYS = (
        "say the arbiter's PIN and what to do, such as arbiter 123456 back",
        "die PIN des Schiedsrichters nennen und was geschehen soll, etwa arbiter 123456 back",
    )
    BAD_CONDUCT = (
        "{word}: say friendly, strict or tournament{near}",
        "{word}: friendly, strict oder tournament sagen{near}",
    )
    TWO_TIMES = (
        "say what Black's and what Orange's clock shows, such as times 5:00 4:30",
        "nennen, was die Uhr von Schwarz und die von Orange zeigt, etwa times 5:00 4:30",
    )

    NO_JUGGERNAUT = (
        "no Juggernaut is in this game: there is nothing to roll for",
        "in dieser Partie ist kein Juggernaut: es gibt nichts zu würfeln",
    )
    NO_START = (
        "the Juggernaut cannot begin there: throw file and rank again, as in: roll 10 5 6",
        "dort kann der Juggernaut nicht beginnen: Linie und Reihe neu werfen, wie: roll 10 5 6",
    )
    ANSWER_FIRST = "answer the question first", "erst die Frage beantworten"
    NOT_DUE = (
        "the die is rolled once after each ply: play the next one first",
        "gewürfelt wird einmal nach jedem Zug: erst den nächsten spielen",
    )
    FIGHT_FIRST = (
        "a fight is open: say first who has won it",
        "ein Kampf ist offen: erst sagen, wer ihn gewonnen hat",
    )
    NO_FIGHT = "nobody fights for a square just now", "gerade kämpft niemand um ein Feld"
    DICE_DECIDE = (
        "the dice have begun to decide this fight: throw them again",
        "die Würfel haben diesen Kampf begonnen: noch einmal würfeln",
    )
    NUMBER_TOO_LARGE = "{number}: must be 0..{most}", "{number}: muss 0..{most} sein"
    NO_DIE = (
        "the table has no die in this game: throw a real one, and enter it as in: roll 3",
        "der Tisch hat in dieser Partie keinen Würfel: einen echten werfen, Eingabe wie: roll 3",
    )
    DIE_ROLLED = (
        "the table's die has been rolled: numbers are added before that",
        "der Würfel ist schon gefallen: Zahlen kommen vorher dazu",
    )
    SEED_SHOWN = (
        "the seed of the table's die has been shown: throw a real one, and enter it as in: roll 3",
        "das Geheimnis des Würfels ist bekannt: einen echten werfen, Eingabe wie: roll 3",
    )
    SEED_LOST = (
        "the seed of the table's die is lost: throw a real one, and enter it as in: roll 3",
        "das Geheimnis des Würfels ist verloren: einen echten werfen, Eingabe wie: roll 3",
    )
    ENTER_ROLL = (
        "a die must be thrown for that: enter it as in: roll 3",
        "dafür muss ein Würfel geworfen werden, Eingabe wie: roll 3",
    )

    HAS_BEGUN = (
        "the game has begun: that is settled before the first ply",
        "die Partie hat begonnen: das wird vor dem ersten Zug geklärt",
    )
    NOTHING_TO_SETTLE = (
        "no die is to be rolled for who begins",
        "es ist nicht zu würfeln, wer beginnt",
    )
    NO_SUCH_FACE = "die {face}: must be 1..10", "Würfel {face}: muss 1..10 sein"
    NO_BIAS = (
        "the flat board has no centre to cross: a bias belongs to the disk",
        "das flache Brett hat keine Mitte zu überqueren: einen Drehsinn hat nur die Scheibe",
    )
    SETTLE_FIRST = (
        "settle first who begins, or which way the centre is crossed",
        "erst klären, wer beginnt, oder wie die Mitte überquert wird",
    )

    BAD_SERIES_NAME = (
        "{name!r}: a series has a name of up to 40 letters, digits, spaces and . , ( ) ' + -",
        "{name!r}: ein Serienname hat bis zu 40 Buchstaben, Ziffern, Leerzeichen und . , ( ) ' + -",
    )
    NO_SUCH_SERIES = (
        "{name}: no game of the journal belongs to such a series (jetan series list)",
        "{name}: keine Partie des Journals gehört zu so einer Serie (jetan series list)",
    )
    NOT_ITS_PLAYERS = (
        "series {name}: {first} and {second} play it; choose another name for other players",
        "Serie {name}: sie gehört {first} und {second}; für andere einen anderen Namen wählen",
    )
    TWO_PLAYERS = (
        "a new series needs its two players, by different names",
        "eine neue Serie braucht ihre beiden Spieler, mit verschiedenen Namen",
    )
    NO_WINNER = (
        "nobody has won that choice: let it be rolled, or agree",
        "niemand hat diese Wahl gewonnen: würfeln oder vereinbaren",
    )

    NO_SUCH_WORD = (
        "{word}: no such word{near} (? for help)",
        "{word}: kein solches Wort{near} (? für Hilfe)",
    )
    SAY_IT_SO = "say it as in: {example}", "so sagen: {example}"
    ONE_SQUARE = "say one square, such as d2", "ein Feld nennen, etwa d2"
    TWO_SQUARES = "say two squares, such as why d2 d5", "zwei Felder nennen, etwa why d2 d5"
    ONE_HELP = "{word}: say {names}{near}", "{word}: {names} sagen{near}"
    ONE_NUMBER = (
        "say one number up to {most}, such as number 17",
        "eine Zahl bis {most} nennen, etwa number 17",
    )
    ONE_SIDE = "{word}: say black or orange{near}", "{word}: black oder orange sagen{near}"
    ONE_WAY = (
        "{word}: say clockwise or counterclockwise{near}",
        "{word}: clockwise oder counterclockwise sagen{near}",
    )
    REAL_PIECES = (
        "a real board's pieces are moved by hand (? for what can be typed)",
        "die Figuren eines echten Bretts bewegen Hände (? zeigt, was man tippen kann)",
    )

    EMPTY_SQUARE = "nothing stands on {square}", "auf {square} steht nichts"
    TAKEN_SQUARE = (
        "{square} is taken: lift what stands there first",
        "{square} ist besetzt: erst anheben, was dort steht",
    )
    NOTHING_TO_PUT = (
        "{square} is empty, and so are hand and box",
        "{square} ist leer, Hand und Schachtel auch",
    )
    NOT_AT_HAND = (
        "no {letter} is in the hand or the box",
        "kein {letter} ist in Hand oder Schachtel",
    )
    NOT_IN_HAND = "no {letter} is in the hand", "kein {letter} ist in der Hand"
    EMPTY_HAND = "the hand is empty", "die Hand ist leer"
    NO_PLY_NOW = (
        "no move can be made just now: see what the table asks or waits for",
        "gerade kann nicht gezogen werden: siehe, was der Tisch fragt oder abwartet",
    )
    FULL_HAND = "put down first what is in the hand", "erst absetzen, was in der Hand ist"
    NOT_YOUR_PIECES = (
        "these pieces are not yours to move from here",
        "diese Figuren lassen sich von hier nicht bewegen",
    )

    SIMULATED_PEOPLE = (
        "simulated people play both sides here",
        "hier spielen simulierte Leute beide Seiten",
    )
    NOBODY_TYPES = (
        "nothing can be typed while simulated people play",
        "solange simulierte Leute spielen, kann man nichts tippen",
    )
    CLOSE_THE_PAGE = (
        "close the page to leave; Ctrl-C stops the table",
        "zum Gehen die Seite schließen; Strg-C hält den Tisch an",
    )
    NO_WISH = "nobody wishes anything just now", "gerade wünscht niemand etwas"
    ONE_SOURCE = (
        "load: tell one of name, game and text",
        "load: eines von name, game und text nennen",
    )

    BAD_NAME = (
        "{name!r}: a name is up to 60 letters, digits, spaces and . , ( ) ' + -",
        "{name!r}: ein Name hat bis zu 60 Buchstaben, Ziffern, Leerzeichen und . , ( ) ' + -",
    )
    NAME_TAKEN = (
        "{name}: a game of that name is saved already; choose another name",
        "{name}: so heißt schon eine gesicherte Partie; einen anderen Namen wählen",
    )
    NOT_SAVED = (
        "{name}: no game is saved under that name (jetan games list)",
        "{name}: unter dem Namen ist keine Partie gesichert (jetan games list)",
    )
    UNREADABLE_GAME = "the game cannot be read: {why}", "die Partie ist nicht lesbar: {why}"
    NO_SUCH_PLY = (
        "ply {plies}: the game has plies 0..{most}",
        ("Zug {plies}: die Partie hat die Züge 0..{most}"),
    )
    OVER_THERE = (
        "after ply {number} the game is over ({over}): play on from before",
        "nach Zug {number} ist die Partie zu Ende ({over}): von vorher weiterspielen",
    )

    STRANGE_HOST = (
        "host {name!r}: this table is reached by its address, or as {known}",
        "Name {name!r}: dieser Tisch ist unter seiner Adresse zu erreichen, oder als {known}",
    )
    STRANGE_ORIGIN = (
        "origin {origin!r}: only the table's own page may ask this",
        "Herkunft {origin!r}: darum darf nur die eigene Seite des Tisches bitten",
    )
    TOO_MANY_TRIES = (
        "too many wrong PINs; try again in {wait_s:.0f} seconds",
        "zu viele falsche PINs; in {wait_s:.0f} Sekunden wieder versuchen",
    )
    WRONG_PIN = "that is not the table's PIN", "das ist nicht die PIN des Tisches"
    NO_TOKEN = (
        "only who knows the table's PIN may change anything",
        "nur wer die PIN des Tisches kennt, darf etwas ändern",
    )
    OLD_TOKEN = (
        "this token holds no longer: enter the PIN again",
        "dieser Einlass gilt nicht mehr: die PIN neu eingeben",
    )
    BUSY = (
        "the table has too much to do just now; ask again",
        "der Tisch hat gerade zu viel zu tun; noch einmal bitten",
    )
    NO_CAMERA = "there is no camera at this table", "an diesem Tisch ist keine Kamera"
    NO_PICTURE = "the camera has shown nothing yet", "die Kamera hat noch nichts gezeigt"
    BAD_CORNERS = (
        "the corners must go once round the board: a1, j1, j10, a10",
        "die Ecken müssen einmal um das Brett gehen: a1, j1, j10, a10",
    )
    NO_REPLY = "the table does not answer", "der Tisch antwortet nicht"
    SLOW_BODY = (
        "the body did not come within {wait_s:.0f} s",
        "die Anfrage kam nicht innerhalb von {wait_s:.0f} s",
    )

    def say(self, language: Language, **values: object) -> str:
        """Return the sentence in a language."""
        english, german = self.value
        return (german if language == "de" else english).format(**values)


NEAR: Mapping[Language, str] = {"en": ", did you mean {}?", "de": ", war {} gemeint?"}


class Refusal(TableError):
    """A refusal that can be said in every language of the table; as text it is English.

    `no` is the sentence, and `values` what it names: texts, numbers, a `Near`, another error.
    """

    def __init__(self, no: No, **values: object) -> None:
        self.no, self.values = no, values
        super().__init__(self.said("en"))

    def said(self, language: Language) -> str:
        """Return the refusal in a language."""
        values = {name: _in(language, value) for name, value in self.values.items()}
        return self.no.say(language, **values)


def refused_in(language: Language, error: Exception) -> str:
    """Return what an error says to people, in their language where it can."""
    if isinstance(error, Refusal):
        return error.said(language)
    if isinstance(error, RulesError) and language == "de":
        values = {name: _in_german(_in("de", value)) for name, value in error.values.items()}
        return str(_in_german(error.template)).format(**values)
    return str(error)


def _in_german(value: object) -> object:
    return RULES_IN_GERMAN.get(value, value) if isinstance(value, str) else value


def _in(language: Language, value: object) -> object:
    match value:
        case Near(name=name):
            return NEAR[language].format(name) if name else ""
        case Explained() as explained:
            return explained.said(language)
        case Exception() as error:
            return refused_in(language, error)
    return value
