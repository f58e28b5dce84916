"""What a table must be like that is switched on after a cut, or with a disk that has failed."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import check_journal
from jetan_table.journal.journal import Journal
from jetan_table.table.dice import Seeds
from jetan_table.table.games import open_game
from rules.text import parse_game
from tests.faults.truth import COPY, TABLE, Certain, Truth, truth_in, truth_of
from tests.jetan_table.hands import header


def lay_out(found: Mapping[str, bytes | None], root: str, folder: Path) -> None:
    """Put what was found below `root` into a folder."""
    for path, content in found.items():
        here = folder / Path(path).relative_to(root)
        if content is None:
            here.mkdir(exist_ok=True)
        else:
            here.write_bytes(content)


def switch_on(folder: Path, shown: Certain, soon: Certain) -> None:
    """Start the table, and assert that it has all that was `shown`, and no more than `soon` was.

    Nothing is damaged or lost, the game goes on, and the copy and each game's text are whole.
    """
    with closing(Journal(folder / TABLE)) as journal:
        assert journal.damaged is None, journal.damaged
        assert_between(shown.get(TABLE, {}), truth_in(journal.archive), soon.get(TABLE, {}))
        assert check_journal(journal.archive) == {}
        opened = open_game(journal, header())
        assert opened.damage is None, opened.damage
        die = opened.record.die
        if die is not None and die.seed is None:
            assert Seeds(folder / TABLE / "seeds", bytes).find(die.commit), "its seed is lost"
    for text in (folder / TABLE).glob("games/*.jgn"):
        parse_game(text.read_text())
    copy = folder / COPY
    if COPY in shown or copy.exists():
        with closing(Archive.open_file(copy)) as archive:
            assert truth_in(archive) in (shown.get(COPY), soon.get(COPY))
            assert check_journal(archive) == {}


def assert_between(shown: Truth, found: Truth, soon: Truth) -> None:
    """Assert that what is found has all that was shown, and nothing that was not to come next."""
    if found in (shown, soon):
        return
    assert goes_on(shown, found), f"shown, and not there: {shown} {found}"
    assert goes_on(found, soon), f"there, and never happened: {found} {soon}"


def goes_on(before: Truth, after: Truth) -> bool:
    """Whether nothing of all games is lost or changed."""
    return all(after.get(game, [])[: len(events)] == events for game, events in before.items())


def switch_on_somehow(folder: Path, ever: Sequence[Certain]) -> None:
    """Start the table after a disk that lied: all that is read has happened; the rest is named."""
    happened = [certain[TABLE] for certain in ever if TABLE in certain]
    with closing(Journal(folder / TABLE)) as journal:
        archive = journal.archive
        damaged = check_journal(archive)
        for summary in archive.games():
            if summary.game not in damaged:
                here = truth_of({summary.game: archive.entries(summary.game)})
                assert any(goes_on(here, truth) for truth in happened), here
        open_game(journal, header())
