"""Names and remarks from another's journal: they never reach the terminal as commands."""

import io
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from jetan_table.cli import main
from jetan_table.game.events import Entry, Noted, Ply, SeriesAgreed
from jetan_table.game.terms import agreed
from jetan_table.journal.journal import Journal
from tests.jetan_table.hands import header

EVIL = "\x1b]0;mine\x07\x1b[2J\x9b31mTara"


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A data folder in which one game has such names, as one that was restored."""
    folder = tmp_path / "restored"
    begun = replace(header(), black=EVIL, orange=f"{EVIL}2")
    with closing(Journal(folder)) as journal:
        game = journal.begin(begun, [Entry(begun.started, SeriesAgreed(EVIL))])
        terms = [Entry(begun.started, event) for event in agreed("none", "friendly")]
        journal.append(game, [*terms, Entry(begun.started, Ply(1, "Pd2-d3"))])
        journal.append(game, [Entry(begun.started, Noted(EVIL))])
    return str(folder)


@pytest.mark.promises(
    "names or texts from elsewhere contain codes for terminals", "plain lines", "list of games"
)
@pytest.mark.parametrize(
    "words",
    [
        ("games", "list"),
        ("games", "list", "--json"),
        ("games", "show"),
        ("games", "show", "--json"),
        ("games", "export"),
        ("games", "check"),
        ("series", "list"),
        ("series", "show", EVIL),
        ("series", "export", EVIL),
        ("series", "show", "\x1b[2J"),
        ("die", "verify", "1"),
        ("play", "--plain"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_what_is_printed_commands_no_terminal(
    data: str,
    words: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("e9 e8\nnote \x1b[2J\nposition\n"))
    main([*words, "--data", data])
    printed = "".join(capsys.readouterr())
    assert printed
    assert not {letter for letter in printed if letter in "\x1b\x07\x9b"}
