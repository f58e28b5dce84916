"""Drawings that show where each part of a board goes, and which way round.

On the page, whoever clicks on a kind sees its places. The drawing beside it is for comparing with
the preview of whoever places the parts: the first pin of each part is dark.
"""

from collections.abc import Iterable, Mapping
from html import escape

from jetan_table.extras.workshop.circuits import Circuit, Part

from .ipc import Pad
from .orders import kinds

_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 16px sans-serif; margin: 1em; background: #fff; color: #222 }}
svg {{ width: 100%; max-height: 70vh; background: #f4f1ea }}
svg.below {{ transform: scaleX(-1) }}
.pad {{ fill: #8a8a8a }} .first {{ fill: #222 }}
.box {{ fill: none; stroke: #bbb; stroke-width: .2 }}
.lit .pad {{ fill: #c2410c }}
.lit .box {{ stroke: #c2410c; stroke-width: .6; fill: #fdba7466 }}
button {{ font: inherit; margin: .2em; padding: .3em .6em }}
button[aria-pressed=true] {{ background: #fdba74 }}
</style>
<h1>{title}</h1>
<p><button id="turn" aria-pressed="false">Show it from below</button></p>
<svg viewBox="{view}" role="img" aria-label="{title}">{board}</svg>
<h2>Parts</h2><p>Choose a kind: its places light up. A part's first pin is dark.</p>
<p>{kinds}</p>
<script>
const press = button =>
  button.setAttribute('aria-pressed', button.getAttribute('aria-pressed') != 'true')
for (const button of document.querySelectorAll('[data-kind]')) button.onclick = () => {{
  press(button)
  for (const part of document.querySelectorAll('.k' + button.dataset.kind))
    part.classList.toggle('lit')
}}
document.getElementById('turn').onclick = event => {{
  press(event.target)
  document.querySelector('svg').classList.toggle('below')
}}
</script></html>
"""
MARGIN_MM = 2.0
"""How far the picture goes beyond the board, and a part's box beyond its pads."""


def parts_page(circuit: Circuit, pads: Iterable[Pad], away: float) -> str:
    """Return the page; the board's upper left corner lies `away` from where pads are counted."""
    of = _by_part(pads)
    drawn, buttons = [_board(circuit, away)], []
    for at, ((value, package), parts) in enumerate(kinds(circuit.parts).items()):
        refs = ", ".join(part.ref for part in parts)
        words = escape(f"{len(parts)} × {value} ({package}): {refs}")
        buttons.append(f'<button data-kind="{at}" aria-pressed="false">{words}</button>')
        for part in parts:
            inner = _drawn(part, of[part.ref])
            drawn.append(f'<g class="k{at}"><title>{escape(part.ref)}</title>{inner}</g>')
    title = escape(f"Jetan Table: {circuit.title}")
    shown = {"view": _view(circuit, away), "board": "\n".join(drawn)}
    return _PAGE.format(title=title, **shown, kinds="\n".join(buttons))


def drawing(circuit: Circuit, pads: Iterable[Pad], away: float) -> str:
    """Return an SVG of what a machine places: the parts, their names, and their first pins dark."""
    of = _by_part(pads)
    drawn = [_board(circuit, away)]
    for part in circuit.parts:
        if part.is_bought and not any(pad.hole for pad in of[part.ref]):
            x = sum(pad.x for pad in of[part.ref]) / len(of[part.ref])
            y = max(-pad.y for pad in of[part.ref]) + 2.6
            drawn.append(_drawn(part, of[part.ref]))
            drawn.append(f'<text x="{x:.2f}" y="{y:.2f}">{escape(part.ref)}</text>')
    style = (
        ".pad{fill:#8a8a8a}.first{fill:#222}.box{fill:none;stroke:#888;stroke-width:.15}"
        "text{font:1.6px sans-serif;text-anchor:middle}"
    )
    left, _, right, _ = circuit.edges
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_view(circuit, away)}" '
        f'width="{4 * (right - left):.0f}"><title>{escape(circuit.title)}, from above: the first '
        f"pin of each part is dark</title><style>{style}</style>" + "\n".join(drawn) + "</svg>\n"
    )


def _by_part(pads: Iterable[Pad]) -> Mapping[str, list[Pad]]:
    of: dict[str, list[Pad]] = {}
    for pad in pads:
        of.setdefault(pad.ref, []).append(pad)
    return of


def _board(circuit: Circuit, away: float) -> str:
    left, bottom, right, top = circuit.edges
    size = f'width="{right - left}" height="{top - bottom}"'
    return f'<rect x="{away}" y="{away}" {size} fill="#e4e9dc"/>'


def _view(circuit: Circuit, away: float) -> str:
    left, bottom, right, top = circuit.edges
    sides = f"{right - left + 2 * MARGIN_MM} {top - bottom + 2 * MARGIN_MM}"
    return f"{away - MARGIN_MM} {away - MARGIN_MM} {sides}"


def _drawn(part: Part, pads: list[Pad]) -> str:
    spots = [
        f'<rect class="pad{" first" * (pad.pin == "1")}" x="{pad.x - pad.width / 2:.2f}" '
        f'y="{-pad.y - pad.height / 2:.2f}" width="{pad.width:.2f}" height="{pad.height:.2f}"/>'
        for pad in pads
    ]
    left, right = min(pad.x for pad in pads), max(pad.x for pad in pads)
    low, high = min(-pad.y for pad in pads), max(-pad.y for pad in pads)
    box = (
        f'<rect class="box" x="{left - MARGIN_MM / 2:.2f}" y="{low - MARGIN_MM / 2:.2f}" '
        f'width="{right - left + MARGIN_MM:.2f}" height="{high - low + MARGIN_MM:.2f}"/>'
    )
    return "".join([box, *spots])
