/* A plain player to measure strength by: alpha-beta of some plies that counts the values of the
 * pieces and how many squares they reach, and nothing else. It takes captures first, the dearest
 * victim first, and leaves escapes out where there is anything else to play. */

#include <stdlib.h>
#include <string.h>

#include "jetan.h"

#define MATE 100000000
#define PIECE 100 /* a value of 1 */
#define REACHED 2 /* a square */
#define MOST_REACHED 600 /* so much less or more at most */
#define MOST_MOVES 4096
#define MOST_DEPTH 16
#define CAPTURE (1 << 24)

struct plain_move {
    int32_t at, there, is_escape, victim, rank;
};

/* What quiet moves have earned by cutting, and the one that cut last, so many plies from the root.
 * They decide what is tried first, but at the root; so not what is chosen. */
static int32_t credit[POSTS];
static struct plain_move killers[MOST_DEPTH];

static int value_of(const struct law *law, int kind)
{
    return kind == PRINCESS ? 1000 : law->terms.worth[kind];
}

static int evaluate(const struct law *law, const struct position *position, int alpha, int beta)
{
    int total = 0;

    for (int side = 0; side < 2; side++) {
        const struct army *army = &position->armies[side];
        int sign = side == position->side ? 1 : -1;

        for (int at = 0; at < army->count; at++)
            total += sign * PIECE * value_of(law, kind_of(army->men[at]));
    }
    if (total - MOST_REACHED >= beta || total + MOST_REACHED <= alpha)
        return total; /* whatever they reach */
    for (int side = 0; side < 2; side++) {
        const struct army *army = &position->armies[side];
        mask open = ALL & ~(position->occupied ^ position->armies[!side].held);
        int sign = side == position->side ? REACHED : -REACHED;

        for (int at = 0; at < army->count; at++)
            total += sign * count(ends_of(law, army->men[at], position->occupied) & open);
    }
    return total;
}

/* Put the highest rank of those left to the front. */
static void bring_best(struct plain_move *moves, int found)
{
    int best = 0;

    for (int i = 1; i < found; i++)
        if (moves[i].rank > moves[best].rank)
            best = i;
    struct plain_move moved = moves[0];

    moves[0] = moves[best];
    moves[best] = moved;
}

/* Captures, the dearest victim first, then the killer, then the others by credit, or as found. */
static void rank(struct plain_move *moves, int found, int ply)
{
    for (int i = 0; i < found; i++) {
        struct plain_move *move = &moves[i];

        if (move->victim)
            move->rank = CAPTURE + MOST_MOVES * move->victim - i;
        else if (ply && move->there == killers[ply].there)
            move->rank = CAPTURE;
        else
            move->rank = ply ? credit[move->there] : -i;
    }
}

static int list(const struct law *law, const struct position *position, struct plain_move *moves)
{
    const struct army *ours = &position->armies[position->side];
    const struct army *theirs = &position->armies[!position->side];
    mask ends[MOST_MEN + 1], escapes = 0, threats;
    int found = 0, pieces = ours->count;

    men_ends(law, position, ends);
    if (ours->princess != NOBODY)
        princess_ends(law, position, &ends[pieces++], &escapes, &threats);
    for (int escaping = 0; escaping < 2 && !(escaping && found); escaping++)
        for (int at = 0; at < pieces; at++) {
            bool is_royal = at == ours->count;
            int here = is_royal ? ours->princess : ours->men[at];

            for (mask left = !escaping ? ends[at] : is_royal ? escapes : 0; left; left &= left - 1) {
                int to = lowest(left), victim = post_on(theirs, to);

                if (found == MOST_MOVES)
                    return found;
                moves[found] = (struct plain_move){
                    is_royal ? NOBODY : at, here - square_of(here) + to, escaping,
                    victim == NOBODY ? 0 : value_of(law, kind_of(victim)), 0,
                };
                found++;
            }
        }
    return found;
}

static int best_of(const struct law *law, const struct position *position, int depth, int ply, int alpha,
                   int beta, struct plain_move *chosen)
{
    struct plain_move *moves;
    int best = -MATE, found;

    if (position->ended != GOES_ON) {
        enum ended ended = outcome_of(law, position);

        if (ended != BLACK_WON && ended != ORANGE_WON)
            return 0;
        return (ended == ORANGE_WON) == position->side ? MATE - ply : ply - MATE;
    }
    if (depth == 0)
        return evaluate(law, position, alpha, beta);
    moves = malloc(MOST_MOVES * sizeof *moves);
    if (!moves)
        abort();
    found = list(law, position, moves);
    rank(moves, found, ply);
    if (!found)
        best = law->terms.no_move_draws ? 0 : ply - MATE;
    for (int i = 0; i < found; i++) {
        struct position after;
        int value;

        bring_best(&moves[i], found - i);
        play(law, position, moves[i].at, moves[i].there, moves[i].is_escape, false, &after);
        value = -best_of(law, &after, depth - 1, ply + 1, -beta, -(alpha > best ? alpha : best), NULL);
        if (value > best) {
            best = value;
            if (chosen)
                *chosen = moves[i];
        }
        if (best >= beta) {
            if (!moves[i].victim) {
                killers[ply] = moves[i];
                credit[moves[i].there] += depth * depth;
            }
            break;
        }
    }
    free(moves);
    return best;
}

/* The move of a position that does not stand decided: from << 8 | to << 1 | whether it escapes. */
int32_t plain_move(struct law *law, const struct standing *standing, int32_t depth)
{
    struct position position;
    struct plain_move chosen = {0};

    law->visible = NULL;
    set_up(&position, standing);
    memset(killers, 0, sizeof killers);
    memset(credit, 0, sizeof credit);
    best_of(law, &position, depth, 0, -MATE - 1, MATE + 1, &chosen);
    const struct army *ours = &position.armies[position.side];
    int here = chosen.at == NOBODY ? ours->princess : ours->men[chosen.at];

    return square_of(here) << 8 | square_of(chosen.there) << 1 | chosen.is_escape;
}
