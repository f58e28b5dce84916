"""Pieces as SVG: what a page draws them from, and each kind's sign for drawings of boards."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from hardware.signs import LETTERS, sign_of
from rules.board import JUGGERNAUT_LETTER

_TOKENS: Final = {
    "black": '<circle r="46" class="token-edge"/><circle r="43" class="token-body"/>'
    '<circle r="37" class="token-line"/>',
    "orange": '<path d="M0 -49 L46 -22 V22 L0 49 L-46 22 V-22 Z" class="token-edge"/>'
    '<path d="M0 -45.5 L43 -20.3 V20.3 L0 45.5 L-43 20.3 V-20.3 Z" class="token-body"/>'
    '<path d="M0 -39 L37 -17.3 V17.3 L0 39 L-37 17.3 V-17.3 Z" class="token-line"/>',
    "neutral": '<path d="M-20 -48 H20 L48 -20 V20 L20 48 H-20 L-48 20 V-20 Z" class="token-edge"/>'
    '<path d="M-18.5 -44.5 H18.5 L44.5 -18.5 V18.5 L18.5 44.5 H-18.5 L-44.5 18.5 V-18.5 Z" '
    'class="token-body"/>',
}
"""What lies under the signs: each side has a shape of its own."""

_ON_TOKEN: Final = "translate(0 -13) scale(0.56)"
"""Where a sign stands on a token, so that its letter has room below."""


def sign_paths(letter: str, filled: str, cut: str) -> Iterator[str]:
    """Yield a sign's outlines as paths about (0, 0), in a square with sides of 100.

    What is filled gets the one attribute, what is cut out of it the other.
    """
    for points, is_cut in sign_of(letter):
        steps = "L".join(f"{100 * x:.3g} {100 * y:.3g}" for x, y in points)
        yield f'<path d="M{steps}Z" {cut if is_cut else filled}/>'


@cache
def page_pieces() -> str:
    """Return the SVG that pages take their pieces from: a token for each side, and every sign."""
    symbols = [_symbol(f"token-{name}", shapes) for name, shapes in _TOKENS.items()]
    for letter in LETTERS:
        paths = "".join(sign_paths(letter, 'class="emblem"', 'class="emblem-hole"'))
        if letter == JUGGERNAUT_LETTER:
            name, place = "emblem-juggernaut", "scale(0.78)"
        else:
            name, place = f"emblem-{letter}", _ON_TOKEN
        symbols.append(_symbol(name, f'<g transform="{place}">{paths}</g>'))
    return "\n".join(('<svg xmlns="http://www.w3.org/2000/svg">', *symbols, "</svg>\n"))


def _symbol(name: str, shapes: str) -> str:
    return f'<symbol id="{name}" viewBox="-50 -50 100 100">{shapes}</symbol>'
