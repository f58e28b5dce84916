"""One side's pieces on the board, as an immutable value."""

from __future__ import annotations

from collections.abc import Iterator

from .movement import Post
from .pieces import Kind
from .topology import Square

_new = object.__new__  # quicker than a call of the class, and every ply makes an army


class Army:
    """The posts of one side. `men` are all but the Princess, who goes by rules of her own.

    `mask` has a bit for every square held, the Princess's included. Nothing changes an army once
    it stands; `moved` and `without` return another.
    """

    __slots__ = ("mask", "may_escape", "men", "princess")

    def __init__(
        self, men: dict[Square, Post], princess: Post | None, mask: int, may_escape: bool
    ) -> None:
        self.men = men
        self.princess = princess
        self.mask = mask
        self.may_escape = may_escape

    @classmethod
    def of(cls, posts: Iterator[Post], may_escape: bool) -> Army:
        """Gather posts, at most one of them a Princess's."""
        men: dict[Square, Post] = {}
        princess, mask = None, 0
        for post in posts:
            mask |= post.bit
            if post.kind is Kind.PRINCESS:
                princess = post
            else:
                men[post.square] = post
        return cls(men, princess, mask, may_escape)

    def __len__(self) -> int:
        return len(self.men) + (self.princess is not None)

    def post_at(self, square: Square) -> Post | None:
        """Return the post on a square, the Princess's included."""
        princess = self.princess
        if princess is not None and princess.square == square:
            return princess
        return self.men.get(square)

    def posts(self) -> Iterator[Post]:
        """Yield every post, the Princess's last."""
        yield from self.men.values()
        if self.princess is not None:
            yield self.princess

    def moved(self, post: Post, there: Post, escaping: bool) -> Army:
        """Return the army with the piece of `post` on the square of `there`."""
        after = _new(Army)
        after.mask = self.mask ^ post.bit ^ there.bit
        if post is self.princess:
            after.men = self.men
            after.princess = there
            after.may_escape = self.may_escape and not escaping
            return after
        after.men = men = self.men.copy()
        del men[post.square]
        men[there.square] = there
        after.princess = self.princess
        after.may_escape = self.may_escape
        return after

    def without(self, post: Post) -> Army:
        """Return the army with one piece less."""
        mask = self.mask ^ post.bit
        if post is self.princess:
            return Army(self.men, None, mask, self.may_escape)
        men = self.men.copy()
        del men[post.square]
        return Army(men, self.princess, mask, self.may_escape)

    def reach(self, occupied: int, princess_takes: bool) -> int:
        """Return every square a piece that may take could end on, whatever stands there."""
        ends = 0
        for post in self.men.values():
            ends |= post[occupied & post.near]
        if princess_takes and self.princess is not None:
            ends |= self.princess[occupied & self.princess.near]
        return ends

    def can_take_royal(self, theirs: Army, occupied: int, princess_takes: bool) -> bool:
        """Whether this side could take their Princess, or their Chief with its own Chief."""
        reach = self.reach(occupied, princess_takes)
        if theirs.princess is not None and reach >> theirs.princess.square & 1:
            return True
        chiefs = [1 << post.square for post in theirs.men.values() if post.kind is Kind.CHIEF]
        hunters = [post for post in self.men.values() if post.kind is Kind.CHIEF]
        return any(post[occupied & post.near] & chief for post in hunters for chief in chiefs)
