"""A Pico with its button held: a drive that takes one image and is gone."""

import threading
from pathlib import Path

INFO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
BLOCK = 512
LOOK_S = 0.005


class Pico:
    """Such a drive in `folder`, which ends itself when the last block has come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._image = b""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "INFO_UF2.TXT").write_text(INFO)
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def taken(self) -> bytes:
        """Return the image, when all of it has come."""
        self._thread.join()
        return self._image

    def _take(self) -> None:
        until = threading.Event()
        while not self._is_whole():
            until.wait(LOOK_S)
            for path in self._folder.glob("*.uf2"):
                self._image = path.read_bytes()
        (self._folder / "INFO_UF2.TXT").unlink()

    def _is_whole(self) -> bool:
        count = int.from_bytes(self._image[24:28], "little")
        return bool(count) and len(self._image) == count * BLOCK
