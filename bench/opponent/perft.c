/* Counts the sequences of legal plies, to compare these moves with those of the Python rules. */

#include "jetan.h"

static int64_t perft(const struct law *law, const struct position *position, int depth)
{
    const struct army *ours = &position->armies[position->side];
    mask ends[MOST_MEN + 1], escapes = 0, threats;
    int64_t total = 0;
    int pieces = ours->count;

    if (position->ended != GOES_ON)
        return 0;
    men_ends(law, position, ends);
    if (ours->princess != NOBODY) {
        princess_ends(law, position, &ends[pieces], &escapes, &threats);
        ends[pieces++] |= escapes;
    }
    for (int at = 0; at < pieces; at++) {
        bool is_princess = at == ours->count;
        int here = is_princess ? ours->princess : ours->men[at];

        if (depth == 1) {
            total += count(ends[at]);
            continue;
        }
        for (mask left = ends[at]; left; left &= left - 1) {
            int to = lowest(left);
            struct position after;

            play(law, position, is_princess ? NOBODY : at, here - square_of(here) + to,
                 is_princess && escapes & bit_of(to), false, &after);
            total += perft(law, &after, depth - 1);
        }
    }
    return total;
}

/* How many sequences of `depth` plies are legal, as `perft` of `rules` counts them. */
int64_t jetan_perft(struct law *law, const struct standing *standing, int32_t depth)
{
    struct position position;

    law->visible = NULL;
    set_up(&position, standing);
    return depth ? perft(law, &position, depth) : 1;
}
