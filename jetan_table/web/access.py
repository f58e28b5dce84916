"""Who may change anything: hosts and origins, the table's PIN, and tokens that do not last."""

from __future__ import annotations

from collections.abc import Callable, Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from rules.sentences import _

from ..errors import TableError
from ..table.pin import GuardedPin

TOKEN_S = 900.0
"""A token holds for so long, and is renewed by every use."""

MOST_TOKENS = 100
"""So many pages may hold a token; the one used least lately is forgotten beyond."""


class Refused(TableError, PermissionError):
    """A request that is not let in: `status` is HTTP's word for why."""

    status = 403


class StrangeHost(Refused):
    """The name the browser was led here by is none of the table's."""

    status = 421


class StrangeOrigin(Refused):
    """A page of another site asks."""


class NoToken(Refused):
    """Nothing may be changed without a token."""

    status = 401


class WrongPin(Refused):
    """The PIN is another one."""


class TooManyTries(Refused):
    """Too many wrong PINs; `wait_s` is how long nothing is heard."""

    status = 429

    def __init__(self, wait_s: float) -> None:
        self.wait_s = wait_s
        super().__init__(_("too many wrong PINs; try again in {wait_s:.0f} seconds"), wait_s=wait_s)


class Access:
    """Lets in who knows the PIN. `now` tells the time, `make_token` a word nobody can guess."""

    def __init__(
        self,
        pin: str,
        names: Collection[str],
        now: Callable[[], float],
        make_token: Callable[[], str],
    ) -> None:
        """`names` are the machine's own, besides its addresses and `localhost`."""
        self._pin, self._now, self._make_token = GuardedPin(pin), now, make_token
        self._names = {"localhost", *(name.lower() for name in names)}
        self._tokens: dict[str, float] = {}

    def check_host(self, host: str | None) -> None:
        """Raise StrangeHost unless the Host header is an address or one of the machine's names.

        A strange name may lead here by another site's doing; an address leads only where it says.
        """
        name = urlsplit(f"//{host or ''}").hostname or ""
        try:
            ip_address(name)
        except ValueError:
            if name not in self._names:
                known = ", ".join(sorted(self._names))
                raise StrangeHost(
                    _("host {name!r}: this table is reached by its address, or as {known}"),
                    name=name,
                    known=known,
                ) from None

    def check_origin(self, origin: str | None, host: str | None) -> None:
        """Raise StrangeOrigin where a page of another site asks; programs send no origin."""
        if origin is not None and origin.lower() != f"http://{(host or '').lower()}":
            raise StrangeOrigin(
                _("origin {origin!r}: only the table's own page may ask this"), origin=origin
            )

    def is_own_browser(self, origin: str | None, host: str | None, address: str) -> bool:
        """Whether the table's own page asks, opened by this machine's loopback on it.

        An address alone does not say so: a program that passes on others' requests has it, too.
        """
        name = urlsplit(f"//{host or ''}").hostname or ""
        is_own = origin is not None and origin.lower() == f"http://{(host or '').lower()}"
        return is_own and all(map(_is_loopback, (name, address)))

    def enter_unasked(self) -> str:
        """Return a new token for somebody who need not tell the PIN."""
        return self._give_token(self._now())

    def enter(self, pin: str, address: str) -> str:
        """Return a new token for the right PIN; WrongPin, TooManyTries, or NoToken without one."""
        now = self._now()
        if not pin:  # a page that asks whether it needs one has not guessed
            raise NoToken(_("only who knows the table's PIN may change anything"))
        if wait_s := self._pin.wait_s(now, address):
            raise TooManyTries(wait_s)
        if not self._pin.is_right(pin, now, address):
            raise WrongPin(_("that is not the table's PIN"))
        return self._give_token(now)

    def _give_token(self, now: float) -> str:
        token = self._make_token()
        self._tokens[token] = now + TOKEN_S
        if len(self._tokens) > MOST_TOKENS:
            del self._tokens[next(iter(self._tokens))]
        return token

    def check_token(self, authorization: str | None) -> None:
        """Raise NoToken unless the Authorization header is `Bearer` and a token that holds."""
        scheme, _space, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise NoToken(_("only who knows the table's PIN may change anything"))
        holds_until = self._tokens.pop(token, 0.0)
        if holds_until <= self._now():
            raise NoToken(_("this token holds no longer: enter the PIN again"))
        self._tokens[token] = self._now() + TOKEN_S


def _is_loopback(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
