/* Positions: setting one up, its legal moves, playing one, and how a game ends.
 *
 * A position is two armies. Each has the posts of its pieces, a post being a kind of piece on a
 * square, and the set of squares they hold. Legal ends of a move are those that `reach.c` gives, less
 * the own pieces, less what leaves a royal piece to be taken where the rules forbid that. Playing a
 * move copies the position; nothing is undone. What ends a game is asked of the rules' data: which
 * piece took which royal piece, a side without a move, few pieces left for too long, no capture for
 * too long. The order of pieces in an army is that of the Python army, so that both find alike. */

#include <string.h>

#include "jetan.h"

#define ROYAL_PLACE NOBODY

void set_up(struct position *position, const struct standing *standing)
{
    memset(position, 0, sizeof *position);
    for (int side = 0; side < 2; side++) {
        struct army *army = &position->armies[side];

        army->princess = (int16_t)standing->princess[side];
        army->count = (uint8_t)standing->counts[side];
        army->may_escape = (uint8_t)standing->may_escape[side];
        if (army->princess != NOBODY)
            army->held |= bit_of(square_of(army->princess));
        for (int at = 0; at < army->count; at++) {
            army->men[at] = standing->men[side][at];
            army->held |= bit_of(square_of(army->men[at]));
            if (kind_of(army->men[at]) == CHIEF)
                army->chiefs |= bit_of(square_of(army->men[at]));
        }
    }
    position->side = (uint8_t)standing->side;
    position->juggernaut = (int8_t)standing->juggernaut;
    position->few_counter = (int8_t)standing->few_counter;
    position->quiet_plies = standing->quiet_plies;
    position->occupied = position->armies[0].held | position->armies[1].held;
    if (position->juggernaut != NOBODY)
        position->occupied |= bit_of(position->juggernaut);
}

int place_of(const struct army *army, int square)
{
    for (int at = 0; at < army->count; at++)
        if (square_of(army->men[at]) == square)
            return at;
    return army->princess != NOBODY && square_of(army->princess) == square ? ROYAL_PLACE : MOST_MEN;
}

int post_on(const struct army *army, int square)
{
    int at = place_of(army, square);

    return at == MOST_MEN ? NOBODY : at == ROYAL_PLACE ? army->princess : army->men[at];
}

mask reach_of(const struct law *law, const struct army *army, mask occupied)
{
    mask ends = 0;

    for (int at = 0; at < army->count; at++)
        ends |= ends_of(law, army->men[at], occupied);
    if (law->terms.princess_takes && army->princess != NOBODY)
        ends |= ends_of(law, army->princess, occupied);
    return ends;
}

static bool reaches(const struct law *law, int post, mask occupied, mask wanted)
{
    return law->posts[post].every & wanted && ends_of(law, post, occupied) & wanted;
}

/* Whether the side `by` could take the other's Princess, or its Chief with its own Chief. */
static bool can_take_royal(const struct law *law, const struct position *position, int by)
{
    const struct army *hunters = &position->armies[by], *prey = &position->armies[!by];
    mask princess = prey->princess == NOBODY ? 0 : bit_of(square_of(prey->princess)), chiefs = 0;

    for (int at = 0; at < prey->count; at++)
        if (kind_of(prey->men[at]) == CHIEF)
            chiefs |= bit_of(square_of(prey->men[at]));
    for (int at = 0; at < hunters->count; at++) {
        int post = hunters->men[at];
        mask wanted = kind_of(post) == CHIEF ? princess | chiefs : princess;

        if (reaches(law, post, position->occupied, wanted))
            return true;
    }
    return law->terms.princess_takes && hunters->princess != NOBODY &&
           reaches(law, hunters->princess, position->occupied, princess);
}

/* Drop the ends that leave a royal piece to be taken. */
static mask safe_ends(const struct law *law, const struct position *position, int at, int here,
                      mask ends)
{
    struct position lifted = *position;

    /* A man who is no royal piece uncovers one by leaving his square, or not at all. */
    if (at != ROYAL_PLACE && kind_of(here) != CHIEF) {
        lifted.occupied ^= bit_of(square_of(here));
        if (!can_take_royal(law, &lifted, !position->side))
            return ends;
    }
    for (mask left = ends; left; left &= left - 1) {
        struct position after;

        play(law, position, at, here - square_of(here) + lowest(left), false, false, &after);
        if ((after.ended == GOES_ON || after.ended == COUNTED_OUT) &&
            can_take_royal(law, &after, after.side))
            ends ^= left & -left;
    }
    return ends;
}

static mask lawful(const struct law *law, const struct position *position, int at, int here, mask ends)
{
    const struct army *theirs = &position->armies[!position->side];

    if (law->terms.chief_by_other == CHIEF_FORBIDDEN && kind_of(here) != CHIEF)
        for (int foe = 0; foe < theirs->count; foe++)
            if (kind_of(theirs->men[foe]) == CHIEF)
                ends &= ~bit_of(square_of(theirs->men[foe]));
    return law->terms.mate_ends ? safe_ends(law, position, at, here, ends) : ends;
}

mask men_ends(const struct law *law, const struct position *position, mask *ends)
{
    const struct army *ours = &position->armies[position->side];
    mask occupied = position->occupied, any = 0;
    mask open = ALL & ~(occupied ^ position->armies[!position->side].held);
    bool is_plain = law->terms.chief_by_other != CHIEF_FORBIDDEN && !law->terms.mate_ends;

    for (int at = 0; at < ours->count; at++) {
        ends[at] = ends_of(law, ours->men[at], occupied) & open;
        if (!is_plain)
            ends[at] = lawful(law, position, at, ours->men[at], ends[at]);
        any |= ends[at];
    }
    return any;
}

void princess_ends(const struct law *law, const struct position *position, mask *steps, mask *escapes,
                   mask *threatened)
{
    const struct terms *terms = &law->terms;
    const struct army *ours = &position->armies[position->side];
    const struct army *theirs = &position->armies[!position->side];
    int here = ours->princess;
    mask occupied = position->occupied, bit = bit_of(square_of(here));
    mask threats = reach_of(law, theirs, occupied ^ bit);
    *threatened = threats;
    mask shut = terms->princess_takes ? occupied & ~theirs->held : occupied;

    if (terms->princess_ends_safe)
        shut |= threats;
    if (terms->crosses_safe)
        *steps = ends_of(law, POSTS + SQUARES * position->side + square_of(here), threats);
    else
        *steps = ends_of(law, here, occupied);
    *steps = lawful(law, position, ROYAL_PLACE, here, *steps & ~shut);
    *escapes = 0;
    if (!ours->may_escape || terms->escape == NO_ESCAPE)
        return;
    if (terms->escape == WHEN_THREATENED && !(threats & bit))
        return;
    shut = terms->escape == UNOCCUPIED ? occupied : occupied | threats;
    *escapes = lawful(law, position, ROYAL_PLACE, here, ALL & ~(shut | *steps));
}

static enum ended won_by(int post)
{
    return post < POSTS / 2 ? BLACK_WON : ORANGE_WON;
}

enum ended taken(const struct law *law, int victim_kind, int by)
{
    if (victim_kind == PRINCESS)
        return won_by(by);
    if (victim_kind != CHIEF)
        return GOES_ON;
    if (kind_of(by) == CHIEF || law->terms.chief_by_other == CHIEF_WINS)
        return won_by(by);
    return law->terms.chief_by_other == CHIEF_DRAWS ? DRAWN : GOES_ON;
}

static int size_of(const struct army *army)
{
    return army->count + (army->princess != NOBODY);
}

static int64_t worth_of(const struct terms *terms, const struct army *army)
{
    int64_t total = army->princess == NOBODY ? 0 : terms->worth[PRINCESS];

    for (int at = 0; at < army->count; at++)
        total += terms->worth[kind_of(army->men[at])];
    return total;
}

static bool are_few_and_equal(const struct terms *terms, const struct position *position)
{
    const struct army *black = &position->armies[0], *orange = &position->armies[1];

    if (size_of(black) > terms->few_men || size_of(orange) > terms->few_men)
        return false;
    if (terms->few_equal == BY_COUNT)
        return size_of(black) == size_of(orange);
    return terms->few_equal == ANY_FEW || worth_of(terms, black) == worth_of(terms, orange);
}

static void count_plies(const struct terms *terms, struct position *after, int few_before)
{
    bool is_out = after->quiet_plies >= terms->captureless_plies;

    after->few_counter = NOBODY;
    if (are_few_and_equal(terms, after)) {
        after->few_counter = (int8_t)(few_before + 1); /* NOBODY before counts 0 now */
        is_out |= after->few_counter >= terms->few_plies;
    }
    if (after->ended == GOES_ON && is_out)
        after->ended = COUNTED_OUT;
}

static void copy_army(struct army *to, const struct army *from)
{
    memcpy(to, from, offsetof(struct army, men) + from->count * sizeof from->men[0]);
}

static void remove_man(struct army *army, int at, int square)
{
    army->held ^= bit_of(square);
    army->chiefs &= ~bit_of(square);
    if (at == ROYAL_PLACE) {
        army->princess = NOBODY;
        return;
    }
    army->count--;
    memmove(army->men + at, army->men + at + 1, (size_t)(army->count - at) * sizeof army->men[0]);
}

void play(const struct law *law, const struct position *before, int at, int there, bool escaping,
          bool duel_lost, struct position *after)
{
    int side = before->side, to = square_of(there);
    struct army *ours = &after->armies[side], *theirs = &after->armies[!side];

    copy_army(ours, &before->armies[side]);
    copy_army(theirs, &before->armies[!side]);
    after->juggernaut = before->juggernaut;
    after->side = (uint8_t)!side;
    after->ended = GOES_ON;
    after->quiet_plies = before->quiet_plies + 1;
    int here = at == ROYAL_PLACE ? ours->princess : ours->men[at];

    if (theirs->held & bit_of(to)) {
        int place = place_of(theirs, to);
        int defender = place == ROYAL_PLACE ? theirs->princess : theirs->men[place];

        after->quiet_plies = 0;
        if (duel_lost) {
            after->ended = (uint8_t)taken(law, kind_of(there), defender);
        } else {
            after->ended = (uint8_t)taken(law, kind_of(defender), there);
            remove_man(theirs, place, to);
        }
    }
    if (duel_lost) {
        remove_man(ours, at, square_of(here));
    } else if (at == ROYAL_PLACE) {
        ours->princess = (int16_t)there;
        ours->may_escape = ours->may_escape && !escaping;
        ours->held ^= bit_of(square_of(here)) ^ bit_of(to);
    } else {
        ours->men[at] = (int16_t)there;
        ours->held ^= bit_of(square_of(here)) ^ bit_of(to);
        if (kind_of(there) == CHIEF)
            ours->chiefs ^= bit_of(square_of(here)) ^ bit_of(to);
    }
    after->occupied = ours->held | theirs->held;
    if (after->juggernaut != NOBODY)
        after->occupied |= bit_of(after->juggernaut);
    count_plies(&law->terms, after, before->few_counter);
}

enum ended outcome_of(const struct law *law, const struct position *position)
{
    const struct army *ours = &position->armies[position->side];
    mask ends[MOST_MEN], steps = 0, escapes = 0, threats;

    if (position->ended != GOES_ON && position->ended != COUNTED_OUT)
        return position->ended;
    if (men_ends(law, position, ends))
        return position->ended;
    if (ours->princess != NOBODY)
        princess_ends(law, position, &steps, &escapes, &threats);
    if (steps || escapes)
        return position->ended;
    if (!law->terms.mate_ends && law->terms.no_move_draws)
        return DRAWN;
    return position->side ? BLACK_WON : ORANGE_WON;
}
