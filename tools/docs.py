"""`jetan docs`: all pages as a site, read without any network."""

from pathlib import Path
from typing import Annotated

from jetan_table.cli.options import Words, command, option
from jetan_table.cli.page import show_in_browser
from jetan_table.errors import TableError
from rules.sentences import _

PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "site", PACKAGE.parent / "dist" / "site")
"""Where a package has the site, and where a checkout builds it."""


class NoSite(TableError):
    """A checkout whose pages have not been built."""


@command("jetan docs", "jetan docs --no-browser")
def docs(
    browser: Annotated[bool, option("Open it where it can be seen.", default=True)],
    say: Words,
) -> None:
    """Say where all pages are as a site, and open it: it needs no network."""
    first = next((each / "index.html" for each in PLACES if (each / "index.html").exists()), None)
    if first is None:
        raise NoSite(
            _("the pages are not built here: {command}, once ./jetan test has brought mkdocs"),
            command="./.venv/bin/mkdocs build --strict",
        )
    print(say(_("All pages: {url}"), url=first.as_uri()))
    if browser:
        show_in_browser(first.as_uri())
