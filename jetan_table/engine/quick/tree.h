/* What is known while one position is searched. */

#ifndef JETAN_TREE_H
#define JETAN_TREE_H

#include <setjmp.h>

#include "jetan.h"

#define WIN 1000000
#define WON (WIN - 1000)
#define INFINITE (WIN + 1)
#define MOST_PLIES 120
#define EVERYTHING (-10000000)
#define NO_HINT (-1)

/* A move as the search plays it: the piece's place in its army, the post where it will stand, what
 * the evaluation gains by it, and whether it is the Princess's escape. */
struct choice {
    int32_t at, there, gain, is_escape;
};

/* The transposition table: in two halves, the younger of which replaces the older when it is full. */
struct entry {
    uint64_t probe; /* with the highest bit set; 0: empty */
    int32_t value;
    int16_t hint;
    int8_t depth, bound;
};

struct half {
    struct entry *entries;
    size_t slots, held;
};

enum bound { EXACT, AT_LEAST, AT_MOST };

struct table {
    struct half young, old;
    size_t most; /* entries of a half */
};

bool table_begin(struct table *table, size_t most);
void table_end(struct table *table);
const struct entry *table_find(const struct table *table, uint64_t probe);
void table_keep(struct table *table, uint64_t probe, struct entry found);

/* Keys of positions on the way to a node, and of those the game has been through. */
#define LINE_SLOTS 4096
#define LINE_LONG (MOST_PLIES + 8)

struct line {
    uint64_t *keys;
    size_t count;
    uint8_t slots[LINE_SLOTS]; /* how many keys end alike, so that most questions need no search */
};

struct keys {
    uint64_t posts[POSTS], side, escapes[2], few[FEW_KEYS], juggernaut[SQUARES];
};

/* What the evaluation and the search stand on, laid out as `library.py` writes it. */
struct weights {
    int32_t table[POSTS]; /* a piece-square table */
    int32_t escape, tempo;
};

#define HIDDEN 32
#define PHASES 4
#define FULL_BOARD 40

/* The net of `net.c`, as its file has it. */
struct net {
    int16_t posts[POSTS][HIDDEN];
    int16_t escapes[2][HIDDEN]; /* the own one, the other's */
    int16_t middle[HIDDEN];
    int16_t out[PHASES][2][HIDDEN]; /* of who moves, of the other */
    int16_t base[PHASES];
};

/* By how many pieces are left a net weighs what it has seen: as it plays, so it learns. */
static inline int phase_of(int pieces)
{
    int phase = (pieces - 1) * PHASES / FULL_BOARD;

    return phase < PHASES ? phase : PHASES - 1;
}

struct node {
    struct position position;
    int16_t seen[2][HIDDEN]; /* by the net, from either side; nothing without one */
    uint64_t key;
    int32_t score, ply;
    int32_t came; /* the post that was moved to last; NOBODY at the root and after a pass */
};

/* Told how many nodes were met, it returns at how many to ask again; less than 0 ends the search. */
typedef int64_t (*check_function)(int64_t nodes);

struct tree {
    struct law *law;
    const struct keys *keys;
    struct weights weights;
    const struct net *net; /* NULL: the tables are all */
    struct table table;
    struct line line;
    struct node root;
    jmp_buf stopped;
    check_function check;
    int64_t nodes, ask_at;
    int32_t horizon, contempt;
    bool rolls, chief_ends, sees_all, has_stopped;
    bool is_plain; /* nothing is left out but what changes no value */
    int32_t credit[POSTS];
    int16_t killers[MOST_PLIES + 1][2], answers[POSTS];
    int32_t scores[MOST_PLIES + 1]; /* of the nodes on the way to this one */
    uint64_t *ranks, *rank_end; /* moves waiting to be tried, those of the root first */
    mask visible[POSTS];
};

/* order.c */
enum stage { HINTED, ROYAL_TAKES, TAKES, QUIET, ROYAL_STEPS, ROYAL_ESCAPES, NO_MORE };

/* Yields the moves of a node: the hint first, then captures, quiet moves, and escapes last of all. */
struct picker {
    struct tree *tree;
    const struct node *node;
    const mask *reach;
    mask steps, escapes, threats, foes;
    uint64_t *ranks;
    int32_t hint, need, left;
    enum stage stage;
    bool is_royal_known, is_filled;
    bool shuns_threats; /* the Princess's steps to where she can be taken are left out */
};

void pick_from(struct picker *picker, struct tree *tree, const struct node *node, const mask *reach,
               int hint, int need);
bool pick_next(struct picker *picker, struct choice *choice);
/* Where the Princess may step, and where only her escape takes her: found once and kept. */
void picker_royal(struct picker *picker);
void forget(struct tree *tree);
/* A quiet move has cut; `tried` are the posts of those that did not, before it. */
void reward(struct tree *tree, const struct node *node, int here, int there, int depth,
            const int *tried, int count);

static inline int hint_of(int from, int to)
{
    return square_of(from) << 7 | square_of(to);
}

/* tree.c */
void line_add(struct line *line, uint64_t key);
/* Make a position the first node of a search, so many plies from the root. */
void root_at(const struct tree *tree, struct node *node, int ply);
/* Make the node after a choice. */
void follow_choice(const struct tree *tree, const struct node *node, const struct choice *choice, struct node *after);
/* The value of a choice to who makes it, with `depth` plies to come. */
/* Search each choice so deep; a better one goes to the front. */
void search_root(struct tree *tree, struct choice *choices, int count, int depth, int32_t *score);
int follow(struct tree *tree, const struct node *node, const struct choice *choice, int depth, int alpha,
           int beta);

/* net.c */
void net_begin(const struct net *net, struct node *node);
void net_follow(const struct net *net, const struct node *node, int here, int there, int victim, bool is_escape,
                struct node *after);
/* How much more the node is worth to who moves. */
int net_corrects(const struct net *net, const struct node *node);

/* chance.c */
struct odds {
    double share, plus;
};

struct odds roll_odds(const struct tree *tree, const struct position *position);

#endif
