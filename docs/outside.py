"""Brings files from outside `docs/` into the site: `mkdocs.yml` names this module.

The protocol of the serial line is kept beside its firmware and shown as a page; the emblem is that
of the table's page. Other links to files of the project become words, for readers of the site may
not have the project.
"""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # as mkdocs calls it

from jetan_table.files import repository

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

SHOWN: Final = {
    "../firmware_bridge/PROTOCOL.md": "protocol.md",
    "../jetan_table/page/static/favicon.svg": "emblem.svg",
}
"""Files outside `docs/` that the site has too, with their names there."""

OUTWARD: Final = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)#\s]*)(#[^)\s]*)?\)")


def on_config(config: MutableMapping[str, Any]) -> None:
    """Let every page lead to the project's repository, if it has an address."""
    config["repo_url"] = repository() or None


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files that are kept elsewhere."""
    from mkdocs.structure.files import File

    for path, name in SHOWN.items():
        kept = Path(config.docs_dir) / path
        files.append(File.generated(config, name, content=kept.read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to such a page towards the site, and other links out of `docs/` into words."""
    del config, files
    return inward(markdown, page.file.src_uri)


def inward(markdown: str, page: str) -> str:
    """Return the text of `page`, a path from `docs/`, without a link that leaves the site."""
    folder = posixpath.dirname(page)

    def changed(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if target in SHOWN:
            return f"[{link[1]}]({posixpath.relpath(SHOWN[target], folder or '.')}{link[3] or ''})"
        return link[1] if target.startswith("..") else link[0]

    return OUTWARD.sub(changed, markdown)
