"""Files that are read as a whole: text, of a size, and never a device or a pipe."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.errors import TableError
from jetan_table.extras.hall.broker import BrokerFiles
from jetan_table.files import NoPlainFile, NotText, read_text
from jetan_table.game.agreements import named_rules
from jetan_table.table.games import named_text
from jetan_table.wiring import TABLE_PIN, kept_pin


def test_lines_end_alike_whoever_wrote_them(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes("a\r\nö\rb\n".encode())
    assert read_text(file) == "a\nö\nb\n"
    file.write_bytes(b"abc\xff")
    with pytest.raises(NotText, match="not UTF-8 text at byte 3"):
        read_text(file)


def test_what_has_no_end_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), tmp_path):
        with pytest.raises(OSError, match=f"{path}"):
            read_text(path)
    large = tmp_path / "large"
    large.write_bytes(b"x" * 11)
    assert len(read_text(large, 11)) == 11
    with pytest.raises(NoPlainFile, match="is larger than 1e-05 MB"):
        read_text(large, 10)


@pytest.mark.parametrize("make", ["a PIN", "a seat"])
def test_a_secret_is_nobody_else_s_from_its_first_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: str
) -> None:
    """Whatever the umask, no file that holds one may be read by others at any sync of it."""
    may_read, sync = dict[str, int](), os.fsync

    def note_who_may_read(opened: int) -> None:
        for path in tmp_path.rglob("*"):
            if path.is_file():
                name = path.name.removesuffix(".part")
                may_read[name] = may_read.get(name, 0) | path.stat().st_mode & 0o077
        sync(opened)

    monkeypatch.setattr("os.fsync", note_who_may_read)
    before = os.umask(0)
    try:
        if make == "a PIN":
            kept_pin(tmp_path, TABLE_PIN)
        else:
            BrokerFiles(tmp_path).seat("alpha", lambda: "a password")
    finally:
        os.umask(before)
    secrets = {"pin"} if make == "a PIN" else {"passwd", "alpha", "hall", "watcher"}
    assert {name: may_read[name] for name in secrets} == dict.fromkeys(secrets, 0)


@pytest.mark.parametrize("kind", ["pipe", "large", "zero"])
@pytest.mark.parametrize(
    ("read", "ending"), [(named_rules, "toml"), (lambda name: named_text(Path(), name), "jgn")]
)
def test_whoever_names_a_file_at_the_table_names_a_plain_one(
    tmp_path: Path, read: Callable[[str], object], ending: str, kind: str
) -> None:
    file = tmp_path / f"file.{ending}"
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "large":
            with file.open("wb") as sparse:
                sparse.truncate(10**10)
        case "zero":
            file.symlink_to("/dev/zero")
    with pytest.raises(TableError, match=r"is (no plain file|larger than)"):
        read(str(file))


@pytest.mark.parametrize("name", ["/etc/passwd", "/proc/self/environ", "./pin", "games/pin"])
def test_what_is_no_game_file_is_no_game(tmp_path: Path, name: str) -> None:
    with pytest.raises(TableError, match="a name is up to 60"):
        named_text(tmp_path, name)


@pytest.mark.promises(
    "a game is loaded from a pipe, a device or a file without end", "standard error"
)
def test_a_pipe_is_no_game_to_play_on_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe.jgn")
    data = str(tmp_path / "games")
    assert main(["play", "--plain", "--data", data, "--load", str(tmp_path / "pipe.jgn")]) == 2
    assert "pipe.jgn: is no plain file" in capsys.readouterr().err
