"""In a made-up language, whatever is shown that it did not make is English left."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jetan_table import languages
from jetan_table.engine.why import Merit, Point
from jetan_table.game.commands import CommandRefused
from jetan_table.game.spoken import COMMANDS
from jetan_table.languages import DOMAIN, refused_in, translation
from jetan_table.machine.doctor import SPI_LINE, examine
from jetan_table.machine.machine import Machine
from jetan_table.opponent.plot import described
from jetan_table.session.view import Phase, View
from jetan_table.settings import Settings
from jetan_table.terminal.typed import QUERIES, TOUCHES
from jetan_table.web.words import PAGE
from jetan_table.words.gesture_words import gesture_lines
from jetan_table.words.why_words import why_in_words
from jetan_table.words.words import Speaker
from rules import Kind, Position, RulesError, parse_move, parse_position, parse_rules
from rules.errors import near_miss
from rules.sentences import _, english
from tests.jetan_table.machine.test_doctor import BARE, FIT, ON_A_CABLE, ON_PINS
from tests.tidy.made_up import KEPT, installed, left


@pytest.fixture
def made_up(tmp_path: Path) -> Iterator[str]:
    with installed(tmp_path) as language:
        yield language


def test_what_is_left_is_found() -> None:
    assert left("ωωω to move Pb2-b3 `roll`") == ["to", "move"]


def test_the_page_says_nothing_in_english(made_up: str) -> None:
    say = translation(made_up)
    wrong = {key: left(KEPT.sub("", say(sentence))) for key, sentence in PAGE.items()}
    assert {key: words for key, words in wrong.items() if words} == {}


@pytest.mark.parametrize("rules", ["appendix", "manator", "ninth-ray-clockwise"])
def test_the_table_says_nothing_in_english(made_up: str, rules: str) -> None:
    position = Position.start(parse_rules(rules))
    speaker = Speaker(made_up)
    for phase in Phase:
        view = View(phase, position, lifted=tuple(position.pieces())[:2])
        assert [left(line) for line in speaker.sentences(view) if left(line)] == []
    assert left(speaker.kind(Kind.FLIER, position.rules)) == []


def test_help_and_gestures_say_nothing_in_english(made_up: str) -> None:
    say = translation(made_up)
    meanings = [verb.meaning for verb in (*QUERIES.values(), *TOUCHES.values())]
    meanings += [command.purpose for command in COMMANDS.values()]
    assert [left(say(meaning)) for meaning in meanings if left(say(meaning))] == []
    assert [line for line in gesture_lines(made_up) if left(line)] == []


def test_refusals_say_nothing_in_english(made_up: str) -> None:
    inner = CommandRefused(_("no question is open"))
    refused = CommandRefused(_("{name}: {why}"), name="d5", why=inner)
    assert left(refused_in(made_up, refused)) == []
    near = near_miss("rol", ["roll"])
    refused = CommandRefused(_("{word}: no such word{near} (? for help)"), word="rol", near=near)
    assert left(refused_in(made_up, refused), "roll", "rol") == []
    position = Position.start(parse_rules("appendix"))
    for text in ("e1-e4", "a1-a3", "e5-e6", "a2-a1", "d2-d9"):
        with pytest.raises(RulesError) as wrong:
            parse_move(text, position)
        assert left(refused_in(made_up, wrong.value)) == []
    with pytest.raises(RulesError) as wrong:
        parse_position(f"{'/'.join(['10'] * 10)} b - - 0 x", position.rules)
    assert left(refused_in(made_up, wrong.value)) == []


def test_analyses_say_nothing_in_english(made_up: str) -> None:
    rules = parse_rules("manator")
    points = [Point(merit, (Kind.FLIER, Kind.CHIEF), (3, 4)) for merit in Merit]
    assert left(why_in_words(points, rules, made_up)) == []
    assert left(described([], translation(made_up))) == []


@pytest.mark.parametrize("settings", [Settings(), ON_A_CABLE, ON_PINS])
@pytest.mark.parametrize("machine", [BARE, FIT, replace(FIT, has_i2c=True, now=0.0)])
def test_the_doctor_says_nothing_in_english(
    made_up: str, machine: Machine, settings: Settings
) -> None:
    names = (str(machine.data), *machine.groups, *machine.cameras, *machine.spi)
    names = (*names, *machine.serial_ports, *machine.opencv, machine.user)
    names = (*names, *(library.name for library in machine.gpio), SPI_LINE, settings.pins.spi)
    for finding in examine(machine, settings):
        assert finding.in_words(english) == finding
        translate = translation(made_up)
        worded = finding.in_words(translate)
        assert left(translate(worded.check) + worded.found + worded.mend, *names) == []


def test_gettext_reads_what_is_made(made_up: str) -> None:
    assert gettext.find(DOMAIN, languages.LOCALE, [made_up])
