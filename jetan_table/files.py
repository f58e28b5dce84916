"""Files: a text read, a file written as a whole, and the folder of the checkout."""

import csv
import os
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from io import StringIO
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from rules import _

from .errors import NotACheckout, TableError

MOST_FILE_BYTES: Final = 200_000_000
"""Largest file that the table reads as a whole."""
MOST_KEPT_BYTES: Final = 5_000_000
"""Largest file of its own that is no game."""

Kept = TypeVar("Kept")


class NotText(TableError, ValueError):
    """A file that holds something else than text."""


class NoPlainFile(TableError, OSError):
    """Something that is no file of text: a device, a pipe, or without end."""


def read_whole(path: Path, most_bytes: int = MOST_FILE_BYTES) -> bytes:
    """Return a file's content; NoPlainFile if that has no end, OSError if it cannot be read."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise NoPlainFile(_("{path}: is no plain file"), path=path)
        # One byte more than allowed: /dev/zero, or a file that grows, is refused without reading it
        # all.
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        most_mb = most_bytes / 1e6
        raise NoPlainFile(_("{path}: is larger than {most_mb:g} MB"), path=path, most_mb=most_mb)
    return content


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)  # a pipe that nobody writes to has no end either


def read_text(path: Path, most_bytes: int = MOST_FILE_BYTES) -> str:
    """Return the text of a file; NotText if it is none, else as `read_whole`."""
    try:
        return StringIO(read_whole(path, most_bytes).decode(), newline=None).read()
    except UnicodeDecodeError as error:
        raise NotText(
            _("{path}: not UTF-8 text at byte {start}"), path=path, start=error.start
        ) from None


class Damaged(TableError, ValueError):
    """A file that holds something else than the table wrote into it."""


def read_json(path: Path, kind: type[Kept]) -> Kept | None:
    """Return the `kind` that a file keeps; None without a file, Damaged if it keeps something else.

    OSError if it cannot be read.
    """
    try:
        return msgspec.json.decode(read_whole(path, MOST_KEPT_BYTES), type=kind)
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as error:
        raise Damaged(_("{path}: is damaged ({why})"), path=path, why=error) from None


FORMULA_MARKS: Final = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""Characters that begin a formula in a spreadsheet, those of double width too."""


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV; a `'` is put before a text that a spreadsheet would take for a formula.

    People may have any name, so none is refused for it.
    """
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_as_text, rows))
    return text.getvalue()


def _as_text(row: Iterable[object]) -> Iterator[object]:
    for value in row:
        is_formula = isinstance(value, str) and value.startswith(FORMULA_MARKS)
        yield f"'{value}" if is_formula else value


def free_name(path: Path, why: str, is_free: Callable[[Path], bool]) -> Path:
    """Return the first name of a file that says why it is kept, and that is free."""
    names = (f"{path.stem}.{why}-{count}{path.suffix}" for count in range(1, 1000))
    return next(filter(is_free, map(path.with_name, names)))


def set_aside(path: Path, why: str = "damaged") -> Path:
    """Give a file the first free name that says why it is kept, and return that. OSError."""
    kept = free_name(path, why, lambda name: not name.exists())
    path.rename(kept)
    sync_folder(path.parent)
    return kept


PRIVATE: Final = 0o600
"""The mode of a file that holds a secret, from its first byte: nobody else may read it."""


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file as a whole or not at all, its folder too; on the disk on return. OSError.

    `mode` says who may read it, as far as the umask lets them.
    """
    make_folder(path.parent)
    with (
        replacing(path) as begun,
        open(begun, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file,
    ):
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a name to write to, and put what was written in the place of `path` at the end.

    It is on the disk by then. Where writing fails, `path` stays as it was.
    """
    begun = path.with_name(f"{path.name}.part")
    begun.unlink(missing_ok=True)
    try:
        yield begun
        # Content, name, folder, in this order: a power cut leaves the old file or the new one,
        # whole.
        with begun.open("rb") as file:
            os.fsync(file.fileno())
        begun.replace(path)
        sync_folder(path.parent)
    finally:
        begun.unlink(missing_ok=True)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder, and those around it, unless it is there; on the disk on return. OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode, exist_ok=True)
    try:
        sync_folder(folder.parent)
    except OSError:
        folder.rmdir()  # so that whoever tries again does not take it for one on the disk
        raise


def sync_folder(folder: Path) -> None:
    """Return once the names in a folder are on the disk: a rename alone may be lost by a cut."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def find_checkout() -> Path:
    """The folder that holds pyproject.toml and the packages; raises NotACheckout without one."""
    root = Path(__file__).parents[1]
    if not (root / "pyproject.toml").is_file():
        raise NotACheckout(
            _(
                "{root}: not a checkout of the project; clone its repository and use the ./jetan"
                " there"
            ),
            root=root,
        )
    return root


@cache
def repository() -> str:
    """Return the address of the project's repository; "" as long as pyproject.toml has none.

    It stands under [project.urls] there, and in what an installed table knows of itself.
    """
    kept = Path(__file__).parents[1] / "pyproject.toml"
    if kept.is_file():
        urls = tomllib.loads(kept.read_text(encoding="utf-8"))["project"].get("urls", {})
        return str(urls.get("Repository", ""))
    try:
        lines = metadata("jetan-table").get_all("Project-URL", [])
    except PackageNotFoundError:
        return ""
    pairs = (line.partition(", ") for line in lines)
    return next((address for name, _comma, address in pairs if name == "Repository"), "")
