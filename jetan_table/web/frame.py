"""The frame that all pages stand in: one head, and the body, styles and script of each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class FramedPage:
    """A page by the names of its files."""

    body: str
    script: str
    styles: tuple[str, ...] = ()
    """Beside the one that all pages have."""

    def html(self) -> str:
        """Return it as a whole."""
        styles = [f'<link rel="stylesheet" href="/static/{each}">' for each in self._styles]
        script = f'<script type="module" src="/static/{self.script}"></script>'
        frame = (STATIC / "frame.html").read_text(encoding="utf-8")
        body = (STATIC / self.body).read_text(encoding="utf-8")
        head = "\n  ".join([*styles, script])
        return frame.replace("<!-- styles and script -->", head).replace("  <!-- body -->\n", body)

    @property
    def _styles(self) -> tuple[str, ...]:
        return ("style.css", *self.styles)


TABLE = FramedPage("index.html", "main.js", ("table.css", "drama.css"))
SENSORS = FramedPage("sensors.html", "sensors.js", ("sensors.css",))
SET_UP = FramedPage("setup.html", "setup.js", ("sensors.css", "setup.css"))
