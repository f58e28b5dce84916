"""Numbers as people and files write them."""

MOST_DIGITS = 20
"""Nothing here counts farther; Python itself refuses to read thousands of digits."""


def whole_number(text: str) -> int | None:
    """Return the number that a text of the digits 0 to 9 tells; None for any other text."""
    is_one = len(text) <= MOST_DIGITS and text.isascii() and text.isdigit()
    return int(text) if is_one else None


def decimal_number(text: str) -> float | None:
    """Return the number of a text such as 12 or 12.5; None for any other text."""
    whole, point, fraction = text.partition(".")
    parts = [whole, fraction] if point else [whole]
    return None if None in map(whole_number, parts) else float(text)
