"""The door: who is let in, how what they send is read, and how it is answered or refused.

A connection is a visit of an address. Where all places are taken, one of the address with the most
visits leaves, and of these whoever has waited longest without asking anything whole. Who is known
by a PIN, or at the machine itself, stays, as long as these are few. So a crowd from one address
crowds itself out. It cannot tell people behind one router apart: those have one address, and share
its places.

Before the routes stands the guard: it lets in by name, and gives every answer its headers. Every
refusal says why.
"""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Final, TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rules import Sentence, SentenceError, Worded, _, whole_number

from ..errors import TableError
from ..game.texts import FORMATS
from ..languages import LANGUAGES, Language, as_data, plain, without_folders, worded
from ..table.pin import GuardedPin

TOKEN_S = 900.0
"""Seconds for which a token holds; every use renews it."""
KNOWN_S = 86_400.0
"""Whoever has held a token so lately is known: changes nothing without the PIN, but is let in."""
MANY_GUESSES = 10
"""Wrong PINs from which somebody is guessing, not mistyping."""
MOST_TOKENS = 100
"""Tokens that hold at once; beyond that the one used least lately is forgotten."""


class Access:
    """Lets in who knows the PIN. `now` tells the time, `make_token` a word nobody can guess."""

    def __init__(
        self,
        pin: str | None,
        names: Collection[str],
        now: Callable[[], float],
        make_token: Callable[[], str],
    ) -> None:
        """`names` are the machine's own, besides its addresses and `localhost`.

        Without a `pin`, where its file is damaged, only this machine's own screen changes anything.
        """
        self._pin = None if pin is None else GuardedPin(pin)
        self._now, self._make_token = now, make_token
        self._names = {"localhost", *(name.lower() for name in names)}
        self._tokens: dict[str, float] = {}
        """When each was used last; the one used latest comes last."""
        self._screen = ""
        """The token of this machine's own screen: one is enough for all its pages."""

    def check_host(self, host: str | None) -> None:
        """Refuse a Host header that is neither an address nor one of the machine's names.

        A strange name may lead here by another site's doing; an address leads only where it says.
        """
        name = _name(host)
        if _address(name) is None and name not in self._names:
            known = ", ".join(sorted(self._names))
            raise Refused(
                _("host {name!r}: this table is reached by its address, or as {known}"),
                MISDIRECTED,
                name=name,
                known=known,
            )

    def check_origin(self, origin: str | None, host: str | None) -> None:
        """Refuse where a page of another site asks; programs send no origin."""
        if origin is not None and origin.lower() != f"http://{(host or '').lower()}":
            raise Refused(
                _("origin {origin!r}: only the table's own page may ask this"), origin=origin
            )

    def is_own_browser(self, origin: str | None, host: str | None, address: str) -> bool:
        """Return True if the table's own page asks, opened at this machine by its loopback.

        An address alone does not say so: a program that passes on others' requests has it, too.
        """
        is_own = origin is not None and origin.lower() == f"http://{(host or '').lower()}"
        return is_own and is_here(host, address)

    def enter_unasked(self) -> str:
        """Return a token for somebody who need not tell the PIN."""
        if self._tokens.get(self._screen, -TOKEN_S) + TOKEN_S <= self._now():
            self._screen = self._give_token()
        return self._screen

    def enter(self, pin: str, address: str, held: str = "", is_here: bool = False) -> str:
        """Return a new token for the right PIN; raises Refused and, for some time, TooManyTries.

        Whoever has `held` a token lately, or `is_here`, at this machine, is counted apart from
        strangers: these cannot keep them out.
        """
        now = self._now()
        if not pin:  # a page that asks whether it needs one has not guessed
            raise Refused(_("only who knows the table's PIN may change anything"), UNKNOWN)
        if self._pin is None:
            raise Refused(
                _(
                    "the table's PIN is damaged: delete the file `pin` of the data folder there, "
                    "and start the table again"
                )
            )
        is_known = self.knows(held)
        whose = f"who held {held}" if is_known else "here" if is_here else _guesser(address)
        if wait_s := self._pin.wait_s(now, whose, is_known or is_here):
            raise TooManyTries(wait_s)
        if not self._pin.attempt(pin, now, whose, is_known or is_here):
            raise Refused(_("that is not the table's PIN"))
        return self._give_token()

    @property
    def guessed(self) -> int:
        """About how many wrong PINs strangers have told lately, if so many that somebody guesses.

        To the first figure, so that it is not news each time.
        """
        count = 0 if self._pin is None else self._pin.guessed(self._now())
        return count - count % 10 ** (len(str(count)) - 1) if count >= MANY_GUESSES else 0

    def knows(self, token: str) -> bool:
        """Return True if this token was given and used lately; it need not be valid any more."""
        return self._tokens.get(token, -KNOWN_S) + KNOWN_S > self._now()

    def check_token(self, token: str) -> None:
        """Refuse a token that does not hold; it is used by that."""
        if not token:
            raise Refused(_("only who knows the table's PIN may change anything"), UNKNOWN)
        now = self._now()
        if self._tokens.get(token, -TOKEN_S) + TOKEN_S <= now:
            raise Refused(_("this token is no longer valid: enter the PIN again"), UNKNOWN)
        del self._tokens[token]
        self._tokens[token] = now

    def _give_token(self) -> str:
        token = self._make_token()
        self._tokens[token] = self._now()
        if len(self._tokens) > MOST_TOKENS:
            del self._tokens[next(iter(self._tokens))]
        return token


FORBIDDEN, UNKNOWN, MALFORMED, MISDIRECTED, UNANSWERED = 403, 401, 400, 421, 503
"""HTTP's words for why a request is refused."""


class Refused(TableError, PermissionError):
    """A request that is not let in, or not heard to its end: `status` is HTTP's word for why.

    `again_s` is when to ask again; None where that would not help.
    """

    def __init__(
        self,
        template: Sentence,
        status: int = FORBIDDEN,
        again_s: int | None = None,
        **values: object,
    ) -> None:
        self.status, self.again_s = status, again_s
        super().__init__(template, **values)


class TooManyTries(Refused):
    """Too many wrong PINs; `wait_s` is how long nothing is heard."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        many = _("too many wrong PINs; try again in {wait_s:.0f} seconds")
        super().__init__(many, 429, int(wait_s) + 1, wait_s=wait_s)


def bearer(authorization: str | None) -> str:
    """Return the token of an Authorization header; empty without one."""
    scheme, _space, token = (authorization or "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def is_here(host: str | None, address: str) -> bool:
    """Return True if somebody at this machine asks for its loopback."""
    return all(map(_is_loopback, (_name(host), address)))


HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]*))(?::\d{1,5})?", re.ASCII)


def _name(host: str | None) -> str:
    """Return the name or address in a Host header, without its port; Refused where it is none."""
    parts = HOST.fullmatch(host or "")
    if parts is None or (parts["six"] and not isinstance(_address(parts["six"]), IPv6Address)):
        raise Refused(_("host {name!r}: is none"), MALFORMED, name=host)
    return (parts["six"] or parts["name"]).lower()


def _address(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name)
    except ValueError:
        return None


def _is_loopback(name: str) -> bool:
    address = _address(name)
    return name == "localhost" or (address is not None and address.is_loopback)


def _guesser(address: str) -> str:
    """Return whose address it is: a home has 2^64 of the longer ones, by their first half."""
    parsed = _address(address)
    if not isinstance(parsed, IPv6Address):
        return address
    return str(parsed.ipv4_mapped or int(parsed) >> 64)


# How many come in

MOST_KNOWN = 100
"""Connections of known people that are never closed for others."""
GRACE_S = 2.0
"""Seconds in which a newcomer, or somebody just answered, may ask before others need the place."""


@dataclass(frozen=True, slots=True)
class Room:
    """Limits on the strangers who are connected at once."""

    connections: int = 400
    """All of them. With the known ones this stays below the 1024 files a process may open: the
    journal must always find one."""
    of_one: int = 100
    """Those from one address: a router cannot take the places of all others."""
    followers: int = 200
    """Those who follow the stream; the rest of the connections is for other requests."""
    followers_of_one: int = 60
    """And from one address."""
    slice_s: float = 0.02
    """The next few who follow are sent something so much later."""


AT_A_TABLE: Final = Room()
IN_A_HALL: Final = Room(
    connections=700, of_one=300, followers=500, followers_of_one=250, slice_s=0.005
)
"""The limits where people come to watch: a whole club may share one router."""


@dataclass(eq=False, slots=True)
class Visit:
    """A connection, as far as it takes room."""

    address: str
    leave: Callable[[], None]
    since: float
    """Seconds on the loop's clock at which it began to wait, or to be answered."""
    waits: bool = True
    """True while no whole request waits for its answer."""
    is_known: bool = False
    """True for people who have told the PIN, or sit at this machine's own screen."""


def who_leaves(
    visits: Collection[Visit], newcomer: Visit, now: float, room: Room = AT_A_TABLE
) -> Visit | None:
    """Return who must leave for a newcomer; None where there is room.

    It is one of the newcomer's own address where that has too many, else one of the address that
    has most: who has waited long without asking, or else who is there longest. Whoever is known
    stays, as long as these are few.
    """
    known = [visit for visit in visits if visit.is_known]
    others = visits if len(known) >= MOST_KNOWN else [one for one in visits if not one.is_known]
    count = Counter(visit.address for visit in others)
    if count[newcomer.address] >= room.of_one:
        crowded = newcomer.address
    elif len(others) >= room.connections:
        crowded = count.most_common(1)[0][0]
    else:
        return None

    def worth(visit: Visit) -> tuple[bool, float]:
        is_idle = visit.waits and visit.since < now - GRACE_S
        return not is_idle, visit.since

    return min((visit for visit in others if visit.address == crowded), key=worth)


def makes_room(
    followers: Collection[Visit], newcomer: Visit, room: Room = AT_A_TABLE
) -> tuple[bool, Visit | None]:
    """Return whether a newcomer may follow the state, and who must leave for that, if anybody.

    Whoever is known always may. Strangers share what room there is by their addresses.
    """
    if newcomer.is_known:
        return True, None
    strangers = [follower for follower in followers if not follower.is_known]
    count = Counter(follower.address for follower in strangers)
    if count[newcomer.address] >= room.followers_of_one:
        return False, None
    if len(strangers) < room.followers:
        return True, None
    address, most = count.most_common(1)[0]
    if most <= count[newcomer.address] + 1:
        return False, None
    return True, next(one for one in strangers if one.address == address)


# Logs that a stranger cannot fill: one line a minute of each kind

LOG: Final = logging.getLogger("jetan_table.page")
"""The log of requests: the strange ones, and all where somebody asks for them."""
EVERY_S = 60.0
"""Seconds in which one line of each kind is let through."""
MOST_KINDS = 100
"""Kinds that are counted apart; all beyond are one kind more."""
MOST_SHOWN = 200
"""Letters of a stranger's text that a line shows."""


def seldom() -> Callable[[logging.LogRecord], bool]:
    """Return a filter that lets one record of a kind through in `EVERY_S`.

    That one says how many were left out. What a program says in the same words, and whatever
    follows from the same sort of exception, is one kind. Time is that of the records.
    What is milder than a warning is let through.
    """
    let: dict[object, tuple[float, int]] = {}
    """When one of a kind was let through last, and how many were left out since."""

    def lets(record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True  # somebody asked for it
        error = record.exc_info[0] if record.exc_info else None
        kind: object = (record.name, record.msg, error)
        if kind not in let and len(let) >= MOST_KINDS:
            kind = None
        at, left_out = let.get(kind, (record.created - EVERY_S, 0))
        if record.created < at + EVERY_S:
            let[kind] = at, left_out + 1
            return False
        let[kind] = record.created, 0
        if left_out:
            record.msg = f"{str(record.msg).rstrip()} (and {left_out} more like it)"
        return True

    return lets


def note_refusal(error: Exception, path: str) -> None:
    """Log a request that has not the form it must have."""
    # What a stranger sent is shown as a literal: it commands no terminal.
    LOG.warning(
        f"{type(error).__name__}: %.{MOST_SHOWN}r, asked for %.{MOST_SHOWN}r", str(error), path
    )


@contextmanager
def quiet_logs() -> Iterator[None]:
    """Let the server's loggers say each kind of thing once a minute while the block runs."""
    lets = seldom()
    loggers = (LOG, logging.getLogger("uvicorn.error"), logging.getLogger("asyncio"))
    for logger in loggers:
        logger.addFilter(lets)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(lets)


COOKIE = "jetan"
"""Holds the token that a browser was given last. It says who is known, and changes nothing."""
HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "font-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
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
                LOG.debug("%s %s: %s", scope["method"], scope["path"], message["status"])
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
    """Return True if somebody at this machine asks."""
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
    """Return a refusal that says why: `refused` in English, `said` as a sentence."""
    why = without_folders(worded(error) if isinstance(error, Exception) else error)
    return JSONResponse({"refused": str(why), "said": as_data(why)}, status, headers=headers)


HTTP_REFUSALS = frozenset({_("Not Found"), _("Method Not Allowed")})


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
"""The handler of each kind of exception."""
