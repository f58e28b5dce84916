"""Films a minute of the running program: `python -m docs.film` writes all of it, and a short.

It needs Debian's chromium-headless-shell and ffmpeg, the project's `test` extra, and a machine with
little else to do: what is drawn in time is filmed.
"""

import base64
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from cv2.typing import MatLike
from playwright.sync_api import CDPSession, Page

from docs.screenshots import PICTURES
from tests.e2e.served import Visitor, served, visiting
from tests.e2e.windows import Windows, chromium

SCREEN: Final = {"width": 1280, "height": 720}
FILM_WIDTH: Final = 960
FRAMES_PER_S: Final = 15
SHORT_FRAMES_PER_S: Final = 8
SHORT_WIDTH: Final = 760
POSITIONS: Final = {
    "captures": "wadfqcfdaw/t1pp1ppppt/1p2p5/10/3D6/10/2P4P2/3P6/TP2PPP1PT/WA1FCQFDAW b BO - 6 8",
    "fight": "w1dfqc1daw/tppp1ppppt/4p5/2f7/10/4F5/10/2P7/TP1PPPPPPT/WAD1CQFDAW b BO - 6 8",
    "die": "wadfqcfdaw/tppp2pppt/4pp4/10/5*4/4P5/10/3P6/TPP2PPPPT/WADFCQFDAW b BO - 6 4",
    "end": "9c/3q6/10/4p5/10/3F1F4/10/10/10/C3Q5 b - - 0 41",
}


class Camera:
    """Keeps the pictures of a page with their times."""

    def __init__(self, page: Page) -> None:
        self._line: CDPSession = page.context.new_cdp_session(page)
        self.frames: list[tuple[float, bytes]] = []
        self.cuts: list[float] = []
        """The time at which each scene began."""
        self._line.on("Page.screencastFrame", self._keep)
        how = {"format": "jpeg", "quality": 90, "everyNthFrame": 1}
        self._line.send("Page.startScreencast", how)

    def _keep(self, sent: Any) -> None:
        self._line.send("Page.screencastFrameAck", {"sessionId": sent["sessionId"]})
        self.frames.append((sent["metadata"]["timestamp"], base64.b64decode(sent["data"])))

    def stop(self) -> None:
        self._line.send("Page.stopScreencast")

    def at_rate(self, per_s: int, spans: Iterable[tuple[float, float]]) -> Iterable[bytes]:
        """Yield the JPEG that was seen at each moment of these spans of time."""
        for begin, end in spans:
            for moment in np.arange(begin, end, 1 / per_s):
                seen = [picture for came, picture in self.frames if came <= moment]
                yield seen[-1] if seen else self.frames[0][1]


def scaled(jpeg: bytes, size: tuple[int, int]) -> MatLike:
    """Return a picture in another size."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def ask(guest: Visitor, **asked: Any) -> None:
    """Ask the table something, as the page does."""
    guest.page.evaluate("async (asked) => (await import('/static/link.js')).ask(asked)", asked)


def begin(guest: Visitor, rules: str, position: str) -> None:
    """Begin a game from a position of the film's."""
    before = guest.game
    ask(guest, do="new", rules=rules, position=POSITIONS[position], black="?", orange="?")
    guest.await_playing(before)
    guest.page.wait_for_timeout(900)


def moved(guest: Visitor, start: str, end: str, rest_ms: int = 1000) -> None:
    """Tap a piece and its square, as unhurried people do."""
    guest.touch(start)
    guest.page.wait_for_timeout(500)
    guest.touch(end)
    guest.page.wait_for_timeout(rest_ms)


def dragged(guest: Visitor, start: str, end: str) -> None:
    """Drag a piece to a square, in a bow."""
    mouse = guest.page.mouse
    boxes = [guest.square(name).bounding_box() for name in (start, end)]
    (x, y), (to_x, to_y) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes
    )
    mouse.move(x, y)
    mouse.down()
    for part in np.linspace(0, 1, 22):
        mouse.move(x + (to_x - x) * part, y + (to_y - y) * part - 20 * np.sin(np.pi * part))
        guest.page.wait_for_timeout(22)
    guest.page.wait_for_timeout(200)
    mouse.up()
    guest.page.wait_for_timeout(1000)


def first_page(guest: Visitor) -> None:
    """A game plays itself."""
    guest.page.wait_for_timeout(13_000)
    guest.page.locator("[data-action=two]").click()
    guest.page.wait_for_timeout(600)


def captures(guest: Visitor) -> None:
    """A Dwar goes round a corner and is taken; a Flier is dragged, a Thoat turns."""
    begin(guest, "appendix", "captures")
    for start, end in (("d6", "e8"), ("f10", "e8")):
        moved(guest, start, end, 1300)
    dragged(guest, "d1", "e4")
    moved(guest, "j9", "h8", 1200)


def fight(guest: Visitor) -> None:
    """A Flier enters the arena: both throw."""
    begin(guest, "manator-arena", "fight")
    moved(guest, "e5", "f8", 1800)
    moved(guest, "f9", "f8", 2200)
    ask(guest, do="duel", told="3,9")
    guest.page.wait_for_timeout(4200)


def die(guest: Visitor) -> None:
    """The Juggernaut is rolled for, and crushes what stands there."""
    begin(guest, "appendix,juggernaut=f6", "die")
    moved(guest, "e5", "e6", 900)
    ask(guest, do="roll", shown="1")
    guest.page.wait_for_timeout(3000)
    moved(guest, "c9", "c8", 900)
    ask(guest, do="roll", shown="1")
    guest.page.wait_for_timeout(4000)


def end(guest: Visitor) -> None:
    """The Flier takes the Princess, and the end is sent on."""
    begin(guest, "appendix", "end")
    moved(guest, "d5", "e8", 900)
    moved(guest, "j10", "i10", 900)
    moved(guest, "e8", "d9", 1000)
    guest.page.locator("#end-show").wait_for()
    guest.page.wait_for_timeout(3200)
    guest.page.locator("#end-show").click()
    guest.page.locator("[data-keeps='jetan.gif']").wait_for()
    guest.page.wait_for_timeout(5500)


SCENES: Final = (first_page, captures, fight, die, end)


def filmed(windows: Windows) -> Camera:
    """Serve a table and do what is to be seen."""
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), "--board", "screen") as table,
        visiting(windows, table, viewport=SCREEN, reduced_motion="no-preference") as guest,
    ):
        camera = Camera(guest.page)
        for scene in SCENES:
            camera.cuts.append(guest.page.evaluate("Date.now() / 1000"))
            scene(guest)
        camera.cuts.append(guest.page.evaluate("Date.now() / 1000"))
        camera.stop()
        return camera


def write_film(camera: Camera) -> None:
    """Write all of it, as WebM: OpenCV's own writer makes a file ten times as large."""
    came = f"-f image2pipe -framerate {FRAMES_PER_S} -i -".split()
    made = f"-vf scale={FILM_WIDTH}:-2 -c:v libvpx-vp9 -crf 36 -b:v 0 -pix_fmt yuv420p".split()
    command = ["ffmpeg", "-v", "error", "-y", *came, *made, str(PICTURES / "film.webm")]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as ffmpeg:
        assert ffmpeg.stdin is not None
        for picture in camera.at_rate(FRAMES_PER_S, [(camera.cuts[0], camera.cuts[-1])]):
            ffmpeg.stdin.write(picture)
    assert ffmpeg.returncode == 0, "ffmpeg wrote no film"


def write_short(camera: Camera) -> None:
    """Write a few seconds of each scene, smaller, as an animation that pages show."""
    cuts = camera.cuts
    spans = [
        (cuts[0] + 3, cuts[0] + 8),
        (cuts[1] + 1.2, cuts[1] + 3.6),
        (cuts[2] + 3.6, cuts[3] - 0.7),
        (cuts[4] - 4.9, cuts[4] - 1.5),
        (cuts[4] + 4.6, cuts[4] + 8.4),
    ]
    height = round(SHORT_WIDTH * SCREEN["height"] / SCREEN["width"])
    moving = cv2.Animation()
    moving.frames = [
        scaled(picture, (SHORT_WIDTH, height))
        for picture in camera.at_rate(SHORT_FRAMES_PER_S, spans)
    ]
    moving.durations = [1000 // SHORT_FRAMES_PER_S] * len(moving.frames)
    path = str(PICTURES / "film.webp")
    cv2.imwriteanimation(path, moving, [cv2.IMWRITE_WEBP_QUALITY, 60])


def main() -> None:
    """Film, and write all and the short of it."""
    with chromium() as browser:
        camera = filmed(Windows(browser))
    seconds = camera.cuts[-1] - camera.cuts[0]
    print(f"{len(camera.frames)} pictures in {seconds:.0f} s")
    write_short(camera)
    write_film(camera)


if __name__ == "__main__":
    main()
