"""What the table says to people, in English and German, of what it shows and what happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hardware.switches import FaultKind, Switch
from rules import (
    SQUARES,
    Kind,
    Move,
    MoveKind,
    Position,
    Rules,
    Side,
    Square,
    format_move,
    format_square,
)
from rules.explain import explain
from rules.game_text import LOST, WON, format_roll, parse_roll, parse_throw
from rules.juggernaut import Roll
from rules.ledger import Account
from rules.pieces import JUGGERNAUT_LETTER, PIECES
from rules.words import CATALOGUES, Language, kind_in_words, sentences

from ..board.gestures import Deed
from ..board.hints import is_check
from ..board.orientation import A1
from ..board.repair import HandMove, Placing
from ..engine.why import Point
from ..game import events as happened
from ..game.clock import Clocks, format_seconds
from ..game.commands import Help
from ..game.duels import Fight
from ..game.events import Begin, Ending, Entry, Question
from ..game.opening import Opening
from ..game.placement import UNKNOWN
from ..game.record import Record
from ..game.refusals import refused_in
from ..game.rules_in_german import GERMAN_ENDINGS
from ..game.wagers import format_prices, wager_told
from ..journal.archive import Archive
from ..journal.series import PlayedSeries, read_series
from ..session.session import News
from ..session.view import Advice, AskedCorner, Phase, View
from .catalogue import ENGLISH, Say
from .german import GERMAN
from .why_words import why_in_words

MATRIX_COLUMNS = 10
SWITCH_OF = tuple(Switch(square) for square in SQUARES)
"""A matrix wired like the board: rank 1 is row 1, file a is column 1."""


GESTURES: Mapping[Deed, Say] = {
    Deed.RESIGN: Say.GESTURE_RESIGN,
    Deed.DRAW: Say.GESTURE_DRAW,
    Deed.TAKE_BACK: Say.GESTURE_TAKE_BACK,
    Deed.PAUSE: Say.GESTURE_PAUSE,
    Deed.NEW_GAME: Say.GESTURE_NEW_GAME,
}

HOW = {
    "agreed": Say.AGREED,
    "chosen": Say.CHOSEN,
    "table": Say.BY_TABLE,
    "hand": Say.BY_HAND,
}

WORDS: Mapping[Language, Mapping[Say, str]] = {"en": ENGLISH, "de": GERMAN}


class Speaker:
    """Puts a table's state and news into the words of one language.

    `switch_of` is how the squares are wired, for words about a switch that fails.
    """

    def __init__(self, language: Language, switch_of: Sequence[Switch] = SWITCH_OF) -> None:
        self.language = language
        self._switch_of = switch_of
        self._words = WORDS[language]

    def say(self, what: Say, **values: object) -> str:
        """Return one sentence."""
        return self._words[what].format(**values)

    def sentences(self, view: View, is_typed: bool = True) -> list[str]:
        """Return what there is to say about a table now, the most urgent first.

        Where nothing `is_typed`, what could be typed is left out.
        """
        sentences = [self.say(Say.TROUBLE, why=view.trouble)] if view.trouble else []
        sentences += view.taught.get(self.language, ())
        sentences += self._over(view)
        sentences += self._asked_by_people(view, is_typed)
        if view.phase is Phase.SETTING_UP and (view.missing or view.extra or not view.is_roll_due):
            why = Say.LEFT_WRONG if view.was_off else Say.SET_UP
            sentences.append(self._carrying_out(view) or self.say(why))
        if view.placing:
            sentences.append(self._placing(view.placing, view.position.rules))
        if view.question:
            sentences.append(self.question(view.question, is_typed, is_past=not view.asked))
        if view.repair:
            sentences += self._why_not(view)
            sentences.append(self._repair(view.repair, view.position.rules))
        elif view.lifted:
            pieces = ", ".join(self._piece_on(view.position, square) for square in view.lifted)
            what = Say.LEFT_IN_THE_AIR if view.was_off else Say.IN_THE_AIR
            sentences.append(self.say(what, pieces=pieces))
        sentences += self._terms(view)
        if is_typed and (view.repair or view.placing):
            sentences.append(self.say(Say.OR_RIGHT))
        sentences += self._thrown_for(view, is_typed)
        if view.phase is Phase.PLAYING and not view.unsettled:
            sentences += self._turn(view)
        for square, kind in sorted(view.faults.items()):
            sentences.append(f"{self._fault(format_square(square), kind)} {self._wires(square)}")
        return [*sentences, *(self.say(Say.NOTE, note=note) for note in view.notes)]

    def clock(self, clocks: Clocks | None, now: float) -> list[str]:
        """Return what the clocks show as one line, `>` before the one that runs; none if none."""
        if clocks is None:
            return []
        shown = clocks.until(now)
        times = {side.word: self._time(shown, side) for side in Side}
        stands = (
            f" ({self.say(Say.CLOCK_STANDS)})" if shown.running is not None and shown.stops else ""
        )
        return [f"{self.say(Say.CLOCKS, **times)}{stands}"]

    def _time(self, clocks: Clocks, side: Side) -> str:
        mark = "> " if clocks.running is side else ""
        low = f" ({self.say(Say.LOW)})" if clocks.is_low(side) else ""
        return f"{mark}{self.side(side)} {format_seconds(clocks.left.of(side))}{low}"

    def lines(self, news: Iterable[News]) -> list[str]:
        """Return what has happened, line by line; what nobody needs to hear is left out."""
        return [line for line in map(self.line, news) if line]

    def line(self, news: News) -> str:
        """Return what has happened as one line, empty where only the table notes it."""
        if isinstance(news, Begin):
            return self.say(Say.BEGUN, rules=news.header.rules)
        return self._happened(news)

    def _happened(self, entry: Entry) -> str:
        match entry.event:
            case happened.Ply(number=number, move=move) | happened.Answer(number=number, move=move):
                return self.say(Say.CONFIRMED, number=number, move=move)
            case happened.TakeBack(number=number):
                return self.say(Say.TAKEN_BACK, number=number)
            case Question(number=number, candidates=candidates):
                return self.say(Say.ASKED, number=number, squares=", ".join(candidates))
            case happened.Wander(after=number, to_square=square):
                return self.say(Say.WANDERED, number=number, square=square)
            case happened.Recall(after=number):
                return self.say(Say.RECALLED, number=number)
            case (
                happened.DieCommit()
                | happened.DieNumber()
                | happened.DieRoll()
                | happened.DieSeed()
                | happened.DuelTold() as event
            ):
                return self._dice_line(event)
            case (
                happened.Fault()
                | happened.Follows()
                | happened.Remains()
                | happened.Cleared()
                | happened.Settled() as event
            ):
                return self._seen(event)
            case happened.Correction(position=position):
                return self.say(Say.CORRECTED, position=position)
            case happened.DrawOffer() | happened.DrawDeclined() | Ending() as event:
                return self._said(event)
            case happened.TermsEvent() as event:
                return self._terms_told(event)
            case happened.Preamble() as event:
                return self.preamble(event)
        raise TypeError(f"{entry.event!r} has no words")

    def preamble(self, event: happened.Preamble) -> str:
        """Return what was agreed or settled before the first ply."""
        match event:
            case happened.SeriesAgreed(name=name):
                return self.say(Say.SERIES, name=name)
            case happened.WagerAgreed(stake=stake, for_bias=for_bias) as wager:
                sentence = self.say(
                    Say.WAGER, stake=stake, prices=format_prices(wager_told(wager).prices)
                )
                return f"{sentence} {self.say(Say.FOR_THE_BIAS)}" if for_bias else sentence
            case happened.FirstMove(side=side):
                return self.say(Say.BEGINS, side=self.say(Say[side.upper()]), how=self._how(event))
            case happened.Bias(way=way):
                return self.say(Say.CROSSED, way=self.say(Say[way.upper()]), how=self._how(event))
        return self.say(Say.TO_SETTLE)

    def _how(self, event: happened.FirstMove | happened.Bias) -> str:
        return self.say(HOW[event.by], face=event.face)

    def _dice_line(self, event: happened.DiceEvent) -> str:
        """Return what happened with dice, as one line."""
        match event:
            case happened.DuelTold():
                return self._duel_line(event)
            case happened.DieCommit(commit=commit):
                return self.say(Say.COMMITTED, commit=commit)
            case happened.DieNumber(number=number):
                return self.say(Say.NUMBER_ADDED, number=number)
            case happened.DieRoll(after=number, roll=text):
                roll = parse_roll(text)
                what = Say.ROLLED_BY_HAND if roll.by_hand else Say.ROLLED
                return self.say(what, number=number, roll=_shown(roll))
            case happened.DieSeed(seed=seed):
                return self.say(Say.REVEALED, seed=seed)

    def _duel_line(self, event: happened.DuelTold) -> str:
        if event.told in (WON, LOST):
            what = Say.DUEL_TOLD_WON if event.told == WON else Say.DUEL_TOLD_LOST
            return self.say(what, number=event.number)
        attack, defence, by_hand = parse_throw(event.told)
        what = Say.DUEL_THROWN_BY_HAND if by_hand else Say.DUEL_THROWN
        return self.say(what, number=event.number, attack=attack, defence=defence)

    def _seen(
        self,
        event: happened.Fault
        | happened.Follows
        | happened.Remains
        | happened.Cleared
        | happened.Settled,
    ) -> str:
        match event:
            case happened.Fault(square=square, fault=kind):
                return self._fault(square, FaultKind(kind))
            case happened.Follows(square=square):
                return self.say(Say.FOLLOWS, square=square)
        return ""  # the board shows it

    def _terms(self, view: View) -> list[str]:
        """Return what the terms of the game ask of the players now."""
        sentences = [self.say(Say.PAUSED)] if view.is_paused else []
        if view.touched:
            pieces = ", ".join(self._piece_on(view.position, square) for square in view.touched)
            sentences.append(self.say(Say.MUST_MOVE, pieces=pieces))
        return sentences

    def _terms_told(self, event: happened.TermsEvent) -> str:
        match event:
            case happened.Turned(a1=a1, b1=b1):
                what = Say.LIES_RIGHT if (a1, b1) == ("a1", "b1") else Say.TURNED
                return self.say(what, a1=a1, b1=b1)
            case happened.ClockAgreed(control="none"):
                return self.say(Say.NO_CLOCK_AGREED)
            case happened.ClockAgreed(control=control):
                return self.say(Say.CLOCK_AGREED, control=control)
            case happened.ConductAgreed(conduct=name):
                return self.say(Say.CONDUCT_AGREED, conduct=self.say(Say[name.upper()]))
            case happened.Pause(by="people"):
                return self.say(Say.PAUSED)
            case happened.Pause(by="off"):
                return self.say(Say.WAS_OFF)
            case happened.Resume(by="people"):
                return self.say(Say.RESUMED_PLAY)
            case happened.Touch(square=square):
                return self.say(Say.TOUCHED, square=square)
            case happened.Release():
                return self.say(Say.RELEASED)
            case happened.Fix(what=what):
                return self.say(Say.FIXED, fix=what)
        return ""

    def _asked_by_people(self, view: View, is_typed: bool) -> list[str]:
        """Return what a gesture under way is about to ask for, and the draw that is offered."""
        sentences = [self.corner(view.asked_corner)] if view.asked_corner else []
        if view.gesture:
            gesture = view.gesture.gesture
            side = "" if gesture.side is None else self.side(gesture.side)
            sentences.append(self.say(GESTURES[gesture.deed], side=side))
        if view.refused is not None:
            sentences.append(self.say(Say.NOTE, note=refused_in(self.language, view.refused)))
        if view.draw_offer is not None:
            sentences.append(self.say(Say.OFFERS_DRAW, side=self.side(view.draw_offer)))
            if is_typed:
                sentences.append(self.say(Say.ANSWER_DRAW, side=self.side(view.draw_offer.other)))
        return sentences

    def corner(self, asked: AskedCorner) -> str:
        """Return which corner people are asked to touch, where the board may lie turned."""
        what = Say.ASK_CORNER if asked.corner == A1 else Say.ASK_BESIDE
        return self.say(what, squares=self.say(Say.OR).join(map(format_square, asked.squares)))

    def _said(self, event: happened.DrawOffer | happened.DrawDeclined | Ending) -> str:
        match event:
            case happened.DrawOffer(side=word):
                return self.say(Say.OFFERS_DRAW, side=self.side(Side[word.upper()]))
            case happened.DrawDeclined():
                return self.say(Say.DRAW_DECLINED)
            case Ending() as ending:
                return self._ending(ending)

    def _wish(self, wish: Move, position: Position) -> str:
        return self.say(
            Say.WISH_TAKES if wish.kind is MoveKind.CAPTURE else Say.WISH,
            move=format_move(wish, position),
            piece=self._piece_on(position, wish.from_square),
            victim=self._piece_on(position, wish.to_square),
            end=format_square(wish.to_square),
        )

    def _turn(self, view: View) -> list[str]:
        """Return who is to play, and what is wished or advised."""
        position, sentences = view.position, []
        if view.wish and not view.repair:
            sentences = [self._wish(view.wish, position), *self._why(view.why, position.rules)]
        elif not (view.trouble or view.fight):
            turn = Say.CHECK if is_check(position) else Say.TO_MOVE
            sentences = [self.say(turn, side=self.side(position.side))]
        if view.advice and not view.repair:
            sentences += self._advice(view.advice, position)
        return sentences

    def _advice(self, advice: Advice, position: Position) -> list[str]:
        move = advice.move
        if move is None:
            return [self.say(Say.ADVICE_COMES)]
        if advice.help is Help.PIECE:
            piece = self._piece_on(position, move.from_square)
            return [self.say(Say.ADVICE_PIECE, piece=piece)]
        sentences = [self.say(Say.ADVICE_MOVE, move=format_move(move, position))]
        return (
            sentences
            if advice.help is Help.MOVE
            else sentences + self._why(advice.points, position.rules)
        )

    def _why(self, points: Sequence[Point], rules: Rules) -> list[str]:
        return [why_in_words(points, rules, self.language)] if points else []

    def _thrown_for(self, view: View, is_typed: bool) -> list[str]:
        """Return what dice are to be thrown for, and what else is settled before the first ply."""
        if view.unsettled:
            return [self._unsettled(view.opening, is_typed)]
        roll = [self._due_roll(view, is_typed)] if view.is_roll_due else []
        return [*roll, self._fight(view.fight, is_typed)] if view.fight else roll

    def _unsettled(self, opening: Opening, is_typed: bool) -> str:
        """Return what is to be settled now, and what can be typed for it."""
        is_first = opening.due == "first"
        if opening.is_roll_due:
            asked = self.say(Say.FIRST_ROLL if is_first else Say.BIAS_ROLL)
        else:
            side = self.say(Say[str(opening.settler).upper()])
            asked = self.say(Say.FIRST_CHOICE if is_first else Say.BIAS_CHOICE, side=side)
        if not is_typed:
            return asked
        typed = [self.say(Say.TYPE_ROLL)] if opening.is_roll_due else []
        return " ".join((asked, *typed, self.say(Say.TYPE_FIRST if is_first else Say.TYPE_BIAS)))

    def _due_roll(self, view: View, is_typed: bool) -> str:
        """Return what is to be done about a roll that is due."""
        if view.position.juggernaut is None and view.position.rules["juggernaut"] != "off":
            due = self.say(Say.START_DUE)
            return f"{due} {self.say(Say.TYPE_START)}" if is_typed else due
        shown = _shown(view.rolls[-1]) if view.rolls else ""
        due = self.say(Say.ROLL_AGAIN if view.rolls else Say.ROLL_DUE, roll=shown)
        return f"{due} {self.say(Say.TYPE_ROLL)}" if is_typed else due

    def _carrying_out(self, view: View) -> str | None:
        """Return what hands are led to do: a roll, or who lost a fight; None where neither is."""
        if view.rolls and not view.is_roll_due and view.position.juggernaut is not None:
            square = format_square(view.position.juggernaut)
            return self.say(Say.ROLL_SENDS, roll=_shown(view.rolls[-1]), square=square)
        if view.duel is not None and not view.duel.attacker_won and view.last_move:
            return self.say(Say.DUEL_LOST, square=format_square(view.last_move[1]))
        return None

    def _fight(self, fight: Fight, is_typed: bool) -> str:
        """Return what is to be done about a fight that is open."""
        rules, attacker, defender = fight.before.rules, fight.attacker, fight.defender
        if fight.throws:
            attack, defence, _ = fight.throws[-1]
            sentences = [self.say(Say.FIGHT_TIED, attack=attack, defence=defence)]
        else:
            begun = self.say(
                Say.FIGHT,
                attacker=self.kind(attacker.kind, rules),
                side=self.side(attacker.side),
                defender=self.kind(defender.kind, rules),
                square=format_square(fight.square),
                attack=rules.worth(attacker.kind),
                defence=rules.worth(defender.kind),
            )
            sentences = [begun, self.say(Say.FIGHT_DUE)]
        return " ".join([*sentences, self.say(Say.TYPE_DUEL)] if is_typed else sentences)

    def _over(self, view: View) -> list[str]:
        """Return how the game has ended and what it has cost; nothing while it goes on."""
        if view.ending is None:
            return []
        account = [] if view.account is None else [self.account(view.account)]
        return [self._ending(view.ending), *account]

    def account(self, account: Account) -> str:
        """Return who has gained how much."""
        gains = {side: account.balance(side) for side in Side}
        side = max(Side, key=gains.__getitem__)
        if not gains[side]:
            return self.say(Say.EVEN)
        return self.say(Say.GAINS, side=self.say(Say[side.name]), tokens=gains[side])

    def _ending(self, ending: Ending) -> str:
        why = ending.termination
        if self.language == "de":
            why = GERMAN_ENDINGS.get(why, why)
        if ending.result == "*":
            return self.say(Say.LEFT)
        if ending.result == "draw":
            return self.say(Say.DRAWN, why=why)
        return self.say(Say.WINS, side=self.side(Side[ending.result.upper()]), why=why)

    def _placing(self, placing: Placing, rules: Rules) -> str:
        piece = PIECES.get(placing.letter)
        return self.say(
            Say.PLACE if placing.total > 1 else Say.PLACE_ONE,
            side="" if piece is None else f"{self.side(piece.side)}, ",
            piece=self._thing(placing.letter, rules),
            stand=placing.stand,
            total=placing.total,
            squares=", ".join(map(format_square, placing.squares)),
        )

    def question(self, question: Question, is_typed: bool = False, is_past: bool = False) -> str:
        """Return what the players are asked, and what can be typed where no touch answers.

        That is so once play has gone on, too, and what is asked about `is_past`.
        """
        what = Say.ASK_WHICH if question.from_square is None else Say.ASK_WHERE
        if question.from_square is not None and is_past:
            what = Say.ASKED_BEFORE
        elif question.from_square is not None and len(question.candidates) == 1:
            what = Say.ASK_WHETHER
        asked = self.say(
            what if question.is_ply else Say.ASK_JUGGERNAUT,
            start=question.from_square,
            end=question.to_square,
            squares=self.say(Say.OR).join(question.candidates),
        )
        is_touched = question.from_square is not None and not is_past
        if not is_typed or is_touched or not question.is_ply:
            return asked
        return f"{asked} {self.say(Say.OR_ANSWER, first=question.candidates[0])}"

    def _why_not(self, view: View) -> list[str]:
        """Return why the piece that is to go back may not stand where it was put, in play."""
        step, position = view.repair, view.position
        if view.phase is not Phase.PLAYING or step is None:
            return []
        start, end = step.to_square, step.from_square
        piece = None if start is None else position.piece_at(start)
        if start is None or end is None or piece is None or piece.side is not position.side:
            return []
        return [sentences(explain(position, start, end), position.rules, self.language)]

    def _repair(self, step: HandMove, rules: Rules) -> str:
        start = "" if step.from_square is None else format_square(step.from_square)
        end = "" if step.to_square is None else format_square(step.to_square)
        what = Say.PUT if not start else Say.MOVE_HOME if end else Say.TAKE_AWAY
        return self.say(what, piece=self._thing(step.letter, rules), start=start, end=end)

    def _fault(self, square: str, kind: FaultKind) -> str:
        return self.say(Say.STUCK if kind is FaultKind.STUCK else Say.DEAD, square=square)

    def _wires(self, square: Square) -> str:
        row, column = divmod(self._switch_of[square], MATRIX_COLUMNS)
        return self.say(Say.WIRE, row=row + 1, column=column + 1)

    def _piece_on(self, position: Position, square: Square) -> str:
        piece = position.piece_at(square)
        letter = piece.letter if piece else JUGGERNAUT_LETTER
        return f"{self._thing(letter, position.rules)} {format_square(square)}"

    def _thing(self, letter: str, rules: Rules) -> str:
        if letter == UNKNOWN:
            return self.say(Say.SOMETHING)
        if letter == JUGGERNAUT_LETTER:
            return CATALOGUES[self.language].juggernaut
        return self.kind(PIECES[letter].kind, rules)

    def kind(self, kind: Kind, rules: Rules) -> str:
        """Return a kind's name under these rules."""
        return kind_in_words(kind, rules, CATALOGUES[self.language])

    def side(self, side: Side) -> str:
        """Return a side's name."""
        return self.say(Say.BLACK if side is Side.BLACK else Say.ORANGE)


def _shown(roll: Roll) -> str:
    """Return what the die shows: `7`, or `10, 3, 7`."""
    return format_roll(roll._replace(by_hand=False)).replace(",", ", ")


def account_lines(record: Record, archive: Archive, speaker: Speaker) -> list[str]:
    """Return what a game has cost so far, and how its series stands, where it belongs to one.

    The game itself counts in the series once it is over.
    """
    account = record.account
    lines = [speaker.say(Say.FOR_NOTHING)]
    if account is not None:
        black, orange = account.heads[Side.BLACK], account.heads[Side.ORANGE]
        lines = [speaker.say(Say.HEADS, black=black, orange=orange, stake=account.stake)]
        lines.append(speaker.account(account))
    if record.series is not None:
        lines += series_lines(read_series(archive, record.series), speaker)
    return lines


def series_lines(series: PlayedSeries, speaker: Speaker) -> list[str]:
    """Return how a series stands: a line for each player, under its name."""
    lines = [speaker.say(Say.SERIES_STANDS, name=series.name, games=len(series.ledger.games))]
    for name, wins, balance in zip(series.players, series.wins, series.balance, strict=True):
        lines.append(speaker.say(Say.PLAYER_STANDS, name=name, wins=wins, balance=f"{balance:+}"))
    return lines
