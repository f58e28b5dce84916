"""A page that shows where each part of a board goes: whoever clicks on a kind sees its places."""

from collections.abc import Iterable, Mapping
from html import escape

from jetan_table.extras.workshop.circuits import Circuit, Part

from .ipc import Pad

_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 16px sans-serif; margin: 1em; background: #fff; color: #222 }}
svg {{ width: 100%; max-height: 70vh; background: #f4f1ea }}
svg.below {{ transform: scaleX(-1) }}
.pad {{ fill: #8a8a8a }} .box {{ fill: none; stroke: #bbb; stroke-width: .2 }}
.lit .pad {{ fill: #c2410c }}
.lit .box {{ stroke: #c2410c; stroke-width: .6; fill: #fdba7466 }}
button {{ font: inherit; margin: .2em; padding: .3em .6em }}
button[aria-pressed=true] {{ background: #fdba74 }}
</style>
<h1>{title}</h1>
<p><button id="turn" aria-pressed="false">Show it from below</button></p>
<svg viewBox="{view}" role="img" aria-label="{title}">{board}</svg>
<h2>Parts</h2><p>Choose a kind: its places light up.</p>
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


def kinds(parts: Iterable[Part]) -> Mapping[tuple[str, str], list[Part]]:
    """Return the parts that are bought by their value and package."""
    found: dict[tuple[str, str], list[Part]] = {}
    for part in parts:
        if part.is_bought:
            found.setdefault((part.value, part.footprint.partition(":")[2]), []).append(part)
    return found


def parts_page(circuit: Circuit, pads: Iterable[Pad], away: float) -> str:
    """Return the page; the board's upper left corner lies `away` from where pads are counted."""
    left, bottom, right, top = circuit.edges
    of: dict[str, list[Pad]] = {}
    for pad in pads:
        of.setdefault(pad.ref, []).append(pad)
    width, height = right - left, top - bottom
    drawn = [f'<rect x="{away}" y="{away}" width="{width}" height="{height}" fill="#e4e9dc"/>']
    buttons = []
    for at, ((value, package), parts) in enumerate(kinds(circuit.parts).items()):
        refs = ", ".join(part.ref for part in parts)
        words = escape(f"{len(parts)} × {value} ({package}): {refs}")
        buttons.append(f'<button data-kind="{at}" aria-pressed="false">{words}</button>')
        for part in parts:
            inner = _drawn(part, of[part.ref])
            drawn.append(f'<g class="k{at}"><title>{escape(part.ref)}</title>{inner}</g>')
    view = f"{away - MARGIN_MM} {away - MARGIN_MM} {width + 2 * MARGIN_MM} {height + 2 * MARGIN_MM}"
    title = escape(f"Jetan Table: {circuit.title}")
    return _PAGE.format(title=title, view=view, board="\n".join(drawn), kinds="\n".join(buttons))


def _drawn(part: Part, pads: list[Pad]) -> str:
    spots = [
        f'<rect class="pad" x="{pad.x - pad.width / 2:.2f}" y="{-pad.y - pad.height / 2:.2f}" '
        f'width="{pad.width:.2f}" height="{pad.height:.2f}"/>'
        for pad in pads
    ]
    left, right = min(pad.x for pad in pads), max(pad.x for pad in pads)
    low, high = min(-pad.y for pad in pads), max(-pad.y for pad in pads)
    box = (
        f'<rect class="box" x="{left - MARGIN_MM / 2:.2f}" y="{low - MARGIN_MM / 2:.2f}" '
        f'width="{right - left + MARGIN_MM:.2f}" height="{high - low + MARGIN_MM:.2f}"/>'
    )
    return "".join([box, *spots])
