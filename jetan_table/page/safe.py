"""The page of a table that cannot start: why, what the doctor says, the games, and a backup.

It stands on no board, no session and no script, and reads the journal only when it is asked to.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Final
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules import Notice, Sentence, SentenceError, _, value_in_words

from ..game.texts import FORMATS
from ..journal.archive import read_kept
from ..journal.backup import back_up
from ..languages import Language, refused_in, say_in, translation
from ..notices import START_CHECK, about
from . import documents, stream
from .access import (
    REFUSALS,
    Access,
    Guard,
    NotUnderstood,
    address_of,
    answer,
    download,
    game_number,
    led_here,
)
from .pages import STATIC, framed
from .state import notice_state

FAILS: Final = _("The table does not start")
NOTHING_LOST: Final = _(
    "Nothing is lost: the kept games are here. The table does not look at its board; if "
    "it can reach the lamps, the four corners flash."
)
MEND: Final = _(
    "Mend what is named here, in the settings or at the machine, and start the table "
    "again. When the settings change, it starts by itself."
)
AGAIN: Final = _("Start it again")
STARTS: Final = _("The table is started; its page is here in a moment.")
BACK_S: Final = 8
"""Seconds after which a browser looks for the page."""
SAVE: Final = _("Load a backup of all games")
FOUND: Final = _("What the doctor finds")
OTHERS: Final = _("Other versions that lie here")
GAMES: Final = _("Games")

FORM: Final = """\
<form method="post" action="/do">
<p><label>PIN <input name="pin" inputmode="numeric" autocomplete="off"></label></p>
<p class="row"><button name="do" value="again" class="main">{again}</button>
<button name="do" value="backup">{save}</button></p></form>"""

MOST_BYTES = 1000
"""Bytes that are read of what the form sends."""

HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; font-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True, slots=True)
class SafeTable:
    """A table that does not start: what its page can say and do."""

    folder: Path
    access: Access
    language: Language
    why: str
    """The reason why the last start failed, in words."""
    examine: Callable[[], Sequence[Notice]]
    packages: Sequence[Path] = ()
    """Packages of other versions that lie here."""
    asks_again: Event = field(default_factory=Event)
    """Set when somebody wants the table to be started."""

    def say(self, template: Sentence, **values: object) -> str:
        """Return a sentence as it stands in the page."""
        return escape(say_in(self.language, template, **values))


def make_safe_app(table: SafeTable) -> ASGIApp:
    """Return the application that serves the page."""
    folder = table.folder

    async def page(request: HttpRequest) -> Response:
        html = await run_in_threadpool(safe_page, table)
        return Response(html, media_type="text/html")

    async def health(request: HttpRequest) -> Response:
        start = notice_state(Notice(START_CHECK, "fail", table.why))
        return answer(stream.health(table.why, None, notices=[start]), 503)

    async def listed(request: HttpRequest) -> Response:
        return answer(await run_in_threadpool(read_kept, folder, documents.games, folder))

    async def game_text(form: str, request: HttpRequest) -> Response:
        number = game_number(request.path_params["game"])
        text = await run_in_threadpool(read_kept, folder, documents.kept_text, number, form)
        return download(text, f"{number:05}.{form}", FORMATS[form].media_type)

    routes = [
        Route("/", page),
        Route("/health", health),
        Route("/api/games", listed),
        *(Route(f"/api/games/{{game}}.{form}", partial(game_text, form)) for form in FORMATS),
        Route("/do", partial(_do, table), methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, exception_handlers=REFUSALS)
    return Guard(app, table.access, lambda path: HEADERS)


async def _do(table: SafeTable, request: HttpRequest) -> Response:
    """Do what the form asks, for who knows the PIN or sits at this machine."""
    led = led_here(request)
    table.access.check_origin(*led)
    asked = parse_qs((await _body(request)).decode("ascii", "replace"))
    address = address_of(request)
    if not table.access.is_own_browser(*led, address):
        table.access.enter("".join(asked.get("pin", [])), address)
    if asked.get("do") == ["again"]:
        table.asks_again.set()
        says = f"<p>{table.say(STARTS)}</p>"
        back = {"refresh": f"{BACK_S}; url=/"}
        return Response(_page(table, [says]), media_type="text/html", headers=back)
    if asked.get("do") == ["backup"]:
        return await _backup(table)
    raise NotUnderstood(_("the form asks for something unknown"))


async def _body(request: HttpRequest) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            break
    return body


async def _backup(table: SafeTable) -> Response:
    """Answer with a backup, made in a folder in memory or wherever there is room for scratch."""
    scratch = TemporaryDirectory(prefix="jetan-")
    copy = Path(scratch.name) / "jetan.sqlite"
    try:
        await run_in_threadpool(back_up, table.folder, copy)
    except Exception:
        scratch.cleanup()
        raise
    away = BackgroundTask(scratch.cleanup)
    return FileResponse(copy, filename=copy.name, background=away)


def safe_page(table: SafeTable) -> str:
    """Return the page."""
    return _page(table, _parts(table))


def _page(table: SafeTable, parts: Iterable[str]) -> str:
    body = "\n".join(["<main role=main><section class=side>", *parts, "</section></main>"])
    return framed(body, language=table.language)


def _parts(table: SafeTable) -> Iterator[str]:
    say = table.say
    yield f'<section class="card"><h1>{say(FAILS)}</h1>'
    yield f'<p role="alert"><b>{escape(table.why)}</b></p>'
    yield f"<p>{say(NOTHING_LOST)}</p><p>{say(MEND)}</p>"
    yield FORM.format(again=say(AGAIN), save=say(SAVE)) + "</section>"
    if findings := table.examine():
        yield f'<section class="card"><h2>{say(FOUND)}</h2><ul>'
        translate = translation(table.language)
        for each in (finding.in_words(translate) for finding in findings):
            texts = (each.found, value_in_words(translate, about(each).breaks), each.mend)
            found, breaks, mend = (escape(str(text)) for text in texts)
            yield f'<li id="{escape(each.id)}">{found}: {breaks}. <i>{mend}</i></li>'
        yield "</ul></section>"
    if table.packages:
        yield f'<section class="card"><h2>{say(OTHERS)}</h2>'
        for package in table.packages:
            line = f"sudo apt-get install --allow-downgrades {package}"
            yield f"<p><code>{escape(line)}</code></p>"
        yield "</section>"
    yield from _games(table)


def _games(table: SafeTable) -> Iterator[str]:
    folder = table.folder
    yield f'<section class="card"><h2>{table.say(GAMES)}</h2>'
    try:
        kept = read_kept(folder, documents.games, folder)["kept"]
    except (SentenceError, OSError) as error:
        yield f"<p>{escape(refused_in(table.language, error))}</p></section>"
        return
    yield "<ul>"
    for row in kept:
        begun = datetime.fromtimestamp(row["started"], UTC)
        line = f"{row['game']}. {begun:%Y-%m-%d %H:%M} UTC, {row['rules']}, {row['result']}"
        plies = table.say(_("{plies} moves"), plies=row["plies"])
        yield f'<li><a href="/api/games/{row["game"]}.jgn">{escape(line)}</a>, {plies}</li>'
    yield "</ul></section>"
