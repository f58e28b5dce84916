"""Fetches a file from a web address, within bounds, over lines on which nobody can change it."""

import http.client
import urllib.error
import urllib.request
from email.message import Message
from typing import IO, Final
from urllib.parse import urlsplit

from rules.sentences import _

from ...errors import UpdateRefused

PATIENCE_S: Final = 10.0
"""An address that says nothing for so long is given up."""


class SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follows to addresses that are as safe as the first one."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: Message,
        newurl: str,
    ) -> urllib.request.Request | None:
        check(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def is_safe(address: str) -> bool:
    """Whether nobody between can change what an address answers."""
    parts = urlsplit(address)
    is_here = parts.hostname in {"127.0.0.1", "::1", "localhost"}
    return parts.scheme == "https" or (parts.scheme == "http" and is_here)


def check(address: str) -> None:
    """Raise UpdateRefused where anybody on the way could change what comes from an address."""
    if not is_safe(address):
        raise UpdateRefused(_("{address}: begin it with https://"), address=address)


def fetch(address: str, most_bytes: int) -> bytes:
    """Return what an address answers; UpdateRefused where that fails or is too long."""
    try:
        check(address)
        with urllib.request.build_opener(SafeRedirects).open(address, timeout=PATIENCE_S) as answer:
            content: bytes = answer.read(most_bytes + 1)
    except (OSError, http.client.HTTPException, ValueError) as error:
        why = getattr(error, "reason", None) or error
        raise UpdateRefused(
            _("{source}: cannot be read ({why})"), source=address, why=why
        ) from None
    if len(content) > most_bytes:
        raise UpdateRefused(_("{address}: answers with too much"), address=address)
    return content
