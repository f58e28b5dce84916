"""How the server reads what it is sent, answers, and refuses; every refusal says why.

Before it all stands the guard: it lets in by name, and gives every answer its headers.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeAlias, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rules import Sentence, SentenceError, Worded, _, value_in_words, whole_number

from ..errors import TableError
from ..game.texts import FORMATS
from ..languages import LANGUAGES, Language, plain, translation, without_folders, worded
from .access import (
    MALFORMED,
    UNANSWERED,
    UNKNOWN,
    Access,
    Refused,
    Visit,
    bearer,
    is_here,
    note_refusal,
)

COOKIE = "jetan"
"""Holds the token that a browser was given last. It says who is known, and changes nothing."""
HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Stands before everything: hosts that are not the table's get nothing; all get headers.

    It notes on a visit whether whoever asks is known.
    """

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        headers: Callable[[str], Mapping[str, str]] = lambda path: HEADERS,
        cookie: str = COOKIE,
    ) -> None:
        """`headers` tells those of a path."""
        self._app, self._access, self._headers, self._cookie = app, access, headers, cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                added = self._headers(scope["path"]).items()
                headers = [(name.encode(), value.encode()) for name, value in added]
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HttpRequest(scope)
        try:
            self._access.check_host(request.headers.get("host"))
        except Refused as error:
            if error.status == MALFORMED:
                note_refusal(error, request.url.path)
            response: ASGIApp = refusal(error.status, error)
        else:
            response = self._app
            visit: Visit = scope["state"]["visit"]
            visit.is_known = (
                visit.is_known
                or self._access.knows(held_by(request, self._cookie))
                or is_at_home(request)
            )
        await response(scope, receive, send_with_headers)


def led_here(request: HttpRequest) -> tuple[str | None, str | None]:
    """Return whose page asks, and by what name it was led here."""
    return request.headers.get("origin"), request.headers.get("host")


def address_of(request: HttpRequest) -> str:
    """Return where whoever asks is."""
    return request.client.host if request.client else ""


def is_at_home(request: HttpRequest) -> bool:
    """Whether somebody at this machine asks."""
    return is_here(request.headers.get("host"), address_of(request))


def held_by(request: HttpRequest, cookie: str = COOKIE) -> str:
    """Return the token that whoever asks holds or has held."""
    return bearer(request.headers.get("authorization")) or request.cookies.get(cookie, "")


# What is asked

Made = TypeVar("Made")
MOST_BYTES, BODY_S, TOO_LARGE = 65_536, 10.0, 413
"""A body is read up to so many bytes, for so many seconds; HTTP's word for a larger one."""
MOST_GAMES = 10**9
"""Numbers of games go no farther, whatever is asked for."""


class NotUnderstood(TableError, ValueError):
    """A request that has not the form it must have; the message names where."""


async def read_body(request: HttpRequest, wanted: Any) -> Any:
    """Read a body as JSON of the `wanted` form; refusals name what is wrong, and where."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise NotUnderstood(_("the body must be application/json"))
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > MOST_BYTES:
                    large = _("the body is larger than {most_bytes} bytes")
                    raise Refused(large, TOO_LARGE, most_bytes=MOST_BYTES)
    except TimeoutError:
        slow = _("the body did not come within {wait_s:.0f} s")
        raise Refused(slow, UNANSWERED, wait_s=BODY_S) from None
    except ClientDisconnect:
        raise NotUnderstood(_("the body was broken off")) from None
    return understood(bytes(body), wanted)


def understood(body: bytes, wanted: Any) -> Any:
    """Read JSON of the `wanted` form; NotUnderstood names what is wrong, and where."""
    try:
        return msgspec.json.decode(body, type=wanted)
    except msgspec.DecodeError as error:
        raise NotUnderstood(_("{why}"), why=error) from None
    except RecursionError:
        raise NotUnderstood(_("the body is nested too deeply")) from None
    except UnicodeDecodeError as error:
        raise NotUnderstood(_("the body is not UTF-8: {reason}"), reason=error.reason) from None


def game_number(text: str) -> int:
    """Return the number of a game; NotUnderstood for what no journal counts to."""
    number = whole_number(text)
    if number is None or number > MOST_GAMES:
        raise NotUnderstood(_("{text}: must be the number of a game kept"), text=text)
    return number


def language_asked(request: HttpRequest) -> Language:
    """Return the language that a request asks for; NotUnderstood where there is none such."""
    text = request.path_params.get("language") or request.query_params.get("lang", "en")
    if text in LANGUAGES:
        return text
    raise NotUnderstood(
        _("{text}: no such language, there are {languages}"),
        text=text,
        languages=", ".join(LANGUAGES),
    )


async def while_there(request: HttpRequest, work: Coroutine[Any, Any, Made]) -> Made:
    """Return what work comes to; it is dropped where whoever asked hangs up, who hears no more."""
    working, leaving = asyncio.create_task(work), asyncio.create_task(gone(request.receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise Refused(_("whoever asked has left"))
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def gone(receive: Receive) -> None:
    """Return once whoever asked has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


# What is answered

FRESH, NEVER_KEPT = {"cache-control": "no-cache"}, {"cache-control": "no-store"}
Endpoint: TypeAlias = Callable[[HttpRequest], Awaitable[Response]]


def answer(document: Any, status: int = 200) -> Response:
    """Return data as JSON that is never kept."""
    body = msgspec.json.encode(document, enc_hook=plain)
    return Response(body, status, headers=NEVER_KEPT, media_type="application/json")


def download(text: str, name: str, kind: str = FORMATS["jgn"].media_type) -> Response:
    """Return a text to be kept as a file of that name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


async def jpeg(taking: Awaitable[bytes]) -> Response:
    """Return a picture that is being taken, as JPEG."""
    return Response(await taking, media_type="image/jpeg", headers=NEVER_KEPT)


# What is refused


def refusal(
    status: int, error: Exception | str, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """Return a refusal that says why: in English, and `said` by language where that is known."""
    why = without_folders(worded(error) if isinstance(error, Exception) else error)
    document: dict[str, Any] = {"refused": str(why)}
    if isinstance(why, Sentence | Worded):
        document["said"] = {
            language: value_in_words(translation(language), why) for language in LANGUAGES
        }
    return JSONResponse(document, status, headers=headers)


HTTP_REFUSALS = frozenset({_("Not Found"), _("Method Not Allowed")})
"""What the server itself refuses."""


async def _refuse(request: HttpRequest, error: Exception) -> Response:
    """Say why not: with the status of the kind of refusal, and 409 for what cannot be done now."""
    headers = {}
    if isinstance(error, Refused):
        status = error.status
        if error.again_s is not None:
            headers["retry-after"] = str(error.again_s)
        if status == UNKNOWN:
            headers["www-authenticate"] = "Bearer"
    elif isinstance(error, NotUnderstood):
        status = MALFORMED
        note_refusal(error, request.url.path)
    else:
        status = 404 if isinstance(error, LookupError) else 409
    return refusal(status, error, headers)


async def _refuse_http(request: HttpRequest, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    why = Worded(_("{path}: {why}"), path=request.url.path, why=Sentence(error.detail))
    return refusal(error.status_code, why)


async def _admit(request: HttpRequest, error: Exception) -> Response:
    """Say that something is wrong here; the traceback goes to standard error."""
    defect = _("{path}: a fault in the table itself: {why}")
    return refusal(500, Worded(defect, path=request.url.path, why=error))


REFUSALS: Mapping[Any, Any] = {
    **dict.fromkeys((SentenceError, OSError), _refuse),
    HTTPException: _refuse_http,
    Exception: _admit,
}
"""Who answers for each kind of exception."""
