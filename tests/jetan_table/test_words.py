"""What the table says: everything in both languages, with the same values."""

from string import Formatter

import pytest

from jetan_table.events import Ending, Entry, Fault, Ply, Question, Wander
from jetan_table.reading.readings import FaultKind
from jetan_table.repair import HandMove
from jetan_table.typed import VERBS
from jetan_table.view import Phase, View
from jetan_table.words import ENGLISH, GERMAN, GERMAN_ENDINGS, Say, Speaker
from rules import Position, Square, Termination, parse_rules, parse_square

START = Position.start(parse_rules("manator"))
D1, D2, D7 = map(parse_square, ("d1", "d2", "d7"))


def values(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("what", Say)
def test_each_sentence_has_the_same_values_in_both_languages(what: Say) -> None:
    assert values(ENGLISH[what]) == values(GERMAN[what])


def test_every_end_of_a_game_has_german_words() -> None:
    assert {end.value for end in Termination} == set(GERMAN_ENDINGS)


def test_every_typed_word_is_explained_in_both_languages() -> None:
    assert all(verb.english and verb.german for verb in VERBS.values())


@pytest.mark.parametrize(
    ("view", "english", "german"),
    [
        (View(Phase.PLAYING, START), "Black to move.", "Schwarz ist am Zug."),
        (
            View(Phase.PLAYING, START, lifted=(D1,)),
            "In the air: Odwar d1.",
            "In der Luft: Odwar d1.",
        ),
        (
            View(Phase.PLAYING, START, repair=HandMove("P", D7, D2)),
            "Put the Panthan from d7 on d2.",
            "Panthan von d7 nach d2 stellen.",
        ),
        (
            View(Phase.PLAYING, START, repair=HandMove("*", None, D2)),
            "Put the Juggernaut on d2.",
            "Juggernaut auf d2 stellen.",
        ),
        (
            View(Phase.PLAYING, START, repair=HandMove("?", D7, None)),
            "Take the piece off d7.",
            "Figur von d7 wegnehmen.",
        ),
        (
            View(Phase.PLAYING, START, question=(D2, D7)),
            "Which piece was taken? Lift it and put it back: d2, d7.",
            "Welche Figur wurde geschlagen? Anheben und zurückstellen: d2, d7.",
        ),
        (
            View(Phase.SETTING_UP, START, missing=frozenset({D1}), extra=frozenset({D7})),
            "Lacking: Odwar d1.",
            "Es fehlen: Odwar d1.",
        ),
        (
            View(Phase.OVER, START, ending=Ending("orange", "resigned")),
            "Orange wins: resigned.",
            "Orange gewinnt: aufgegeben.",
        ),
        (
            View(Phase.PLAYING, START, faults={D7: FaultKind.STUCK}),
            "The switch under d7 is stuck: the table plays on without it.",
            "Der Schalter unter d7 klemmt: der Tisch spielt ohne ihn weiter.",
        ),
        (
            View(Phase.PLAYING, START, trouble="disk full"),
            "Nothing is confirmed now. disk full",
            "Jetzt wird nichts bestätigt. disk full",
        ),
    ],
)
def test_the_table_says_what_it_shows(view: View, english: str, german: str) -> None:
    assert english in Speaker("en").sentences(view)
    assert german in Speaker("de").sentences(view)


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (Entry(1.0, Ply(12, "Pd2-d3")), "confirmed 12 Pd2-d3"),
        (Entry(1.0, Question(3, "d5", ("d8", "e7"))), "asked 3: d8, e7?"),
        (Entry(1.0, Wander(3, "e5")), "Juggernaut after 3: e5"),
        (
            Entry(1.0, Fault("e5", "dead")),
            "The switch under e5 is dead: the table plays on without it.",
        ),
        (Entry(1.0, Ending("draw", "agreed")), "A draw: agreed."),
    ],
)
def test_what_has_happened_is_one_line(entry: Entry, line: str) -> None:
    assert Speaker("en").line(entry) == line


def test_the_urgent_comes_first() -> None:
    repair = HandMove("P", Square(30), D2)
    view = View(Phase.PLAYING, START, repair=repair, trouble="disk full")
    told = Speaker("en").sentences(view)
    assert [sentence.split()[0] for sentence in told] == ["Nothing", "Put", "Black"]
