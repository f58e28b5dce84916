"""One side's pieces on the board, as an immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .movement import Post
from .pieces import Kind

PRINCESS = -1
"""Where the Princess stands in her army's counting; her men stand at 0 and above."""

_new = object.__new__  # quicker than a call of the class, and every ply makes an army


class Army:
    """The posts of one side. Nothing changes an army; `moved` and `without` return another."""

    __slots__ = ("_places", "mask", "may_escape", "men", "princess")

    _places: dict[int, int] | None
    """The place of each square's piece, as `place_of` returns it; None until that is asked."""
    men: list[Post]
    """All but the Princess, who goes by rules of her own. A list, because a dictionary that is
    copied, loses a key and gains another grows at every other ply."""
    princess: Post | None
    mask: int
    """A bit for every square held, the Princess's included."""
    may_escape: bool
    """Whether the Princess's escape is unspent."""

    @classmethod
    def of(cls, posts: Iterable[Post], may_escape: bool) -> Army:
        """Gather posts, at most one of them a Princess's."""
        army = _new(cls)
        army.men, army.princess, army.mask = [], None, 0
        army.may_escape = may_escape
        army._places = None
        for post in posts:
            army.mask |= post.bit
            if post.kind is Kind.PRINCESS:
                army.princess = post
            else:
                army.men.append(post)
        return army

    def __len__(self) -> int:
        return len(self.men) + (self.princess is not None)

    def place_of(self, square: int) -> int | None:
        """Return the place in `men` of the piece on a square, PRINCESS for her, None for nobody."""
        places = self._places
        if places is None:
            places = self._places = {post.square: at for at, post in enumerate(self.men)}
            if self.princess is not None:
                places[self.princess.square] = PRINCESS
        return places.get(square)

    def post_at(self, square: int) -> Post | None:
        """Return the post on a square, the Princess's included."""
        at = self.place_of(square)
        if at is None:
            return None
        return self.princess if at == PRINCESS else self.men[at]

    def posts(self) -> Iterator[Post]:
        """Yield every post, the Princess's last."""
        yield from self.men
        if self.princess is not None:
            yield self.princess

    def moved(self, at: int, there: Post, escaping: bool) -> Army:
        """Return the army with the piece at a place of `men`, or the Princess, on `there`."""
        after = _new(Army)
        after._places = None
        if at == PRINCESS:
            here = self.princess
            after.men = self.men
            after.princess = there
            after.may_escape = self.may_escape and not escaping
        else:
            after.men = men = self.men.copy()
            here = men[at]
            men[at] = there
            after.princess = self.princess
            after.may_escape = self.may_escape
        assert here is not None
        after.mask = self.mask ^ here.bit ^ there.bit
        return after

    def without(self, at: int) -> Army:
        """Return the army without the piece at a place of `men`, or without the Princess."""
        after = _new(Army)
        after._places = None
        after.may_escape = self.may_escape
        if at == PRINCESS:
            lost, after.men, after.princess = self.princess, self.men, None
        else:
            after.men = men = self.men.copy()
            lost, after.princess = men.pop(at), self.princess
        assert lost is not None
        after.mask = self.mask ^ lost.bit
        return after

    def reach(self, occupied: int, princess_takes: bool) -> int:
        """Return every square a piece that may take could end on, whatever stands there."""
        ends = 0
        for post in self.men:
            ends |= post[occupied & post.near]
        if princess_takes and self.princess is not None:
            ends |= self.princess[occupied & self.princess.near]
        return ends

    def can_take_royal(self, theirs: Army, occupied: int, princess_takes: bool) -> bool:
        """Whether this side could take their Princess, or their Chief with its own Chief."""
        reach = self.reach(occupied, princess_takes)
        if theirs.princess is not None and reach >> theirs.princess.square & 1:
            return True
        chiefs = [post.bit for post in theirs.men if post.kind is Kind.CHIEF]
        hunters = [post for post in self.men if post.kind is Kind.CHIEF]
        return any(post[occupied & post.near] & chief for post in hunters for chief in chiefs)
