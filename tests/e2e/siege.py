"""A siege of a served table, as a process of its own: `python -m tests.e2e.siege PORT`.

A thousand streams from ten addresses, four hundred slow lines and wrong PINs from twenty, for ever:
of what it holds, or held until the table closed it, twenty lines a second are opened anew.
"""

import json
import sys
import time
from itertools import count

from tests.e2e.guest import HALF, Line, get
from tests.e2e.windows import OWN_NAME

STREAMS, SLOW, ADDRESSES, GUESSERS = 1000, 400, 10, 20
A_SECOND = 20


def besiege(port: int) -> None:
    """Hold on to as many lines as the table leaves open, and guess at its PIN."""
    lines: list[Line] = []
    for number in count():
        sent = HALF if number % (STREAMS + SLOW) < SLOW else get("/events")
        address = f"127.0.4.{number % ADDRESSES}"
        try:
            lines.append(Line(port, address, sent))
            if number % 5 == 0:
                guess(port, f"127.0.5.{number % GUESSERS}")
        except OSError:  # refused at the door
            continue
        if number >= STREAMS + SLOW:
            lines.pop(0).close()
            time.sleep(1 / A_SECOND)


def guess(port: int, address: str) -> None:
    """Tell a wrong PIN, and do not wait for the answer."""
    body = json.dumps({"pin": "000000"}).encode()
    head = f"POST /api/token HTTP/1.1\r\nHost: {OWN_NAME}\r\nContent-Type: application/json\r\n"
    line = Line(port, address, f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    line.read(b"\r\n\r\n")
    line.close()


if __name__ == "__main__":
    besiege(int(sys.argv[1]))
