/* A game at random as the search plays it, with what a node carries found anew at each ply. */

#include <string.h>

#include "tree.h"

struct tree *jetan_tree_new(struct law *law, const struct keys *keys, const struct weights *weights,
                            const struct standing *standing, const uint64_t *earlier,
                            int32_t earlier_count, double unseen, uint64_t seed, int64_t most,
                            int32_t contempt, int32_t is_plain, const struct net *net);
void jetan_tree_free(struct tree *tree);

int32_t netted_size(void)
{
    return sizeof(struct net);
}

/* Returns after how many plies it is over, or -1 where something differs; *corrects is of the first, *digest of
 * all that the net says. */
int32_t netted_game(struct law *law, const struct keys *keys, const struct weights *weights,
                    const struct standing *standing, const struct net *net, uint64_t chance, int32_t plies,
                    int32_t *corrects, uint64_t *digest)
{
    static struct choice choices[MOST_MEN * SQUARES];
    struct tree *tree = jetan_tree_new(law, keys, weights, standing, NULL, 0, 0, 0, 2, 0, false, net);
    struct node node = tree->root, after, anew;
    int32_t ply = 0;

    law->visible = NULL;
    *corrects = net_corrects(net, &node);
    for (; ply < plies && node.position.ended == GOES_ON; ply++) {
        struct picker picker;
        mask ends[MOST_MEN];
        uint64_t found = 0;

        tree->rank_end = tree->ranks;
        men_ends(law, &node.position, ends);
        pick_from(&picker, tree, &node, ends, NO_HINT, EVERYTHING);
        while (pick_next(&picker, &choices[found]))
            found++;
        if (!found)
            break;
        chance = chance * 6364136223846793005u + 1442695040888963407u;
        follow_choice(tree, &node, &choices[(chance >> 33) % found], &after);
        anew = after;
        memset(anew.seen, 0, sizeof anew.seen);
        root_at(tree, &anew, ply + 1);
        if (memcmp(anew.seen, after.seen, sizeof anew.seen) || anew.key != after.key || anew.score != after.score) {
            ply = -1;
            break;
        }
        node = after;
        *digest = *digest * 6364136223846793005u + (uint64_t)net_corrects(net, &node);
    }
    jetan_tree_free(tree);
    return ply;
}
