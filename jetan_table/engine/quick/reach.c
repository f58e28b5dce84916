/* Where a piece may end, given what stands in its way.
 *
 * A Jetan move is a walk of a fixed number of steps, and many walks lead to one square. For each post
 * Python lists the ways: the squares that must be free, and the square that is reached beyond them. A
 * walk is open where none of its squares is blocked. Ways without a square between are folded into one
 * set at the start. To test all others costs as many comparisons as there are ways, so a post with many
 * remembers its last answers by what was blocked near it. */

#include <stdlib.h>
#include <string.h>

#include "jetan.h"

/* A post with more ways than this remembers answers: to look one up takes as long as to walk them. */
#define FEW_WAYS 6

static mask walk(const struct post *post, mask blocked)
{
    mask ends = post->open;

    for (int i = 0; i < post->ways_count; i++)
        if (!(blocked & post->ways[i].between))
            ends |= post->ways[i].beyond;
    return ends;
}

static unsigned slot_of(mask blocked)
{
    uint64_t mixed = (uint64_t)blocked * 0x9E3779B97F4A7C15u ^
                     (uint64_t)(blocked >> 64) * 0xC2B2AE3D27D4EB4Fu;

    return (unsigned)((mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u >> (64 - ANSWER_BITS));
}

mask walked(const struct post *post, mask blocked)
{
    if (!post->answers)
        return walk(post, blocked);
    struct answer *answer = &post->answers[slot_of(blocked)];

    if (answer->blocked != blocked) {
        answer->ends = walk(post, blocked);
        answer->blocked = blocked;
    }
    return answer->ends;
}

/* Find, for each square, those from which three steps can lead to it. */
static void find_around(struct law *law)
{
    for (int square = 0; square < SQUARES; square++)
        law->around[square] = bit_of(square);
    for (int step = 0; step < 3; step++) {
        mask wider[SQUARES];

        memcpy(wider, law->around, sizeof wider);
        for (int square = 0; square < SQUARES; square++)
            for (int way = 0; way < WAYS; way++) {
                int near = law->terms.neighbours[square][way];

                if (near != NOBODY)
                    wider[near] |= law->around[square];
            }
        memcpy(law->around, wider, sizeof wider);
    }
}

static void fold(struct post *post, struct way *ways, int32_t given)
{
    post->ways = ways;
    for (int32_t i = 0; i < given; i++) {
        struct way way = ways[i];

        post->every |= way.beyond;
        post->near |= way.between;
        if (way.between)
            ways[post->ways_count++] = way;
        else
            post->open |= way.beyond;
    }
}

void jetan_law_free(struct law *law)
{
    if (!law)
        return;
    free(law->answers);
    free(law->ways);
    free(law);
}

/* Make the rules ready: `counts[post]` ways of each post stand one after the other in `words`, each
 * as four words, low and high, of what must be free and what is reached. NULL without memory. */
struct law *jetan_law_new(const struct terms *terms, const int32_t *counts, const uint64_t *words)
{
    size_t every = 0, begun = 0, remembering = 0;
    struct law *law = calloc(1, sizeof *law);

    if (!law)
        return NULL;
    law->terms = *terms;
    find_around(law);
    for (int at = 0; at < POSTS + CROSSINGS; at++)
        every += (size_t)counts[at];
    law->ways = calloc(every + 1, sizeof *law->ways);
    if (!law->ways) {
        jetan_law_free(law);
        return NULL;
    }
    for (size_t i = 0; i < every; i++) {
        const uint64_t *word = words + 4 * i;

        law->ways[i].between = (mask)word[1] << 64 | word[0];
        law->ways[i].beyond = (mask)word[3] << 64 | word[2];
    }
    for (int at = 0; at < POSTS + CROSSINGS; at++) {
        fold(&law->posts[at], law->ways + begun, counts[at]);
        begun += (size_t)counts[at];
        remembering += law->posts[at].ways_count > FEW_WAYS;
    }
    law->answers = calloc(remembering * ANSWERS + 1, sizeof *law->answers);
    if (!law->answers) {
        jetan_law_free(law);
        return NULL;
    }
    struct answer *next = law->answers; /* none is asked for with nothing blocked: 0 means empty */

    for (int at = 0; at < POSTS + CROSSINGS; at++)
        if (law->posts[at].ways_count > FEW_WAYS) {
            law->posts[at].answers = next;
            next += ANSWERS;
        }
    return law;
}
