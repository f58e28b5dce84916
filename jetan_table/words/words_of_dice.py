"""What a speaker says of the dice: rolls for the Juggernaut, and throws in a fight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules import format_square
from rules.game_text import LOST, WON, format_roll, parse_roll, parse_throw
from rules.juggernaut import Roll

from ..game.duels import Fight
from ..game.events import DiceEvent, DieCommit, DieNumber, DieRoll, DieSeed, DuelTold
from ..session.view import View
from .catalogue import Say

if TYPE_CHECKING:
    from .words import Speaker


def line_of_dice(speaker: Speaker, event: DiceEvent) -> str:
    """Return what happened with dice, as one line."""
    match event:
        case DuelTold():
            return _line_of_duel(speaker, event)
        case DieCommit(commit=commit):
            return speaker.say(Say.COMMITTED, commit=commit)
        case DieNumber(number=number):
            return speaker.say(Say.NUMBER_ADDED, number=number)
        case DieRoll(after=number, roll=text):
            roll = parse_roll(text)
            what = Say.ROLLED_BY_HAND if roll.by_hand else Say.ROLLED
            return speaker.say(what, number=number, roll=_shown(roll))
        case DieSeed(seed=seed):
            return speaker.say(Say.REVEALED, seed=seed)


def _line_of_duel(speaker: Speaker, event: DuelTold) -> str:
    if event.told in (WON, LOST):
        what = Say.DUEL_TOLD_WON if event.told == WON else Say.DUEL_TOLD_LOST
        return speaker.say(what, number=event.number)
    attack, defence, by_hand = parse_throw(event.told)
    what = Say.DUEL_THROWN_BY_HAND if by_hand else Say.DUEL_THROWN
    return speaker.say(what, number=event.number, attack=attack, defence=defence)


def carrying_out(speaker: Speaker, view: View) -> str | None:
    """Return what hands are led to do: a roll, or who lost a fight; None where neither is."""
    if view.rolls and not view.is_roll_due and view.position.juggernaut is not None:
        square = format_square(view.position.juggernaut)
        return speaker.say(Say.ROLL_SENDS, roll=_shown(view.rolls[-1]), square=square)
    if view.duel is not None and not view.duel.attacker_won and view.last_move:
        return speaker.say(Say.DUEL_LOST, square=format_square(view.last_move[1]))
    return None


def fight_in_words(speaker: Speaker, fight: Fight, is_typed: bool) -> str:
    """Return what is to be done about a fight that is open."""
    rules, attacker, defender = fight.before.rules, fight.attacker, fight.defender
    if fight.throws:
        attack, defence, _ = fight.throws[-1]
        told = [speaker.say(Say.FIGHT_TIED, attack=attack, defence=defence)]
    else:
        begun = speaker.say(
            Say.FIGHT,
            attacker=speaker.kind(attacker.kind, rules),
            side=speaker.side(attacker.side),
            defender=speaker.kind(defender.kind, rules),
            square=format_square(fight.square),
            attack=rules.worth(attacker.kind),
            defence=rules.worth(defender.kind),
        )
        told = [begun, speaker.say(Say.FIGHT_DUE)]
    return " ".join([*told, speaker.say(Say.TYPE_DUEL)] if is_typed else told)


def due_roll(speaker: Speaker, view: View, is_typed: bool) -> str:
    """Return what is to be done about a roll that is due."""
    if view.position.juggernaut is None and view.position.rules["juggernaut"] != "off":
        due = speaker.say(Say.START_DUE)
        return f"{due} {speaker.say(Say.TYPE_START)}" if is_typed else due
    shown = _shown(view.rolls[-1]) if view.rolls else ""
    due = speaker.say(Say.ROLL_AGAIN if view.rolls else Say.ROLL_DUE, roll=shown)
    return f"{due} {speaker.say(Say.TYPE_ROLL)}" if is_typed else due


def _shown(roll: Roll) -> str:
    """Return what the die shows: `7`, or `10, 3, 7`."""
    return format_roll(roll._replace(by_hand=False)).replace(",", ", ")
