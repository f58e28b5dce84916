/* Endings solved backwards from their end: one pass settles what is won, or lost, in so many plies.

   Whoever is to move plays up the board; after a move the board is turned over, so that one table
   tells of both sides. It knows no rules: how pieces go, what a capture means and which tables
   there are is handed to it. A value is 0 where nothing is settled (in the end: drawn), NOWHERE
   where two men share a square, else one more than the plies to the end: odd for a loss. */

#include <stdint.h>

#define MEN 8
#define KINDS 8
#define NOWHERE 255
#define CHIEF 6
#define PRINCESS 7

typedef unsigned __int128 squares;

struct path {
    uint64_t between[2], ends[2];
};

struct law {
    const int32_t *first; /* of the paths of [side][kind][square], and one more */
    const struct path *paths;
    const uint8_t *turned; /* each square on the board turned over */
    int32_t princess_takes, ends_safe, escape, chief_by_other, mate_ends, no_move_draws;
};

enum { UNTHREATENED, UNOCCUPIED, WHEN_THREATENED, NO_ESCAPE };
enum { DRAW, PLAY_ON, FORBIDDEN, WIN };

struct table {
    uint8_t *values;
    const uint8_t *symmetries; /* hundred squares each */
    uint8_t symmetry[100], rank[100], anchors[100]; /* of the first man's square */
    int32_t movers, others, kinds[MEN];
    int32_t may_escape; /* the side to move */
    int32_t next, escaped; /* tables after a move, and after an escape */
    int32_t taken[MEN];    /* after the loss of each man of the other side, or -1 */
    int32_t most[MEN];     /* the most plies that are a win there */
};

struct place { /* a position: its men, those of the side to move first */
    const struct law *law;
    const struct table *tables, *table;
    int at[MEN];
    squares occupied, ours, theirs, threats;
};

static const squares ONE = 1, ALL = ((squares)1 << 100) - 1;

static int lowest(squares set)
{
    uint64_t low = (uint64_t)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

/* Where a man may end, whatever stands there. */
static squares reach(const struct law *law, int side, int kind, int at, squares occupied)
{
    const int32_t *first = law->first + (side * KINDS + kind) * 100 + at;
    squares ends = 0;
    for (const struct path *path = law->paths + first[0], *end = law->paths + first[1];
         path < end; path++) {
        squares between = (squares)path->between[1] << 64 | path->between[0];
        if (!(between & occupied))
            ends |= (squares)path->ends[1] << 64 | path->ends[0];
    }
    return ends;
}

/* What the other side could take with all of its men but one. */
static squares threatened(const struct place *here, squares occupied, int gone)
{
    const struct table *table = here->table;
    squares found = 0;
    for (int man = table->movers; man < table->movers + table->others; man++)
        if (man != gone && (table->kinds[man] != PRINCESS || here->law->princess_takes))
            found |= reach(here->law, 1, table->kinds[man], here->at[man], occupied);
    return found;
}

/* Whether a move may not be made because a royal could then be taken; `taken` is a man or -1. */
static int is_exposed(const struct place *here, int moved, int to, int taken)
{
    const struct table *table = here->table;
    squares occupied = (here->occupied & ~(ONE << here->at[moved])) | ONE << to;
    squares hunted = threatened(here, occupied, taken), by_chief = 0;
    for (int man = table->movers; man < table->movers + table->others; man++)
        if (man != taken && table->kinds[man] == CHIEF)
            by_chief |= reach(here->law, 1, CHIEF, here->at[man], occupied);
    for (int man = 0; man < table->movers; man++) {
        int at = man == moved ? to : here->at[man];
        if (table->kinds[man] == PRINCESS && hunted >> at & 1)
            return 1;
        if (table->kinds[man] == CHIEF && by_chief >> at & 1)
            return 1;
    }
    return 0;
}

/* Read what follows a move from its table; `taken` is the man that is gone, or -1. */
static int value_after(const struct place *here, int moved, int to, int taken, int escaping)
{
    const struct table *from = here->table;
    int number = taken >= 0 ? from->taken[taken] : escaping ? from->escaped : from->next;
    const struct table *table = here->tables + number;
    int men = from->movers + from->others, count = 0, at[MEN] = {0};
    for (int man = from->movers; man < men; man++)
        if (man != taken)
            at[count++] = here->law->turned[here->at[man]];
    for (int man = 0; man < from->movers; man++)
        at[count++] = here->law->turned[man == moved ? to : here->at[man]];
    const uint8_t *symmetry = table->symmetries + 100 * table->symmetry[at[0]];
    int64_t index = table->rank[at[0]];
    for (int man = 1; man < count; man++)
        index = 100 * index + symmetry[at[man]];
    int value = table->values[index];
    return taken >= 0 && value > from->most[taken] + 1 ? 0 : value;
}

/* What a capture means at once: a value as after a move, or -1 where the game goes on. */
static int value_of_capture(const struct law *law, int taker, int victim)
{
    if (victim == PRINCESS || (victim == CHIEF && taker == CHIEF))
        return 1;
    if (victim != CHIEF || law->chief_by_other == PLAY_ON)
        return -1;
    return law->chief_by_other == WIN ? 1 : 0;
}

/* Look at the moves of one man to some squares; 1 where that settles the position's value:
   for an odd depth a move that wins in so many plies, for an even one a move that does not lose. */
static int settles(const struct place *here, int moved, squares ends, int escaping, int depth,
                   int *count)
{
    const struct table *table = here->table;
    const struct law *law = here->law;
    for (; ends; ends &= ends - 1) {
        int to = lowest(ends), taken = -1, value = -1;
        if (here->theirs >> to & 1) {
            for (taken = table->movers; here->at[taken] != to; taken++)
                ;
            if (law->chief_by_other == FORBIDDEN && table->kinds[taken] == CHIEF &&
                table->kinds[moved] != CHIEF)
                continue;
            value = value_of_capture(law, table->kinds[moved], table->kinds[taken]);
        }
        if (value < 0 && law->mate_ends && is_exposed(here, moved, to, taken))
            continue;
        ++*count;
        if (depth == 0)
            return 1;
        if (value < 0)
            value = value_after(here, moved, to, taken, escaping);
        if (depth & 1 ? value & 1 && value <= depth : value & 1 || value == 0 || value > depth)
            return 1;
    }
    return 0;
}

/* The value that a position has if it is settled at this depth, else 0. */
static int value_at(struct place *here, int depth)
{
    const struct table *table = here->table;
    const struct law *law = here->law;
    int count = 0, princess = -1, met = 0;
    for (int man = 0; man < table->movers && !met; man++) {
        if (table->kinds[man] == PRINCESS) {
            princess = man;
            continue;
        }
        squares ends = reach(law, 0, table->kinds[man], here->at[man], here->occupied);
        met = settles(here, man, ends & ~here->ours, 0, depth, &count);
    }
    if (princess >= 0 && !met) {
        squares on = ONE << here->at[princess];
        squares threats = threatened(here, here->occupied & ~on, -1);
        squares shut = law->princess_takes ? here->ours : here->occupied;
        if (law->ends_safe)
            shut |= threats;
        squares ends = reach(law, 0, PRINCESS, here->at[princess], here->occupied) & ~shut;
        met = settles(here, princess, ends, 0, depth, &count);
        if (!met && table->may_escape && law->escape != NO_ESCAPE &&
            (law->escape != WHEN_THREATENED || threats & on)) {
            squares kept = law->escape == UNOCCUPIED ? here->occupied : here->occupied | threats;
            met = settles(here, princess, ALL & ~(kept | ends), 1, depth, &count);
        }
    }
    if (depth == 0)
        return count || law->no_move_draws ? 0 : 1;
    if (depth & 1)
        return met ? depth + 1 : 0;
    return met || !count ? 0 : depth + 1;
}

/* Settle at a depth what lies from one index up to another; return how many were. */
int64_t endings_pass(const struct law *law, const struct table *tables, int32_t number,
                     int32_t depth, int64_t from, int64_t to)
{
    const struct table *table = tables + number;
    int men = table->movers + table->others;
    int64_t settled = 0;
    struct place here = {.law = law, .tables = tables, .table = table};
    for (int64_t index = from; index < to; index++) {
        if (table->values[index])
            continue;
        int64_t rest = index;
        for (int man = men - 1; man > 0; man--, rest /= 100)
            here.at[man] = (int)(rest % 100);
        here.at[0] = table->anchors[rest];
        here.ours = here.theirs = 0;
        for (int man = 0; man < men; man++)
            *(man < table->movers ? &here.ours : &here.theirs) |= ONE << here.at[man];
        here.occupied = here.ours | here.theirs;
        if (depth == 0) {
            uint64_t low = (uint64_t)here.occupied, high = (uint64_t)(here.occupied >> 64);
            if (__builtin_popcountll(low) + __builtin_popcountll(high) != men ||
                here.ours & here.theirs) {
                table->values[index] = NOWHERE;
                continue;
            }
        }
        int value = value_at(&here, depth);
        if (value) {
            table->values[index] = (uint8_t)value;
            settled++;
        }
    }
    return settled;
}
