"""News of a table as lines of words, and the accounts of games and series."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import asdict

from hardware.ports import FaultKind
from rules import (
    JUGGERNAUT,
    JUGGERNAUT_LETTER,
    PIECES,
    RECOMMENDED,
    SIDES,
    Position,
    Roll,
    Rules,
    Sentence,
    Side,
    Square,
    Termination,
    Worded,
    _,
    format_square,
    joined,
    noun,
)
from rules.ledger import Account
from rules.text import LOST, WON, format_roll, parse_roll, parse_throw

from ..game import events as happened
from ..game.agreements import format_prices, wager_of
from ..game.commands import NewGame
from ..game.events import Ending, Event
from ..game.record import Record
from ..game.texts import PlayedSeries
from ..journal.archive import Archive
from ..session.session import News
from ..session.tabletop import UNKNOWN_PIECE

TO_MOVE = _("{side} to move.")


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

WON_BY: Final[Mapping[str, Sentence]] = {
    Termination.PRINCESS_TAKEN.value: _("{side} wins: the Princess is taken."),
    Termination.CHIEF_BY_CHIEF.value: _("{side} wins: Chief has taken Chief."),
    Termination.CHIEF_BY_OTHER.value: _("{side} wins: the Chief is taken."),
    Termination.CHECKMATE.value: _("{side} wins: the Princess cannot be saved."),
    Termination.NO_MOVE.value: _("{side} wins: {other} cannot move."),
    Termination.RESIGNED.value: _("{side} wins: {other} has resigned."),
    Termination.TIME.value: _("{side} wins: {other} has run out of time."),
}
DRAWN: Final[Mapping[str, Sentence]] = {
    Termination.CHIEF_BY_OTHER.value: _(
        "A draw: a Chief has fallen, but not to a Chief, so nobody wins."
    ),
    Termination.JUGGERNAUT.value: _(
        "A draw: the Juggernaut has crushed a Chief or a Princess, so nobody wins."
    ),
    Termination.NO_MOVE.value: _("A draw: the side to move cannot move."),
    Termination.FEW_PIECES.value: _(
        "A draw: three pieces or fewer a side, of equal worth, and five more moves of each "
        "decided nothing."
    ),
    Termination.CAPTURELESS.value: _("A draw: nothing has been taken for too long."),
    Termination.REPETITION.value: _("A draw: the same position has come three times."),
    Termination.AGREED.value: _("A draw: both sides agreed."),
}

CONFIRMED: Final = _("confirmed {number} {move}")
SILENT: Final = Sentence("")
"""For events that only the table notes, or the board shows."""

EVENT_SENTENCES: Final[Mapping[type[Event], Sentence]] = {
    happened.Ply: CONFIRMED,
    happened.Answer: CONFIRMED,
    happened.TakeBack: _("taken back {number}"),
    happened.Wander: _("Juggernaut after {after}: {to_square}"),
    happened.Recall: _("Juggernaut back after {after}"),
    happened.DieCommit: _("The die has its secret seed. Its SHA-256: {commit}"),
    happened.DieNumber: _("{number} is added to the die's seed"),
    happened.DieSeed: _("The die's seed was {seed}"),
    happened.Follows: _("The switch under {square} follows again: it counts again."),
    happened.Remains: SILENT,
    happened.Cleared: SILENT,
    happened.Settled: SILENT,
    happened.Correction: _("corrected: {position}"),
    happened.ClockAgreed: _("the clock: {control}"),
    happened.Pause: SILENT,
    happened.Resume: SILENT,
    happened.Press: SILENT,
    happened.ClockShows: SILENT,
    happened.Touch: _("touched {square}"),
    happened.Release: _("what was touched is free again"),
    happened.Fix: _("corrected by hand: {what}"),
    happened.Noted: SILENT,
    happened.Turned: _("the board lies turned: a1 was called {a1}, b1 was called {b1}"),
    happened.DrawDeclined: _("the draw is declined"),
    happened.SeriesAgreed: _("the series {name}"),
    happened.OpeningAgreed: _("who begins, and how, is settled before the first move"),
}
"""Sentences of events, for all but those that take more than their own values."""


def name_of_letter(letter: str, rules: Rules) -> Sentence:
    """Return the name of a piece by its letter, without its side; `?` is a piece nobody knows."""
    if letter == UNKNOWN_PIECE:
        return _("piece")
    if letter == JUGGERNAUT_LETTER:
        return JUGGERNAUT
    return noun(PIECES[letter].kind, rules).name


def piece_on(position: Position, square: Square) -> str:
    """Return a piece and its square: `Panthan d2`."""
    piece = position.piece_at(square)
    name = name_of_letter(piece.letter if piece else JUGGERNAUT_LETTER, position.rules)
    return joined((name, format_square(square)))


def fault_in_words(square: str, kind: FaultKind) -> str:
    """Return that the switch under a square fails, and that play goes on without it."""
    return Worded(
        _("The switch under {square} is stuck: the table plays on without it.")
        if kind is FaultKind.STUCK
        else _("The switch under {square} is dead: the table plays on without it."),
        square=square,
    )


def news_in_words(news: News) -> str:
    """Return one piece of news as a line; empty for what nobody needs to hear."""
    if isinstance(news, NewGame):
        return new_game_in_words(news.header.rules)
    return event_in_words(news.event)


def new_game_in_words(rules: str) -> str:
    """Return that a game by these rules begins; by the recommended ones, how it is won."""
    standard = _("a new game by the standard rules, {rules}: take the Princess or the Chief")
    return Worded(standard if rules == RECOMMENDED else _("a new game: {rules}"), rules=rules)


def event_in_words(event: Event) -> str:
    """Return an event as one line, empty where only the table notes it."""
    match event:
        case happened.Question(number=number, candidates=candidates):
            squares = ", ".join(candidates)
            return Worded(_("asked {number}: {squares}?"), number=number, squares=squares)
        case happened.Amended(moves=moves):
            named = ", ".join(f"{number} {move}" for number, move in moves.items())
            return Worded(_("these moves were others: {moves}"), moves=named)
        case happened.Fault(square=square, fault=kind):
            return fault_in_words(square, FaultKind(kind))
        case happened.DieRoll() | happened.DuelReport():
            return _thrown(event)
        case happened.WagerAgreed() | happened.FirstMove() | happened.Bias():
            return preamble_in_words(event)
        case happened.DrawOffer(side=side):
            return Worded(_("{side} offers a draw."), side=SIDES[side])
        case Ending():
            return ending_in_words(event)
        case happened.ConductAgreed(conduct=name):
            return Worded(_("strictness: {conduct}"), conduct=CONDUCTS_IN_WORDS[name])
    template = _template(event)
    return Worded(template, **asdict(event)) if template else ""


def preamble_in_words(event: happened.Preamble) -> str:
    """Return what was agreed or settled before the first ply."""
    match event:
        case happened.WagerAgreed(stake=stake, for_bias=for_bias):
            prices = format_prices(wager_of(event).prices)
            sentence = Worded(
                _("played for: stake {stake}, heads {prices}"), stake=stake, prices=prices
            )
            return joined((sentence, _("and the next bias"))) if for_bias else sentence
        case happened.FirstMove(side=side):
            how = _how(event)
            return Worded(_("{side} begins ({how})"), side=SIDES[side], how=how)
        case happened.Bias(way=way):
            how = _how(event)
            return Worded(_("the centre is crossed {way} ({how})"), way=WAYS[way], how=how)
    return Worded(EVENT_SENTENCES[type(event)], **asdict(event))


def _how(event: happened.FirstMove | happened.Bias) -> str:
    return Worded(HOW[event.by], face=event.face)


def _thrown(event: happened.DieRoll | happened.DuelReport) -> str:
    """Return what dice have shown, or players told of a fight."""
    if isinstance(event, happened.DieRoll):
        roll = parse_roll(event.roll)
        what = (
            _("die after {number}: {roll}, thrown by hand")
            if roll.by_hand
            else _("die after {number}: {roll}")
        )
        return Worded(what, number=event.after, roll=shown_roll(roll))
    if event.told == WON:
        return Worded(_("duel of {number}: won by the piece that entered"), **asdict(event))
    if event.told == LOST:
        return Worded(_("duel of {number}: lost by the piece that entered"), **asdict(event))
    attack, defence, by_hand = parse_throw(event.told)
    what = (
        _("duel of {number}: {attack} against {defence}, thrown by hand")
        if by_hand
        else _("duel of {number}: {attack} against {defence}")
    )
    return Worded(what, number=event.number, attack=attack, defence=defence)


def ending_in_words(ending: Ending) -> str:
    """Return how a game has ended, and why."""
    why = ending.termination
    if ending.result == "*":
        return Worded(_("The game was left."))
    if ending.result == "draw":
        return Worded(DRAWN.get(why, _("A draw: {why}.")), why=Sentence(why))
    side = Side[ending.result.upper()]
    words = WON_BY.get(why, _("{side} wins: {why}."))
    names = {"side": SIDES[side.word], "other": SIDES[side.other.word]}
    return Worded(words, **names, why=Sentence(why))


def account_in_words(account: Account) -> str:
    """Return who has gained how much."""
    gains = {side: account.balance(side) for side in Side}
    side = max(Side, key=gains.__getitem__)
    if not gains[side]:
        return Worded(_("The account is even."))
    gained = _("The account: {side} gains {tokens}.")
    return Worded(gained, side=SIDES[side.word], tokens=gains[side])


def _template(event: Event) -> Sentence:
    """Return what is said of an event, where what it holds decides."""
    match event:
        case happened.Turned(a1="a1", b1="b1"):
            return _("the board lies as the table thought")
        case happened.ClockAgreed(control="none"):
            return _("no clock")
        case happened.Pause(by="people"):
            return _("The game is paused until somebody moves or lets it go on.")
        case happened.Pause(by="off"):
            return _("The table was off: the clock is stopped until somebody moves or resumes.")
        case happened.Resume(by="people"):
            return _("The pause is over.")
    return EVENT_SENTENCES[type(event)]


def shown_roll(roll: Roll) -> str:
    """Return what the die shows: `7`, or `10, 3, 7`."""
    return format_roll(roll._replace(by_hand=False)).replace(",", ", ")


def account_lines(record: Record, archive: Archive) -> list[str]:
    """Return what a game has cost so far, and how its series stands, where it belongs to one.

    The game itself counts in the series once it is over.
    """
    account = record.account
    lines: list[str]
    if account is None:
        lines = [Worded(_("This game has no stake."))]
    else:
        sentence = _("Heads lost: Black {black}, Orange {orange}. The stake: {stake}.")
        heads = {side.word: account.heads[side] for side in Side}
        lines = [Worded(sentence, **heads, stake=account.stake), account_in_words(account)]
    if record.series is not None:
        lines += series_lines(archive.played_series(record.series))
    return lines


def damaged_lines(series: PlayedSeries) -> list[str]:
    """Return a line for each game of a series that is damaged."""
    sentence = _("Game {game} is damaged, and does not count in this series.")
    return [Worded(sentence, game=game) for game in series.damaged]


def series_lines(series: PlayedSeries) -> list[str]:
    """Return how a series stands: a line for each player, under its name."""
    heading = _("The series {name}, games decided or drawn: {games}")
    row = _("{name}: {wins} won, {balance} tokens")
    players = zip(series.players, series.wins, series.balance, strict=True)
    return [
        Worded(heading, name=series.name, games=len(series.ledger.games)),
        *damaged_lines(series),
        *(Worded(row, name=who, wins=won, balance=f"{left:+}") for who, won, left in players),
    ]
