"""A phone's camera on this machine: motion JPEG over HTTP, by a real socket."""

import socketserver
import threading
from base64 import b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

BETWEEN_S = 0.04
"""From one picture to the next."""


class Phone:
    """Sends a picture again and again, until it is shown another.

    Those alone get it who know a `secret`, `user:password`, where there is one.
    """

    def __init__(self, jpeg: bytes, secret: str | None = None) -> None:
        self.jpeg = jpeg
        ended = self._ended = threading.Event()
        phone = self

        class Stream(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                known = f"Basic {b64encode((secret or '').encode()).decode()}"
                if secret is not None and self.headers["Authorization"] != known:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="phone"')
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                while not ended.wait(BETWEEN_S):
                    head = b"--frame\r\nContent-Type: image/jpeg\r\n\r\n"
                    try:
                        self.wfile.write(head + phone.jpeg + b"\r\n")
                    except OSError:
                        return  # nobody looks any more

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002, inherited
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Stream)
        self.address = f"http://127.0.0.1:{self._server.server_port}/video"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()


class OddPhone:
    """Answers each caller by the next of some answers, whatever they are, and hangs up."""

    def __init__(self, *answers: bytes) -> None:
        left = iter(answers)

        class Answer(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.recv(1 << 16)
                self.request.sendall(next(left, b""))

        self._server = socketserver.TCPServer(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/video"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
