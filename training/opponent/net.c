/* Positions for a net to learn from, and its learning (`net.py`). */

#include "../../bench/opponent/selfplay.c"

#define VIEWS 2
#define STALE 5 /* a table is made anew in one ply of so many: a search's is some plies old, too */
#define OPEN 2500
#define DECIDED 1800
#define DECIDED_PLIES 4
#define ROW 10
#define UNIT 250.0f
#define WORTH 100.0f /* of an output of 1 */

/* A position and what its search found, laid out as `net.py` reads it. */
struct sample {
    uint8_t board[SQUARES]; /* 0, or 1 and the side's and the kind's number */
    uint8_t side, escapes;
    int16_t still, score;
    uint16_t ply;
    uint32_t stretch, game; /* no ply was stirred within a stretch */
};

/* Every so many plies of a game are played at random, the first of them. */
struct stirring {
    int32_t per_mille, until;
};

static uint32_t drawn(uint64_t *chance)
{
    *chance = *chance * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*chance >> 33);
}

static bool is_quiet(const struct law *law, const struct position *position, int to)
{
    const struct army *ours = &position->armies[position->side], *theirs = &position->armies[!position->side];

    if (theirs->held & bit_of(to) || ours->princess == NOBODY || theirs->princess == NOBODY)
        return false;
    for (int at = 0; at < theirs->count; at++) {
        mask ends = ends_of(law, theirs->men[at], position->occupied);

        if (ends & bit_of(square_of(ours->princess)) || (kind_of(theirs->men[at]) == CHIEF && ends & ours->chiefs))
            return false;
    }
    return true;
}

static void note(const struct node *node, int still, int score, int ply, int stretch, uint32_t game,
                 struct sample *sample)
{
    *sample = (struct sample){{0}, node->position.side, 0, (int16_t)still, (int16_t)score, (uint16_t)ply,
                              (uint32_t)stretch, game};
    for (int side = 0; side < 2; side++) {
        const struct army *army = &node->position.armies[side];

        sample->escapes |= (uint8_t)(army->may_escape << side);
        for (int at = 0; at < army->count; at++)
            sample->board[square_of(army->men[at])] = (uint8_t)(1 + army->men[at] / SQUARES);
        sample->board[square_of(army->princess)] = (uint8_t)(1 + army->princess / SQUARES);
    }
}

/* Play a man's move at random; whether there was one. */
static bool stir(const struct law *law, const struct position *position, uint64_t *chance, struct position *after)
{
    const struct army *ours = &position->armies[position->side];
    mask ends[MOST_MEN];
    int total = 0, at = 0;

    men_ends(law, position, ends);
    for (int man = 0; man < ours->count; man++)
        total += count(ends[man]);
    if (!total)
        return false;
    int pick = (int)(drawn(chance) % (uint32_t)total);

    for (; pick >= count(ends[at]); at++)
        pick -= count(ends[at]);
    mask left = ends[at];

    for (; pick; pick--)
        left &= left - 1;
    play(law, position, at, ours->men[at] - square_of(ours->men[at]) + lowest(left), false, false, after);
    return true;
}

/* Play a game against oneself, and note its quiet positions; returns how many. */
int32_t net_gather(const struct player *player, const struct keys *keys, const struct standing *standing,
                   int32_t repetition_draws, int32_t most_plies, uint32_t game, const struct stirring *stirring,
                   struct sample *samples)
{
    static struct tree scratch; /* that a position's key and its stale worth can be found */
    const struct law *law = player->law;
    struct node node;
    uint64_t line[LONGEST], chance = (uint64_t)game * 2654435761u + 12345;
    int32_t found = 0, decided = 0, stretch = 0;

    drawn(&chance);
    drawn(&chance);
    scratch.keys = keys;
    set_up(&node.position, standing);
    weigh(player, &node.position, &scratch.weights);
    for (int32_t ply = 0; ply < most_plies && decided < DECIDED_PLIES; ply++) {
        struct position *position = &node.position, after;
        const struct army *ours = &position->armies[position->side];
        int32_t score, back = position->quiet_plies < ply ? position->quiet_plies : ply, again = 0;

        if (drawn(&chance) % STALE == 0)
            weigh(player, position, &scratch.weights);
        root_at(&scratch, &node, 0);
        for (int32_t i = ply - back; i < ply; i++)
            again += line[i] == node.key;
        if ((again == 2 && repetition_draws) || position->ended != GOES_ON || outcome_of(law, position) != GOES_ON)
            break;
        int32_t move = player->choose(player, keys, position, &line[ply - back], back, &score);
        int from = move >> 8, to = move >> 1 & 127, at = place_of(ours, from);
        int here = at == NOBODY ? ours->princess : ours->men[at];

        line[ply] = node.key;
        if (abs(score) < OPEN && is_quiet(law, position, to))
            note(&node, node.score + scratch.weights.tempo, score, ply, stretch, game, &samples[found++]);
        decided = abs(score) > DECIDED ? decided + 1 : 0;
        if ((int32_t)(drawn(&chance) % 1000) < stirring->per_mille && ply < stirring->until &&
            stir(law, position, &chance, &after))
            stretch++;
        else
            play(law, position, at, here - from + to, move & 1, false, &after);
        *position = after;
    }
    return found;
}

/* Learning */

struct learner {
    float rows[POSTS + 2][HIDDEN]; /* the last two: the own escape unspent, the other's */
    float middle[HIDDEN], out[PHASES][VIEWS][HIDDEN], base[PHASES];
};

/* The rows of a position by view, who moves first. */
struct seen {
    int rows[VIEWS][SQUARES + 2], count, phase;
    float sums[VIEWS][HIDDEN];
};

static void look(const struct sample *sample, bool is_mirrored, struct seen *seen)
{
    seen->count = 0;
    for (int square = 0; square < SQUARES; square++) {
        int piece = sample->board[square] - 1, side = piece / KINDS, rank = square / ROW;
        int file = is_mirrored ? ROW - 1 - square % ROW : square % ROW;

        if (piece < 0)
            continue;
        for (int view = 0; view < VIEWS; view++) {
            int viewer = view ? !sample->side : sample->side;
            int of = ((side != viewer) * KINDS + piece % KINDS) * SQUARES;

            seen->rows[view][seen->count] = of + ROW * (viewer ? ROW - 1 - rank : rank) + file;
        }
        seen->count++;
    }
    seen->phase = phase_of(seen->count);
    for (int side = 0; side < 2; side++)
        if (sample->escapes >> side & 1) {
            seen->rows[0][seen->count] = POSTS + (side != sample->side);
            seen->rows[1][seen->count++] = POSTS + (side == sample->side);
        }
}

static float cut(float sum)
{
    return sum < 0 ? 0 : sum > 1 ? 1 : sum;
}

static float chances(const struct learner *net, const struct sample *sample, struct seen *seen)
{
    float out = net->base[seen->phase];

    for (int view = 0; view < VIEWS; view++) {
        float *sums = seen->sums[view];

        memcpy(sums, net->middle, sizeof net->middle);
        for (int i = 0; i < seen->count; i++)
            for (int at = 0; at < HIDDEN; at++)
                sums[at] += net->rows[seen->rows[view][i]][at];
        for (int at = 0; at < HIDDEN; at++)
            out += net->out[seen->phase][view][at] * cut(sums[at]);
    }
    return 1 / (1 + expf(-(sample->still + WORTH * out) / UNIT));
}

/* What each of some positions promises, to who moves. */
void net_chances(const struct learner *net, const struct sample *samples, const int32_t *order, int32_t many,
                 float *found)
{
    struct seen seen;

    for (int32_t i = 0; i < many; i++) {
        look(&samples[order[i]], false, &seen);
        found[i] = chances(net, &samples[order[i]], &seen);
    }
}

/* The slope of the surprise at some positions, by their `shares`. */
void net_slope(const struct learner *net, const struct sample *samples, const float *shares, const int32_t *order,
               const uint8_t *mirrored, int32_t many, struct learner *slope)
{
    struct seen seen;

    memset(slope, 0, sizeof *slope);
    for (int32_t i = 0; i < many; i++) {
        look(&samples[order[i]], mirrored[i], &seen);
        float pull = (chances(net, &samples[order[i]], &seen) - shares[order[i]]) * WORTH / UNIT / (float)many;

        slope->base[seen.phase] += pull;
        for (int view = 0; view < VIEWS; view++) {
            const float *out = net->out[seen.phase][view];
            float pulls[HIDDEN];

            for (int at = 0; at < HIDDEN; at++) {
                float sum = seen.sums[view][at];

                slope->out[seen.phase][view][at] += pull * cut(sum);
                pulls[at] = sum > 0 && sum < 1 ? pull * out[at] : 0;
                slope->middle[at] += pulls[at];
            }
            for (int row = 0; row < seen.count; row++)
                for (int at = 0; at < HIDDEN; at++)
                    slope->rows[seen.rows[view][row]][at] += pulls[at];
        }
    }
}
