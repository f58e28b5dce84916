/* What the tables cannot say: a small net that corrects their sum, for the rules it was trained on.
 *
 * Each side sees the board from its own end. Its view is a sum of rows, one for each piece on its
 * square and for each escape unspent; a move changes two or three of them, so a node has its views
 * from the node before. Cut off below and above, both views weigh into one number, by how many pieces
 * are left. Whole numbers alone: every compiler finds the same. */

#include "tree.h"

#include <string.h>

#define ROW 10
#define TOP 256
#define SCALE 4096

/* The row of a post. Orange's view has the sides exchanged and the ranks turned round. */
static const int16_t *row_of(const struct net *net, int post, int view)
{
    int rank = square_of(post) / ROW;

    return net->posts[view ? (post + POSTS / 2) % POSTS + ROW * (ROW - 1 - 2 * rank) : post];
}

static void add(int16_t *restrict seen, const int16_t *restrict row)
{
    for (int at = 0; at < HIDDEN; at++)
        seen[at] = (int16_t)(seen[at] + row[at]);
}

static void drop(int16_t *restrict seen, const int16_t *restrict row)
{
    for (int at = 0; at < HIDDEN; at++)
        seen[at] = (int16_t)(seen[at] - row[at]);
}

static void move(int16_t *restrict seen, const int16_t *restrict before, const int16_t *restrict from,
                 const int16_t *restrict to)
{
    for (int at = 0; at < HIDDEN; at++)
        seen[at] = (int16_t)(before[at] - from[at] + to[at]);
}

void net_begin(const struct net *net, struct node *node)
{
    for (int view = 0; view < 2; view++) {
        int16_t *seen = node->seen[view];

        memcpy(seen, net->middle, sizeof net->middle);
        for (int side = 0; side < 2; side++) {
            const struct army *army = &node->position.armies[side];

            for (int at = 0; at < army->count; at++)
                add(seen, row_of(net, army->men[at], view));
            if (army->princess != NOBODY)
                add(seen, row_of(net, army->princess, view));
            if (army->may_escape)
                add(seen, net->escapes[side != view]);
        }
    }
}

void net_follow(const struct net *net, const struct node *node, int here, int there, int victim, bool is_escape,
                struct node *after)
{
    for (int view = 0; view < 2; view++) {
        int16_t *seen = after->seen[view];

        move(seen, node->seen[view], row_of(net, here, view), row_of(net, there, view));
        if (victim != NOBODY)
            drop(seen, row_of(net, victim, view));
        if (is_escape)
            drop(seen, net->escapes[node->position.side != view]);
    }
}

static int weighed(const int16_t *restrict seen, const int16_t *restrict out)
{
    int sum = 0;

    for (int at = 0; at < HIDDEN; at++) {
        int16_t cut = seen[at] < 0 ? 0 : seen[at] > TOP ? TOP : seen[at];

        sum += cut * out[at];
    }
    return sum;
}

int net_corrects(const struct net *net, const struct node *node)
{
    int side = node->position.side, phase = phase_of(count(node->position.occupied));
    int sum = TOP * net->base[phase] + weighed(node->seen[side], net->out[phase][0]);

    return (sum + weighed(node->seen[!side], net->out[phase][1])) / SCALE;
}
