"""How measurements print what they have found."""

import json as json_text
from collections.abc import Mapping


def print_figures(figures: Mapping[str, object], json: bool) -> None:
    """Print a line for each figure, or all as one JSON object."""
    if json:
        print(json_text.dumps(figures))
        return
    wide = max(map(len, figures))
    for name, value in figures.items():
        shown = f"{value:,.3f}" if isinstance(value, float) else value
        print(f"{name:{wide}} {shown:>12}")
