"""Films the table and the running program: `python -m docs.film` writes all of it, and a short.

It begins with the lit table, painted from the files that make it, for nobody has filmed one yet;
the words on the picture say so. Then the program is filmed as it runs.

It needs Debian's chromium-headless-shell and ffmpeg, the project's `test` extra, and a machine with
little else to do: what is drawn in time is filmed.
"""

import base64
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from cv2.typing import MatLike
from playwright.sync_api import CDPSession, Page

from docs.renders.__main__ import moves_by_hand
from docs.renders.render import Camera as Painter
from docs.screenshots import PICTURES
from tests.e2e.served import Visitor, served, visiting
from tests.e2e.windows import Windows, chromium

SCREEN: Final = {"width": 1280, "height": 720}
SIZE: Final = (960, 540)
FRAMES_PER_S: Final = 12
SHORT_FRAMES_PER_S: Final = 6
SHORT_SIZE: Final = (760, 428)
BEHIND: Final = (236, 234, 230)
"""The colour behind pictures of another shape: that of the painted ground."""
HAND_S: Final = (*(0.35,) * 3, 2.4, *(0.4,) * 3, 0.5, 0.35, 1.0)
"""How long each pose of the hand is shown; the table stays lit a while."""
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
        self._line.on("Page.screencastFrame", self._keep)
        how = {"format": "jpeg", "quality": 90, "everyNthFrame": 1}
        self._line.send("Page.startScreencast", how)

    def _keep(self, sent: Any) -> None:
        self._line.send("Page.screencastFrameAck", {"sessionId": sent["sessionId"]})
        self.frames.append((sent["metadata"]["timestamp"], base64.b64decode(sent["data"])))

    def stop(self) -> None:
        self._line.send("Page.stopScreencast")

    def at(self, moment: float) -> MatLike:
        """Return what was seen at a moment."""
        seen = [picture for came, picture in self.frames if came <= moment]
        jpeg = seen[-1] if seen else self.frames[0][1]
        picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        return picture


class Shot(NamedTuple):
    """A part of the film: its words, how long it is, and what is seen after so many seconds."""

    words: str
    seconds: float
    at: Callable[[float], MatLike]
    short_s: tuple[float, float] = (0.0, 0.0)
    """The seconds of it that the short has."""


def fitted(picture: MatLike, closer: float = 1.0) -> MatLike:
    """Return a picture as the film shows it: filling it, or whole where it is upright."""
    high, wide = picture.shape[:2]
    shares = SIZE[0] / wide, SIZE[1] / high
    scale = closer * (min(shares) if high > wide else max(shares))
    left, top = (SIZE[0] - wide * scale) / 2, (SIZE[1] - high * scale) / 2
    to = np.array([[scale, 0, left], [0, scale, top]])
    soft = cv2.GaussianBlur(picture, (0, 0), 0.4 / scale) if scale < 0.8 else picture
    return cv2.warpAffine(soft, to, SIZE, flags=cv2.INTER_CUBIC, borderValue=BEHIND)


def still(name: str, grows: float = 0.02) -> Callable[[float], MatLike]:
    """Return how a picture comes nearer, by a share a second."""
    picture = cv2.imread(str(PICTURES / name))
    assert picture is not None, name
    return lambda seconds: fitted(picture, 1 + grows * seconds)


def series(pictures: Sequence[MatLike], each_s: Sequence[float]) -> Callable[[float], MatLike]:
    """Return how pictures follow one another."""
    ends = np.cumsum(each_s)
    last = len(pictures) - 1
    return lambda seconds: fitted(pictures[min(int(np.searchsorted(ends, seconds)), last)])


def opening() -> list[Shot]:
    """Paint the lit table; then the round one, a question and a phone."""
    camera = Painter(-24, 34, 26, 1.3, *SIZE)
    hands = [*moves_by_hand("d1", "e4", camera)]
    _, asked = cv2.imreadanimation(str(PICTURES / "question.webp"))
    frames = [frame[:, :, :3] for frame in asked.frames]
    each_s = [1.2 * ms / 1000 for ms in asked.durations]
    lift = "Lift a piece, and the table shows where it may go"
    sure = "What it did not see it asks: a touch answers"
    return [
        Shot(f"{lift} (painted)", sum(HAND_S), series(hands, HAND_S), (0, sum(HAND_S))),
        Shot("Or round, as others play it (painted)", 4, still("table-round.webp"), (0, 2)),
        Shot(sure, sum(each_s), series(frames, each_s), (2, 6)),
        Shot("A phone will do", 3, still("phone.jpg"), (0, 1.5)),
    ]


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


class Scene(NamedTuple):
    """What is done on the page, its words, and from and to which second the film shows it."""

    plays: Callable[[Visitor], None]
    words: str
    shown_s: tuple[float, float]
    short_s: tuple[float, float]


SCENES: Final = (
    Scene(captures, "Every piece walks its own way", (1.5, 7), (0, 2.5)),
    Scene(fight, "Two fight for a square", (2, 9), (1, 5)),
    Scene(die, "A Juggernaut, where the rules have one", (2, 8), (0, 0)),
    Scene(end, "Every end can be sent on", (3.5, 13), (3, 7)),
)


def filmed(windows: Windows) -> list[Shot]:
    """Serve a table and do what is to be seen."""
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), "--board", "screen") as table,
        visiting(windows, table, viewport=SCREEN, reduced_motion="no-preference") as guest,
    ):
        camera, shots = Camera(guest.page), list[Shot]()
        for scene in SCENES:
            begun = float(guest.page.evaluate("Date.now() / 1000")) + scene.shown_s[0]
            scene.plays(guest)
            seen = partial(lambda begun, seconds: fitted(camera.at(begun + seconds)), begun)
            seconds = scene.shown_s[1] - scene.shown_s[0]
            shots.append(Shot(scene.words, seconds, seen, scene.short_s))
        camera.stop()
        return shots


def captions(windows: Windows, shots: Sequence[Shot]) -> list[MatLike]:
    """Return the words of each shot as a picture that is clear about them."""
    made: list[MatLike] = []
    with windows.opened("about:blank", {"width": SIZE[0], "height": SIZE[1]}) as page:
        for shot in shots:
            page.set_content(f"<body style='{CAPTION_PAGE}'><p style='{CAPTION}'>{shot.words}</p>")
            png = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
            picture = cv2.imdecode(png, cv2.IMREAD_UNCHANGED)
            assert picture is not None
            made.append(picture)
    return made


CAPTION_PAGE: Final = (
    "margin:0; height:100vh; display:flex; align-items:end; justify-content:center;"
)
CAPTION: Final = (
    "margin:0 0 22px; padding:8px 20px; border-radius:10px; background:#2b1d14e0; color:#fffaf2;"
    "font:600 25px/1.3 Palatino, Georgia, serif;"
)


def frames_of(
    shots: Sequence[Shot], words: Sequence[MatLike], per_s: int, *, is_short: bool = False
) -> Iterator[MatLike]:
    """Yield the film's frames, with the words on them; of the short, its parts."""
    for shot, caption in zip(shots, words, strict=True):
        begin, end = shot.short_s if is_short else (0.0, shot.seconds)
        share = caption[:, :, 3:].astype(np.float32) / 255
        for moment in np.arange(begin, end, 1 / per_s):
            picture = shot.at(float(moment))
            yield (picture * (1 - share) + caption[:, :, :3] * share).astype(np.uint8)


def write_film(frames: Iterable[MatLike]) -> None:
    """Write all of it, as WebM: OpenCV's own writer makes a file ten times as large."""
    size = f"-s {SIZE[0]}x{SIZE[1]}"
    came = f"-f rawvideo -pix_fmt bgr24 {size} -framerate {FRAMES_PER_S} -i -".split()
    made = ["-c:v", "libvpx-vp9", "-crf", "36", "-b:v", "0", "-pix_fmt", "yuv420p"]
    command = ["ffmpeg", "-v", "error", "-y", *came, *made, str(PICTURES / "film.webm")]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as ffmpeg:
        assert ffmpeg.stdin is not None
        for frame in frames:
            ffmpeg.stdin.write(frame.tobytes())
    assert ffmpeg.returncode == 0, "ffmpeg wrote no film"


def write_short(frames: Iterable[MatLike]) -> None:
    """Write the short, smaller, as an animation that pages show."""
    moving = cv2.Animation()
    moving.frames = [
        cv2.resize(frame, SHORT_SIZE, interpolation=cv2.INTER_AREA) for frame in frames
    ]
    moving.durations = [1000 // SHORT_FRAMES_PER_S] * len(moving.frames)
    path = str(PICTURES / "film.webp")
    cv2.imwriteanimation(path, moving, [cv2.IMWRITE_WEBP_QUALITY, 60])


def main() -> None:
    """Film, and write all and the short of it."""
    with chromium() as browser:
        windows = Windows(browser)
        write(windows, [*opening(), *filmed(windows)])


def write(windows: Windows, shots: Sequence[Shot]) -> None:
    """Write all and the short of the shots."""
    words = captions(windows, shots)
    print(f"{sum(shot.seconds for shot in shots):.0f} s")
    write_short(frames_of(shots, words, SHORT_FRAMES_PER_S, is_short=True))
    write_film(frames_of(shots, words, FRAMES_PER_S))


if __name__ == "__main__":
    main()
