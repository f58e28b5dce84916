"""What the reader holds for likely: costs in nats, and patience in seconds at an ordinary pace.

The costs weigh kinds of evidence against each other, so that their order matters and not their
last digit. The times are multiplied by the pace of the hands at this board (see `tempo`).
"""

# A difference that makes one explanation certain against another.
MARGIN = 2.5
# ... and so certain that what was told is taken back.
MARGIN_TO_RETRACT = 4.0
# The best explanation may be so poor that nothing is told by it: the reader has lost its way. Of
# several steps, each further one may be a little poor.
LOST = 8.5
LOST_AGAIN = 4.0
# ... and before, so poor that a switch may have failed: nobody is asked until that is thought of.
POOR = 7.0
# Explanations so much worse than the best are forgotten when the turn has passed.
FORGET = 4.0
# ... and those so much worse are not even looked at.
HOPELESS = 6.0

# A piece in the air now: of those that may act, and any other (knocked over, picked up).
LIFTED = 1.0
LIFTED_OTHER = 2.0
# ... lifted while the other side's piece had been in the air for longer than pieces take to fall.
OUT_OF_TURN = 3.0
FALL_S = 0.6
# Something stands where nothing legal can have come: an illegal move, a piece that rolled.
STRANGER = 7.0
# A piece was lifted and put back; a square was touched in passing.
TOUCH = 2.2
TRANSIT = 0.6
# A switch opened for a moment: of a piece known to flicker, and of one that never did.
FLICKER = 0.1
BLIP = 4.5
# ... and of one that has just come down.
WOBBLE = 1.5
# A capture whose victim was never seen to leave.
UNSEEN = 5.0
# A capture whose victim left for a moment only: sound piece or one that is known to flicker.
UNSEEN_BLIP = 1.0
UNSEEN_FLICKER = 4.0
# Attacker and victim left in one instant and stayed away: rather knocked over together.
KNOCKED = 3.0
# The victim was in the air far longer than the hand needs after lifting the attacker.
LINGERED = 5.0
# The next piece was lifted long before the last was down; pieces came down in the wrong order.
HASTY = 4.5
DISORDER = 8.0
# A piece came down and was off again at once: it was passing.
PASSED = 4.5
# ... and moved on as the ply after the next: rather it slid over that square.
MOVED_ON = 2.5
# A piece was in the air for longer than hands hold one, or put one down between squares.
LONG_AIR = 2.5
# ... and for longer than most hands do.
HELD = 1.0
# More pieces stood on the board after a capture than it left there.
TOO_MANY = 7.0
# What has been told is given up only for something better.
RETRACT = 2.5
# ... and the more so where the piece has not been lifted since.
NEVER_LEFT = 6.0
# ... and where people have said that it was played.
ANSWERED = 15.0
# A switch failed just now, and after another had; a piece came down on, or left, one that failed.
FAULT = 9.0
ANOTHER_FAULT = 12.0
# ... and one that followed a moment before.
FOLLOWED_LATELY = 4.0
# ... and one that closed with no piece near.
SPRUNG = 4.0
BLIND_LANDING = 3.0
BLIND_LIFT = 2.4
# Another piece was taken, a while ago, than what came next had spoken for.
ANOTHER_TAKEN = 6.0
# A piece has been in the air, or a stranger on the board, for longer than anyone knocked it over.
NEVER_ROSE = 12.0

# A piece in passing rests for less than this on a square; longer, it was put there.
PASSING_S = 0.4
# A piece that slides over a square is mostly there for less than this.
SLIDING_S = 0.15
# A piece that slides or rolls rests for less than this on a square.
HOLD_S = 0.24
# A ply that may have missed its square by one is told only once it has stood for this: whoever has
# second thoughts mostly takes longer to see it. It is no multiple of the pace: nobody waits for it.
SECOND_THOUGHT_S = 0.68
# A flicker, and the gap of a piece swept away by its attacker, are told apart by this.
FLICKER_S = 0.085
# Contacts of neighbouring squares overlap by so much when a piece slides.
OVERLAP_SLIDE_S = 0.05
# A fast reply is lifted at most so long before the last piece is down.
OVERLAP_REPLY_S = 0.21
# Pieces knocked over go within this of each other; hands take longer for two.
KNOCK_S = 0.26
# How long a victim is away at the most, from its or the attacker's lift to the landing.
VICTIM_S = 1.3
VICTIM_LONG_S = 4.3
# ... and how far apart the two are lifted, victim first and attacker first.
VICTIM_ALONE_S = 2.2
VICTIM_AFTER_S = 1.3
# Hands hold a piece, or leave it between two squares, for no longer than this.
AIR_LONG_S = 4.3
# ... and mostly for less than this.
HELD_S = 1.1
# A piece knocked over stands again within this.
RISE_S = 10.3
# A piece gone for so long has taken one whose leaving was not seen, or fell: the players are asked.
OVERDUE_S = 4.8
# ... later where there is only one that it can have taken.
ONLY_ONE_S = 9.6
# The board must be quiet for so long before a switch is suspected.
SUSPECT_S = 1.0
# How long a hand holds a piece between lift and landing, on the middle.
AIR_S = 0.5
