"""Every line that a page of the docs shows runs as it is written, page by page, in its order.

What cannot be run here is named below, with the reason.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.command import ROOT
from tests.e2e.forked import forked, run
from tests.profiles import PATIENCE_S

FENCE: Final = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
TO_FILE: Final = re.compile(" 2?> ")
PAGES: Final = sorted((ROOT / "docs").rglob("*.md"))

ELSEWHERE: Final = {
    r"(usb|rpicam):": "a camera",
    r"http://phone": "a phone's camera",
    r"evening\.mp4|\bpictures\b|\bphotos\b": "pictures of a board of one's own",
    r"--board (pins|serial|auto)": "a board",
    r"^wire( --walk)?$": "a board",
    r"^trial ?(--board|$)": "ten minutes of hands; tests/jetan_table/extras does it",
    r"^trial --undo": "a trial that has taught something; tests/jetan_table/extras does it",
    r"trial-\d+_\d+\.jsonl|^bench reading": "the recording of a trial of one's own",
    r"^(check|test)\b": "minutes: those are the tests",
    r"--board emulated": "an emulated chip; tests/emulated plays on it",
    r"^firmware flash .*--port|^firmware flash .*--no-watchdog": "an Arduino",
    r"^firmware flash --board pico$": "a Pico",
    r"^bench pins": "a Pi's pins, or minutes of an emulated Pi",
    r"^bench hands": "minutes; tests/bench/test_hands.py runs it on a few games",
    r"^hall ": "a broker, which tests/jetan_table/extras/hall brings",
    r"--far": "a table elsewhere, which tests/e2e/test_far_page.py brings",
    r"^match ": "minutes; tests/jetan_table/extras/opponent plays matches",
    r"^puzzle .*--proved": "solved endings; tests/jetan_table/extras/lessons draws from small ones",
    r"^games analyse": "minutes; tests/jetan_table/extras/opponent analyses games",
    r"^service status": "the table as a service; tests/e2e/test_service.py",
    r"--speak": "a loudspeaker",
}
"""What a line's words after `./jetan` need that is not here, by a pattern of these words."""

SERVING: Final = re.compile(r"^(play|serve)\b(?!.*--(terminal|plain))")
"""What serves a page until it is stopped."""

MAY_FIND: Final = ("doctor",)
"""What ends with 1 where it has found something, which is no failure of the line."""


def shown(page: Path) -> Iterator[str]:
    """The words after `./jetan` of each line in a code block that can be run here."""
    for block in FENCE.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            before, found, rest = line.partition("./jetan ")
            words = shlex.join(shlex.split(TO_FILE.split(rest)[0], comments=True))
            if found and "sudo" not in before and not why_not(words):
                yield words


def why_not(words: str) -> str:
    """What these words need that is not here; nothing: they run."""
    plain = " ".join(shlex.split(words))
    return next((why for pattern, why in ELSEWHERE.items() if re.search(pattern, plain)), "")


def assert_ends_well(home: Path, *words: str, typed: str = "") -> None:
    ended = run(home, *words, typed=typed + "quit\n" * 3, cwd=home, PYTHONPATH=str(ROOT))
    allowed, output = (0, 1) if words[0] in MAY_FIND else (0,), ended.stdout + ended.stderr
    assert ended.returncode in allowed, f"{words}\n{output}"
    assert output.strip()


def assert_serves(home: Path, *words: str) -> None:
    browserless = ("--no-browser",) if words[0] == "play" else ()
    running, printed = forked(home, *words, "--port", "0", *browserless)
    with printed:
        lines: list[str] = []
        while "http://" not in "".join(lines[-1:]):
            lines.append(printed.readline())
            assert lines[-1], f"{words}\n{''.join(lines)}"
        running.terminate()
        running.join(PATIENCE_S)
    assert running.exitcode == 0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with four games, two with dice, the last unfinished, and files that pages name."""
    home = tmp_path_factory.mktemp("home")
    plies = "".join(f"{file}2 {file}3\n{file}9 {file}8\n" for file in "cdefgh")
    with_die, without = "appendix,juggernaut=e5", "appendix"  # a die may stand in a move's way
    for rules, typed in (
        (with_die, "resign\n"),
        (without, plies + "f1 e6\nresign\n"),  # a mistake, which may be done better
        (with_die, "resign\n"),
        (without, plies),
    ):
        assert_ends_well(home, "play", "--plain", "--rules", rules, typed=typed)
    shutil.copy(next(home.rglob("games/00002.jgn")), home / "mine.jgn")
    shutil.copy(next(home.rglob("games/00003.jgn")), home / "rolled.jgn")
    shutil.copy(next(home.rglob("journal.sqlite")), home / "journal.damaged-1.sqlite")
    return home


@pytest.mark.ci
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if [*shown(page)]],
    ids=lambda page: page.relative_to(ROOT / "docs").as_posix(),
)
def test_a_page_s_lines_run(page: Path, played: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(played, home)
    before = {words for other in PAGES[: PAGES.index(page)] for words in shown(other)}
    for words in dict.fromkeys(words for words in shown(page) if words not in before):
        if SERVING.search(words):
            assert_serves(home, *shlex.split(words))
        else:
            assert_ends_well(home, *shlex.split(words))


def test_what_is_not_run_is_shown_somewhere() -> None:
    lines = [
        " ".join(shlex.split(TO_FILE.split(line.partition("./jetan ")[2])[0], comments=True))
        for page in PAGES
        for block in FENCE.findall(page.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if "./jetan " in line
    ]
    for pattern in ELSEWHERE:
        assert any(re.search(pattern, line) for line in lines), f"no page shows {pattern}"
    assert os.fspath(ROOT) not in " ".join(lines)
