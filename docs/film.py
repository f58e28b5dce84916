"""Makes the film of the table: `python -m docs.film` writes all of it, and a short.

Names of parts, as words on the command line, make only these: `SAID` has them.

Nobody has filmed a table yet: it is painted from the files that make it, and says so. The hands
play real sessions, whose lamps are shown; the phone shows the page of the running program.

Each picture is kept in `.film` in the checkout, so that a stopped run goes on where it was. Needs
Debian's chromium-headless-shell and ffmpeg, and the project's `test` extra.
"""

import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import click
import cv2
import numpy as np
from cv2.typing import MatLike
from playwright.sync_api import Browser

from docs.lamp_scenes import BOARDS
from docs.renders.acting import FRAMES_PER_S, Frame, Play, picture, screen, stage
from docs.renders.render import Camera
from docs.screenshots import PICTURES
from rules import Position, Side, parse_position
from tests.e2e.served import served, visiting
from tests.e2e.windows import PHONE, Windows, chromium
from tests.jetan_table.hands import ASKING

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = ROOT / ".film"
SIZE: Final = (960, 540)
SHORT_SIZE: Final = (640, 360)
SHORT_EVERY: Final = 2
"""The short shows every second frame."""

TAKING: Final = "wadfqcfdaw/t1pp1ppppt/1p2p5/10/3D6/10/2P4P2/3P6/TP2PPP1PT/WA1FCQFDAW b BO - 6 8"
FADE_S, CUT_FRAMES = 0.35, 4


class Words(NamedTuple):
    """Words on the picture, and from when to when."""

    text: str
    begin: float
    end: float
    kind: str = "said"


class Shot(NamedTuple):
    """A part of the film: its pictures and words, and the seconds of it that the short has."""

    pictures: Sequence[Callable[[], MatLike]]
    words: Sequence[Words]
    short_s: tuple[float, float] = (0.0, 0.0)


def lifting() -> Iterator[Frame]:
    """Black's Flier is lifted, and goes where the lamps say that it may."""
    start = Position.start(BOARDS["grid"])
    play = Play(start, {"d1": "d1"}, Camera(-28, 31, 26, 1.75, *SIZE), (-22, -32))
    black = play.player(Side.BLACK, 28)
    yield from play.rest(0.4)
    yield from black.comes("d1")
    yield from black.lifts("d1")
    yield from play.rest(2.6)
    yield from black.carries("c4")
    yield from play.rest(0.3)
    yield from black.puts("c4")
    yield from play.rest(0.3)
    yield from black.leaves()
    yield from play.rest(1.2)


def taking() -> Iterator[Frame]:
    """Black's Dwar takes a Panthan, which its player hands over."""
    play = Play(
        parse_position(TAKING, BOARDS["grid"]),
        {"d6": "d6", "e8": "e8"},
        Camera(-40, 34, 26, 2.0, *SIZE),
        (10, 112),
    )
    black, orange = play.player(Side.BLACK, 32), play.player(Side.ORANGE, 160)
    yield from black.comes("d6", 1.0)
    yield from black.lifts("d6")
    yield from play.rest(1.8)
    yield from orange.comes("e8", 1.0)
    yield from orange.lifts("e8", 0.4)
    yield from orange.leaves(0.9, with_it=True)
    yield from black.carries("e8", 1.0)
    yield from black.puts("e8")
    yield from play.rest(0.3)
    yield from black.leaves(0.8)
    yield from play.rest(0.8)


def round_table() -> Iterator[Frame]:
    """A Flier is lifted on the disk."""
    start = Position.start(BOARDS["disk"])
    play = Play(start, {"g1": "g1"}, Camera(-18, 40, 26, 1.08, *SIZE), (0, 24))
    black = play.player(Side.BLACK, 44)
    yield from black.comes("g1", 1.0)
    yield from black.lifts("g1")
    yield from play.rest(3.2)


def asking() -> Iterator[Frame]:
    """Two pieces could have been taken: the table asks, and a touch answers."""
    play = Play(
        parse_position(ASKING, BOARDS["grid"]),
        {"e7": "d5"},
        Camera(-34, 33, 26, 2.2, *SIZE),
        (15, 135),
    )
    play.hands.lift("d5")
    play.hands.wait(16)
    black = play.player(Side.BLACK, 30)
    yield from play.rest(2.6)
    yield from black.comes("e7", 1.0)
    yield from black.lifts("e7", 0.4)
    yield from play.rest(0.5)
    yield from black.puts("e7")
    yield from play.rest(0.4)
    yield from black.leaves(0.8)
    yield from play.rest(1.4)


def beside_phone() -> Iterator[Frame]:
    """The table and a phone that leans on it, while a piece is held, and when it has been moved."""
    start = Position.start(BOARDS["grid"])
    play = Play(start, {"d1": "d1"}, Camera(-20, 28, 26, 1.6, *SIZE), (-66, -118), has_phone=True)
    black = play.player(Side.BLACK, 28)
    *_, held = chain(black.comes("d1"), black.lifts("d1"), play.rest(1.0))
    yield held
    *_, put = chain(black.carries("c4"), black.puts("c4"), black.leaves(), play.rest(1.5))
    yield put


def on_phone(windows: Windows) -> list[MatLike]:
    """Return what a phone shows when the same piece has been lifted, and moved."""
    found: list[MatLike] = []
    with (
        tempfile.TemporaryDirectory() as home,
        served(Path(home), "--board", "screen") as table,
        visiting(
            windows, table, viewport=PHONE, color_scheme="dark", device_scale_factor=2
        ) as guest,
    ):
        guest.page.locator("[data-action=two]").click()
        guest.page.locator("#start").wait_for(state="hidden")
        for touched in ("d1", "c4"):
            guest.touch(touched)
            guest.page.wait_for_timeout(900)
            found.append(_decoded(guest.page.screenshot()))
    return found


def _decoded(png: bytes, flags: int = cv2.IMREAD_COLOR) -> MatLike:
    found = cv2.imdecode(np.frombuffer(png, np.uint8), flags)
    assert found is not None
    return found


def phone_pictures(windows: Windows) -> list[Callable[[], MatLike]]:
    """Return the phone's part: one state of the game fades into the next."""
    held, put = (
        _with_screen(frame, shown)
        for frame, shown in zip(beside_phone(), on_phone(windows), strict=True)
    )
    half = round(2.5 * FRAMES_PER_S)
    shares = [min(1.0, step / 6) for step in range(half)]
    return [lambda: held] * half + [
        partial(cv2.addWeighted, held, 1 - share, put, share, 0) for share in shares
    ]


def _with_screen(frame: Frame, shown: MatLike) -> MatLike:
    """Return a picture in which the phone's screen shines."""
    rows = picture(frame, KEPT)
    high, wide = shown.shape[:2]
    corners = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    places = stage(frame.setting).on_picture(screen()).astype(np.float32)
    onto = cv2.getPerspectiveTransform(corners, 4 * places)
    large = 4 * SIZE[0], 4 * SIZE[1]
    glass = cv2.warpPerspective(shown, onto, large, flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.full_like(shown, 255), onto, large)
    glass, cover = (cv2.resize(each, SIZE, interpolation=cv2.INTER_AREA) for each in (glass, cover))
    share = cover.astype(np.float32) / 255
    halo = cv2.GaussianBlur(glass, (0, 0), 22).astype(np.float32) * 0.35 * (1 - share)
    return np.clip(rows * (1 - share) + glass + halo, 0, 255).astype(np.uint8)


def painted(frames: Iterable[Frame]) -> list[Callable[[], MatLike]]:
    """Return the pictures of a painted part."""
    return [partial(picture, frame, KEPT) for frame in frames]


def nearing(shows: Callable[[], MatLike], seconds: float, by: float) -> list[Callable[[], MatLike]]:
    """Return how one picture comes nearer by a share of its size."""

    def at(share: float) -> MatLike:
        scale = 1 + by * share
        shift = [(1 - scale) * each / 2 for each in SIZE]
        to = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
        return cv2.warpAffine(shows(), to, SIZE, flags=cv2.INTER_CUBIC)

    count = round(seconds * FRAMES_PER_S)
    return [partial(at, step / count) for step in range(count)]


NOTE: Final = Words("Painted from the table’s own plans, not photographed", -1, 99, "note")
SAID: Final[Mapping[str, tuple[Sequence[Words], tuple[float, float]]]] = {
    "lifting": (
        [
            Words("Lift a piece", 0.3, 2.2),
            Words("Its squares light up", 2.5, 5.3),
            Words("Put it down: the move is written", 5.8, 9.4),
        ],
        (1.6, 7.5),
    ),
    "taking": ([Words("What it may take blinks", 1.6, 5.4), Words("Taken", 7.3, 9)], (1, 4)),
    "round_table": ([Words("A round table, too", 0.4, 4.4)], (1, 3)),
    "asking": (
        [
            Words("Swapped too fast for the switches? It asks", 0.2, 2.9),
            Words("Lift it and put it back: yes", 3.3, 7),
        ],
        (0.8, 5),
    ),
    "beside_phone": ([Words("The same game on a phone", 0.3, 4.8, "beside")], (0, 0)),
}
"""The words of each part, and the seconds of it that the short has."""


def shots(windows: Windows, names: Sequence[str]) -> Iterator[Shot]:
    """Yield the film's parts in their order: the first, the last, and those that are named."""
    lifted = painted(lifting())
    title = Words("Jetan<small>the chess of Mars</small>", 0, 3, "title")
    yield Shot(nearing(lifted[round(3.6 * FRAMES_PER_S)], 3, 0.05), [title], (0, 1.5))
    for play in PLAYS:
        if play.__name__ in names:
            made = phone_pictures(windows) if play is beside_phone else painted(play())
            words, short_s = SAID[play.__name__]
            yield Shot(made, words, short_s)
    title = Words("Jetan Table<small>Play in a browser, or build one</small>", 0.2, 4, "title")
    yield Shot(nearing(lifted[-1], 4, 0), [title])


class Captions:
    """Words as pictures, drawn in the page's own letters."""

    def __init__(self, browser: Browser) -> None:
        self._page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        self._drawn: dict[Words, MatLike] = {}
        font = (ROOT / "jetan_table/page/static/jetan.woff").read_bytes()
        self._style = STYLE.replace("FONT", b64encode(font).decode())

    def onto(self, rows: MatLike, words: Words, moment: float) -> MatLike:
        """Return a picture with words on it, as clear as they are at a moment."""
        clear = min(1.0, (moment - words.begin) / FADE_S, (words.end - moment) / FADE_S)
        if clear <= 0:
            return rows
        drawn = self.drawn(words)
        share = drawn[:, :, 3:].astype(np.float32) * (clear / 255)
        return (rows * (1 - share) + drawn[:, :, :3] * share).astype(np.uint8)

    def drawn(self, words: Words) -> MatLike:
        """Return words as a picture that is clear about them."""
        if words not in self._drawn:
            page = self._page
            page.set_content(f"<style>{self._style}</style><p class={words.kind}>{words.text}")
            page.evaluate("document.fonts.ready.then(() => null)")
            png = page.screenshot(omit_background=True)
            self._drawn[words] = _decoded(png, cv2.IMREAD_UNCHANGED)
        return self._drawn[words]


STYLE: Final = """
@font-face { font-family: Jetan; src: url(data:font/woff;base64,FONT); }
body { margin: 0; height: 100vh; position: relative; color: #fff6e8; text-align: center; }
p { position: absolute; left: 0; right: 0; margin: 0; font-family: Jetan; line-height: 1.15;
  text-shadow: 0 0 14px #000, 0 2px 6px #000, 0 0 30px #000c; }
.said, .beside { bottom: 42px; font-size: 46px; }
.beside { left: 36%; }
.title { left: auto; right: 48px; bottom: 34px; font-size: 96px; text-align: right; }
.title small { display: block; font-size: 36px; color: #ffc98f; }
.note { right: auto; left: 24px; top: 18px; font: 16px "DejaVu Sans", sans-serif; opacity: .85; }
"""


def frames_of(shots: Sequence[Shot], captions: Captions) -> Iterator[tuple[MatLike, bool]]:
    """Yield the film's frames, and whether the short has them too."""
    last: MatLike | None = None
    for shot in shots:
        begin, end = (round(each * FRAMES_PER_S) for each in shot.short_s)
        for step, shows in enumerate(shot.pictures):
            rows = shows()
            if last is not None and step < CUT_FRAMES:
                share = (step + 1) / (CUT_FRAMES + 1)
                rows = cv2.addWeighted(last, 1 - share, rows, share, 0)
            for words in (*shot.words, NOTE):
                rows = captions.onto(rows, words, step / FRAMES_PER_S)
            yield rows, begin <= step < end and step % SHORT_EVERY == 0
        last = shot.pictures[-1]()


def write(frames: Iterable[tuple[MatLike, bool]]) -> None:
    """Write all of it as WebM, and the short as an animation that pages show."""
    short: list[MatLike] = []
    came = f"-f rawvideo -pix_fmt bgr24 -s {SIZE[0]}x{SIZE[1]} -framerate {FRAMES_PER_S} -i -"
    made = "-c:v libvpx-vp9 -crf 38 -b:v 0 -cpu-used 1 -row-mt 1 -g 240 -pix_fmt yuv420p"
    command = ["ffmpeg", "-v", "error", "-y", *came.split(), *made.split()]
    with subprocess.Popen([*command, str(PICTURES / "film.webm")], stdin=subprocess.PIPE) as ffmpeg:
        assert ffmpeg.stdin is not None
        for rows, is_short in frames:
            ffmpeg.stdin.write(rows.tobytes())
            if is_short:
                short.append(cv2.resize(rows, SHORT_SIZE, interpolation=cv2.INTER_AREA))
    assert ffmpeg.returncode == 0, "ffmpeg wrote no film"
    moving = cv2.Animation()
    moving.frames = short
    moving.durations = [1000 * SHORT_EVERY // FRAMES_PER_S] * len(short)
    path = str(PICTURES / "film.webp")
    cv2.imwriteanimation(path, moving, [cv2.IMWRITE_WEBP_QUALITY, 36])


def main(names: Sequence[str]) -> None:
    """Paint what is not kept yet, and write all and the short of it."""
    KEPT.mkdir(exist_ok=True)
    names = names or list(SAID)
    # The first part's pictures are the title's and the end's too.
    plays = [play for play in PLAYS if play is lifting or play.__name__ in names]
    wanted = list(dict.fromkeys(chain(*(play() for play in plays))))
    with click.progressbar(wanted, label="Painting") as bar:
        for frame in bar:
            picture(frame, KEPT)
    with chromium() as browser:
        film = list(shots(Windows(browser), names))
        count = sum(len(shot.pictures) for shot in film)
        print(f"{count / FRAMES_PER_S:.1f} s, {len(wanted)} pictures painted")
        write(frames_of(film, Captions(browser)))


PLAYS: Final = (lifting, taking, round_table, asking, beside_phone)


if __name__ == "__main__":
    main(sys.argv[1:])
