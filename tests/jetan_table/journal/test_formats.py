"""A form in which games leave the table is an entry of `FORMATS`; all that offers it follows."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.game.events import Entry, Ply
from jetan_table.journal.journal import Journal
from tests.jetan_table.hands import header
from tests.paths import ROOT

REGISTERED = """
import asyncio, json, sys
from pathlib import Path
from types import SimpleNamespace
from jetan_table.journal.archive import read_kept
from jetan_table.game.texts import FORMATS, Format

FORMATS["moves"] = Format(lambda record: " ".join(record.moves), "text/plain", "bare moves")

from jetan_table.cli import main
from jetan_table.page import documents
from jetan_table.page.app import ways

folder = Path(sys.argv[1])

async def kept(read, *arguments):
    return read_kept(folder, read, *arguments)

house = SimpleNamespace(kept=kept)
asked = SimpleNamespace(path_params={"game": "1"})
makers = {way.path: way.make for way in ways()}
sent = asyncio.run(makers["/api/games/{game}.moves"](house, asked))
print(json.dumps({
    "sent": [sent.body.decode(), *map(sent.headers.get, ("content-type", "content-disposition"))],
    "in play": "/api/game.moves" in makers,
    "page": documents.about()["exports"],
}))
main(["games", "export", "1", "--format", "moves", "--data", sys.argv[1]])
print()
main(["games", "export", "--help"])
"""
"""Registers a format before anything else of the table is there, as a line in `FORMATS` would."""


@pytest.mark.parts
def test_a_format_is_offered_by_the_command_the_page_and_the_api(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        journal.append(journal.begin(header()), [Entry(61.0, Ply(1, "Pd2-d3"))])
    done = subprocess.run(
        [sys.executable, "-c", REGISTERED, str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    answers, exported, *help_lines = done.stdout.splitlines()
    found = json.loads(answers)
    name = 'attachment; filename="00001.moves"'
    assert found["sent"] == ["Pd2-d3", "text/plain; charset=utf-8", name]
    assert found["in play"]
    assert found["page"][-1] == "moves"
    assert exported == "Pd2-d3"
    assert "moves: bare moves" in " ".join(" ".join(help_lines).split())
