"""A plain server of files."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class QuietFiles(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@contextmanager
def serving_files(folder: Path, answers: type[QuietFiles] = QuietFiles) -> Iterator[str]:
    """Answer with what is in a folder while the block runs; give the address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(answers, directory=folder)) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
