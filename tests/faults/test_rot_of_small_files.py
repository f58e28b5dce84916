"""Each bit of what lies beside the journal flips: it is as it was, or a refusal says what it is."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from hardware.ports import SwitchCounts
from jetan_table.boards.opening import keep_corners, with_kept
from jetan_table.errors import TableError
from jetan_table.extras.lessons.exercise import Progress, keep_progress, read_progress
from jetan_table.game.record import Record
from jetan_table.game.texts import game_text, read_saved
from jetan_table.journal.journal import Journal
from jetan_table.light.lamps import LampChoice, keep_choice, kept_choice
from jetan_table.settings import CameraSettings, read_settings
from jetan_table.table.dice import Seeds
from jetan_table.table.games import open_game, save_game, saved_text
from jetan_table.table.switches import keep_switches, read_switches
from rules import _, parse_square
from tests.jetan_table.hands import header

SOURCE: Final = "usb:0"
SEED: Final = bytes(range(32))


def camera(folder: Path) -> object:
    return with_kept(CameraSettings(source=SOURCE), folder).corners


def seed(folder: Path) -> object:
    (path,) = (folder / "seeds").iterdir()
    return Seeds(folder / "seeds", bytes).find(path.stem)


def saved(folder: Path) -> object:
    return read_saved(saved_text(folder, "sunday")).game


def make_all(folder: Path) -> None:
    """Write what a table keeps beside its journal."""
    Seeds(folder / "seeds", lambda _count: SEED).draw()
    keep_corners(folder, SOURCE, "1,2 3,4 5,6 7,8")
    keep_choice(folder, LampChoice("mono", 0.5), LampChoice())
    keep_progress(folder, Progress(("first",), "second"))
    with closing(Journal(folder / "played")) as journal:
        opened = open_game(journal, header())
    keep_switches(folder, {parse_square("d4"): SwitchCounts(41, 3)})
    save_game(folder, "sunday", game_text(Record.read(opened.record.header, ())))
    (folder / "table.toml").write_text('[table]\nboard = "simulated"\n\n[web]\nport = 1922\n')


def switches(folder: Path) -> object:
    known = read_switches(folder)
    if known.trouble is not None:
        raise TableError(_("{why}"), why=known.trouble)
    return known.counts


READERS: Final[dict[str, Callable[[Path], Any]]] = {
    "corners.json": camera,
    "lamps.json": lambda folder: kept_choice(folder, LampChoice()),
    "lessons.json": read_progress,
    "saved/sunday.jgn": saved,
    "seeds/*": seed,
    "switches.json": switches,
    "table.toml": lambda folder: read_settings(folder / "table.toml"),
}

MAY_DIFFER: Final = {"corners.json", "lamps.json", "lessons.json", "switches.json", "table.toml"}
"""What is chosen or counted carries no sum: another choice is as good to whoever reads it."""


def hurt(content: bytes) -> Iterator[bytes]:
    """Yield it with each bit the other way, cut short everywhere, and nested too deeply."""
    for at, byte in enumerate(content):
        for bit in range(8):
            yield content[:at] + bytes([byte ^ 1 << bit]) + content[at + 1 :]
        yield content[:at]
        if more := {b"{": b'"more": ', b"=": b" "}.get(content[at : at + 1]):
            yield content[: at + 1] + more + b"[" * 5000


@pytest.mark.parametrize("name", READERS)
def test_it_is_as_it_was_or_refused(name: str, tmp_path: Path) -> None:
    make_all(tmp_path)
    (path,) = tmp_path.glob(name)
    content, read = path.read_bytes(), READERS[name]
    whole = read(tmp_path)
    for damaged in hurt(content):
        path.write_bytes(damaged)
        try:
            found = read(tmp_path)
        except (TableError, OSError):
            continue
        assert found in (whole, None) or name in MAY_DIFFER, (damaged, found)
