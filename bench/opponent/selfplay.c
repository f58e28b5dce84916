/* Whole games of the search against itself, as `Search` in Python plays them by positions searched:
 * the piece-square table of `evaluation.py`, the choice at the root of `search.py`, and the moves. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tree.h"

#define DEEPEST 50
#define MOST_BETWEEN 4
#define FEATURES 11
#define FREE 0.75
#define LONGEST 1024
#define FIRST_PLY_NODES 100000 /* as in search.py */

enum feature { PRESENCE, REACH, PLACE, AIM, STRIKE, GUARD, WIDE, EXPOSED, HUNTED, ESCAPE, TEMPO };

struct tree *jetan_tree_new(struct law *law, const struct keys *keys, const struct weights *weights,
                            const struct standing *standing, const uint64_t *earlier,
                            int32_t earlier_count, double unseen, uint64_t seed, int64_t most,
                            int32_t contempt, int32_t is_plain, const struct net *net);
void jetan_tree_free(struct tree *tree);
int32_t jetan_deepen(struct tree *tree, struct choice *choices, int32_t count, int32_t depth, int32_t *value,
                     int64_t ask_at, check_function check);

/* What each piece on each square reaches, laid out as `selfplay.py` writes it. */
struct basis {
    double mean[POSTS];
    double more[POSTS]; /* than that mean; a Princess's than where she reaches least, negative */
    mask ends[POSTS][MOST_BETWEEN]; /* by how many could stand in the way */
};

struct player;

typedef int32_t choose_function(const struct player *player, const struct keys *keys,
                                const struct position *position, const uint64_t *earlier,
                                int32_t earlier_count, int32_t *score);

struct player {
    choose_function *choose; /* of this library, or of another one built like it */
    struct law *law;
    const struct basis *basis;
    double weight[FEATURES];
    int64_t nodes, half;
    double seconds; /* of the processor's time a move; 0: positions bound it */
    int32_t contempt;
    const struct net *net;
};

static double share(const mask *ends, mask zone)
{
    double total = 0, chance = 1;

    for (int between = 0; between < MOST_BETWEEN; between++, chance *= FREE)
        total += chance * count(ends[between] & zone);
    return total;
}

static mask zone_of(const struct law *law, int post)
{
    mask zone = bit_of(square_of(post));

    for (int way = 0; way < WAYS; way++)
        if (law->terms.neighbours[square_of(post)][way] != NOBODY)
            zone |= bit_of(law->terms.neighbours[square_of(post)][way]);
    return zone;
}

static void weigh(const struct player *player, const struct position *position, struct weights *weights)
{
    const double *weight = player->weight;
    mask princess[2] = {0}, chief[2] = {0};

    for (int side = 0; side < 2; side++) {
        const struct army *army = &position->armies[side];

        if (army->princess != NOBODY)
            princess[side] = zone_of(player->law, army->princess);
        for (int at = 0; at < army->count && !chief[side]; at++)
            if (kind_of(army->men[at]) == CHIEF)
                chief[side] = zone_of(player->law, army->men[at]);
    }
    for (int post = 0; post < POSTS; post++) {
        const mask *ends = player->basis->ends[post];
        int side = post / (KINDS * SQUARES);
        double worth = 0;

        if (kind_of(post) != PRINCESS) {
            worth = weight[PRESENCE] + player->basis->mean[post] * weight[REACH];
            worth += player->basis->more[post] * weight[PLACE];
            worth += share(ends, princess[!side]) * weight[AIM];
            worth += share(ends, chief[!side]) * weight[STRIKE];
            worth += share(ends, princess[side]) * weight[GUARD];
        } else {
            worth = player->basis->more[post] * weight[WIDE];
        }
        weights->table[post] = (int32_t)rint(worth);
    }
    for (int side = 0; side < 2; side++) {
        const struct army *enemy = &position->armies[!side];
        int32_t *table = &weights->table[side * KINDS * SQUARES], danger[SQUARES] = {0};

        for (int at = 0; at < enemy->count; at++)
            for (mask left = ends_of(player->law, enemy->men[at], position->occupied); left; left &= left - 1)
                danger[lowest(left)]++;
        for (int square = 0; square < SQUARES; square++) {
            table[CHIEF * SQUARES + square] -= (int32_t)rint(weight[HUNTED] * danger[square]);
            table[PRINCESS * SQUARES + square] -= (int32_t)rint(weight[EXPOSED] * danger[square]);
        }
    }
    weights->escape = (int32_t)rint(weight[ESCAPE]);
    weights->tempo = (int32_t)rint(weight[TEMPO]);
}

static struct standing standing_of(const struct position *position)
{
    struct standing standing = {position->side, position->juggernaut, position->few_counter, position->quiet_plies};

    for (int side = 0; side < 2; side++) {
        const struct army *army = &position->armies[side];

        standing.counts[side] = army->count;
        standing.princess[side] = army->princess;
        standing.may_escape[side] = army->may_escape;
        memcpy(standing.men[side], army->men, sizeof army->men);
    }
    return standing;
}

/* The order of `choices_of` in tree.py. */
#define TAKES ((int64_t)1 << 30)

struct ranked {
    int64_t rank;
    struct choice choice;
};

static int before(const void *one, const void *other)
{
    const struct ranked *a = one, *b = other;

    if (a->rank != b->rank)
        return a->rank < b->rank ? 1 : -1;
    if (a->choice.there != b->choice.there)
        return b->choice.there - a->choice.there;
    return a->choice.at - b->choice.at;
}

static void put_in_order(const struct tree *tree, struct choice *choices, int found)
{
    static struct ranked ranked[MOST_MEN * SQUARES];
    const struct position *position = &tree->root.position;
    const struct army *ours = &position->armies[position->side], *theirs = &position->armies[!position->side];

    for (int i = 0; i < found; i++) {
        struct choice choice = choices[i];
        int here = choice.at == NOBODY ? ours->princess : ours->men[choice.at];
        int victim = post_on(theirs, square_of(choice.there));

        ranked[i] = (struct ranked){choice.gain - (choice.is_escape ? TAKES : 0), choice};
        if (victim != NOBODY)
            ranked[i].rank = TAKES + 8 * tree->weights.table[victim] - tree->weights.table[here];
    }
    qsort(ranked, (size_t)found, sizeof *ranked, before);
    for (int i = 0; i < found; i++)
        choices[i] = ranked[i].choice;
}

#define CHECK_EVERY 500

static bool on_a_clock; /* until then; else positions bound it */
static double until;

static double used(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int64_t ask_again(int64_t nodes)
{
    return on_a_clock && used() < until ? nodes + CHECK_EVERY : -1;
}

/* The move of a search so bounded: from << 8 | to << 1 | whether it escapes. */
int32_t selfplay_choose(const struct player *player, const struct keys *keys, const struct position *position,
                        const uint64_t *earlier, int32_t earlier_count, int32_t *score)
{
    struct standing standing = standing_of(position);
    struct weights weights;
    static struct choice choices[MOST_MEN * SQUARES];
    struct picker picker;
    mask ends[MOST_MEN];
    int found = 0;

    until = used() + player->seconds;
    weigh(player, position, &weights);
    struct tree *tree = jetan_tree_new(player->law, keys, &weights, &standing, earlier, earlier_count, 0, 0,
                                       player->half, player->contempt, false, player->net);

    if (!tree)
        abort();
    on_a_clock = player->seconds > 0;
    player->law->visible = NULL;
    tree->rank_end = tree->ranks;
    men_ends(player->law, position, ends);
    pick_from(&picker, tree, &tree->root, ends, NO_HINT, EVERYTHING);
    while (pick_next(&picker, &choices[found]))
        found++;
    put_in_order(tree, choices, found);
    *score = 0;
    int64_t ask_at = player->nodes > FIRST_PLY_NODES ? player->nodes : FIRST_PLY_NODES;

    for (int depth = 1; depth <= DEEPEST; depth++) {
        if (!jetan_deepen(tree, choices, found, depth, score, ask_at, ask_again) ||
            depth >= WIN - abs(*score) || found == 1)
            break;
        ask_at = on_a_clock ? 0 : player->nodes;
    }
    jetan_tree_free(tree);
    const struct army *ours = &position->armies[position->side];
    int here = choices[0].at == NOBODY ? ours->princess : ours->men[choices[0].at];

    return square_of(here) << 8 | square_of(choices[0].there) << 1 | choices[0].is_escape;
}

/* Play on from a position; `earlier` are the keys of those before it, the first of the game first.
 * Returns how many plies were played; `moves` and what was thought of them, `scores`, have so many
 * places. *ended says how the game came out. */
int32_t selfplay_game(const struct player players[2], const struct keys *keys, const struct standing *standing,
                      const uint64_t *earlier, int32_t earlier_count, int32_t repetition_draws, int32_t most_plies,
                      int32_t *moves, int32_t *scores, int32_t *ended)
{
    static struct tree scratch; /* that a position's key can be found */
    const struct law *law = players[0].law;
    struct node node;
    uint64_t line[LONGEST];
    int32_t plies = 0;

    scratch.keys = keys;
    memcpy(line, earlier, (size_t)earlier_count * sizeof *line);
    set_up(&node.position, standing);
    for (*ended = GOES_ON; plies < most_plies; plies++) {
        struct position *position = &node.position, after;
        const struct army *ours = &position->armies[position->side];

        *ended = position->ended;
        if (*ended == GOES_ON)
            *ended = outcome_of(law, position);
        root_at(&scratch, &node, 0);
        int32_t back = position->quiet_plies < earlier_count ? position->quiet_plies : earlier_count, again = 0;

        for (int32_t i = earlier_count - back; i < earlier_count; i++)
            again += line[i] == node.key;
        if (again == 2 && repetition_draws && *ended == GOES_ON)
            *ended = DRAWN;
        if (*ended != GOES_ON)
            return plies;
        const struct player *player = &players[position->side];

        moves[plies] = player->choose(player, keys, position, &line[earlier_count - back], back, &scores[plies]);
        line[earlier_count++] = node.key;
        int from = moves[plies] >> 8, to = moves[plies] >> 1 & 127, at = place_of(ours, from);
        int here = at == NOBODY ? ours->princess : ours->men[at];

        play(law, position, at, here - from + to, moves[plies] & 1, false, &after);
        *position = after;
    }
    return plies;
}
