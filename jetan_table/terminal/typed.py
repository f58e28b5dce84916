"""What can be typed at the table: touches of the board, and words to the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hardware.simulated_contacts import ContactFault
from rules import Position, Side, Square, format_position, parse_position, parse_rules, parse_square
from rules.errors import near_miss
from rules.explain import explain
from rules.words import Language, sentences

from ..game.commands import (
    AcceptDraw,
    AddNumber,
    AgreeDraw,
    AnswerQuestion,
    AsArbiter,
    AskAdvice,
    BoardIsRight,
    ChooseBias,
    ChooseFirst,
    Command,
    CommandRefused,
    Correct,
    DeclineDraw,
    Help,
    NewGame,
    OfferDraw,
    Resign,
    RollDie,
    TakeBackLast,
    TurnBoard,
)
from ..game.events import Header, Way
from ..game.opening import WAY_OF
from ..game.refusals import No
from ..game.rolling import MOST_ADDED, duel_command, entered
from ..journal.agreement import another
from ..journal.rules_named import named_rules
from ..session.umpire import check_help
from ..simulation.table import TypedHands
from ..table.loop import Clock, Table
from ..words.gesture_words import GUIDES
from ..words.ledger_lines import account_lines
from ..words.words import Speaker
from .typed_terms import TERMS_VERBS, terms_words
from .verbs import Does, Verb


class Quit(Exception):
    """The person at the terminal wants to stop."""


TOUCHES: Mapping[str, Verb] = {
    "SQUARE": Verb("d2", "lift what stands there, or put down", "anheben oder absetzen"),
    "SQUARES": Verb("d2 d3 ...", "move, or slide over squares", "ziehen, über Felder schieben"),
    "lift": Verb("d2", "lift a piece", "eine Figur anheben"),
    "put": Verb("d4 [P]", "put down, from hand or box", "absetzen, aus Hand oder Schachtel"),
    "off": Verb("", "put what is held into the box", "Gehaltenes in die Schachtel legen"),
    "tilt": Verb("d2", "knock a piece over for a while", "eine Figur eine Weile umwerfen"),
    "stuck": Verb("e5", "let a switch stick", "einen Schalter klemmen lassen"),
    "dead": Verb("e5", "let a switch die", "einen Schalter sterben lassen"),
    "mend": Verb("e5", "mend a switch", "einen Schalter heilen"),
    "tidy": Verb("", "put all pieces where they belong", "alle Figuren richtig hinstellen"),
}
"""What hands at a simulated board do, in the order of the help."""

VERBS: Mapping[str, Verb] = {
    "answer": Verb("d5", "say which piece was taken", "sagen, welche geschlagen wurde"),
    "right": Verb(
        "", "the board is right, a switch is not", "das Brett stimmt, der Schalter nicht"
    ),
    "roll": Verb("[3|10 3 7]", "roll the die; or enter a real one", "würfeln, auch von Hand"),
    "duel": Verb("[7 4|won|lost]", "fight for a square entered", "um ein betretenes Feld kämpfen"),
    "number": Verb("17", "add a number to the die's seed", "eine Zahl zum Würfel geben"),
    "hint": Verb("[piece|move|why]", "be told what to play", "sich einen Zug raten lassen"),
    "back": Verb("", "take the last ply back", "den letzten Zug zurücknehmen"),
    "begins": Verb("[black|orange]", "say who begins", "sagen, wer beginnt"),
    "bias": Verb(
        "[counter]clockwise", "say how the centre is crossed", "sagen, wie es über die Mitte geht"
    ),
    "account": Verb("", "what the game and its series cost", "was Partie und Serie kosten"),
    "resign": Verb("[black|orange]", "give up", "aufgeben"),
    "offer": Verb("[black|orange]", "offer a draw", "Remis anbieten"),
    "accept": Verb("", "take the draw that is offered", "das angebotene Remis annehmen"),
    "decline": Verb("", "want no draw", "kein Remis wollen"),
    "draw": Verb("", "both agree on a draw", "Remis vereinbaren"),
    "gestures": Verb("", "what hands can ask for", "worum Hände bitten können"),
    "new": Verb("[RULES]", "begin another game", "eine neue Partie beginnen"),
    "turned": Verb("j10 i10", "say where a1 and b1 lie", "sagen, wo a1 und b1 liegen"),
    "correct": Verb("POSITION", "play on from a position text", "ab einer Stellung weiterspielen"),
    "why": Verb("d2 d5", "why a piece may go there or not", "warum eine Figur dorthin darf"),
    **TERMS_VERBS,
    "board": Verb("", "what is counted of the board", "was am Brett gezählt wird"),
    "position": Verb("", "print the position text", "die Stellung als Text zeigen"),
    "?": Verb("", "this help", "diese Hilfe"),
    "quit": Verb("", "leave; the game goes on next time", "gehen; die Partie geht weiter"),
}
"""What is told to the table, in the order of the help."""


class TypedWords:
    """Does what is typed to a table about its game; the pieces of a real board are not typed."""

    def __init__(
        self,
        table: Table,
        clock: Clock,
        language: Language,
        statistics: Callable[[], list[str]] | None = None,
    ) -> None:
        """`statistics` returns what has been counted of a real board."""
        self._table, self._clock = table, clock
        self._language = language
        self._speaker = Speaker(language)
        self._arbiter_pin: str | None = None
        self._does: dict[str, Does] = {
            "answer": lambda told: self._tell(AnswerQuestion(self._square(told))),
            "right": lambda told: self._tell(BoardIsRight()),
            "roll": self._roll,
            "duel": self._duel,
            "number": self._number,
            "hint": self._hint,
            "back": lambda told: self._tell(TakeBackLast()),
            "resign": lambda told: self._tell(Resign(self._side(told))),
            "offer": lambda told: self._tell(OfferDraw(self._side(told))),
            "accept": lambda told: self._tell(AcceptDraw()),
            "decline": lambda told: self._tell(DeclineDraw()),
            "begins": lambda told: self._tell(ChooseFirst(self._side(told))),
            "bias": self._bias,
            "account": lambda told: self._account(),
            "draw": lambda told: self._tell(AgreeDraw()),
            "gestures": lambda told: GUIDES[self._language].lines(),
            "new": self._new,
            "turned": lambda told: self._tell(TurnBoard(*self._squares(told))),
            "correct": self._correct,
            "why": self._why,
            **terms_words(self._tell),
            "arbiter": self._as_arbiter,
            "position": lambda told: [format_position(self._table.view.position)],
            "?": lambda told: self.help(),
            "help": lambda told: self.help(),
            "quit": self._quit,
        }
        if statistics is not None:
            self._does["board"] = lambda told: statistics()
        self._verbs = {name: verb for name, verb in VERBS.items() if name in self._does}

    def do(self, line: str) -> list[str]:
        """Do one line and return what there is to say; Quit, or a refusal of the table's."""
        words = line.split()
        if not words:
            return []
        if words[0] in self._does:
            return self._does[words[0]](words[1:])
        if not words[0][-1].isdigit():
            near = near_miss(words[0], self._does)
            raise CommandRefused(No.NO_SUCH_WORD, word=words[0], near=near)
        return self._touch([parse_square(word) for word in words])

    def help(self) -> list[str]:
        """Return a line for every word."""
        lines = []
        for name, verb in self._verbs.items():
            typed = verb.usage if name.isupper() else f"{name} {verb.usage}"
            meaning = verb.german if self._language == "de" else verb.english
            lines.append(f"{typed.strip():24} {meaning}")
        return lines

    def _tell(self, command: Command) -> list[str]:
        if self._arbiter_pin is not None:
            command = AsArbiter(self._arbiter_pin, command)
        news = self._table.obey(command, self._clock.now())
        return self._speaker.lines(news)

    def _as_arbiter(self, told: Sequence[str]) -> list[str]:
        """Do what follows the PIN, as the arbiter says it."""
        if len(told) < 2 or told[1] not in self._does:
            raise CommandRefused(No.ARBITER_SAYS)
        self._arbiter_pin = told[0]
        try:
            return self._does[told[1]](told[2:])
        finally:
            self._arbiter_pin = None

    def _square(self, told: Sequence[str]) -> Square:
        if len(told) != 1:
            raise CommandRefused(No.ONE_SQUARE)
        return parse_square(told[0])

    def _touch(self, way: Sequence[Square]) -> list[str]:
        raise CommandRefused(No.REAL_PIECES)

    def _roll(self, told: Sequence[str]) -> list[str]:
        return self._tell(entered(",".join(told), self._table.record) if told else RollDie())

    def _duel(self, told: Sequence[str]) -> list[str]:
        return self._tell(duel_command(",".join(told) or None, self._table.view.fight))

    def _number(self, told: Sequence[str]) -> list[str]:
        if len(told) != 1 or not told[0].isdecimal() or len(told[0]) > len(str(MOST_ADDED)):
            raise CommandRefused(No.ONE_NUMBER, most=MOST_ADDED)
        return self._tell(AddNumber(int(told[0])))

    def _hint(self, told: Sequence[str]) -> list[str]:
        words = {wanted.name.lower(): wanted for wanted in Help}
        if told and told[0] not in words:
            near = near_miss(told[0], words)
            raise CommandRefused(No.ONE_HELP, word=told[0], names=", ".join(words), near=near)
        return self._tell(AskAdvice(words[told[0]] if told else None))

    def _side(self, told: Sequence[str]) -> Side:
        """Return the side that is meant: who is to move, where none is named."""
        sides = {side.word: side for side in Side}
        if not told:
            return self._table.view.position.side
        if told[0] not in sides:
            raise CommandRefused(No.ONE_SIDE, word=told[0], near=near_miss(told[0], sides))
        return sides[told[0]]

    def _bias(self, told: Sequence[str]) -> list[str]:
        ways: dict[str, Way] = {way: way for way in WAY_OF.values()}
        if len(told) != 1 or told[0] not in ways:
            near = near_miss(" ".join(told), ways)
            raise CommandRefused(No.ONE_WAY, word=" ".join(told), near=near)
        return self._tell(ChooseBias(ways[told[0]]))

    def _account(self) -> list[str]:
        return account_lines(self._table.record, self._table.archive, self._speaker)

    def _new(self, told: Sequence[str]) -> list[str]:
        now, record = self._clock.now(), self._table.record
        rules = named_rules(told[0]) if told else parse_rules(record.header.rules)
        header = Header.of(Position.start(rules), now)
        begun = another(record, header, self._table.archive)
        return self._tell(NewGame(begun.header, begun.events))

    def _correct(self, told: Sequence[str]) -> list[str]:
        rules = self._table.view.position.rules
        return self._tell(Correct(parse_position(" ".join(told), rules)))

    def _squares(self, told: Sequence[str]) -> tuple[Square, Square]:
        if len(told) != 2:
            raise CommandRefused(No.TWO_SQUARES)
        return parse_square(told[0]), parse_square(told[1])

    def _why(self, told: Sequence[str]) -> list[str]:
        check_help(self._table.record)
        position = self._table.view.position
        start, end = self._squares(told)
        return [sentences(explain(position, start, end), position.rules, self._language)]

    def _quit(self, told: Sequence[str]) -> list[str]:
        raise Quit


class TypedTable(TypedWords):
    """Does what is typed at a simulated table: touches of its board, too."""

    def __init__(self, table: Table, hands: TypedHands, clock: Clock, language: Language) -> None:
        super().__init__(table, clock, language)
        self._hands = hands
        self._verbs = {**TOUCHES, **self._verbs}
        self._does |= {
            "lift": self._lift,
            "put": self._put,
            "off": self._off,
            "tilt": self._tilt,
            "stuck": lambda told: self._fail(told, ContactFault.STUCK_CLOSED),
            "dead": lambda told: self._fail(told, ContactFault.DEAD),
            "mend": lambda told: self._fail(told, None),
            "tidy": self._tidy,
        }

    def _touch(self, way: Sequence[Square]) -> list[str]:
        if len(way) > 1:
            self._hands.move(way, self._clock.now())
        elif way[0] in self._hands.standing:
            self._hands.lift(way[0], self._clock.now())
        else:
            self._hands.put(way[0], self._clock.now())
        return []

    def _lift(self, told: Sequence[str]) -> list[str]:
        self._hands.lift(self._square(told), self._clock.now())
        return []

    def _put(self, told: Sequence[str]) -> list[str]:
        letter = told[1] if len(told) == 2 else None
        self._hands.put(self._square(told[:1]), self._clock.now(), letter)
        return []

    def _off(self, told: Sequence[str]) -> list[str]:
        self._hands.drop()
        return []

    def _tilt(self, told: Sequence[str]) -> list[str]:
        self._hands.tilt(self._square(told), self._clock.now())
        return []

    def _fail(self, told: Sequence[str], fault: ContactFault | None) -> list[str]:
        self._hands.fail(self._square(told), fault, self._clock.now())
        return []

    def _tidy(self, told: Sequence[str]) -> list[str]:
        self._hands.set_up(self._table.view.position, self._clock.now())
        return []
