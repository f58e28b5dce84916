/* What the Juggernaut's next roll is expected to cost both sides.
 *
 * The die moves the Juggernaut to a neighbour with a chance of one in ten for each way, or to any
 * square of the board with one in ten altogether. It crushes what stands there. A royal piece that is
 * crushed ends the game in a draw, which takes that share from the value; any other piece changes the
 * value by its worth. The result is linear in the value without a roll: value * share - plus. */

#include "tree.h"

#define STEP 0.1
#define TELEPORT (0.1 / SQUARES)

struct odds roll_odds(const struct tree *tree, const struct position *position)
{
    double draw = 0.0, plus = 0.0;
    const int8_t *neighbours = tree->law->terms.neighbours[position->juggernaut];

    for (int foe = 0; foe < 2; foe++) {
        const struct army *army = &position->armies[foe ? !position->side : position->side];
        int royals = army->princess != NOBODY;
        double sign = foe ? STEP : -STEP;

        for (int at = 0; at < army->count; at++)
            royals += kind_of(army->men[at]) == CHIEF;
        draw += TELEPORT * royals;
        for (int way = 0; way < WAYS; way++) {
            int post = neighbours[way] == NOBODY ? NOBODY : post_on(army, neighbours[way]);

            if (post == NOBODY)
                continue;
            if (kind_of(post) >= CHIEF)
                draw += STEP;
            else
                plus += sign * tree->weights.table[post];
        }
    }
    return (struct odds){1 - draw, plus};
}
