"""A disk whose plug is pulled: what a folder may look like afterwards, from all that changed it.

Nothing is certain but what was synced: of a file's other writes some may have reached the disk,
torn where a sector ends, and of new names in a folder those that came first. A file's own sync says
nothing of its name: that takes the folder's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any, Final

SECTOR: Final = 512


@dataclass(frozen=True, slots=True)
class Call:
    """One call that changed files, or a mark between them; `words` are its numbers and paths."""

    kind: str
    words: tuple[str, ...] = ()
    content: bytes = b""

    @property
    def mark(self) -> Any:
        """What was marked."""
        return json.loads(self.content)


def read_calls(log: Path) -> Iterator[Call]:
    """Yield what the shim has written down."""
    with log.open("rb") as file:
        while head := file.readline():
            line, _, path = head.rstrip(b"\n").decode().partition("\t")
            kind, *words = line.split(" ")
            size = int(words[-1]) if kind in ("mark", "write") else 0
            paths = path.split("\t") if path else ()
            yield Call(kind, (*words, *paths), file.read(size))


class Loss(Enum):
    """What a cut does to what was not synced."""

    ALL = "all of it is lost"
    NONE = "none of it is lost"
    SOME = "some of it is lost, and some torn"


@dataclass(slots=True)
class Written:
    """A file: what is certain of it, and what has been written since, as (at, bytes), in order.

    At None a file is cut, or made longer, to as many bytes as there are in what stands there.
    """

    certain: bytes = b""
    since: list[tuple[int | None, bytes]] = field(default_factory=list)

    def after(self, loss: Loss, chance: Random) -> bytes:
        """Return what is left of it."""
        content = bytearray(self.certain)
        for at, written in self.since if loss is not Loss.ALL else ():
            kept = len(written)
            if loss is Loss.SOME and chance.random() < 2 / 3:
                kept = chance.randrange(kept + 1) // SECTOR * SECTOR
            if at is not None or kept == len(written):
                lay(content, at, written[:kept])
        return bytes(content)

    def sync(self) -> None:
        """Let all of it be certain."""
        self.certain = self.after(Loss.NONE, Random())
        self.since.clear()


def lay(content: bytearray, at: int | None, written: bytes) -> None:
    """Write into the content of a file."""
    if at is None:
        size = int(written)
        del content[size:]
        content.extend(bytes(size - len(content)))
        return
    if written:
        content.extend(bytes(max(0, at - len(content))))
        content[at : at + len(written)] = written


Names = dict[str, Written | None]
"""What lies in a folder, by path; None is a folder."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """What happens to a name: `file` gets the name `path`, and loses the name `before`."""

    path: str
    file: Written | None
    before: str | None = None
    is_gone: bool = False

    def change(self, names: Names) -> None:
        """Let it happen to some names."""
        if self.before is not None:
            names.pop(self.before, None)
            for path in list(names):
                names[self.moved(path)] = names.pop(path)
        if self.is_gone:
            names.pop(self.path, None)
        else:
            names[self.path] = self.file

    def moved(self, path: str) -> str:
        """Return the path of a thing afterwards: a folder takes along all that lies below it."""
        is_below = self.before is not None and path.startswith(f"{self.before}/")
        return f"{self.path}{path.removeprefix(str(self.before))}" if is_below else path

    def below(self, other: Renaming) -> Renaming:
        """Return the same change, of names in a folder that has been renamed since."""
        before = None if self.before is None else other.moved(self.before)
        return replace(self, path=other.moved(self.path), before=before)


class Disk:
    """What lies below a folder, and what of it a cut leaves; what was there first is certain."""

    def __init__(self, found: Mapping[str, bytes | None]) -> None:
        """Begin with files and folders (None) by their paths, among them the one around all."""
        self._names: Names = {
            path: None if content is None else Written(content) for path, content in found.items()
        }
        self._certain = dict(self._names)
        self._renamed: dict[str, list[Renaming]] = {}
        """By folder, what has happened to its names since they were certain."""
        self._open: dict[str, tuple[str, Written | None]] = {}

    def do(self, call: Call) -> None:
        """Let one call happen."""
        match call:
            case Call("open", (fd, is_cut, path)):
                if path not in self._names:
                    self._rename(Renaming(path, Written()))
                file = self._names[path]
                if is_cut == "1" and file is not None:
                    file.since.append((None, b"0"))
                self._open[fd] = path, file
            case Call("close", (fd,)):
                self._open.pop(fd, None)
            case Call("write", (fd, at, _), content):
                self._file(fd).since.append((int(at), content))
            case Call("cut", (fd, size)):
                self._file(fd).since.append((None, size.encode()))
            case Call("sync", (fd, _)):
                path, file = self._open[fd]
                if file is not None:
                    file.sync()
                for renaming in self._renamed.pop(path, []) if file is None else ():
                    renaming.change(self._certain)
            case Call():
                self._rename(self._renaming(call))

    def _renaming(self, call: Call) -> Renaming:
        path, *more = call.words
        match call.kind, more:
            case "link", (other,):
                return Renaming(other, self._names[path])
            case "rename", (other,):
                return Renaming(other, self._names[path], before=path)
        return Renaming(path, None, is_gone=call.kind == "unlink")

    def after_cut(self, loss: Loss, chance: Random) -> dict[str, bytes | None]:
        """Return what is found after a cut that comes now, by path; a folder is None."""
        names = dict(self._certain)
        for renamed in self._renamed.values():
            most = {Loss.ALL: 0, Loss.NONE: len(renamed)}.get(loss)
            for renaming in renamed[: chance.randrange(len(renamed) + 1) if most is None else most]:
                renaming.change(names)
        found: dict[str, bytes | None] = {}
        for path, file in sorted(names.items()):
            if not found or str(Path(path).parent) in found:
                found[path] = None if file is None else file.after(loss, chance)
        return found

    def _file(self, fd: str) -> Written:
        _path, file = self._open[fd]
        assert file is not None
        return file

    def _rename(self, renaming: Renaming) -> None:
        renaming.change(self._names)
        if renaming.before is not None and renaming.file is None:
            self._renamed = {
                f"{renaming.moved(folder + '/')}".rstrip("/"): [one.below(renaming) for one in some]
                for folder, some in self._renamed.items()
            }
        self._renamed.setdefault(str(Path(renaming.path).parent), []).append(renaming)
