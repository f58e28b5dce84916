/* The order in which the moves of a node are tried.
 *
 * The best move that is known from an earlier search comes first, then captures, then quiet moves,
 * and the Princess's escapes last. Captures are ranked by eight times what they take, less the worth
 * of who takes. Quiet moves that caused a cut at the same ply before (killers) stand in front, then what
 * cut after the same move of the enemy's (an answer); the rest are ranked by how often their goal has
 * caused a cut, or been tried in vain before one, weighed by depth, and by what they gain in the
 * piece-square table. Moves are made a stage at a time and kept in a heap, so that a node that is cut
 * after one move never pays for ordering all of them. */

#include "tree.h"

#define MOST_CREDIT 8192
#define KILLER (1 << 20)
/* A rank, what is gained, the place in the army and the square, in one number that sorts alike. */
#define RANK_MIDDLE (1 << 23)
#define GAIN_MIDDLE (1 << 19)

static uint64_t packed(int rank, int gain, int at, int to)
{
    return (uint64_t)(rank + RANK_MIDDLE) << 34 | (uint64_t)(gain + GAIN_MIDDLE) << 14 |
           (uint64_t)at << 7 | (uint64_t)to;
}

static void sink(uint64_t *heap, int at, int held)
{
    uint64_t moved = heap[at];

    for (int child = 2 * at + 1; child < held; child = 2 * at + 1) {
        if (child + 1 < held && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= moved)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

static void push(struct picker *picker, uint64_t rank)
{
    picker->ranks[picker->left++] = rank;
}

/* Make a heap of what was pushed, so that each move is put in order only where it is asked for. */
static void order(struct picker *picker)
{
    picker->tree->rank_end = picker->ranks + picker->left;
    for (int at = picker->left / 2 - 1; at >= 0; at--)
        sink(picker->ranks, at, picker->left);
}

static uint64_t pop(struct picker *picker)
{
    uint64_t best = picker->ranks[0];

    picker->ranks[0] = picker->ranks[--picker->left];
    sink(picker->ranks, 0, picker->left);
    return best;
}

/* Let what was learned count for half. */
void forget(struct tree *tree)
{
    for (int at = 0; at < POSTS; at++)
        tree->credit[at] /= 2;
}

/* The more it holds, the less is added: no credit goes beyond MOST_CREDIT. */
static void credit(int32_t *held, int more)
{
    *held += more - *held * (more < 0 ? -more : more) / MOST_CREDIT;
}

static int credit_for(int depth)
{
    int more = 8 * depth * depth + 16 * depth;

    return more < 800 ? more : 800;
}

void reward(struct tree *tree, const struct node *node, int here, int there, int depth,
            const int *tried, int count)
{
    int16_t *killers = tree->killers[node->ply], hint = (int16_t)hint_of(here, there);

    if (hint != killers[0]) {
        killers[1] = killers[0];
        killers[0] = hint;
    }
    if (node->came != NOBODY)
        tree->answers[node->came] = hint;
    credit(&tree->credit[there], credit_for(depth));
    for (int at = 0; at < count; at++)
        credit(&tree->credit[tried[at]], -credit_for(depth));
}

void pick_from(struct picker *picker, struct tree *tree, const struct node *node, const mask *reach,
               int hint, int need)
{
    picker->tree = tree;
    picker->node = node;
    picker->reach = reach;
    picker->foes = node->position.armies[!node->position.side].held;
    picker->ranks = tree->rank_end;
    picker->hint = hint;
    picker->need = need;
    picker->left = 0;
    picker->stage = HINTED;
    picker->is_royal_known = picker->is_filled = picker->shuns_threats = false;
}

void picker_royal(struct picker *picker)
{
    if (!picker->is_royal_known)
        princess_ends(picker->tree->law, &picker->node->position, &picker->steps, &picker->escapes,
                      &picker->threats);
    picker->is_royal_known = true;
}

static const struct army *ours_of(const struct picker *picker)
{
    return &picker->node->position.armies[picker->node->position.side];
}

static void choose(const struct picker *picker, int at, int to, bool is_escape, struct choice *choice)
{
    const struct position *position = &picker->node->position;
    const int32_t *table = picker->tree->weights.table;
    const struct army *ours = ours_of(picker);
    int here = at == NOBODY ? ours->princess : ours->men[at];

    choice->at = at;
    choice->there = here - square_of(here) + to;
    choice->gain = table[choice->there] - table[here];
    if (picker->foes & bit_of(to))
        choice->gain += table[post_on(&position->armies[!position->side], to)];
    if (is_escape)
        choice->gain -= picker->tree->weights.escape;
    choice->is_escape = is_escape;
}

static bool pick_hinted(struct picker *picker, struct choice *choice)
{
    const struct army *ours = ours_of(picker);
    int from = picker->hint >> 7, to = picker->hint & 127;

    if (picker->hint == NO_HINT)
        return false;
    int at = place_of(ours, from);

    if (at == NOBODY) {
        picker_royal(picker);
        if (!((picker->steps | picker->escapes) & bit_of(to)))
            return false;
        choose(picker, NOBODY, to, (picker->escapes & bit_of(to)) != 0, choice);
        return true;
    }
    if (at == MOST_MEN || !(picker->reach[at] & bit_of(to)))
        return false;
    choose(picker, at, to, false, choice);
    return true;
}

static void fill_takes(struct picker *picker)
{
    const struct position *position = &picker->node->position;
    const struct army *ours = ours_of(picker), *theirs = &position->armies[!position->side];
    const int32_t *table = picker->tree->weights.table;

    for (int at = 0; at < ours->count; at++)
        for (mask left = picker->reach[at] & picker->foes; left; left &= left - 1) {
            int to = lowest(left), value = table[post_on(theirs, to)];

            if (hint_of(ours->men[at], to) != picker->hint)
                push(picker, packed(8 * value - table[ours->men[at]], value, at, to));
        }
}

static void fill_quiet(struct picker *picker)
{
    const struct tree *tree = picker->tree;
    const struct army *ours = ours_of(picker);
    const int16_t *killers = tree->killers[picker->node->ply];
    int answer = picker->node->came == NOBODY ? NO_HINT : tree->answers[picker->node->came];

    for (int at = 0; at < ours->count; at++) {
        int here = ours->men[at], from = square_of(here);

        for (mask left = picker->reach[at] & ~picker->foes; left; left &= left - 1) {
            int to = lowest(left), there = here - from + to, hint = from << 7 | to;
            int gain = tree->weights.table[there] - tree->weights.table[here];

            if (gain <= picker->need || hint == picker->hint)
                continue;
            int rank = tree->credit[there] + gain;

            if (hint == killers[0] || hint == killers[1])
                rank += KILLER;
            else if (hint == answer)
                rank += KILLER / 2;
            push(picker, packed(rank, gain, at, to));
        }
    }
}

static void fill_royal(struct picker *picker, mask ends, int cost)
{
    int here = ours_of(picker)->princess;
    const int32_t *table = picker->tree->weights.table;

    for (; ends; ends &= ends - 1) {
        int to = lowest(ends), there = here - square_of(here) + to;

        if (hint_of(here, to) != picker->hint)
            push(picker, packed(table[there] - table[here] - cost, 0, 0, to));
    }
}

/* In the table she has dangers alone, never above 0: more than hers now she cannot gain. */
static bool may_princess_gain(const struct picker *picker)
{
    int princess = ours_of(picker)->princess;

    return princess != NOBODY && -picker->tree->weights.table[princess] > picker->need;
}

/* The Princess's takes are tried from the lowest square on. */
static bool pick_royal_take(struct picker *picker, struct choice *choice)
{
    int princess = ours_of(picker)->princess;

    if (!picker->tree->law->terms.princess_takes || princess == NOBODY)
        return false;
    if (!picker->is_filled) {
        picker_royal(picker);
        for (mask left = picker->steps & picker->foes; left; left &= left - 1)
            push(picker, packed(-lowest(left), 0, 0, lowest(left)));
        order(picker);
        picker->is_filled = true;
    }
    while (picker->left) {
        int to = (int)(pop(picker) & 127);

        if (hint_of(princess, to) == picker->hint)
            continue;
        choose(picker, NOBODY, to, false, choice);
        return true;
    }
    return false;
}

static void fill(struct picker *picker)
{
    switch (picker->stage) {
    case TAKES:
        fill_takes(picker);
        break;
    case QUIET:
        fill_quiet(picker);
        break;
    case ROYAL_STEPS:
        if (may_princess_gain(picker)) {
            picker_royal(picker);
            fill_royal(picker, picker->steps & ~picker->foes & ~(picker->shuns_threats ? picker->threats : 0), 0);
        }
        break;
    case ROYAL_ESCAPES:
        if (may_princess_gain(picker))
            fill_royal(picker, picker->escapes & ~(picker->shuns_threats ? picker->threats : 0), picker->tree->weights.escape);
        break;
    default:
        break;
    }
    order(picker);
}

bool pick_next(struct picker *picker, struct choice *choice)
{
    if (picker->stage == HINTED) {
        picker->stage = ROYAL_TAKES;
        if (pick_hinted(picker, choice))
            return true;
    }
    if (picker->stage == ROYAL_TAKES) {
        if (pick_royal_take(picker, choice))
            return true;
        picker->stage = TAKES;
        picker->is_filled = false;
    }
    for (; picker->stage != NO_MORE; picker->stage++, picker->is_filled = false) {
        bool is_royal = picker->stage >= ROYAL_STEPS;

        if (!picker->is_filled) {
            fill(picker);
            picker->is_filled = true;
        }
        if (!picker->left)
            continue;
        uint64_t rank = pop(picker);

        choose(picker, is_royal ? NOBODY : (int)(rank >> 7 & 127), (int)(rank & 127),
               picker->stage == ROYAL_ESCAPES, choice);
        return true;
    }
    return false;
}
