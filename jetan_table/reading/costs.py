"""What the reader holds for likely: costs in nats, and patience in seconds.

A cost is the natural logarithm of odds against: 0.7 is two to one, 2.3 ten to one, 4.6 a hundred to
one, 7 a thousand to one. All that goes against a hypothesis is added up. `MARGIN` is the measure:
what costs less leaves a rival open, so that the reader waits or asks; what costs 5, twice the
margin, is believed only where every hypothesis that does without it is as odd in other ways. So
the order of these figures matters, and on which side of the margin they stand, not their last
digit.

None is fitted by a program. Most were set by hand on recordings made from tables of times.
Those that physics bounds were set by hand on 4205 plies simulated from physics (six flat
profiles, seeds 1 to 12): a dragged piece was on two squares for 124 ms at most, no piece came
further than to the next square within 29 ms, a reply was lifted 168 ms before the last landing
at most, and by 60 of them at all; four switches were held closed by the magnets beside them,
three of which were looked at, for 14, 21 and 32 s. What a swept piece, a walk, a reply that
overlaps and a held switch cost was set on 7200 plies more (the same profiles, seeds 201 to 210 and
301 to 310), by which games were lost on them. What it costs to pass over a piece that had made way
was set by hand, and held against 6000 more (seeds 7001 to 7010 and 7101 to 7108).
What a switch costs that blinks while a hand is at work, and a victim whose switch does, was set on
those of seeds 8101 to 8112. `bench/reading/evidence.py` counts how often hands do most of it.
What a victim costs that blinked (`UNSEEN_BLIP`) is measured, on 5544 captures of all these seeds;
what pieces cost that fall one after another, a drag that takes long, or a victim that lies beside,
was set on tables of other makes, whose reeds had no axis (seeds 101 to 103).

Names that end in `_S` are seconds, of ordinary hands, and are multiplied by the pace of the hands
at this board (see `habits`) where nothing else is said. All other names are nats.
"""

# ---------------------------------------------------------------- how sure is sure

# 12 to 1: a hypothesis so much better than all that deny a step is told.
MARGIN = 2.5
# 55 to 1: a hypothesis so much better than what has been told makes the reader take that back. To
# say a thing and unsay it is worse than to wait, so more than the margin.
MARGIN_TO_RETRACT = 4.0
# 3 to 1: of two accounts that later play can hardly tell apart any more, the likelier is believed.
LIKELIER = 1.0
# The best hypothesis may be so poor that nothing is told by it: the reader has lost its way. A
# stranger (7) and one piece in the air (1) stay below it, two strangers do not.
LOST = 8.5
# ... and each step after the first that has not been told may add so much.
LOST_AGAIN = 2.0
# ... and so much, where its piece was seen to leave and to come down.
LOST_PLAINLY = 2.9
# Poorer than this, a switch may have failed, and nobody is asked until that is thought of: what one
# stranger costs, and anything odd besides.
POOR = 7.0
# 55 to 1: hypotheses so much worse than the best are forgotten when the turn has passed, and left
# out of the lists that players are asked to choose from. More than the margin: a longer list is
# the cheaper mistake.
FORGET = 4.0
# 400 to 1: those so much worse are not even looked at.
HOPELESS = 6.0

# ---------------------------------------------------------------- what is in the air, or astray

# A piece in the air now that may act, or may be taken by one that does: that is how plies begin.
LIFTED = 1.0
# ... and any other, picked up or knocked over: twice that, and still less than the margin.
LIFTED_OTHER = 2.0
# ... besides, where it left `FALL_S` after one that may act, or long after any other: 20 to 1,
# since it did not fall with it.
OUT_OF_TURN = 3.0
# Pieces that fall together are all down after this.
FALL_S = 0.6
# Something stands where nothing legal can have come. It happens, by an illegal move or a piece that
# rolled, but 1100 to 1: nearly three margins, so that any legal way there is believed first.
STRANGER = 7.0
# ... where it came less than `HOLD_S` ago, while a piece is in the air that may be passing there.
PASSING = 1.0
# A piece has been in the air, or a stranger on the board, for longer than any piece that was
# knocked over (`RISE_S`): more than a failed switch (9), which is then the better hypothesis.
NEVER_ROSE = 12.0

# ---------------------------------------------------------------- changes no step accounts for

# A piece was lifted and put back, 9 to 1: people adjust and hesitate. Just within the margin.
TOUCH = 2.2
# A square was touched in passing, 2 to 1: every slide does.
TRANSIT = 0.6
# ... for longer than a piece that slides stays, but no longer than one that is walked and rests.
RESTED = 1.0
# A switch opened for a moment, where piece or switch is known to flicker: next to nothing.
FLICKER = 0.1
# ... where it never did before, 90 to 1.
BLIP = 4.5
# ... while a hand was at work, 7 to 1: another magnet that comes by weakens what its own does.
BLIP_BESIDE = 2.0
# ... where its piece had just come down, 4 to 1: a piece wobbles as it is set down.
WOBBLE = 1.5

# ---------------------------------------------------------------- how a capture shows

# Its victim was never seen to leave, 150 to 1: twice the margin.
UNSEEN = 5.0
# Its victim left for less than `BLINK_S`, from a switch that never flickered: only 3 to 1 better
# than that another was taken unseen. Of 5544 captures 9 victims blinked, 6 of which were not the
# only ones that could be taken; and of 592 with no gap, 2 made another piece's switch blink.
UNSEEN_BLIP = 4.0
# ... for less than `FLICKER_S`, where piece or switch is known to flicker: hardly better than
# `UNSEEN`, since it would have shown as much by itself.
UNSEEN_FLICKER = 4.0
# Its victim was never seen to leave, but something passed over a square beside: the piece that took
# it, or what was pushed away. 9 to 1: pieces that are swept away mostly leave no gap.
UNSEEN_TRAIL = 2.2
# A piece that the one in the air could take was off its square meanwhile, and not taken, 20 to 1:
# who adjusts a piece has no other in the hand.
PASSED_OVER = 3.0
# A piece was on two squares for longer than one that is dragged mostly is, 20 to 1.
DRAGGED_SLOWLY = 3.0
# A piece that was taken was put down beside its square: it speaks for the capture.
ASIDE = 0.5
# A piece that was pushed over the edge of its square holds the one beside: 12 to 1, besides what it
# costs that it was touched, for a sleeve does that, and is rarer than a hand.
SHIFTED = 2.5
# A third piece left in one instant with attacker and victim, and stayed away, 20 to 1: rather they
# were knocked over together.
KNOCKED = 3.0
# ... or only those two, the victim to be put up later: 3 to 1. Of 28 such, simulated from physics,
# 25 were captures by two hands whose owner thought; but what falls is put up again in any order.
BOTH_KNOCKED = 1.0
# The victim left in one instant with a piece that was put up again: 150 to 1, both fell.
FELL_ALONG = 5.0
# Attacker and victim left far apart, or the victim's square was empty for far longer than a hand
# takes to put the attacker there: 150 to 1.
LINGERED = 1.5
THOUGHT = 0.5
THOUGHT_S = 2.0

# As many pieces stood on the board after a capture as before: what was taken does not come back.
# As unlikely as a stranger.
TOO_MANY = 7.0
# Some plies ago another piece was taken than what came next spoke for: 400 to 1.
ANOTHER_TAKEN = 6.0
# ... though nothing was odd about that but that other pieces were touched: 55 to 1 besides.
CLEARLY_TAKEN = 4.0

# ---------------------------------------------------------------- the order of turns

# A piece was lifted before the one it replies to was down, 7 to 1: quick people do, mostly not.
OVERLAPPED = 2.0
# ... long before, 90 to 1.
HASTY = 4.5
# A piece was seen on its square only after the reply had been lifted, 240 to 1: of 1,816 plies on
# boards whose reeds have an axis 7 were.
SHOWN_LATE = 5.5
# A reply was lifted together with what it replies to, 7 to 1 besides: rather both are of one
# capture.
TOGETHER = 2.0
# Pieces came down in the wrong order, or the neutral one left before the ply was over that it is
# rolled for: 3000 to 1, more than a stranger.
DISORDER = 8.0
# ... by less than `NECK_AND_NECK_S`, 12 to 1: a quick reply may be down first.
NECK_AND_NECK = 2.5
# A piece came down and was off again at once, into the air, 90 to 1: rather it was passing.
PASSED = 4.5
# ... and moved on as the ply after the next, after longer than `SLIDING_S`: 12 to 1, rather it slid
# over that square.
MOVED_ON = 2.5
# ... where it was there for less than `INSTANT_S`: 3000 to 1, it was never put down.
NEVER_DOWN = 8.0
# A piece went further than to the next square within `SHORT_FLIGHT_S`, 7 to 1.
SHORT_FLIGHT = 2.0
# A piece was in the air for longer than `AIR_LONG_S`, 12 to 1.
LONG_AIR = 2.5
# ... for longer than `HELD_LONG_S` before what it takes is taken up, 150 to 1: as much as that it
# took another unseen by then. Of 686 pieces one was held for as long.
HELD_LONG = 5.0
# ... and for longer than `HELD_S`, 3 to 1: well within the margin, hands do that.
HELD = 1.0

# ---------------------------------------------------------------- giving up what was told

# For each step that is given up: as much as the margin, on top of it.
RETRACT = 2.5
# ... and once where the piece of the first of them was not seen to leave again: 400 to 1.
NEVER_LEFT = 6.0
# ... or where people have said that it was played: more than a board that makes no sense.
ANSWERED = 30.0

# ---------------------------------------------------------------- switches that fail

# A switch has failed just now, 8000 to 1. More than a stranger (7), so that an illegal move is
# believed first; less than a stranger and a touch, so that it takes one oddity more.
FAULT = 9.0
# ... where it has stuck among pieces, 245 to 1: their magnets may hold it, sound as it is.
HELD_BESIDE = 5.5
# ... for each that has failed before it: two failures at once are all but ruled out.
ANOTHER_FAULT = 12.0
# ... where it followed a moment before, 55 to 1.
FOLLOWED_LATELY = 4.0
# ... where it closed with no piece in the air, 55 to 1: rather a piece came there from a switch
# that has stuck.
SPRUNG = 4.0
# A piece came down on a switch that has failed, 20 to 1: one square of many.
BLIND_LANDING = 3.0
# ... or left one, 11 to 1: a little less than the margin.
BLIND_LIFT = 2.4
# ... or one that is known to have failed, 6 to 1: with a step that surprises besides (an escape)
# still likelier than something from nowhere, by the margin.
KNOWN_BLIND_LIFT = 1.8
# A piece left a switch that the magnets beside it held closed, and that was seen open only when one
# of them was moved: 650 to 1.
HELD_CLOSED = 6.5

# ---------------------------------------------------------------- how long things last

# A square touched in passing is occupied for less than this; one put there stays for longer.
PASSING_S = 0.4
# ... by a piece that slides without a pause, mostly for less than this.
SLIDING_S = 0.15
# ... and nothing is put down and taken up again within this.
INSTANT_S = 0.1
# A piece that goes further than to the next square takes longer than this: 45 mm in 12 ms.
NO_FLIGHT_S = 0.025
# ... and mostly longer than this: of 2740 that did, by hands of all kinds, 1 in 100 was quicker.
SHORT_FLIGHT_S = 0.055
# A knock against the table shakes switches for no longer than this ...
SHOCK_S = 0.35
# ... and all that it shakes begin within this of each other, which no hand can do.
AT_ONCE_S = 0.06
# ... and what changes after all has been still for this is none of it.
STILL_S = 0.1
# A piece that is pushed over the edge of its square is between both for no longer than this.
SHIFTED_S = 0.3
# Whoever puts a taken piece beside its square has done so within this of taking it up.
ASIDE_S = 1.0
# A piece that is walked to a capture has come there within this.
WALKED_S = 1.5
# A piece that was pushed from its square by the one that takes it is off the board within this.
EXIT_S = 3.0
# Landings in the wrong order by less than this are those of two hands at once.
NECK_AND_NECK_S = 0.1
# Who has put a piece down moves it on no sooner: the other side plays meanwhile.
MOVED_ON_S = 0.3
# Two that are lifted by one player's two hands are lifted within this of each other.
TOGETHER_S = 0.06
# No piece that was lifted has come down sooner on a piece that it takes.
SHORTEST_S = 0.15
# Who has lost the way searches on once nothing has changed for this.
QUIET_S = 0.1
# The way back is sought once nothing has changed for this ...
CALM_S = 0.5
# ... and the board has made no sense for this.
ASTRAY_S = 1.5
# What has stood for this is told: longer than pieces that slide or roll rest on a square.
HOLD_S = 0.24
# A piece that is walked square by square and may have further to go rests for less than this on
# each: hands that count tap every square. No multiple of the pace either.
COUNTED_S = 0.85
# A shorter gap is a flicker; a longer one that of a piece swept away by its attacker.
FLICKER_S = 0.085
# A gap on the victim's square shorter than this leaves a doubt. It is no multiple of the pace.
BLINK_S = 0.03
# Contacts of neighbouring squares overlap by so much when a piece slides. Reeds do that, not arms:
# quick hands make it no shorter.
OVERLAP_SLIDE_S = 0.05
# ... where it is dragged slowly over the edge: its own square is left so long after it came to the
# next.
DRAGGED_S = 0.13
# ... or, once in 9000 plies, for so much longer.
DRAGGED_SLOWLY_S = 0.15
# A fast reply is lifted at most so long before the last piece is down; quick hands make that no
# shorter either.
OVERLAP_REPLY_S = 0.21
# Pieces knocked over go within this of each other; hands take longer for two.
KNOCK_S = 0.26
# From when the later of attacker and victim left to the landing: longer, and both left at once,
# they were rather knocked over.
VICTIM_S = 1.3
# How long the victim's square is empty at the most, where the attacker was lifted first; and how
# long before the capture is over its victim may have been put down beside its square.
VICTIM_LONG_S = 4.3
# How far apart the two are lifted at the most, victim first ...
VICTIM_ALONE_S = 2.2
# ... and attacker first.
VICTIM_AFTER_S = 1.3
# Hands hold a piece, or leave it between two squares, for no longer than this.
AIR_LONG_S = 4.3
# ... and mostly for less than this.
HELD_S = 1.1
# ... while people think with a piece in the hand. Nobody's pace.
HELD_LONG_S = 7.0
# ... and what that says is weighed again when it has been there for so much longer.
WEIGHED_AGAIN_S = (0.1, 1.0, 3.0)
# A piece knocked over stands again within this, of the slowest that these hands may still be.
RISE_S = 10.3
# What nobody saw leave has stood for longer than an illegal move mostly does. A multiple of pace.
FIRM_S = 4.8
# A sound switch may be held closed by the magnets beside it after its piece has gone, mostly until
# one of them is moved: one that seems to have stuck is not named sooner, for each of them. Nobody's
# pace.
HELD_CLOSED_S = 180.0
# The board must be quiet for so long before a switch is suspected.
SUSPECT_S = 1.0
# How long a hand holds a piece between lift and landing, on the middle: pace 1 by definition.
AIR_S = 0.5
