/* The search in C: many times as quick as the plain one of `tree.py`, and much deeper.
 *
 * It knows no rules. What pieces reach, who may take whom and how games end comes as data that the
 * Python rules have made. One thread at a time may use a law and the trees that stand on it.
 */

#ifndef JETAN_H
#define JETAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SQUARES 100
#define KINDS 8
#define WAYS 8
#define POSTS (2 * KINDS * SQUARES)
/* The Princess's posts where threats stop her, by side and square: behind all others. */
#define CROSSINGS (2 * SQUARES)
#define MOST_MEN SQUARES
#define FEW_KEYS 16
#define NOBODY (-1)

/* A set of squares, bit n for square n. */
typedef unsigned __int128 mask;

enum kind { PANTHAN, THOAT, WARRIOR, PADWAR, DWAR, FLIER, CHIEF, PRINCESS };
enum escape { UNTHREATENED, UNOCCUPIED, WHEN_THREATENED, NO_ESCAPE };
enum few { BY_VALUE, BY_COUNT, ANY_FEW };
/* What comes of taking a Chief by another piece. */
enum chief { CHIEF_DRAWS, CHIEF_PLAY_ON, CHIEF_FORBIDDEN, CHIEF_WINS };
/* How a game has ended; a count of plies is forestalled by a side without a move. */
enum ended { GOES_ON, DRAWN, COUNTED_OUT, BLACK_WON, ORANGE_WON };

/* The rules as data, laid out as `library.py` writes it. */
struct terms {
    double odds[KINDS][KINDS]; /* the chance that an attacker wins a fight with a defender */
    int64_t captureless_plies;
    int32_t few_plies;
    int32_t few_men;
    int32_t worth[KINDS];
    int32_t escape, few_equal, chief_by_other;
    int32_t princess_takes, princess_ends_safe, crosses_safe;
    int32_t no_move_draws, mate_ends, is_arena;
    int8_t neighbours[SQUARES][WAYS]; /* NOBODY where the board ends */
};

/* Squares that must be free, and where a piece may end beyond them. */
struct way {
    mask between, beyond;
};

/* One answer a post remembers. */
struct answer {
    mask blocked, ends;
};

#define ANSWER_BITS 6
#define ANSWERS (1 << ANSWER_BITS)

/* A piece on a square. */
struct post {
    mask near, open, every; /* squares that can stop it; ends with all, and with none of them shut */
    const struct way *ways;
    struct answer *answers; /* NULL where the ways are few */
    int32_t ways_count;
};

struct law {
    struct terms terms;
    struct post posts[POSTS + CROSSINGS];
    mask around[SQUARES]; /* who may threaten a square within three steps stands on one of these */
    struct way *ways;
    struct answer *answers;
    const mask *visible; /* by post, what a player sees of its ends; NULL: everything */
};

struct army {
    mask held, chiefs; /* squares */
    int16_t princess; /* a post, or NOBODY */
    uint8_t count, may_escape;
    int16_t men[MOST_MEN]; /* posts, in the order of the Python army */
};

struct position {
    struct army armies[2];
    mask occupied;
    int32_t quiet_plies;
    int8_t few_counter; /* NOBODY where nothing is counted */
    int8_t juggernaut;
    uint8_t side, ended;
};

/* A position as Python tells it. */
struct standing {
    int32_t side, juggernaut, few_counter, quiet_plies;
    int32_t counts[2], princess[2], may_escape[2];
    int16_t men[2][MOST_MEN];
};

static inline int square_of(int post)
{
    return post % SQUARES;
}

static inline int kind_of(int post)
{
    return post / SQUARES % KINDS;
}

static inline mask bit_of(int square)
{
    return (mask)1 << square;
}

/* The lowest square of a set that is not empty. */
static inline int lowest(mask set)
{
    uint64_t low = (uint64_t)set;

    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(set >> 64));
}

static inline int count(mask set)
{
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

#define ALL (((mask)1 << SQUARES) - 1)

/* reach.c */
mask walked(const struct post *post, mask blocked);

/* Where a piece may end, whatever stands there. */
static inline mask ends_of(const struct law *law, int at, mask occupied)
{
    const struct post *post = &law->posts[at];
    mask blocked = occupied & post->near, ends = blocked ? walked(post, blocked) : post->every;

    return law->visible && at < POSTS ? ends & law->visible[at] : ends;
}

/* position.c */
void set_up(struct position *position, const struct standing *standing);
/* The place of a square's piece in its army: NOBODY for the Princess, MOST_MEN where none stands. */
int place_of(const struct army *army, int square);
int post_on(const struct army *army, int square);
mask reach_of(const struct law *law, const struct army *army, mask occupied);
/* Where each man of the side to move may end; returns all of that together. */
mask men_ends(const struct law *law, const struct position *position, mask *ends);
/* Where the Princess of the side to move may step, where only her escape takes her, and where she
 * could be taken. */
void princess_ends(const struct law *law, const struct position *position, mask *steps, mask *escapes,
                   mask *threats);
void play(const struct law *law, const struct position *before, int at, int there, bool escaping,
          bool duel_lost, struct position *after);
/* How the game ends where `by` takes a piece of a kind. */
enum ended taken(const struct law *law, int victim_kind, int by);
/* How the game has ended, a side without a move looked for. */
enum ended outcome_of(const struct law *law, const struct position *position);

#endif
