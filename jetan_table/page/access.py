"""Who may change anything: hosts and origins, the table's PIN, and tokens that do not last."""

import re
from collections.abc import Callable, Collection
from ipaddress import IPv4Address, IPv6Address, ip_address

from rules.sentences import _

from ..errors import TableError
from ..table.pin import GuardedPin

TOKEN_S = 900.0
"""A token holds for so long, and is renewed by every use."""

KNOWN_S = 86_400.0
"""Whoever has held a token so lately is known: changes nothing without the PIN, but is let in."""

MANY_GUESSES = 10
"""People mistype a PIN; whoever tells so many wrong ones guesses."""

MOST_TOKENS = 100
"""So many pages may hold a token; the one used least lately is forgotten beyond."""


class Refused(TableError, PermissionError):
    """A request that is not let in: `status` is HTTP's word for why."""

    status = 403


class BadHost(Refused):
    """The Host header is no host."""

    status = 400


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


class NoPin(Refused):
    """The table has none that could be told."""


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
        """Raise StrangeHost unless the Host header is an address or one of the machine's names.

        A strange name may lead here by another site's doing; an address leads only where it says.
        BadHost for what is neither.
        """
        name = _name(host)
        if _address(name) is None and name not in self._names:
            known = ", ".join(sorted(self._names))
            raise StrangeHost(
                _("host {name!r}: this table is reached by its address, or as {known}"),
                name=name,
                known=known,
            )

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
        is_own = origin is not None and origin.lower() == f"http://{(host or '').lower()}"
        return is_own and is_here(host, address)

    def enter_unasked(self) -> str:
        """Return a token for somebody who need not tell the PIN."""
        if self._tokens.get(self._screen, -TOKEN_S) + TOKEN_S <= self._now():
            self._screen = self._give_token()
        return self._screen

    def enter(self, pin: str, address: str, held: str = "", is_here: bool = False) -> str:
        """Return a new token for the right PIN; WrongPin, TooManyTries, NoPin, or NoToken without.

        Whoever has `held` a token lately, or `is_here`, at this machine, is counted apart from
        strangers: these cannot keep them out.
        """
        now = self._now()
        if not pin:  # a page that asks whether it needs one has not guessed
            raise NoToken(_("only who knows the table's PIN may change anything"))
        if self._pin is None:
            raise NoPin(
                _(
                    "the table's PIN is damaged: delete the file `pin` of the data folder there, "
                    "and start the table again"
                )
            )
        is_known = self.knows(held)
        whose = f"who held {held}" if is_known else "here" if is_here else _guesser(address)
        if wait_s := self._pin.wait_s(now, whose, is_known or is_here):
            raise TooManyTries(wait_s)
        if not self._pin.is_right(pin, now, whose, is_known or is_here):
            raise WrongPin(_("that is not the table's PIN"))
        return self._give_token()

    @property
    def guessed(self) -> int:
        """About how many wrong PINs strangers have told lately, if so many that somebody guesses.

        To the first figure, so that it is not news each time.
        """
        count = 0 if self._pin is None else self._pin.guessed(self._now())
        return count - count % 10 ** (len(str(count)) - 1) if count >= MANY_GUESSES else 0

    def knows(self, token: str) -> bool:
        """Whether this token was given and used lately; it need not hold any more."""
        return self._tokens.get(token, -KNOWN_S) + KNOWN_S > self._now()

    def check_token(self, token: str) -> None:
        """Raise NoToken unless the token holds; it is used by that."""
        if not token:
            raise NoToken(_("only who knows the table's PIN may change anything"))
        now = self._now()
        if self._tokens.get(token, -TOKEN_S) + TOKEN_S <= now:
            raise NoToken(_("this token is no longer valid: enter the PIN again"))
        del self._tokens[token]
        self._tokens[token] = now

    def _give_token(self) -> str:
        token = self._make_token()
        self._tokens[token] = self._now()
        if len(self._tokens) > MOST_TOKENS:
            del self._tokens[next(iter(self._tokens))]
        return token


def bearer(authorization: str | None) -> str:
    """Return the token of an Authorization header; empty without one."""
    scheme, _space, token = (authorization or "").partition(" ")
    return token if scheme.lower() == "bearer" else ""


def is_here(host: str | None, address: str) -> bool:
    """Whether somebody at this machine asks for its loopback."""
    return all(map(_is_loopback, (_name(host), address)))


HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]*))(?::\d{1,5})?", re.ASCII)


def _name(host: str | None) -> str:
    """Return the name or address in a Host header, without its port; BadHost."""
    parts = HOST.fullmatch(host or "")
    if parts is None or (parts["six"] and not isinstance(_address(parts["six"]), IPv6Address)):
        raise BadHost(_("host {name!r}: is none"), name=host)
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
