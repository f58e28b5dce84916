"""What the table says to people of what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hardware.switches import Switch
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    Rules,
    Side,
    Square,
    format_move,
    format_square,
)
from rules.explain import explain
from rules.ledger import Account
from rules.pieces import PIECES
from rules.sentences import Sentence, _
from rules.words import SIDES, sentences

from ..board.gestures import Deed
from ..board.hints import is_check
from ..board.orientation import A1
from ..board.repair import HandMove, Placing
from ..engine.why import Point
from ..game.clock import Clocks, format_seconds
from ..game.commands import Help
from ..game.duels import Fight
from ..game.events import Question
from ..game.opening import Opening
from ..languages import Language, refused_in
from ..session.view import Advice, AskedCorner, Phase, View
from .news import NewsWords, shown_roll
from .phrases import TO_MOVE
from .why_words import why_in_words

MATRIX_COLUMNS = 10
SWITCH_OF = tuple(Switch(square) for square in SQUARES)
"""A matrix wired like the board: rank 1 is row 1, file a is column 1."""


GESTURES: Mapping[Deed, Sentence] = {
    Deed.RESIGN: _("{side} gives up when the light is full. Putting one back calls it off."),
    Deed.DRAW: _("{side} asks for a draw when the light is full. Putting one back calls it off."),
    Deed.TAKE_BACK: _(
        "The last move is taken back when the light is full. Putting one back calls it off."
    ),
    Deed.PAUSE: _(
        "The clock stops, or runs again, when the light is full. Putting one back calls it off."
    ),
    Deed.NEW_GAME: _("Another game begins when the light is full. Lifting one calls it off."),
}


class Speaker(NewsWords):
    """Puts a table's state and news into the words of one language.

    `switch_of` is how the squares are wired, for words about a switch that fails.
    """

    def __init__(self, language: Language, switch_of: Sequence[Switch] = SWITCH_OF) -> None:
        super().__init__(language)
        self._switch_of = switch_of

    def sentences(self, view: View, is_typed: bool = True) -> list[str]:
        """Return what there is to say about a table now, the most urgent first.

        Where nothing `is_typed`, what could be typed is left out.
        """
        sentences = (
            [self.say(_("Nothing is confirmed now. {why}"), why=view.trouble)]
            if view.trouble
            else []
        )
        sentences += view.help.taught.get(self.language, ())
        sentences += self._over(view)
        sentences += self._asked_by_people(view, is_typed)
        if view.phase is Phase.SETTING_UP and (
            view.leading.missing or view.leading.extra or not view.dice.is_due
        ):
            why = (
                _("The table was off, and the board does not stand right.")
                if view.leading.was_off
                else _("The board does not stand right yet.")
            )
            sentences.append(self._carrying_out(view) or self.say(why))
        if view.leading.placing:
            sentences.append(self._placing(view.leading.placing, view.position.rules))
        if view.question:
            sentences.append(self.question(view.question, is_typed, is_past=not view.asked))
        if view.leading.repair:
            sentences += self._why_not(view)
            sentences.append(self._repair(view.leading.repair, view.position.rules))
        elif view.lifted:
            pieces = ", ".join(self.piece_on(view.position, square) for square in view.lifted)
            what = (
                _("You were in the middle of {pieces}: put it where it was to go, or back.")
                if view.leading.was_off
                else _("In the air: {pieces}.")
            )
            sentences.append(self.say(what, pieces=pieces))
        sentences += self._terms(view)
        sentences += [self.say(_("Remark: {text}"), text=text) for text in view.notes_on_last]
        if is_typed and (view.leading.repair or view.leading.placing):
            sentences.append(self.say(_("(If the board is right and a switch is not: `right`.)")))
        sentences += self._thrown_for(view, is_typed)
        if view.phase is Phase.PLAYING and not view.unsettled:
            sentences += self._turn(view)
        sentences += [
            self.say(_("Not seen on {square}: shift the piece."), square=format_square(square))
            for square in view.unseen
        ]
        for square, kind in sorted(view.faults.items()):
            sentences.append(f"{self.fault(format_square(square), kind)} {self._wires(square)}")
        return [*sentences, *(self.say(_("Note: {note}."), note=note) for note in view.notes)]

    def clock(self, clocks: Clocks | None, now: float) -> list[str]:
        """Return what the clocks show as one line, `>` before the one that runs; none if none."""
        if clocks is None:
            return []
        shown = clocks.until(now)
        times = {side.word: self._time(shown, side) for side in Side}
        stands = (
            " (" + self.say(_("the clock stands")) + ")"
            if shown.running is not None and shown.stops
            else ""
        )
        return [self.say(_("Clock: {black}, {orange}"), **times) + stands]

    def _time(self, clocks: Clocks, side: Side) -> str:
        mark = "> " if clocks.running is side else ""
        low = " (" + self.say(_("little time")) + ")" if clocks.is_low(side) else ""
        return f"{mark}{self.side(side)} {format_seconds(clocks.left.of(side))}{low}"

    def _terms(self, view: View) -> list[str]:
        """Return what the terms of the game ask of the players now."""
        sentences = (
            [self.say(_("The game is paused; a move, or `resume`, goes on."))]
            if view.terms.is_paused
            else []
        )
        if view.terms.touched:
            pieces = ", ".join(
                self.piece_on(view.position, square) for square in view.terms.touched
            )
            sentences.append(
                self.say(_("Touched, so it must be moved or taken: {pieces}."), pieces=pieces)
            )
        return sentences

    def _asked_by_people(self, view: View, is_typed: bool) -> list[str]:
        """Return what a gesture under way is about to ask for, and the draw that is offered."""
        sentences = [self.corner(view.asked_corner)] if view.asked_corner else []
        if view.gesture:
            gesture = view.gesture.gesture
            side = "" if gesture.side is None else self.side(gesture.side)
            sentences.append(self.say(GESTURES[gesture.deed], side=side))
        if view.refused is not None:
            sentences.append(
                self.say(_("Note: {note}."), note=refused_in(self.language, view.refused))
            )
        if view.terms.draw_offer is not None:
            sentences.append(
                self.say(_("{side} offers a draw."), side=self.side(view.terms.draw_offer))
            )
            if is_typed:
                sentences.append(
                    self.say(
                        _("({side} types `accept` or `decline`, or just plays on.)"),
                        side=self.side(view.terms.draw_offer.other),
                    )
                )
        return sentences

    def corner(self, asked: AskedCorner) -> str:
        """Return which corner people are asked to touch, where the board may lie turned."""
        what = (
            _(
                "Does the board lie turned? Touch Black's left corner, a1: {squares}. Lift the "
                "piece there and put it back."
            )
            if asked.corner == A1
            else _("And where is b1, beside it: {squares}? Lift the piece there and put it back.")
        )
        return self.say(what, squares=self.say(_(" or ")).join(map(format_square, asked.squares)))

    def _wish(self, wish: Move, position: Position) -> str:
        return self.say(
            _("I play {move}: please take the {victim} with the {piece} for me.")
            if wish.kind is MoveKind.CAPTURE
            else _("I play {move}: please put the {piece} on {end} for me."),
            move=format_move(wish, position),
            piece=self.piece_on(position, wish.from_square),
            victim=self.piece_on(position, wish.to_square),
            end=format_square(wish.to_square),
        )

    def _turn(self, view: View) -> list[str]:
        """Return who is to play, and what is wished or advised."""
        position, sentences = view.position, []
        if view.help.wish and not view.leading.repair:
            sentences = [
                self._wish(view.help.wish, position),
                *self._why(view.help.why, position.rules),
            ]
        elif not (view.trouble or view.dice.fight):
            turn = (
                _("{side} to move, and in check: the Princess or the Chief could be taken.")
                if is_check(position)
                else TO_MOVE
            )
            sentences = [self.say(turn, side=self.side(position.side))]
        if view.help.advice and not view.leading.repair:
            sentences += self._advice(view.help.advice, position)
        return sentences

    def _advice(self, advice: Advice, position: Position) -> list[str]:
        move = advice.move
        if move is None:
            return [self.say(_("I think about a hint."))]
        if advice.help is Help.PIECE:
            piece = self.piece_on(position, move.from_square)
            return [self.say(_("Hint: think about the {piece}."), piece=piece)]
        sentences = [self.say(_("Hint: {move}."), move=format_move(move, position))]
        return (
            sentences
            if advice.help is Help.MOVE
            else sentences + self._why(advice.points, position.rules)
        )

    def _why(self, points: Sequence[Point], rules: Rules) -> list[str]:
        return [why_in_words(points, rules, self.language)] if points else []

    def _thrown_for(self, view: View, is_typed: bool) -> list[str]:
        """Return what dice are to be thrown for, and what else is settled before the first ply."""
        if view.unsettled:
            return [self._unsettled(view.opening, is_typed)]
        roll = [self._due_roll(view, is_typed)] if view.dice.is_due else []
        return [*roll, self._fight(view.dice.fight, is_typed)] if view.dice.fight else roll

    def _unsettled(self, opening: Opening, is_typed: bool) -> str:
        """Return what is to be settled now, and what can be typed for it."""
        is_first = opening.due == "first"
        if opening.is_roll_due:
            asked = self.say(
                _("Roll for who begins: odd is Black, even is Orange.")
                if is_first
                else _("Roll for the way over the centre: odd is clockwise, even counterclockwise.")
            )
        else:
            side = SIDES[str(opening.settler)]
            asked = self.say(
                _("{side} says who begins: lift that side's Chief and put it back.")
                if is_first
                else _(
                    "{side} says how the centre is crossed: lift and put back your Chief for "
                    "clockwise, your Princess for counterclockwise."
                ),
                side=side,
            )
        if not is_typed:
            return asked
        typed = (
            [self.say(_("(Type `roll`; if your own die shows 3: `roll 3`.)"))]
            if opening.is_roll_due
            else []
        )
        return " ".join(
            (
                asked,
                *typed,
                self.say(
                    _("(Or agree: type `begins black` or `begins orange`.)")
                    if is_first
                    else _("(Or agree: type `bias clockwise` or `bias counterclockwise`.)")
                ),
            )
        )

    def _due_roll(self, view: View, is_typed: bool) -> str:
        """Return what is to be done about a roll that is due."""
        if view.position.juggernaut is None and view.position.rules["juggernaut"] != "off":
            due = self.say(_("Before the first move the die says where the Juggernaut begins."))
            return (
                due
                + " "
                + self.say(_("(Type `roll`; if your own dice say file e, rank 6: `roll 10 5 6`.)"))
                if is_typed
                else due
            )
        shown = shown_roll(view.dice.rolls[-1]) if view.dice.rolls else ""
        due = self.say(
            _("The die shows {roll}, which leads off the board: roll again.")
            if view.dice.rolls
            else _("Roll the die to move the Juggernaut."),
            roll=shown,
        )
        return (
            due + " " + self.say(_("(Type `roll`; if your own die shows 3: `roll 3`.)"))
            if is_typed
            else due
        )

    def _carrying_out(self, view: View) -> str | None:
        """Return what hands are led to do: a roll, or who lost a fight; None where neither is."""
        if view.dice.rolls and not view.dice.is_due and view.position.juggernaut is not None:
            square = format_square(view.position.juggernaut)
            return self.say(
                _("The die shows {roll}: the Juggernaut goes to {square}."),
                roll=shown_roll(view.dice.rolls[-1]),
                square=square,
            )
        if view.dice.duel is not None and not view.dice.duel.attacker_won and view.last_move:
            return self.say(
                _("The piece that entered {square} has lost the fight."),
                square=format_square(view.last_move[1]),
            )
        return None

    def _fight(self, fight: Fight, is_typed: bool) -> str:
        """Return what is to be done about a fight that is open."""
        rules, attacker, defender = fight.before.rules, fight.attacker, fight.defender
        if fight.throws:
            attack, defence, _by_hand = fight.throws[-1]
            sentences = [
                self.say(
                    _("{attack} and {defence}: equal, both throw again."),
                    attack=attack,
                    defence=defence,
                )
            ]
        else:
            begun = self.say(
                _(
                    "The {attacker} ({side}) fights the {defender} for {square}: each side throws "
                    "and adds its piece's value, {attack} and {defence}."
                ),
                attacker=self.kind(attacker.kind, rules),
                side=self.side(attacker.side),
                defender=self.kind(defender.kind, rules),
                square=format_square(fight.square),
                attack=rules.worth(attacker.kind),
                defence=rules.worth(defender.kind),
            )
            sentences = [begun, self.say(_("Now the dice are thrown."))]
        return " ".join(
            [
                *sentences,
                self.say(
                    _(
                        "(Type `duel`; with dice of your own `duel 7 4`; or who won: `duel "
                        "won`, `duel "
                        "lost`.)"
                    )
                ),
            ]
            if is_typed
            else sentences
        )

    def _over(self, view: View) -> list[str]:
        """Return how the game has ended and what it has cost; nothing while it goes on."""
        if view.ending is None:
            return []
        account = [] if view.terms.account is None else [self.account(view.terms.account)]
        return [self.ending(view.ending), *account]

    def account(self, account: Account) -> str:
        """Return who has gained how much."""
        gains = {side: account.balance(side) for side in Side}
        side = max(Side, key=gains.__getitem__)
        if not gains[side]:
            return self.say(_("The account is even."))
        return self.say(
            _("The account: {side} gains {tokens}."),
            side=self.side(side),
            tokens=gains[side],
        )

    def _placing(self, placing: Placing, rules: Rules) -> str:
        piece = PIECES.get(placing.letter)
        return self.say(
            _("{side}{piece}s: {stand} of {total}. Put one on each of {squares}.")
            if placing.total > 1
            else _("{side}{piece}: put it on {squares}."),
            side="" if piece is None else f"{self.side(piece.side)}, ",
            piece=self.thing(placing.letter, rules),
            stand=placing.stand,
            total=placing.total,
            squares=", ".join(map(format_square, placing.squares)),
        )

    def question(self, question: Question, is_typed: bool = False, is_past: bool = False) -> str:
        """Return what the players are asked, and what can be typed where no touch answers.

        That is so once play has gone on, too, and what is asked about `is_past`.
        """
        what = (
            _("Which piece went to {end}: {squares}?")
            if question.from_square is None
            else _("Where did the piece from {start} go: {squares}? Lift it there and put it back.")
        )
        if question.from_square is not None and is_past:
            what = _("It is still open where the piece from {start} went: {squares}.")
        elif question.from_square is not None and len(question.candidates) == 1:
            what = _(
                "Did the piece from {start} take on {squares}? Lift it there and put it back, "
                "or just play."
            )
        asked = self.say(
            what
            if question.is_ply
            else _("Where is the Juggernaut: {squares}? Lift it there and put it back."),
            start=question.from_square,
            end=question.to_square,
            squares=self.say(_(" or ")).join(question.candidates),
        )
        denial = next(filter(question.denies, question.candidates), None)
        if denial is not None:
            still = self.say(_("({square}: it has not been moved.)"), square=denial)
            asked = f"{asked} {still}"
        is_touched = question.from_square is not None and not is_past
        if not is_typed or is_touched or not question.is_ply:
            return asked
        typed = self.say(_("Type e.g. `answer {first}`."), first=question.candidates[0])
        return f"{asked} {typed}"

    def _why_not(self, view: View) -> list[str]:
        """Return why the piece that is to go back may not stand where it was put, in play."""
        step, position = view.leading.repair, view.position
        if view.phase is not Phase.PLAYING or step is None:
            return []
        start, end = step.to_square, step.from_square
        piece = None if start is None else position.piece_at(start)
        if start is None or end is None or piece is None or piece.side is not position.side:
            return []
        return [sentences(explain(position, start, end), position.rules, self.translate)]

    def _repair(self, step: HandMove, rules: Rules) -> str:
        start = "" if step.from_square is None else format_square(step.from_square)
        end = "" if step.to_square is None else format_square(step.to_square)
        what = (
            _("Put the {piece} on {end}.")
            if not start
            else _("Put the {piece} from {start} on {end}.")
            if end
            else _("Take the {piece} off {start}.")
        )
        return self.say(what, piece=self.thing(step.letter, rules), start=start, end=end)

    def _wires(self, square: Square) -> str:
        row, column = divmod(self._switch_of[square], MATRIX_COLUMNS)
        return self.say(
            _("Check it and its wires: row {row}, column {column} of the matrix."),
            row=row + 1,
            column=column + 1,
        )
