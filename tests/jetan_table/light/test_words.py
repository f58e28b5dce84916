"""What the table says: everything in both languages, with the same values."""

from typing import Any

import pytest

from jetan_table.game.events import (
    Cleared,
    ClockAgreed,
    ClockShows,
    DieCommit,
    DieNumber,
    DieRoll,
    DieSeed,
    Ending,
    Entry,
    Event,
    Fault,
    Noted,
    Pause,
    Ply,
    Press,
    Question,
    Remains,
    Settled,
    Wander,
)
from jetan_table.languages import LANGUAGES, Language, worded_in
from jetan_table.light.news import event_in_words, news_in_words
from jetan_table.light.words import Speaker
from jetan_table.session.tabletop import HandMove, Placing
from jetan_table.session.view import LeadingView, Phase, View
from rules import Notice, Position, Square, parse_rules, parse_square
from tests.jetan_table.hands import seen
from tests.jetan_table.journal.test_journal import ONE_OF_EACH

START = Position.start(parse_rules("manator"))
JUGGERNAUT = Position.start(parse_rules("manator,juggernaut=e5"))
AT_EDGE = Position.start(
    parse_rules("manator,juggernaut=e5,juggernaut-edge=rolls-again")
).move_juggernaut(parse_square("a5"))
C2, D2, D1, D7 = map(parse_square, ("c2", "d2", "d1", "d7"))

ROLL_IN_ENGLISH = "(Type `roll`; if your own die shows 3: `roll 3`.)"
ROLL_IN_GERMAN = "(`roll` tippen; zeigt der eigene Würfel 3: `roll 3`.)"


FULL = Notice("disk", "fail", "disk full")


def asks(
    start: str | None, squares: tuple[str, ...], to: str | None = None, is_ply: bool = True
) -> View:
    return seen(START, question=Question(1, start, squares, to, is_ply=is_ply))


def leads(*of: Any) -> View:
    return seen(START, leading=LeadingView(repair=HandMove(*of)))


def sets_up(*of: Any) -> View:
    return seen(START, phase=Phase.SETTING_UP, leading=LeadingView(placing=Placing(*of)))


@pytest.mark.parametrize(
    ("view", "english"),
    [
        (seen(START), "Black to move."),
        (seen(START, lifted=(D1,)), "Lifted: Odwar d1."),
        (leads("P", D7, D2), "Put the Panthan from d7 on d2."),
        (leads("*", None, D2), "Put the Juggernaut on d2."),
        (leads("?", D7, None), "Take the piece off d7."),
        (
            asks("d2", ("c3", "d3")),
            "Where did the piece from d2 go: c3 or d3? Lift it there and put it back.",
        ),
        (
            asks("d2", ("d7",)),
            "Did the piece from d2 take on d7? Lift it there and put it back, or just play.",
        ),
        (
            asks("d2", ("d3", "d2")),
            (
                "Where did the piece from d2 go: d3 or d2? Lift it there and put it back. "
                "(d2: it has not been moved.)"
            ),
        ),
        (
            asks(None, ("c2", "d2"), "d3"),
            "Which piece went to d3: c2 or d2? Type e.g. `answer c2`.",
        ),
        (
            asks("d2", ("c3", "d3", "e3", "d4")),
            "Where does the piece from d2 stand now? Lift it there and put it back.",
        ),
        (
            asks(None, ("c2", "d2", "e2", "c4"), "d3"),
            "Where did the piece on d3 come from? Type e.g. `answer c2`.",
        ),
        (
            asks("e5", ("e6", "f5"), is_ply=False),
            "Where is the Juggernaut: e6 or f5? Lift it there and put it back.",
        ),
        (sets_up("P", (C2, D2), 8), "Black, Panthans: 6 of 8. Put one on each of c2, d2."),
        (sets_up("*", (D7,), 1), "Juggernaut: put it on d7."),
        (
            seen(START, Ending("orange", "resigned"), phase=Phase.OVER),
            "Orange wins: Black has resigned.",
        ),
        (
            seen(START, Fault("d7", "stuck")),
            (
                "The switch under d7 is stuck: the table plays on without it. "
                "Check it and its wires: row 7, column 4 of the matrix."
            ),
        ),
        (
            seen(JUGGERNAUT, Ply(1, "Pd2-d3")),
            f"Roll the die to move the Juggernaut. {ROLL_IN_ENGLISH}",
        ),
        (
            seen(AT_EDGE, Ply(1, "Pd2-d3"), DieRoll(1, "7 hand")),
            f"The die shows 7, which leads off the board: roll again. {ROLL_IN_ENGLISH}",
        ),
        (
            seen(JUGGERNAUT, Ply(1, "Pd2-d3"), DieRoll(1, "10,4,7 hand"), phase=Phase.SETTING_UP),
            "The die shows 10, 4, 7: the Juggernaut goes to d7.",
        ),
        (seen(START, trouble=FULL), "Nothing is confirmed now. disk full"),
    ],
)
def test_the_table_says_what_it_shows(view: View, english: str) -> None:
    assert english in Speaker("en").sentences(view)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "view",
    [
        seen(START, ClockAgreed("10"), Ply(1, "Pd2-d3"), Pause("people")),
        seen(JUGGERNAUT, Ply(1, "Pd2-d3")),
        asks(None, ("c2", "d2"), "d3"),
        leads("P", D7, D2),
    ],
)
def test_where_nothing_is_typed_nothing_to_be_typed_is_said(view: View, language: Language) -> None:
    assert "`" in " ".join(Speaker(language).sentences(view))
    assert "`" not in " ".join(Speaker(language).sentences(view, is_typed=False))


def test_it_says_the_same_in_german_with_the_same_values() -> None:
    view = seen(AT_EDGE, Ply(1, "Pd2-d3"), DieRoll(1, "7 hand"))
    german = f"Der Würfel zeigt 7, das führt vom Brett: noch einmal würfeln. {ROLL_IN_GERMAN}"
    assert german in Speaker("de").sentences(view)


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (Entry(1.0, Ply(12, "Pd2-d3")), "confirmed 12 Pd2-d3"),
        (Entry(1.0, Question(3, "d5", ("d8", "e7"))), "asked 3: d8, e7?"),
        (Entry(1.0, Wander(3, "e5")), "Juggernaut after 3: e5"),
        (Entry(1.0, DieCommit("00ff")), "The die has its secret seed. Its SHA-256: 00ff"),
        (Entry(1.0, DieNumber(17)), "17 is added to the die's seed"),
        (Entry(1.0, DieRoll(3, "10,3,7")), "die after 3: 10, 3, 7"),
        (Entry(1.0, DieRoll(3, "4 hand")), "die after 3: 4, thrown by hand"),
        (Entry(1.0, DieSeed("ff00")), "The die's seed was ff00"),
        (
            Entry(1.0, Fault("e5", "dead")),
            "The switch under e5 is dead: the table plays on without it.",
        ),
        (Entry(1.0, Ending("draw", "agreed")), "A draw: both sides agreed."),
    ],
)
def test_what_has_happened_is_one_line(entry: Entry, line: str) -> None:
    assert news_in_words(entry) == line


@pytest.mark.parametrize("event", ONE_OF_EACH)
def test_every_event_is_said_alike_in_both_languages_or_in_none(event: Event) -> None:
    english, german = (worded_in(language, event_in_words(event)) for language in ("en", "de"))
    assert bool(english) is bool(german) is not isinstance(event, SILENT)
    assert english != german or not english


SILENT = (Noted, Remains, Cleared, Settled, Press, ClockShows)


def test_a_piece_put_where_it_may_not_go_is_told_why_not() -> None:
    view = leads("P", D7, D2)
    assert Speaker("en").sentences(view)[0].startswith("A Panthan takes one step")
    assert "Schritt" in Speaker("de").sentences(view)[0]


def test_the_urgent_comes_first() -> None:
    repair = HandMove("P", Square(30), D2)
    view = seen(START, leading=LeadingView(repair=repair), trouble=FULL)
    sentences = Speaker("en").sentences(view)
    assert [sentence.split()[0] for sentence in sentences] == ["Nothing", "A", "Put", "(If"]
