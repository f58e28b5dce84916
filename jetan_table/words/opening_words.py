"""What the table says of a game's stakes and of its beginning; `say` says one sentence."""

from __future__ import annotations

from collections.abc import Callable

from rules import Side
from rules.ledger import Account

from ..game.events import Bias, FirstMove, Preamble, SeriesAgreed, WagerAgreed
from ..game.opening import Opening
from ..game.wagers import format_prices, wager_told
from .catalogue import Say

HOW = {
    "agreed": Say.AGREED,
    "chosen": Say.CHOSEN,
    "table": Say.BY_TABLE,
    "hand": Say.BY_HAND,
}


def preamble_line(say: Callable[..., str], event: Preamble) -> str:
    """Return what was agreed or settled before the first ply."""
    match event:
        case SeriesAgreed(name=name):
            return say(Say.SERIES, name=name)
        case WagerAgreed(stake=stake, for_bias=for_bias) as wager:
            told = say(Say.WAGER, stake=stake, prices=format_prices(wager_told(wager).prices))
            return f"{told} {say(Say.FOR_THE_BIAS)}" if for_bias else told
        case FirstMove(side=side):
            return say(Say.BEGINS, side=say(Say[side.upper()]), how=_how(say, event))
        case Bias(way=way):
            return say(Say.CROSSED, way=say(Say[way.upper()]), how=_how(say, event))
    return say(Say.TO_SETTLE)


def unsettled_sentence(say: Callable[..., str], opening: Opening, is_typed: bool) -> str:
    """Return what is to be settled now, and what can be typed for it."""
    is_first = opening.due == "first"
    if opening.is_roll_due:
        asked = say(Say.FIRST_ROLL if is_first else Say.BIAS_ROLL)
    else:
        side = say(Say[str(opening.settler).upper()])
        asked = say(Say.FIRST_CHOICE if is_first else Say.BIAS_CHOICE, side=side)
    if not is_typed:
        return asked
    typed = [say(Say.TYPE_ROLL)] if opening.is_roll_due else []
    return " ".join((asked, *typed, say(Say.TYPE_FIRST if is_first else Say.TYPE_BIAS)))


def account_sentence(say: Callable[..., str], account: Account) -> str:
    """Return who has gained how much."""
    gains = {side: account.balance(side) for side in Side}
    side = max(Side, key=gains.__getitem__)
    if not gains[side]:
        return say(Say.EVEN)
    return say(Say.GAINS, side=say(Say[side.name]), tokens=gains[side])


def _how(say: Callable[..., str], event: FirstMove | Bias) -> str:
    return say(HOW[event.by], face=event.face)
