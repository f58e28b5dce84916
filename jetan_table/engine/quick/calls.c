/* What Python calls of a tree. */

#include "tree.h"

#include <stdlib.h>
#include <string.h>

void jetan_tree_free(struct tree *tree)
{
    if (!tree)
        return;
    table_end(&tree->table);
    free(tree->line.keys);
    free(tree->ranks);
    free(tree);
}

/* A number from 0 up to 1 that looks like chance, as in `positions.py`. */
static double chance_of(uint64_t seed, uint64_t number)
{
    uint64_t mixed = seed + (number + 1) * 0x9E3779B97F4A7C15u;

    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return (double)((mixed ^ mixed >> 31) >> 11) * 0x1p-53;
}

static void overlook(struct tree *tree, double unseen, uint64_t seed)
{
    for (int at = 0; at < POSTS; at++) {
        const struct post *post = &tree->law->posts[at];
        mask near = post->ways_count ? post->open : 0;

        for (mask left = post->every; left; left &= left - 1) {
            int end = lowest(left);
            double share = near & bit_of(end) ? unseen / 2 : unseen;

            if (chance_of(seed, (uint64_t)(SQUARES * at + end)) >= share)
                tree->visible[at] |= bit_of(end);
        }
    }
}

/* Begin to think about a position. `earlier` are the keys of positions the game has been through,
 * `unseen` the share of long ways a player overlooks, by the chance of `seed`. `most` bounds the
 * transposition table: entries of a half. `contempt`: so much less than nothing a draw is worth to the
 * side to move. `is_plain`: leave nothing out. `net` corrects what positions are worth; NULL: none. NULL
 * without memory. */
struct tree *jetan_tree_new(struct law *law, const struct keys *keys, const struct weights *weights,
                            const struct standing *standing, const uint64_t *earlier,
                            int32_t earlier_count, double unseen, uint64_t seed, int64_t most,
                            int32_t contempt, int32_t is_plain, const struct net *net)
{
    struct tree *tree = calloc(1, sizeof *tree);

    if (!tree)
        return NULL;
    tree->law = law;
    tree->keys = keys;
    tree->weights = *weights;
    tree->contempt = contempt;
    tree->is_plain = is_plain != 0;
    tree->net = net;
    set_up(&tree->root.position, standing);
    root_at(tree, &tree->root, 0);
    tree->rolls = standing->juggernaut != NOBODY;
    tree->chief_ends = !law->terms.is_arena && law->terms.chief_by_other != CHIEF_PLAY_ON;
    memset(tree->killers, 0xFF, sizeof tree->killers); /* NO_HINT */
    memset(tree->answers, 0xFF, sizeof tree->answers);
    tree->root.came = NOBODY;
    tree->sees_all = !unseen;
    if (unseen)
        overlook(tree, unseen, seed);
    int32_t black = standing->counts[0], orange = standing->counts[1];
    size_t men = (size_t)(black > orange ? black : orange) + 1;

    tree->line.keys = calloc((size_t)earlier_count + LINE_LONG, sizeof *tree->line.keys);
    tree->ranks = malloc(men * SQUARES * (MOST_PLIES + 2) * sizeof *tree->ranks);
    if (!table_begin(&tree->table, (size_t)most) || !tree->line.keys || !tree->ranks) {
        jetan_tree_free(tree);
        return NULL;
    }
    for (int32_t i = 0; i < earlier_count; i++)
        line_add(&tree->line, earlier[i]);
    line_add(&tree->line, tree->root.key);
    return tree;
}

/* Search the choices at the root so deep, the best to the front; whether that came to its end.
 * `value` is of the best so far. `check` is asked once `ask_at` nodes were met. A tree that has stopped
 * is done with. */
int32_t jetan_deepen(struct tree *tree, struct choice *choices, int32_t count, int32_t depth, int32_t *value,
                     int64_t ask_at, check_function check)
{
    tree->ask_at = ask_at;
    tree->check = check;
    tree->law->visible = tree->sees_all ? NULL : tree->visible;
    tree->rank_end = tree->ranks;
    tree->horizon = depth + 2;
    if (tree->has_stopped || setjmp(tree->stopped)) {
        tree->has_stopped = true;
        return false;
    }
    forget(tree);
    search_root(tree, choices, count, depth, value);
    return true;
}

/* The best move known of a position, by what it is kept under; NO_HINT where none is. */
int32_t jetan_hint(const struct tree *tree, uint64_t probe)
{
    const struct entry *known = table_find(&tree->table, probe);

    return known ? known->hint : NO_HINT;
}

int64_t jetan_nodes(const struct tree *tree)
{
    return tree->nodes;
}
