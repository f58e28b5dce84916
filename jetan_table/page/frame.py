"""The frame that all pages stand in: one head, and the body, styles and script of each."""

from pathlib import Path

STATIC = Path(__file__).parent / "static"


def framed(body: str, *styles: str, script: str = "", language: str = "en") -> str:
    """Return the page of a body; `styles` are beside the one that all pages have."""
    head = [f'<link rel="stylesheet" href="/static/{each}">' for each in ("style.css", *styles)]
    if script:
        head.append(f'<script type="module" src="/static/{script}"></script>')
    frame = (STATIC / "frame.html").read_text(encoding="utf-8")
    return (
        frame.replace('lang="en"', f'lang="{language}"')
        .replace("<!-- styles and script -->", "\n  ".join(head))
        .replace("  <!-- body -->\n", body)
    )


def page(name: str, script: str, *styles: str, folder: Path = STATIC) -> str:
    """Return the page whose body has a file of that name in a folder."""
    return framed((folder / name).read_text(encoding="utf-8"), *styles, script=script)
