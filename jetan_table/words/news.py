"""What has happened at a table, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hardware.switches import FaultKind
from rules import (
    Side,
)
from rules.game_text import LOST, WON, format_roll, parse_roll, parse_throw
from rules.juggernaut import Roll
from rules.sentences import Sentence, _
from rules.words import SIDES

from ..game import events as happened
from ..game.events import Begin, Ending, Entry, Question
from ..game.wagers import format_prices, wager_told
from ..session.session import News
from .ending_words import DRAWN
from .ending_words import WON as WON_BY
from .phrases import Phrases

HOW = {
    "agreed": _("agreed"),
    "chosen": _("chosen"),
    "table": _("the die shows {face}"),
    "hand": _("their own die shows {face}"),
}

WAYS: Mapping[str, Sentence] = {
    "clockwise": _("clockwise"),
    "counterclockwise": _("counterclockwise"),
}

CONDUCTS_IN_WORDS: Mapping[str, Sentence] = {
    "friendly": _("friendly"),
    "strict": _("strict, what is touched is moved"),
    "tournament": _("tournament, without help, corrected by the arbiter alone"),
}


class NewsWords(Phrases):
    """Puts what has happened into the words of one language."""

    def lines(self, news: Iterable[News]) -> list[str]:
        """Return what has happened, line by line; what nobody needs to hear is left out."""
        return [line for line in map(self.line, news) if line]

    def line(self, news: News) -> str:
        """Return what has happened as one line, empty where only the table notes it."""
        if isinstance(news, Begin):
            return self.say(_("a new game: {rules}"), rules=news.header.rules)
        return self._happened(news)

    def _happened(self, entry: Entry) -> str:
        match entry.event:
            case happened.Ply(number=number, move=move) | happened.Answer(number=number, move=move):
                return self.say(_("confirmed {number} {move}"), number=number, move=move)
            case happened.TakeBack(number=number):
                return self.say(_("taken back {number}"), number=number)
            case Question(number=number, candidates=candidates):
                return self.say(
                    _("asked {number}: {squares}?"), number=number, squares=", ".join(candidates)
                )
            case happened.Wander(after=number, to_square=square):
                return self.say(
                    _("Juggernaut after {number}: {square}"), number=number, square=square
                )
            case happened.Recall(after=number):
                return self.say(_("Juggernaut back after {number}"), number=number)
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
                return self.say(_("corrected: {position}"), position=position)
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
                return self.say(_("the series {name}"), name=name)
            case happened.WagerAgreed(stake=stake, for_bias=for_bias) as wager:
                sentence = self.say(
                    _("played for: stake {stake}, heads {prices}"),
                    stake=stake,
                    prices=format_prices(wager_told(wager).prices),
                )
                return sentence + " " + self.say(_("and the next bias")) if for_bias else sentence
            case happened.FirstMove(side=side):
                return self.say(
                    _("{side} begins ({how})"),
                    side=SIDES[side],
                    how=self._how(event),
                )
            case happened.Bias(way=way):
                return self.say(
                    _("the centre is crossed {way} ({how})"),
                    way=WAYS[way],
                    how=self._how(event),
                )
        return self.say(_("who begins, and how, is settled before the first move"))

    def _how(self, event: happened.FirstMove | happened.Bias) -> str:
        return self.say(HOW[event.by], face=event.face)

    def _dice_line(self, event: happened.DiceEvent) -> str:
        """Return what happened with dice, as one line."""
        match event:
            case happened.DuelTold():
                return self._duel_line(event)
            case happened.DieCommit(commit=commit):
                return self.say(
                    _("The die has its secret seed. Its SHA-256: {commit}"), commit=commit
                )
            case happened.DieNumber(number=number):
                return self.say(_("{number} is added to the die's seed"), number=number)
            case happened.DieRoll(after=number, roll=text):
                roll = parse_roll(text)
                what = (
                    _("die after {number}: {roll}, thrown by hand")
                    if roll.by_hand
                    else _("die after {number}: {roll}")
                )
                return self.say(what, number=number, roll=shown_roll(roll))
            case happened.DieSeed(seed=seed):
                return self.say(_("The die's seed was {seed}"), seed=seed)

    def _duel_line(self, event: happened.DuelTold) -> str:
        if event.told in (WON, LOST):
            what = (
                _("duel of {number}: won by the piece that entered")
                if event.told == WON
                else _("duel of {number}: lost by the piece that entered")
            )
            return self.say(what, number=event.number)
        attack, defence, by_hand = parse_throw(event.told)
        what = (
            _("duel of {number}: {attack} against {defence}, thrown by hand")
            if by_hand
            else _("duel of {number}: {attack} against {defence}")
        )
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
                return self.fault(square, FaultKind(kind))
            case happened.Follows(square=square):
                return self.say(
                    _("The switch under {square} follows again: it counts again."), square=square
                )
        return ""  # the board shows it

    def _terms_told(self, event: happened.TermsEvent) -> str:
        match event:
            case happened.Turned(a1=a1, b1=b1):
                what = (
                    _("the board lies as the table thought")
                    if (a1, b1) == ("a1", "b1")
                    else _("the board lies turned: a1 was called {a1}, b1 was called {b1}")
                )
                return self.say(what, a1=a1, b1=b1)
            case happened.ClockAgreed(control="none"):
                return self.say(_("no clock"))
            case happened.ClockAgreed(control=control):
                return self.say(_("the clock: {control}"), control=control)
            case happened.ConductAgreed(conduct=name):
                return self.say(_("conduct: {conduct}"), conduct=CONDUCTS_IN_WORDS[name])
            case happened.Pause(by="people"):
                return self.say(_("The game is paused; a move, or `resume`, goes on."))
            case happened.Pause(by="off"):
                return self.say(_("The table was off: the clock stands until a move, or `resume`."))
            case happened.Resume(by="people"):
                return self.say(_("The pause is over."))
            case happened.Touch(square=square):
                return self.say(_("touched {square}"), square=square)
            case happened.Release():
                return self.say(_("what was touched is free again"))
            case happened.Fix(what=what):
                return self.say(_("corrected by hand: {fix}"), fix=what)
        return ""

    def _said(self, event: happened.DrawOffer | happened.DrawDeclined | Ending) -> str:
        match event:
            case happened.DrawOffer(side=word):
                return self.say(_("{side} offers a draw."), side=self.side(Side[word.upper()]))
            case happened.DrawDeclined():
                return self.say(_("the draw is declined"))
            case Ending() as ending:
                return self.ending(ending)

    def ending(self, ending: Ending) -> str:
        """Return how a game has ended, and why."""
        why = ending.termination
        if ending.result == "*":
            return self.say(_("The game was left."))
        if ending.result == "draw":
            return self.say(DRAWN.get(why, _("A draw: {why}.")), why=Sentence(why))
        side = Side[ending.result.upper()]
        words = WON_BY.get(why, _("{side} wins: {why}."))
        return self.say(words, side=self.side(side), other=self.side(side.other), why=Sentence(why))


def shown_roll(roll: Roll) -> str:
    """Return what the die shows: `7`, or `10, 3, 7`."""
    return format_roll(roll._replace(by_hand=False)).replace(",", ", ")
