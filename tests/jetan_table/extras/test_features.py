"""What a feature is: a folder and no line elsewhere; and how its guests sit beside each other."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table import extras
from jetan_table.extras.lessons.desk import Desk
from jetan_table.extras.lessons.study import StudyDesk
from jetan_table.extras.opponent.seat import EngineAdviser, Invitation, OpponentSeat
from jetan_table.session.session import Guest
from jetan_table.settings import parse_settings, section_types
from jetan_table.table.dice import Dice, Seeds
from rules import Side
from tests.jetan_table.cli.in_process import Jetan
from tests.jetan_table.sitting import Evening

MANIFEST = """
import msgspec
from jetan_table.extras import Extra
from rules import Notice


class Greets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    whom: str = "everybody"


class Greeter(Extra):
    commands = {"greet": "Greet whoever plays."}

    def settings(self):
        return {"greets": Greets}

    def examine(self, settings, folder):
        yield Notice("greets", "pass", settings.of(Greets).whom)


EXTRA = Greeter()
"""
COMMANDS = '''
import click


@click.command()
def greet():
    """Greet whoever plays."""
    print("kaor")
'''


@pytest.fixture
def greeter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One more folder among the features."""
    folder = tmp_path / "features" / "greeter"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(MANIFEST)
    (folder / "commands.py").write_text(COMMANDS)
    monkeypatch.setattr(extras, "__path__", [*extras.__path__, str(folder.parent)])
    extras.extras.cache_clear()
    yield
    shutil.rmtree(folder)
    extras.extras.cache_clear()


@pytest.mark.usefixtures("greeter")
def test_a_folder_is_a_feature(jetan: Jetan, tmp_path: Path) -> None:
    assert jetan("greet") == "kaor\n"
    assert "greet     Greet whoever plays." in jetan("--help")
    assert "greets" in section_types()
    (kept,) = parse_settings('[greets]\nwhom = "Tara"').extras
    assert kept == section_types()["greets"]("Tara")
    assert parse_settings('[greets]\nwhom = "everybody"').extras == ()
    assert '"everybody"' in jetan("settings show")


def test_guests_are_asked_in_one_order() -> None:
    kinds: list[type[Guest]] = [Guest, StudyDesk, EngineAdviser, Desk, OpponentSeat]
    in_order = sorted(kinds, key=lambda kind: kind.rank)
    assert in_order == [OpponentSeat, Desk, EngineAdviser, StudyDesk, Guest]


def test_who_plays_and_who_teaches_make_way_for_each_other(
    evening: Evening, tmp_path: Path
) -> None:
    dice = Dice(Seeds(tmp_path / "seeds", bytes))
    with (
        closing(EngineAdviser()) as adviser,
        closing(OpponentSeat(evening.record, dice, adviser)) as seat,
    ):
        desk = Desk(tmp_path, evening.hands)
        for guest in (desk, seat, adviser):
            evening.table.welcome(guest)
        seat.invite(Invitation("panthan", Side.ORANGE, guides=True))
        assert playing(evening) == ["orange"]
        assert guided(adviser) == "black"
        desk.learn(evening.table, None)
        assert playing(evening) == []
        assert guided(adviser) == ""
        assert is_taught(desk)
        seat.invite(Invitation("panthan", Side.BLACK))
        evening.table.make_way_for(seat)
        assert not is_taught(desk)
        assert evening.table.guest(OpponentSeat) is seat
        assert evening.table.guest(StudyDesk) is None


def playing(evening: Evening) -> list[str]:
    return [side.word for side in evening.table.sides]


def guided(adviser: EngineAdviser) -> str:
    return "" if adviser.guides is None else adviser.guides.word


def is_taught(desk: Desk) -> bool:
    return desk.teaching is not None
