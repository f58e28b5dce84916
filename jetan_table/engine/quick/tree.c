/* The search: what a position is worth to the side to move, some plies ahead.
 *
 * It is alpha-beta with the negamax convention: each call returns the value for the side to move, and
 * two bounds, `alpha` and `beta`, say which values still matter. Moves are tried in the order that
 * `order.c` yields. The first is searched with the full window, every later one with an empty window
 * that only asks whether it is better; a move that is gets the full window again (principal variation
 * search). Late quiet moves are searched less deep first, by the logarithms of depth and place, and by
 * what credit they have (late-move reductions); with few plies left the latest are not searched at all.
 * Three shortcuts cut a calm node: its static value stands far above beta, it stays above beta after
 * a pass (null move), or a quiet move cannot lift it to alpha (futility). None is taken while the
 * Princess is threatened, near the end of a counted game, or where a win is at stake; a threatened
 * node is searched a ply deeper, and only by moves that may save her. At depth 0 only captures are
 * played out (quiescence). A plain search leaves nothing out but an escape nobody needs, so that it can
 * be compared with the one in Python.
 * Chance enters as expectation: the die of the Juggernaut and the fights of the arena make a value the
 * mean over outcomes, and the bounds are widened so that the mean is exact within them.
 * A position that has been on the line before counts as a draw, less the contempt of who searches.
 * The search may stop at any node by `longjmp`; then the last depth that was finished counts. */

#include "tree.h"

#include <math.h>
#include <string.h>

#define CAPTURE_MARGIN 30
#define MOST_CAPTURES 4
#define STATIC_MARGIN 70
#define STATIC_DEPTH 5
#define FUTILE_MARGIN 70
#define FUTILE_DEPTH 3
#define NULL_MOVE_DEPTH 3
#define NULL_MOVE_REDUCTION 3
#define NULL_OVER 100
#define FEW_MEN 3
#define THREATS_DEEPEN 2
#define UNHINTED_DEPTH 4
/* Late moves: from which place on, and by how much. */
#define LATE 3
#define ROOT_LATE 4
#define LATE_BASE 32
#define LATE_SLOPE 13
#define LATE_CREDIT 4096
/* So many moves are tried where few plies are left. */
#define PATIENCE_DEPTH 4
#define PATIENCE_BASE 8
#define PATIENCE_SLOPE 3
#define MOST_BLAMED 48
#define UNKNOWN_SCORE INFINITE

static int search(struct tree *tree, const struct node *node, int depth, int alpha, int beta);
static int quiesce(struct tree *tree, const struct node *node, int alpha, int beta);

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static const struct army *ours_of(const struct position *position)
{
    return &position->armies[position->side];
}

static const struct army *theirs_of(const struct position *position)
{
    return &position->armies[!position->side];
}

static void count_node(struct tree *tree)
{
    if (++tree->nodes >= tree->ask_at && (tree->ask_at = tree->check(tree->nodes)) < 0)
        longjmp(tree->stopped, 1);
}

/* The line: positions that have been there before. */

static bool is_in_line(const struct line *line, uint64_t key)
{
    if (!line->slots[key % LINE_SLOTS])
        return false;
    for (size_t at = line->count; at-- > 0;)
        if (line->keys[at] == key)
            return true;
    return false;
}

void line_add(struct line *line, uint64_t key)
{
    uint8_t *slot = &line->slots[key % LINE_SLOTS];

    line->keys[line->count++] = key;
    if (*slot < UINT8_MAX)
        ++*slot;
}

/* A slot that is full stays so: it only says where to look. */
static void line_drop(struct line *line, uint64_t key)
{
    uint8_t *slot = &line->slots[key % LINE_SLOTS];

    line->count--;
    if (*slot < UINT8_MAX)
        --*slot;
}

/* What a position is worth, and its key */

static int evaluate(const struct tree *tree, const struct position *position)
{
    int totals[2] = {0, 0};

    for (int side = 0; side < 2; side++) {
        const struct army *army = &position->armies[side];

        for (int at = 0; at < army->count; at++)
            totals[side] += tree->weights.table[army->men[at]];
        if (army->princess != NOBODY)
            totals[side] += tree->weights.table[army->princess];
        if (army->may_escape)
            totals[side] += tree->weights.escape;
    }
    return totals[position->side] - totals[!position->side];
}

static uint64_t key_of(const struct tree *tree, const struct position *position)
{
    const struct keys *keys = tree->keys;
    uint64_t key = position->side ? keys->side : 0;

    for (int side = 0; side < 2; side++) {
        const struct army *army = &position->armies[side];

        for (int at = 0; at < army->count; at++)
            key ^= keys->posts[army->men[at]];
        if (army->princess != NOBODY)
            key ^= keys->posts[army->princess];
        if (!army->may_escape)
            key ^= keys->escapes[side];
    }
    return position->juggernaut == NOBODY ? key : key ^ keys->juggernaut[position->juggernaut];
}

void root_at(const struct tree *tree, struct node *node, int ply)
{
    node->key = key_of(tree, &node->position);
    node->score = evaluate(tree, &node->position);
    node->ply = ply;
    if (tree->net)
        net_begin(tree->net, node);
}

static uint64_t probe_of(const struct tree *tree, const struct node *node)
{
    int few = node->position.few_counter;

    return few == NOBODY ? node->key : node->key ^ tree->keys->few[few];
}

void follow_choice(const struct tree *tree, const struct node *node, const struct choice *choice, struct node *after)
{
    const struct position *position = &node->position;
    const struct keys *keys = tree->keys;
    const struct army *ours = ours_of(position), *theirs = theirs_of(position);
    int here = choice->at == NOBODY ? ours->princess : ours->men[choice->at];
    int to = square_of(choice->there), victim = theirs->held & bit_of(to) ? post_on(theirs, to) : NOBODY;
    uint64_t key = node->key ^ keys->side ^ keys->posts[here] ^ keys->posts[choice->there];

    if (victim != NOBODY)
        key ^= keys->posts[victim];
    if (choice->is_escape)
        key ^= keys->escapes[position->side];
    play(tree->law, position, choice->at, choice->there, choice->is_escape, false, &after->position);
    after->key = key;
    after->score = -node->score - choice->gain;
    after->ply = node->ply + 1;
    after->came = choice->there;
    if (tree->net)
        net_follow(tree->net, node, here, choice->there, victim, choice->is_escape, after);
}

/* What a node is worth at once to the side to move. */
static int worth_of(const struct tree *tree, const struct node *node)
{
    return tree->net ? node->score + net_corrects(tree->net, node) : node->score;
}

static int draw_for(const struct tree *tree, int side)
{
    return side == tree->root.position.side ? -tree->contempt : tree->contempt;
}

/* The value of a game that is over to the side that would move. */
static int final(const struct tree *tree, const struct position *position, int ply)
{
    enum ended ended = outcome_of(tree->law, position);

    if (ended != BLACK_WON && ended != ORANGE_WON)
        return draw_for(tree, position->side);
    return (ended == ORANGE_WON) == position->side ? WIN - ply : ply - WIN;
}

/* Chance, as expectation */

static int without_roll(struct tree *tree, const struct node *after, int depth, int alpha, int beta)
{
    if (depth <= 0)
        return -quiesce(tree, after, -beta, -alpha);
    return -search(tree, after, depth, -beta, -alpha);
}

/* Bounds of a value v where `share` * v + `plus` is asked for between alpha and beta. */
static void widen(int *alpha, int *beta, double share, double plus)
{
    double low = floor((*alpha - plus) / share) - 1, high = ceil((*beta - plus) / share) + 1;

    *alpha = (int)fmin(fmax(low, -INFINITE), WIN);
    *beta = (int)fmax(fmin(high, INFINITE), -WIN);
}

static int after_roll(struct tree *tree, const struct node *after, int depth, int alpha, int beta)
{
    if (!tree->rolls || after->position.ended != GOES_ON)
        return without_roll(tree, after, depth, alpha, beta);
    struct odds odds = roll_odds(tree, &after->position);

    widen(&alpha, &beta, odds.share, -odds.plus);
    return (int)rint(odds.share * without_roll(tree, after, depth, alpha, beta) - odds.plus);
}

static int fight(struct tree *tree, const struct node *node, const struct choice *choice, int defender,
                 const struct node *after, int depth, int alpha, int beta)
{
    double odds = tree->law->terms.odds[kind_of(choice->there)][kind_of(defender)];
    struct node fallen;

    play(tree->law, &node->position, choice->at, choice->there, false, true, &fallen.position);
    root_at(tree, &fallen, after->ply);
    fallen.came = NOBODY;
    int down = -quiesce(tree, &fallen, -INFINITE, INFINITE);

    if (odds == 0)
        return down;
    double rest = (1 - odds) * down;

    widen(&alpha, &beta, odds, rest);
    return (int)rint(odds * after_roll(tree, after, depth, alpha, beta) + rest);
}

int follow(struct tree *tree, const struct node *node, const struct choice *choice, int depth, int alpha,
           int beta)
{
    struct node after;

    follow_choice(tree, node, choice, &after);
    if (tree->law->terms.is_arena) {
        int defender = post_on(theirs_of(&node->position), square_of(choice->there));

        if (defender != NOBODY && kind_of(defender) != PRINCESS)
            return fight(tree, node, choice, defender, &after, depth, alpha, beta);
    }
    return after_roll(tree, &after, depth, alpha, beta);
}

/* Full width, down to the captures */

/* What of an army it loses the game to give to a piece of some kind: the Princess to any, the Chief to
 * a Chief, and to any where that wins. */
static mask royals(const struct tree *tree, const struct army *army, int by)
{
    mask princess = army->princess == NOBODY ? 0 : bit_of(square_of(army->princess));
    bool is_chief = by == CHIEF || tree->law->terms.chief_by_other == CHIEF_WINS;

    return is_chief && by != PRINCESS && !tree->law->terms.is_arena ? princess | army->chiefs : princess;
}

static bool could_be_taken(const struct tree *tree, const struct position *position, bool princess_alone)
{
    const struct army *ours = ours_of(position), *theirs = theirs_of(position);
    mask princess = royals(tree, ours, PRINCESS), near = 0;

    for (mask left = royals(tree, ours, princess_alone ? PRINCESS : CHIEF); left; left &= left - 1)
        near |= tree->law->around[lowest(left)];
    if (!(theirs->held & near))
        return false;
    for (int at = 0; at < theirs->count; at++) {
        int post = theirs->men[at];

        if (!(bit_of(square_of(post)) & near))
            continue;
        mask prey = princess_alone ? princess : royals(tree, ours, kind_of(post));

        if (tree->law->posts[post].every & prey && ends_of(tree->law, post, position->occupied) & prey)
            return true;
    }
    if (!tree->law->terms.princess_takes || theirs->princess == NOBODY)
        return false;
    return (ends_of(tree->law, theirs->princess, position->occupied) & princess) != 0;
}

static bool is_threatened(const struct tree *tree, const struct position *position)
{
    return could_be_taken(tree, position, false);
}

/* Of what men reach, keep what may save what stands threatened: to take who threatens it, to stand in
 * all of his ways, to go away, or to end the game by taking a Chief. */
static void keep_saving(const struct tree *tree, const struct position *position, mask *ends)
{
    const struct army *ours = ours_of(position), *theirs = theirs_of(position);
    mask useful = ALL, hunted = 0, always = theirs->chiefs;
    int hunters[MOST_MEN + 1], found = 0;

    for (int at = 0; at <= theirs->count; at++) {
        bool is_royal = at == theirs->count;
        int post = is_royal ? theirs->princess : theirs->men[at];

        if (is_royal && (!tree->law->terms.princess_takes || post == NOBODY))
            break;
        mask prey = ends_of(tree->law, post, position->occupied) & royals(tree, ours, kind_of(post));

        if (!prey)
            continue;
        hunted |= prey;
        hunters[found++] = post;
        useful &= tree->law->posts[post].near | bit_of(square_of(post));
    }
    for (int at = 0; at < ours->count; at++) {
        mask from = bit_of(square_of(ours->men[at]));

        if (from & hunted)
            continue;
        mask kept = ends[at] & (useful | always);

        for (mask left = kept & ~theirs->held; left; left &= left - 1) {
            mask to = left & -left, occupied = (position->occupied ^ from) | to;

            for (int hunter = 0; hunter < found; hunter++)
                if (ends_of(tree->law, hunters[hunter], occupied) &
                    royals(tree, ours, kind_of(hunters[hunter]))) {
                    kept ^= to;
                    break;
                }
        }
        ends[at] = kept;
    }
}

static bool is_uncounted(const struct tree *tree, const struct position *position)
{
    return position->few_counter == NOBODY &&
           (int64_t)position->quiet_plies + 4 < tree->law->terms.captureless_plies;
}

/* Whether the node holds beta by standing high, or by a null move; *value is then what it returns. */
static bool is_cut(struct tree *tree, const struct node *node, int depth, int beta, bool improving, int *value)
{
    int worth = tree->scores[node->ply], over = worth - beta;
    int margin = STATIC_MARGIN * (depth - (improving && depth > 1));

    if (depth <= STATIC_DEPTH && over >= margin) {
        *value = worth - margin;
        return true;
    }
    if (depth < NULL_MOVE_DEPTH || over < 0 || ours_of(&node->position)->count <= FEW_MEN ||
        (node->came == NOBODY && node->ply))
        return false;
    struct node passed = *node;
    int less = NULL_MOVE_REDUCTION + depth / 4 + smaller(over / NULL_OVER, 2);

    passed.position.side = !passed.position.side;
    passed.key ^= tree->keys->side;
    passed.score = -node->score;
    passed.ply++;
    passed.came = NOBODY;
    *value = beta;
    return without_roll(tree, &passed, depth - less, beta - 1, beta) >= beta;
}

/* Eight times the binary logarithm, straight between powers of two. */
static int eight_logs(int number)
{
    int whole = 31 - __builtin_clz((unsigned)number);

    return 8 * whole + (number * 8 >> whole) - 8;
}

/* By how many plies less a late quiet move is searched first. */
static int reduction(const struct tree *tree, const struct choice *choice, int place, int depth, bool is_wide,
                     bool improving)
{
    int less = (LATE_BASE + eight_logs(depth) * eight_logs(place + 1) * LATE_SLOPE / 64) / 64;

    less -= tree->credit[choice->there] / LATE_CREDIT;
    less += !improving - is_wide;
    return less < 0 ? 0 : smaller(less, depth - 2);
}

struct found {
    int value, hint;
};

static struct found expand(struct tree *tree, const struct node *node, struct picker *picker, int depth,
                           int alpha, int beta, bool threatened, bool improving)
{
    int best = picker->need == EVERYTHING ? -INFINITE : alpha, found = NO_HINT, ceiling = alpha;
    int tried[MOST_BLAMED], blamed = 0, patience = INFINITE;
    bool is_wide = beta - alpha > 1;
    struct choice choice;

    bool is_plain = tree->is_plain;

    if (!threatened && !is_plain && !is_wide && depth <= PATIENCE_DEPTH)
        patience = (PATIENCE_BASE + PATIENCE_SLOPE * depth * depth) / (improving ? 1 : 2);
    for (int place = 0; pick_next(picker, &choice); place++) {
        bool quiet = !(theirs_of(&node->position)->held & bit_of(square_of(choice.there)));
        int value, less = 0;

        if (choice.is_escape && !threatened && best > -WON)
            break;
        if (quiet && place >= patience && best > -WON)
            break;
        if (quiet && place >= LATE && depth > 2 && !threatened && !is_plain)
            less = reduction(tree, &choice, place, depth, is_wide, improving);
        if (place == 0) {
            value = follow(tree, node, &choice, depth - 1, ceiling, beta);
        } else {
            value = follow(tree, node, &choice, depth - 1 - less, ceiling, ceiling + 1);
            if (less && value > ceiling)
                value = follow(tree, node, &choice, depth - 1, ceiling, ceiling + 1);
            if (ceiling < value && value < beta)
                value = follow(tree, node, &choice, depth - 1, value - 1, beta);
        }
        const struct army *ours = ours_of(&node->position);
        int here = choice.at == NOBODY ? ours->princess : ours->men[choice.at];

        if (value > best) {
            best = value;
            if (value > ceiling) {
                ceiling = value;
                found = hint_of(here, choice.there);
            }
            if (value >= beta) {
                if (quiet)
                    reward(tree, node, here, choice.there, depth, tried, blamed);
                break;
            }
        }
        if (quiet && blamed < MOST_BLAMED)
            tried[blamed++] = choice.there;
    }
    tree->rank_end = picker->ranks;
    return (struct found){best, found};
}

void search_root(struct tree *tree, struct choice *choices, int count, int depth, int32_t *score)
{
    int best = -INFINITE;

    for (int place = 0; place < count; place++) {
        struct choice choice = choices[place];
        int value = best + 1, less = 0;

        if (!tree->is_plain && place >= ROOT_LATE && depth > 2 && best > -WON &&
            !(theirs_of(&tree->root.position)->held & bit_of(square_of(choice.there))))
            less = reduction(tree, &choice, place, depth, true, true);
        if (place)
            value = follow(tree, &tree->root, &choice, depth - 1 - less, best, best + 1);
        if (less && value > best)
            value = follow(tree, &tree->root, &choice, depth - 1, best, best + 1);
        if (value > best)
            value = follow(tree, &tree->root, &choice, depth - 1, best, INFINITE);
        if (value > best) {
            best = *score = value;
            memmove(&choices[1], choices, (size_t)place * sizeof *choices);
            choices[0] = choice;
        }
    }
}

static int at_ply(int value, int ply)
{
    return value > WON ? value - ply : value < -WON ? value + ply : value;
}

static bool decides(const struct entry *known, int value, int alpha, int beta)
{
    if (known->bound == EXACT)
        return true;
    return known->bound == AT_LEAST ? value >= beta : value <= alpha;
}

static bool takes_royal(struct picker *picker, const struct position *position, mask reach)
{
    const struct army *ours = ours_of(position), *theirs = theirs_of(position);

    mask bit = royals(picker->tree, theirs, PRINCESS), by_chief = royals(picker->tree, theirs, CHIEF);

    if (reach & royals(picker->tree, theirs, PANTHAN))
        return true;
    if (reach & by_chief)
        for (int at = 0; at < ours->count; at++)
            if (kind_of(ours->men[at]) == CHIEF && picker->reach[at] & by_chief)
                return true;
    if (!bit || !picker->tree->law->terms.princess_takes || ours->princess == NOBODY)
        return false;
    picker_royal(picker);
    return (picker->steps & bit) != 0;
}

static bool wins_at_once(struct tree *tree, const struct node *node)
{
    mask ends[MOST_MEN], reach = men_ends(tree->law, &node->position, ends);
    struct picker picker;

    pick_from(&picker, tree, node, ends, NO_HINT, EVERYTHING);
    return takes_royal(&picker, &node->position, reach);
}

/* The value of a node, searched so many plies deep, to the side to move. */
static int search(struct tree *tree, const struct node *node, int depth, int alpha, int beta)
{
    const struct position *position = &node->position;
    int ply = node->ply, hint = NO_HINT;

    count_node(tree);
    if (position->ended != GOES_ON)
        return final(tree, position, ply);
    if (is_in_line(&tree->line, node->key) || ply >= MOST_PLIES)
        return wins_at_once(tree, node) ? WIN - ply - 1 : draw_for(tree, position->side);
    uint64_t probe = probe_of(tree, node);
    const struct entry *known = table_find(&tree->table, probe);

    if (known) {
        int value = at_ply(known->value, ply);

        hint = known->hint;
        if (known->depth >= depth && !tree->is_plain && decides(known, value, alpha, beta))
            return value;
    }
    mask ends[MOST_MEN], reach = men_ends(tree->law, position, ends);

    if (!reach && outcome_of(tree->law, position) != GOES_ON)
        return final(tree, position, ply);
    struct picker picker;

    pick_from(&picker, tree, node, ends, hint, EVERYTHING);
    if (takes_royal(&picker, position, reach))
        return WIN - ply - 1;
    bool threatened = is_threatened(tree, position);
    bool is_calm = !threatened && !tree->is_plain && is_uncounted(tree, position) && alpha > -WON;
    int value;

    /* With dice to come, what loses at once may not. */
    bool is_sure = !tree->rolls && is_uncounted(tree, position);

    picker.shuns_threats = is_sure;
    if (threatened && is_sure)
        keep_saving(tree, position, ends);
    int worth = threatened ? UNKNOWN_SCORE : worth_of(tree, node);
    bool improving = !threatened && (ply < 2 || tree->scores[ply - 2] < worth);

    tree->scores[ply] = worth;

    if (is_calm && beta < WON && beta - alpha == 1 &&
        is_cut(tree, node, depth, beta, improving, &value))
        return value;
    if (hint == NO_HINT && depth >= UNHINTED_DEPTH && !threatened && !tree->is_plain)
        depth--;
    if (is_calm && depth <= FUTILE_DEPTH)
        picker.need = alpha - worth - tree->weights.tempo - FUTILE_MARGIN * (depth - 1);
    line_add(&tree->line, node->key);
    int more = threatened && ply < THREATS_DEEPEN * tree->horizon && could_be_taken(tree, position, true);
    struct found found = expand(tree, node, &picker, depth + more, alpha, beta, threatened, improving);

    line_drop(&tree->line, node->key);
    value = found.value;
    if (value == -INFINITE)
        value = ply + 2 - WIN; /* whatever is played, a royal piece is taken */
    struct entry entry = {
        .value = value > WON ? value + ply : value < -WON ? value - ply : value,
        .hint = (int16_t)(found.hint == NO_HINT ? hint : found.hint),
        .depth = (int8_t)depth,
        .bound = (int8_t)(value <= alpha ? AT_MOST : value >= beta ? AT_LEAST : EXACT),
    };
    table_keep(&tree->table, probe, entry);
    return value;
}

/* Captures alone */

struct taker {
    mask ends;
    int32_t cost, at;
};

static void sort_takers(struct taker *takers, int count)
{
    for (int i = 1; i < count; i++) {
        struct taker moved = takers[i];
        int at = i;

        for (; at > 0 && (takers[at - 1].cost > moved.cost ||
                          (takers[at - 1].cost == moved.cost && takers[at - 1].at > moved.at));
             at--)
            takers[at] = takers[at - 1];
        takers[at] = moved;
    }
}

/* The dearest of a set of enemy men, the highest square among equals; NOBODY where none is left. */
static int dearest(const struct tree *tree, const struct army *theirs, mask targets)
{
    int best = NOBODY;

    for (int at = 0; at < theirs->count; at++) {
        int post = theirs->men[at];

        if (!(targets & bit_of(square_of(post))))
            continue;
        int more = best == NOBODY ? 1 : tree->weights.table[post] - tree->weights.table[best];

        if (more > 0 || (more == 0 && square_of(post) > square_of(best)))
            best = post;
    }
    return best;
}

static int won_now(const struct tree *tree, const struct node *node, int victim, int by, bool *is_final)
{
    enum ended ended = taken(tree->law, kind_of(victim), by);

    *is_final = ended != GOES_ON;
    return ended == DRAWN ? draw_for(tree, node->position.side) : WIN - node->ply - 1;
}

/* The best of `best`, to take nothing, and each target by its cheapest taker. */
static int play_out(struct tree *tree, const struct node *node, const struct taker *takers, int count,
                    mask targets, int best, int alpha, int beta)
{
    const struct position *position = &node->position;
    const struct army *ours = ours_of(position), *theirs = theirs_of(position);
    int stand_pat = best, victim;

    for (; (victim = dearest(tree, theirs, targets)) != NOBODY;) {
        int square = square_of(victim), worth = tree->weights.table[victim];
        bool may_end = kind_of(victim) == CHIEF && tree->chief_ends;

        targets ^= bit_of(square);
        if (!may_end && !tree->is_plain && stand_pat + worth + CAPTURE_MARGIN <= larger(alpha, best))
            continue;
        for (int i = 0; i < count; i++) {
            if (!(takers[i].ends & bit_of(square)))
                continue;
            int here = ours->men[takers[i].at], there = here - square_of(here) + square, value;
            bool is_final = false;

            if (may_end)
                value = won_now(tree, node, victim, here, &is_final);
            if (!is_final && tree->law->terms.is_arena) {
                double odds = tree->law->terms.odds[kind_of(here)][kind_of(victim)];

                value = stand_pat + (int)rint(odds * worth - (1 - odds) * takers[i].cost);
            } else if (!is_final) {
                int gain = worth + tree->weights.table[there] - takers[i].cost;
                struct choice choice = {takers[i].at, there, gain, false};
                struct node after;

                follow_choice(tree, node, &choice, &after);
                value = -quiesce(tree, &after, -beta, -larger(alpha, best));
            }
            best = larger(best, value);
            if (best >= beta)
                return best;
            if (!may_end)
                break;
        }
    }
    return best;
}

/* The value of a node with captures played out; it may stand pat, but not under a threat. */
static int quiesce(struct tree *tree, const struct node *node, int alpha, int beta)
{
    const struct position *position = &node->position;
    const struct army *ours = ours_of(position), *theirs = theirs_of(position);
    int best = worth_of(tree, node) + tree->weights.tempo, found = 0;

    count_node(tree);
    if (position->ended != GOES_ON)
        return final(tree, position, node->ply);
    if (best >= beta) {
        if (node->ply < tree->horizon && could_be_taken(tree, position, true))
            return search(tree, node, 1, alpha, beta);
        return best;
    }
    mask ends[MOST_MEN], targets = 0;
    struct taker takers[MOST_MEN];

    men_ends(tree->law, position, ends);
    for (int at = 0; at < ours->count; at++) {
        mask taking = ends[at] & theirs->held;

        if (!taking)
            continue;
        targets |= taking;
        takers[found++] = (struct taker){taking, tree->weights.table[ours->men[at]], at};
    }
    if (targets & royals(tree, theirs, PANTHAN))
        return WIN - node->ply - 1;
    for (int at = 0; at < found; at++)
        if (takers[at].ends & royals(tree, theirs, kind_of(ours->men[takers[at].at])))
            return WIN - node->ply - 1;
    if (node->ply < tree->horizon && could_be_taken(tree, position, true))
        return search(tree, node, 1, alpha, beta);
    if (!targets || node->ply >= tree->horizon + MOST_CAPTURES)
        return best;
    sort_takers(takers, found);
    return play_out(tree, node, takers, found, targets, best, alpha, beta);
}
