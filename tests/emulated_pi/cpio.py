"""Writes the archive that a Linux kernel takes its first files from (cpio, "newc")."""

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, folder, link or device by its `name` in the archive; `mode` as `os.stat` has it."""

    name: str
    mode: int
    data: bytes = b""
    device: tuple[int, int] = (0, 0)


def tree(folder: Path, prefix: str = "") -> Iterable[Entry]:
    """Yield all that is in a folder and below, in order of name."""
    for path in sorted(folder.rglob("*")):
        name, mode = f"{prefix}{path.relative_to(folder)}", path.lstat().st_mode
        if path.is_symlink():
            yield Entry(name, mode, str(path.readlink()).encode())
        elif path.is_dir():
            yield Entry(name, mode)
        else:
            yield Entry(name, mode, path.read_bytes())


def folder(name: str) -> Entry:
    """Return an empty folder."""
    return Entry(name, stat.S_IFDIR | 0o755)


def format_cpio(entries: Iterable[Entry]) -> bytes:
    """Return the archive's bytes."""
    out = bytearray()
    for number, entry in enumerate([*entries, Entry("TRAILER!!!", 0)], 1):
        name = entry.name.encode() + b"\0"
        numbers = (number, entry.mode, 0, 0, 1, 0, len(entry.data), 0, 0, *entry.device)
        head = "070701" + "".join(f"{value:08x}" for value in (*numbers, len(name), 0))
        out += _padded(head.encode() + name) + _padded(entry.data)
    return bytes(out)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
