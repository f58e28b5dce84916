"""What the table says of dice: rolls for the Juggernaut, and throws in a fight.

`say` says one sentence.
"""

from __future__ import annotations

from collections.abc import Callable

from rules import format_square
from rules.game_text import LOST, WON, format_roll, parse_roll, parse_throw
from rules.juggernaut import Roll

from ..game.events import DiceEvent, DieCommit, DieNumber, DieRoll, DieSeed, DuelTold
from ..session.view import View
from .catalogue import Say


def line_of_dice(say: Callable[..., str], event: DiceEvent) -> str:
    """Return what happened with dice, as one line."""
    match event:
        case DuelTold():
            return _line_of_duel(say, event)
        case DieCommit(commit=commit):
            return say(Say.COMMITTED, commit=commit)
        case DieNumber(number=number):
            return say(Say.NUMBER_ADDED, number=number)
        case DieRoll(after=number, roll=text):
            roll = parse_roll(text)
            what = Say.ROLLED_BY_HAND if roll.by_hand else Say.ROLLED
            return say(what, number=number, roll=_shown(roll))
        case DieSeed(seed=seed):
            return say(Say.REVEALED, seed=seed)


def _line_of_duel(say: Callable[..., str], event: DuelTold) -> str:
    if event.told in (WON, LOST):
        what = Say.DUEL_TOLD_WON if event.told == WON else Say.DUEL_TOLD_LOST
        return say(what, number=event.number)
    attack, defence, by_hand = parse_throw(event.told)
    what = Say.DUEL_THROWN_BY_HAND if by_hand else Say.DUEL_THROWN
    return say(what, number=event.number, attack=attack, defence=defence)


def carrying_out(say: Callable[..., str], view: View) -> str | None:
    """Return what hands are led to do: a roll, or who lost a fight; None where neither is."""
    if view.rolls and not view.is_roll_due and view.position.juggernaut is not None:
        square = format_square(view.position.juggernaut)
        return say(Say.ROLL_SENDS, roll=_shown(view.rolls[-1]), square=square)
    if view.duel is not None and not view.duel.attacker_won and view.last_move:
        return say(Say.DUEL_LOST, square=format_square(view.last_move[1]))
    return None


def due_roll(say: Callable[..., str], view: View, is_typed: bool) -> str:
    """Return what is to be done about a roll that is due."""
    if view.position.juggernaut is None and view.position.rules["juggernaut"] != "off":
        due = say(Say.START_DUE)
        return f"{due} {say(Say.TYPE_START)}" if is_typed else due
    shown = _shown(view.rolls[-1]) if view.rolls else ""
    due = say(Say.ROLL_AGAIN if view.rolls else Say.ROLL_DUE, roll=shown)
    return f"{due} {say(Say.TYPE_ROLL)}" if is_typed else due


def _shown(roll: Roll) -> str:
    """Return what the die shows: `7`, or `10, 3, 7`."""
    return format_roll(roll._replace(by_hand=False)).replace(",", ", ")
