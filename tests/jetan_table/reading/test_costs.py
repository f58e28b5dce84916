"""The table of costs: each figure is used, each says where it is from, and accounts name theirs."""

import re
from math import log
from operator import attrgetter
from typing import Final

import pytest

from jetan_table.reading.costs import PRICES, Bill, entries
from tests.jetan_table.reading.hand import facing
from tests.paths import ROOT
from training.reading.counts import ledger

NEAR: Final = 1.0
"""Nats by which a charge may differ from what was counted without saying why."""


def test_every_figure_is_used_and_every_use_has_a_figure() -> None:
    room = sorted((ROOT / "jetan_table" / "reading").glob("*.py"))
    texts = "\n".join(path.read_text("utf-8") for path in room if path.name != "costs.py")
    assert set(re.findall(r"\bPRICES\.([A-Z][A-Z_]+)\b", texts)) == set(entries())


@pytest.mark.parametrize("name", entries())
def test_a_figure_says_where_it_is_from(name: str) -> None:
    entry = entries()[name]
    assert entry.counted or entry.fitted or entry.chosen
    assert (entry.seconds > 0) is name.endswith("_S")
    assert (entry.nats > 0) is not name.endswith("_S")
    if entry.counted and entry.nats and not (entry.fitted or entry.chosen):
        times, of = entry.counted
        assert abs(entry.nats + log((times + 0.5) / (of + 1))) < NEAR


def test_what_is_not_in_the_table_is_named() -> None:
    with pytest.raises(AttributeError, match="'Prices' object has no attribute 'UNSEN'"):
        attrgetter("UNSEN")(PRICES)


def test_a_bill_says_what_was_charged_and_how_often() -> None:
    bill = Bill()
    bill.charge(PRICES.TOUCH)
    bill.charge(PRICES.TOUCH, 2)
    bill.charge(PRICES.STRANGER, 0)
    bill.charge(PRICES.THOUGHT, 0.5)
    assert ledger(bill) == {"TOUCH": 3.0, "THOUGHT": 0.5}
    assert bill.nats == pytest.approx(3 * PRICES.TOUCH + 0.5 * PRICES.THOUGHT)


def test_an_account_names_all_that_it_costs() -> None:
    hand = facing()
    hand.hands("1.0-e5 1.2-h5 1.9+h5 2.5-a9 3.0-b9 3.5+b9", until=5.0)
    for account in hand.reader._hypotheses.ranked():
        assert account.cost == pytest.approx(sum(account.charges))
        assert all(charge.times for charge in account.charges)
        assert set(ledger(account.charges)) <= set(entries())
