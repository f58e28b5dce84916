"""What a game is played for, as people tell it and as the journal keeps it.

Prices are told as `2` (each head at twice its value), `C=30,Q=5` (some at a price of their own),
or both, the number first: `2,C=30`.
"""

from collections.abc import Mapping

from rules import BadText, BadValue, Kind, Rules
from rules.ledger import Wager
from rules.plain import whole_number
from rules.sentences import Sentence, _

from .events import WagerAgreed

MOST_TOKENS = 1_000_000
"""A stake or a price is at most so much."""

KIND_OF = {kind.value: kind for kind in Kind}


def wager_told(event: WagerAgreed) -> Wager:
    """Return the wager that the journal tells; a kind it does not name is worth nothing."""
    prices = {kind: event.prices.get(kind.value, 0) for kind in Kind}
    return Wager(event.stake, prices, event.for_bias)


def wager_event(wager: Wager) -> WagerAgreed:
    """Return a wager as the journal keeps it."""
    prices = {kind.value: wager.prices[kind] for kind in Kind}
    return WagerAgreed(checked_tokens(STAKE, wager.stake), prices, wager.for_bias)


def parse_prices(text: str, rules: Rules) -> Mapping[Kind, int]:
    """Read prices told by people; BadText or BadValue where it makes no sense."""
    parts = [part.strip() for part in text.split(",")]
    factor = whole_number("1" if "=" in parts[0] else parts.pop(0))
    if factor is None:
        raise BadText(_("price {text!r}: write 2, C=30,Q=5 or 2,C=30"), text=text)
    prices = {kind: factor * rules.worth(kind) for kind in Kind}
    for part in parts:
        letter, equals, told_price = (word.strip() for word in part.partition("="))
        price = whole_number(told_price)
        kind = KIND_OF.get(letter.upper().replace("O", "F"))
        if not equals or kind is None or price is None:
            letters = ", ".join(KIND_OF)
            raise BadText(
                _("price {text!r}: write a kind's letter and tokens, as C=30 ({letters})"),
                text=part,
                letters=letters,
            )
        prices[kind] = price
    return {kind: checked_tokens(PRICE, price, kind.value) for kind, price in prices.items()}


def format_prices(prices: Mapping[Kind, int]) -> str:
    """Write prices with a letter each: `P=1,T=3,...`; parse_prices reads the same ones back."""
    return ",".join(f"{kind.value}={price}" for kind, price in prices.items())


STAKE = _("stake {tokens}: must be 0..{most} tokens")
PRICE = _("price {letter} {tokens}: must be 0..{most} tokens")


def checked_tokens(otherwise: Sentence, tokens: int, letter: str = "") -> int:
    """Return a number of tokens; BadValue where nobody plays for so many."""
    if not 0 <= tokens <= MOST_TOKENS:
        raise BadValue(otherwise, letter=letter, tokens=tokens, most=MOST_TOKENS)
    return tokens
