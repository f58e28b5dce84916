"""The door of a server: whom it lets in, by what name, and the headers that all answers get."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request as HttpRequest
from starlette.types import ASGIApp, Receive, Scope, Send

from .access import Access, Refused, Visit, bearer, is_here, note_refusal
from .answers import refusal

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
            if error.status == 400:
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
