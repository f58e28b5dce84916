"""The page of a table that cannot start: why, what the doctor says, the games, and a backup.

It stands on no board, no session and no script, and reads the journal only when it is asked to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules.numbers import whole_number
from rules.sentences import Sentence, SentenceError, _

from .. import __version__
from ..journal.archive import Archive
from ..journal.backup import back_up
from ..languages import Language, refused_in, say_in
from . import documents
from .access import Access
from .answers import REFUSALS, NotUnderstood, answer
from .frame import STATIC
from .health import HealthState

FAILS: Final = _("The table does not start")
NOTHING_LOST: Final = _(
    "Nothing is lost: the games that were kept are here. No board is looked at; where its lamps "
    "can be reached, the four corners flash."
)
MEND: Final = _(
    "Mend what is named, in the settings or at the machine, and start the table again. Where the "
    "settings change it starts by itself."
)
AGAIN: Final = _("Start it again")
STARTS: Final = _("The table is started; its page is here in a moment.")
BACK_S: Final = 8
"""After so many seconds a browser looks for the page."""
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
"""What the form sends is shorter."""

HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}

Endpoint: TypeAlias = Callable[[HttpRequest], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class SafeTable:
    """What can be said and done where a table does not start."""

    folder: Path
    """Where games are kept."""
    access: Access
    language: Language
    why: str
    """What the last start ended with, in words."""
    examine: Callable[[], Sequence[tuple[str, str]]]
    """What the doctor finds amiss: what, and the mend."""
    packages: Sequence[Path] = ()
    """Packages of other versions that lie here."""
    asks_again: Event = field(default_factory=Event)
    """Set when somebody wants the table to be started."""

    def say(self, template: Sentence, **values: object) -> str:
        """Return a sentence as it stands in the page."""
        return escape(say_in(self.language, template, **values))


def make_safe_app(table: SafeTable) -> ASGIApp:
    """Return the application that serves the page."""

    async def page(request: HttpRequest) -> Response:
        table.access.check_host(request.headers.get("host"))
        html = await run_in_threadpool(safe_page, table)
        return Response(html, media_type="text/html", headers=HEADERS)

    async def health(request: HttpRequest) -> Response:
        table.access.check_host(request.headers.get("host"))
        found = HealthState(__version__, False, True, None, (table.why,))
        return answer(found, 503)

    async def listed(request: HttpRequest) -> Response:
        table.access.check_host(request.headers.get("host"))
        return answer(await run_in_threadpool(_read, table, documents.games, table.folder))

    async def game_text(request: HttpRequest) -> Response:
        table.access.check_host(request.headers.get("host"))
        number = whole_number(request.path_params["game"])
        if number is None or number >= 1 << 63:  # which no journal can hold
            raise NotUnderstood(
                _("{text}: must be the number of a game kept"), text=request.path_params["game"]
            )
        text = await run_in_threadpool(_read, table, documents.kept_text, number)
        named = {"content-disposition": f'attachment; filename="{number:05}.jgn"'}
        media = "application/x-jgn; charset=utf-8"
        return Response(text, media_type=media, headers={**HEADERS, **named})

    routes = [
        Route("/", page),
        Route("/health", health),
        Route("/api/games", listed),
        Route("/api/games/{game}.jgn", game_text),
        Route("/do", _doing(table), methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    return Starlette(routes=routes, exception_handlers=REFUSALS)


def _doing(table: SafeTable) -> Endpoint:
    """Return what does what the form asks, for who knows the PIN or sits at this machine."""

    async def do(request: HttpRequest) -> Response:
        origin, host = request.headers.get("origin"), request.headers.get("host")
        table.access.check_host(host)
        table.access.check_origin(origin, host)
        asked = parse_qs((await _body(request)).decode("ascii", "replace"))
        address = request.client.host if request.client else ""
        if not table.access.is_own_browser(origin, host, address):
            table.access.enter("".join(asked.get("pin", [])), address)
        if asked.get("do") == ["again"]:
            table.asks_again.set()
            says = f"<p>{table.say(STARTS)}</p>"
            back = {**HEADERS, "refresh": f"{BACK_S}; url=/"}
            return Response(framed(table, [says]), media_type="text/html", headers=back)
        if asked.get("do") == ["backup"]:
            return await _backup(table)
        raise NotUnderstood(_("the form asks for nothing that is known"))

    return do


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
    return FileResponse(copy, filename=copy.name, headers=HEADERS, background=away)


def _read(table: SafeTable, read: Callable[..., Any], *arguments: Any) -> Any:
    with closing(Archive.open(table.folder)) as archive:
        return read(archive, *arguments)


def safe_page(table: SafeTable) -> str:
    """Return the page."""
    return framed(table, _parts(table))


def framed(table: SafeTable, parts: Iterable[str]) -> str:
    """Return a page of these parts."""
    frame = (STATIC / "frame.html").read_text(encoding="utf-8")
    style = '<link rel="stylesheet" href="/static/style.css">'
    body = "\n".join(["<main role=main><section class=side>", *parts, "</section></main>"])
    return (
        frame.replace('lang="en"', f'lang="{table.language}"')
        .replace("<!-- styles and script -->", style)
        .replace("  <!-- body -->\n", body)
    )


def _parts(table: SafeTable) -> Iterator[str]:
    say = table.say
    yield f'<section class="card"><h1>{say(FAILS)}</h1>'
    yield f'<p role="alert"><b>{escape(table.why)}</b></p>'
    yield f"<p>{say(NOTHING_LOST)}</p><p>{say(MEND)}</p>"
    yield FORM.format(again=say(AGAIN), save=say(SAVE)) + "</section>"
    if findings := table.examine():
        yield f'<section class="card"><h2>{say(FOUND)}</h2><ul>'
        for found, mend in findings:
            yield f"<li>{escape(found)}: <i>{escape(mend)}</i></li>"
        yield "</ul></section>"
    if table.packages:
        yield f'<section class="card"><h2>{say(OTHERS)}</h2>'
        for package in table.packages:
            line = f"sudo apt-get install --allow-downgrades {package}"
            yield f"<p><code>{escape(line)}</code></p>"
        yield "</section>"
    yield from _games(table)


def _games(table: SafeTable) -> Iterator[str]:
    yield f'<section class="card"><h2>{table.say(GAMES)}</h2>'
    try:
        kept = _read(table, documents.games, table.folder)["kept"]
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
