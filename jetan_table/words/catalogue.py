"""Everything the table can say, and how it says it in English: one template a sentence.

A template names what is filled in; `words.Speaker` knows what there is to say.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto


class Say(Enum):
    """Everything the table can say."""

    BLACK = auto()
    ORANGE = auto()
    TO_MOVE = auto()
    CHECK = auto()
    IN_THE_AIR = auto()
    LEFT_IN_THE_AIR = auto()
    LEFT_WRONG = auto()
    WISH = auto()
    WISH_TAKES = auto()
    ADVICE_COMES = auto()
    ADVICE_PIECE = auto()
    ADVICE_MOVE = auto()
    SET_UP = auto()
    OR_RIGHT = auto()
    GESTURE_RESIGN = auto()
    GESTURE_DRAW = auto()
    GESTURE_TAKE_BACK = auto()
    GESTURE_PAUSE = auto()
    GESTURE_NEW_GAME = auto()
    ASK_CORNER = auto()
    ASK_BESIDE = auto()
    TURNED = auto()
    LIES_RIGHT = auto()
    OFFERS_DRAW = auto()
    ANSWER_DRAW = auto()
    DRAW_DECLINED = auto()
    PLACE = auto()
    PLACE_ONE = auto()
    ASK_WHERE = auto()
    ASK_WHICH = auto()
    ASK_WHETHER = auto()
    ASKED_BEFORE = auto()
    OR_ANSWER = auto()
    ASK_JUGGERNAUT = auto()
    OR = auto()
    MOVE_HOME = auto()
    PUT = auto()
    TAKE_AWAY = auto()
    SOMETHING = auto()
    STUCK = auto()
    DEAD = auto()
    FOLLOWS = auto()
    WIRE = auto()
    WINS = auto()
    DRAWN = auto()
    LEFT = auto()
    TROUBLE = auto()
    NOTE = auto()
    PLY_GOES = auto()
    PLY_TAKES = auto()
    PLY_FLEES = auto()
    NO_VOICE = auto()
    CONFIRMED = auto()
    TAKEN_BACK = auto()
    ASKED = auto()
    WANDERED = auto()
    RECALLED = auto()
    FIGHT = auto()
    FIGHT_TIED = auto()
    FIGHT_DUE = auto()
    TYPE_DUEL = auto()
    DUEL_LOST = auto()
    DUEL_THROWN = auto()
    DUEL_THROWN_BY_HAND = auto()
    DUEL_TOLD_WON = auto()
    DUEL_TOLD_LOST = auto()
    ROLL_DUE = auto()
    ROLL_AGAIN = auto()
    START_DUE = auto()
    TYPE_START = auto()
    TYPE_ROLL = auto()
    ROLL_SENDS = auto()
    COMMITTED = auto()
    NUMBER_ADDED = auto()
    ROLLED = auto()
    ROLLED_BY_HAND = auto()
    REVEALED = auto()
    CORRECTED = auto()
    CLOCK_AGREED = auto()
    NO_CLOCK_AGREED = auto()
    CONDUCT_AGREED = auto()
    FRIENDLY = auto()
    STRICT = auto()
    TOURNAMENT = auto()
    ARBITER = auto()
    PAUSED = auto()
    RESUMED_PLAY = auto()
    WAS_OFF = auto()
    CLOCKS = auto()
    CLOCK_STANDS = auto()
    LOW = auto()
    TOUCHED = auto()
    MUST_MOVE = auto()
    RELEASED = auto()
    FIXED = auto()
    FIRST_ROLL = auto()
    FIRST_CHOICE = auto()
    BIAS_ROLL = auto()
    BIAS_CHOICE = auto()
    TYPE_FIRST = auto()
    TYPE_BIAS = auto()
    SERIES = auto()
    WAGER = auto()
    FOR_THE_BIAS = auto()
    TO_SETTLE = auto()
    BEGINS = auto()
    CROSSED = auto()
    CLOCKWISE = auto()
    COUNTERCLOCKWISE = auto()
    AGREED = auto()
    CHOSEN = auto()
    BY_TABLE = auto()
    BY_HAND = auto()
    GAINS = auto()
    EVEN = auto()
    FOR_NOTHING = auto()
    HEADS = auto()
    SERIES_STANDS = auto()
    PLAYER_STANDS = auto()
    BEGUN = auto()
    RESUMED = auto()
    DAMAGED = auto()
    SET_ASIDE = auto()
    GAME_DONE = auto()
    READ_RIGHTLY = auto()
    MISREAD = auto()
    DISK = auto()
    SERVED = auto()
    SERVED_OPEN = auto()
    PIN = auto()
    OFFER_LAN = auto()
    STOP = auto()
    HINT_PLAY = auto()
    HINT_BOARD = auto()
    HINT_WATCH = auto()
    HINT_PAGE = auto()


ENGLISH: Mapping[Say, str] = {
    Say.BLACK: "Black",
    Say.ORANGE: "Orange",
    Say.TO_MOVE: "{side} to move.",
    Say.CHECK: "{side} to move, and in check: the Princess or the Chief could be taken.",
    Say.IN_THE_AIR: "In the air: {pieces}.",
    Say.LEFT_IN_THE_AIR: "You were in the middle of {pieces}: put it where it was to go, or back.",
    Say.LEFT_WRONG: "The table was off, and the board does not stand right.",
    Say.WISH: "I play {move}: please put the {piece} on {end} for me.",
    Say.WISH_TAKES: "I play {move}: please take the {victim} with the {piece} for me.",
    Say.ADVICE_COMES: "I think about a hint.",
    Say.ADVICE_PIECE: "Hint: think about the {piece}.",
    Say.ADVICE_MOVE: "Hint: {move}.",
    Say.SET_UP: "The board does not stand right yet.",
    Say.OR_RIGHT: "(If the board is right and a switch is not: `right`.)",
    Say.GESTURE_RESIGN: "{side} gives up when the light is full. Putting one back calls it off.",
    Say.GESTURE_DRAW: "{side} asks for a draw when the light is full."
    " Putting one back calls it off.",
    Say.GESTURE_TAKE_BACK: "The last ply is taken back when the light is full."
    " Putting one back calls it off.",
    Say.GESTURE_PAUSE: "The clock stops, or runs again, when the light is full."
    " Putting one back calls it off.",
    Say.GESTURE_NEW_GAME: "Another game begins when the light is full. Lifting one calls it off.",
    Say.ASK_CORNER: "Does the board lie turned? Touch Black's left corner, a1: {squares}."
    " Lift the piece there and put it back.",
    Say.ASK_BESIDE: "And where is b1, beside it: {squares}? Lift the piece there and put it back.",
    Say.TURNED: "the board lies turned: a1 was called {a1}, b1 was called {b1}",
    Say.LIES_RIGHT: "the board lies as the table thought",
    Say.OFFERS_DRAW: "{side} offers a draw.",
    Say.ANSWER_DRAW: "({side} types `accept` or `decline`, or just plays on.)",
    Say.DRAW_DECLINED: "the draw is declined",
    Say.PLACE: "{side}{piece}s: {stand} of {total}. Put one on each of {squares}.",
    Say.PLACE_ONE: "{side}{piece}: put it on {squares}.",
    Say.ASK_WHERE: "Where did the piece from {start} go: {squares}? Lift it there and put it back.",
    Say.ASK_WHICH: "Which piece went to {end}: {squares}?",
    Say.ASKED_BEFORE: "It is still open where the piece from {start} went: {squares}.",
    Say.ASK_WHETHER: "Did the piece from {start} take on {squares}?"
    " Lift it there and put it back, or just play.",
    Say.OR_ANSWER: "Type e.g. `answer {first}`.",
    Say.ASK_JUGGERNAUT: "Where is the Juggernaut: {squares}? Lift it there and put it back.",
    Say.OR: " or ",
    Say.MOVE_HOME: "Put the {piece} from {start} on {end}.",
    Say.PUT: "Put the {piece} on {end}.",
    Say.TAKE_AWAY: "Take the {piece} off {start}.",
    Say.SOMETHING: "piece",
    Say.STUCK: "The switch under {square} is stuck: the table plays on without it.",
    Say.DEAD: "The switch under {square} is dead: the table plays on without it.",
    Say.FOLLOWS: "The switch under {square} follows again: it counts again.",
    Say.WIRE: "Check it and its wires: row {row}, column {column} of the matrix.",
    Say.WINS: "{side} wins: {why}.",
    Say.DRAWN: "A draw: {why}.",
    Say.LEFT: "The game was left.",
    Say.TROUBLE: "Nothing is confirmed now. {why}",
    Say.NOTE: "Note: {note}.",
    Say.PLY_GOES: "{piece} {start} to {end}",
    Say.PLY_TAKES: "{piece} {start} takes on {end}",
    Say.PLY_FLEES: "{piece} {start} flees to {end}",
    Say.NO_VOICE: "The table cannot speak: espeak-ng is not installed.",
    Say.CONFIRMED: "confirmed {number} {move}",
    Say.TAKEN_BACK: "taken back {number}",
    Say.ASKED: "asked {number}: {squares}?",
    Say.WANDERED: "Juggernaut after {number}: {square}",
    Say.RECALLED: "Juggernaut back after {number}",
    Say.FIGHT: "The {attacker} ({side}) fights the {defender} for {square}: each side throws and "
    "adds its piece's value, {attack} and {defence}.",
    Say.FIGHT_TIED: "{attack} and {defence}: equal, both throw again.",
    Say.FIGHT_DUE: "Now the dice are thrown.",
    Say.TYPE_DUEL: "(Type `duel`; with dice of your own `duel 7 4`; or who won: `duel won`, "
    "`duel lost`.)",
    Say.DUEL_LOST: "The piece that entered {square} has lost the fight.",
    Say.DUEL_THROWN: "duel of {number}: {attack} against {defence}",
    Say.DUEL_THROWN_BY_HAND: "duel of {number}: {attack} against {defence}, thrown by hand",
    Say.DUEL_TOLD_WON: "duel of {number}: won by the piece that entered",
    Say.DUEL_TOLD_LOST: "duel of {number}: lost by the piece that entered",
    Say.ROLL_DUE: "Now the Juggernaut's die is rolled.",
    Say.ROLL_AGAIN: "The die shows {roll}, which leads off the board: roll again.",
    Say.START_DUE: "Before the first ply the die says where the Juggernaut begins.",
    Say.TYPE_START: "(Type `roll`; if your own dice say file e, rank 6: `roll 10 5 6`.)",
    Say.TYPE_ROLL: "(Type `roll`; if your own die shows 3: `roll 3`.)",
    Say.ROLL_SENDS: "The die shows {roll}: the Juggernaut goes to {square}.",
    Say.COMMITTED: "The die has its secret seed. Its SHA-256: {commit}",
    Say.NUMBER_ADDED: "{number} is added to the die's seed",
    Say.ROLLED: "die after {number}: {roll}",
    Say.ROLLED_BY_HAND: "die after {number}: {roll}, thrown by hand",
    Say.REVEALED: "The die's seed was {seed}",
    Say.CORRECTED: "corrected: {position}",
    Say.CLOCK_AGREED: "the clock: {control}",
    Say.NO_CLOCK_AGREED: "no clock",
    Say.CONDUCT_AGREED: "conduct: {conduct}",
    Say.FRIENDLY: "friendly",
    Say.STRICT: "strict, what is touched is moved",
    Say.TOURNAMENT: "tournament, without help, corrected by the arbiter alone",
    Say.ARBITER: "The arbiter's PIN is kept in {path}",
    Say.PAUSED: "The game is paused; a ply, or `resume`, goes on.",
    Say.RESUMED_PLAY: "The pause is over.",
    Say.WAS_OFF: "The table was off: the clock stands until a ply, or `resume`.",
    Say.CLOCKS: "Clock: {black}, {orange}",
    Say.CLOCK_STANDS: "the clock stands",
    Say.LOW: "little time",
    Say.TOUCHED: "touched {square}",
    Say.MUST_MOVE: "Touched, so it must be moved or taken: {pieces}.",
    Say.RELEASED: "what was touched is free again",
    Say.FIXED: "corrected by hand: {fix}",
    Say.FIRST_ROLL: "Roll for who begins: odd is Black, even is Orange.",
    Say.FIRST_CHOICE: "{side} says who begins: lift that side's Chief and put it back.",
    Say.BIAS_ROLL: "Roll for the way over the centre: odd is clockwise, even counterclockwise.",
    Say.BIAS_CHOICE: "{side} says how the centre is crossed: lift and put back your Chief for "
    "clockwise, your Princess for counterclockwise.",
    Say.TYPE_FIRST: "(Or agree: type `begins black` or `begins orange`.)",
    Say.TYPE_BIAS: "(Or agree: type `bias clockwise` or `bias counterclockwise`.)",
    Say.SERIES: "the series {name}",
    Say.WAGER: "played for: stake {stake}, heads {prices}",
    Say.FOR_THE_BIAS: "and the next bias",
    Say.TO_SETTLE: "who begins, and how, is settled before the first ply",
    Say.BEGINS: "{side} begins ({how})",
    Say.CROSSED: "the centre is crossed {way} ({how})",
    Say.CLOCKWISE: "clockwise",
    Say.COUNTERCLOCKWISE: "counterclockwise",
    Say.AGREED: "agreed",
    Say.CHOSEN: "chosen",
    Say.BY_TABLE: "the die shows {face}",
    Say.BY_HAND: "their own die shows {face}",
    Say.GAINS: "The account: {side} gains {tokens}.",
    Say.EVEN: "The account is even.",
    Say.FOR_NOTHING: "The game is played for nothing.",
    Say.HEADS: "Heads lost: Black {black}, Orange {orange}. The stake: {stake}.",
    Say.SERIES_STANDS: "The series {name}, games decided or drawn: {games}",
    Say.PLAYER_STANDS: "{name}: {wins} won, {balance} tokens",
    Say.BEGUN: "a new game: {rules}",
    Say.RESUMED: "Game {game} goes on after {plies} plies.",
    Say.DAMAGED: "The journal was damaged. It is kept as {path}, and a new one begun.",
    Say.SET_ASIDE: "A game cannot be read and is set aside ({why}). A new one begins.",
    Say.GAME_DONE: "Game {game}: {plies} plies, {said}.",
    Say.READ_RIGHTLY: "read as they were played",
    Say.MISREAD: "read otherwise than they were played",
    Say.DISK: "Rows are rings: rim above and below, centre at o; the edges meet, j1 beside a10.",
    Say.SERVED: "The table's page: {url}",
    Say.SERVED_OPEN: "The table's page, for everybody on this network: {url}",
    Say.PIN: "Anyone may watch; changing something takes the PIN {pin}.",
    Say.OFFER_LAN: "For phones and other machines on this network: --lan",
    Say.STOP: "Ctrl-C stops; the game goes on next time.",
    Say.HINT_PLAY: "d2 d3 moves; d2 lifts or puts; ? all words; quit",
    Say.HINT_BOARD: "why d2 d5, back, resign, draw; ? all words; quit",
    Say.HINT_WATCH: "quit",
    Say.HINT_PAGE: "Enter: back to the board",
}
