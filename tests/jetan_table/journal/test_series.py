"""Series and wagers: what the journal tells of them, and what the next game begins with."""

import csv
import io
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from jetan_table.game.agreements import format_prices, parse_prices, wager_event, wager_of
from jetan_table.game.commands import (
    AgreeDraw,
    CommandRefused,
    Correct,
    New,
    NewGame,
    Resign,
    TakeBackLast,
)
from jetan_table.game.events import (
    Bias,
    Entry,
    FirstMove,
    Header,
    OpeningAgreed,
    SeriesAgreed,
    WagerAgreed,
)
from jetan_table.game.texts import HEAD, format_csv, game_text, series_rows
from jetan_table.journal.archive import Archive, NoSuchGame
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.journal.journal import Journal
from jetan_table.light.news import account_lines, series_lines
from jetan_table.table.games import new_game
from rules import BadText, BadValue, Kind, Side, parse_rules
from rules.ledger import Wager
from rules.text import parse_game
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import Evening, sitting

RULES = parse_rules("appendix")
DISK = parse_rules("ninth-ray-clockwise")
VALUES = {kind: RULES.worth(kind) for kind in Kind}
PLAYERS = ("Tara", "Gahan")
SHORT = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal(tmp_path)) as opened:
        yield opened


def sunday(black: str = "?", orange: str = "?", series: str = "sunday", **more: Any) -> New:
    return New(black=black, orange=orange, series=series, **more)


def agree(
    wanted: New,
    like: Header,
    archive: Archive,
    custom: New = New(),  # noqa: B008
) -> NewGame:
    """Return the game that begins by the rules, and from the position, of a header."""
    there = changed(wanted, rules=like.rules, position=like.start)
    return new_game(archive, custom, there, None, 0.0)


def begin(evening: Evening, wanted: New, start: str | None = None) -> NewGame:
    terms = agree(wanted, header(start=start), evening.journal.archive)
    evening.tell(terms)
    evening.hands.set_up(evening.table.view.position, evening.clock.now())
    evening.wait(4.0)
    return terms


@given(
    stake=st.integers(0, 1_000_000),
    prices=st.lists(st.integers(0, 1_000_000), min_size=8, max_size=8),
    for_bias=st.booleans(),
)
def test_a_wager_goes_through_the_journal_and_prices_through_text(
    stake: int, prices: list[int], for_bias: bool
) -> None:
    wager = Wager(stake, dict(zip(Kind, prices, strict=True)), for_bias)
    assert wager_of(wager_event(wager)) == wager
    assert parse_prices(format_prices(wager.prices), RULES) == wager.prices


def test_heads_cost_their_values_or_what_people_say() -> None:
    assert parse_prices("1", RULES) == VALUES
    assert parse_prices("2,C=30, o=1", RULES)[Kind.PANTHAN] == 2
    assert parse_prices("2,C=30, o=1", RULES)[Kind.CHIEF] == 30
    assert parse_prices("2,C=30, o=1", RULES)[Kind.FLIER] == 1
    assert parse_prices("Q=5", RULES)[Kind.PRINCESS] == 5


@pytest.mark.parametrize("text", ["", "much", "-1", "1,2", "X=3", "C=", "C=x", "1.5"])
def test_a_price_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadText, match="write"):
        parse_prices(text, RULES)


def test_nobody_plays_for_more_than_a_million() -> None:
    with pytest.raises(BadValue, match=r"price P 1000001: must be 0\.\.1000000 tokens"):
        parse_prices("1000001", RULES)
    with pytest.raises(BadValue, match="stake 1000001"):
        wager_event(Wager(1_000_001, VALUES))


def test_a_series_begins_with_a_roll_and_heads_at_their_values(journal: Journal) -> None:
    terms = agree(sunday(*PLAYERS), header(), journal.archive)
    assert (terms.header.black, terms.header.orange) == PLAYERS
    assert terms.events == (
        SeriesAgreed("sunday"),
        wager_event(Wager(0, VALUES)),
        OpeningAgreed(first="roll"),
    )


def test_what_is_customary_at_the_table_is_the_wager_of_new_series(journal: Journal) -> None:
    custom = New(stake=7, prices="3")
    terms = agree(sunday(*PLAYERS), header(), journal.archive, custom)
    assert terms.events[1] == wager_event(
        Wager(7, {kind: 3 * value for kind, value in VALUES.items()})
    )
    assert agree(New(), header(), journal.archive, custom).events == ()


def test_a_position_of_its_own_says_itself_who_begins(journal: Journal) -> None:
    terms = agree(sunday(*PLAYERS), header(start=SHORT), journal.archive)
    assert not any(isinstance(event, OpeningAgreed) for event in terms.events)


def test_who_begins_may_be_agreed_without_any_series(journal: Journal) -> None:
    assert agree(New(first="orange"), header(), journal.archive).events == (
        FirstMove("orange", "agreed"),
    )


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (sunday(), "needs its two players"),
        (sunday("Tara", "Tara"), "needs its two players"),
        (sunday(*PLAYERS, series="?!"), "a series has a name"),
        (sunday(*PLAYERS, first="winner"), "nobody has won that choice"),
        (sunday(*PLAYERS, bias="roll"), "belongs to the disk"),
    ],
)
def test_what_makes_no_sense_is_refused(journal: Journal, wanted: New, why: str) -> None:
    with pytest.raises(CommandRefused, match=why):
        agree(wanted, header(), journal.archive)


def test_an_evening_adds_up_and_goes_on_with_sides_changed(evening: Evening) -> None:
    archive = evening.journal.archive
    begin(evening, sunday(*PLAYERS, stake=10), start=SHORT)
    evening.move("d5", "e6")
    assert evening.table.record.account is not None
    assert evening.table.record.account.balance(Side.BLACK) == 1
    evening.tell(TakeBackLast())
    assert evening.table.record.account.balance(Side.BLACK) == 0
    evening.hands.set_up(evening.table.view.position, evening.clock.now())
    evening.wait(20.0)
    evening.move("d5", "e6")
    evening.tell(Resign("orange"))
    first = archive.played_series("sunday")
    assert (first.players, first.balance, first.wins) == (PLAYERS, (11, -11), (1, 0))
    assert first.ledger.chooser == 0

    terms = new_game(archive, New(), New(), evening.table.record, evening.clock.now())
    assert (terms.header.black, terms.header.orange) == ("Gahan", "Tara")
    assert terms.events[1] == WagerAgreed(10, wager_event(Wager(0, VALUES)).prices)
    assert terms.events[2] == OpeningAgreed(first="orange"), "Tara has won, and has Orange"
    with pytest.raises(CommandRefused, match="Tara and Gahan play it"):
        agree(sunday("Tara", "Vor Daj"), header(), archive)

    begin(evening, sunday(stake=5), start=SHORT)
    assert evening.table.record.header.black == "Gahan"
    evening.tell(AgreeDraw())
    begin(evening, sunday(), start=SHORT)
    drawn = archive.played_series("sunday")
    assert (len(drawn.games), len(drawn.ledger.games)) == (3, 2)
    assert drawn.balance == (11, -11)
    assert agree(sunday(), header(), archive).events[2] == OpeningAgreed("roll")
    lines = account_lines(evening.table.record, archive)
    assert lines == [
        "Heads lost: Black 0, Orange 0. The stake: 5.",
        "The account is even.",
        "The series sunday, games decided or drawn: 2",
        "Tara: 1 won, +11 tokens",
        "Gahan: 0 won, -11 tokens",
    ]


def test_the_bias_may_be_the_prize(evening: Evening) -> None:
    archive = evening.journal.archive
    wanted = sunday(*PLAYERS, series="rays", for_bias=True, first="black")
    terms = agree(wanted, header(DISK), archive)
    evening.tell(terms)
    evening.tell(Resign("black"))
    terms = agree(sunday(series="rays"), header(DISK), archive)
    assert terms.events[2] == OpeningAgreed(first="black", bias="black"), "Gahan has both"
    events = agree(sunday(series="rays", bias="clockwise"), header(DISK), archive).events[2:]
    assert events == (OpeningAgreed(first="black"), Bias("clockwise", "agreed"))


def test_heads_lost_before_a_correction_are_still_paid_for(evening: Evening) -> None:
    begin(evening, sunday(*PLAYERS), start=SHORT)
    corrected = SHORT.replace("4p5", "10")
    evening.tell(Correct(corrected))
    account = evening.table.record.account
    assert account is not None
    assert account.balance(Side.BLACK) == 0, "it never stood there"
    begin(evening, sunday(), start=SHORT)
    evening.move("d5", "e8")
    evening.tell(Correct(corrected))
    account = evening.table.record.account
    assert account is not None
    assert account.balance(Side.BLACK) == 1


def test_a_game_text_tells_stake_and_heads(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        begin(evening, sunday(*PLAYERS, stake=10, prices="2"), start=SHORT)
        evening.move("d5", "e6")
        tags = parse_game(game_text(evening.table.record)).tags
    assert (tags["Series"], tags["Stake"], tags["Heads"]) == ("sunday", "10", "0-2")
    assert parse_prices(tags["Prices"], RULES) == {kind: 2 * VALUES[kind] for kind in Kind}


def test_no_spreadsheet_takes_a_name_for_a_formula(journal: Journal) -> None:
    link = '=HYPERLINK("http://example.com")'
    named = changed(header(), black=link, orange="@B")
    journal.begin(named, [Entry(0.0, SeriesAgreed("sunday"))])
    (row,) = csv.DictReader(io.StringIO(format_csv(journal.archive.played_series("sunday"))))
    assert (row["black"], row["orange"]) == (f"'{link}", "'@B")
    assert (row["player_1"], row["balance_1"]) == (f"'{link}", "0")


def test_a_series_as_csv_has_a_row_a_game(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        begin(evening, sunday(*PLAYERS, stake=10), start=SHORT)
        evening.tell(Resign("black"))
        begin(evening, sunday(), start=SHORT)
        series = evening.journal.archive.played_series("sunday")
    rows = list(csv.DictReader(io.StringIO(format_csv(series))))
    assert tuple(rows[0]) == HEAD
    assert [
        {name: str(value) for name, value in row.items()} for row in series_rows(series)
    ] == rows
    assert (rows[0]["result"], rows[0]["gain_of_black"], rows[0]["balance_1"]) == (
        "orange",
        "-10",
        "-10",
    )
    assert (rows[1]["black"], rows[1]["result"], rows[1]["balance_2"]) == ("Gahan", "*", "10")


def spoil(folder: Path, game: int) -> None:
    """Take the end of a game from the journal, as a worn card might."""
    with closing(sqlite3.connect(folder / JOURNAL_NAME)) as journal, journal:
        (last,) = journal.execute("SELECT max(seq) FROM events WHERE game = ?", (game,)).fetchone()
        journal.execute("DROP TRIGGER IF EXISTS events_delete")
        journal.execute("DELETE FROM events WHERE game = ? AND seq = ?", (game, last))


def test_a_series_names_its_damaged_games_and_goes_on_without_them(
    tmp_path: Path, evening: Evening
) -> None:
    archive = evening.journal.archive
    begin(evening, sunday(*PLAYERS, stake=10), start=SHORT)
    evening.tell(Resign("black"))
    begin(evening, sunday(), start=SHORT)
    evening.tell(Resign("black"))
    assert agree(sunday(), header(), archive).events[2] == OpeningAgreed("black")
    first, second = archive.series()["sunday"]
    spoil(tmp_path, second)
    series = archive.played_series("sunday")
    assert (series.damaged, series.balance, series.wins) == ((second,), (-10, 10), (0, 1))
    lines = series_lines(series)
    assert f"Game {second} is damaged, and does not count in this series." in lines
    assert agree(sunday(), header(), archive).events[2] == OpeningAgreed("roll"), (
        "nobody knows who won the last game"
    )
    spoil(tmp_path, first)
    assert archive.played_series("sunday").damaged == (first, second)
    with pytest.raises(CommandRefused, match="needs its two players"):
        agree(sunday(), header(), archive)
    begin(evening, sunday(*PLAYERS), start=SHORT)
    assert archive.played_series("sunday").players == PLAYERS


def test_a_series_nobody_has_played_is_refused(journal: Journal) -> None:
    with pytest.raises(NoSuchGame, match="jetan series list"):
        journal.archive.played_series("monday")
