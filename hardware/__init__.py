"""What a table is made of: the seams that every driver fills, and the parts on the Pi's own pins.

`ports` are the seams; `sensors` stand over other sensors; `reeds`, `matrix`, `pins`, `lamps` and
`pin_board` are a board on a Pi's pins; `build` is how large a table is, `die` its electronic die
and `signs` what its pieces show.
"""

__all__ = (
    "build",
    "die",
    "lamps",
    "matrix",
    "pin_board",
    "pins",
    "ports",
    "reeds",
    "sensors",
    "signs",
)
