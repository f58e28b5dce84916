"""A word that can be typed: what follows it, what it means, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that can be typed: what follows it, and what it does, in English and German."""

    usage: str
    english: str
    german: str


Does: TypeAlias = Callable[[Sequence[str]], list[str]]
"""Takes the words that follow, and returns what there is to say."""
