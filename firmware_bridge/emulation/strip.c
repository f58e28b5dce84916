/* WS2812 lamps: the widths of pulses become bits, a long pause shows them. */
#include <string.h>

#include "board.h"

#define NS(cycles) ((cycles) * 1000 / CYCLES_PER_US)
#define LATCH (280 * CYCLES_PER_US)

static bool is_in(uint32_t ns, uint32_t least, uint32_t most)
{
    return ns >= least && ns <= most;
}

static void latch(struct strip *strip)
{
    if (!strip->bit_count)
        return;
    for (uint32_t lamp = 0; lamp < strip->bit_count / 24; lamp++) {
        const uint8_t order[3] = {1, 0, 2}; /* the wire has green first */
        for (uint8_t channel = 0; channel < 3; channel++) {
            uint8_t value = 0;
            for (uint8_t bit = 0; bit < 8; bit++)
                value = value << 1 | strip->bits[lamp * 24 + channel * 8 + bit];
            strip->shown[lamp * 3 + order[channel]] = value;
        }
    }
    strip->shown_at = strip->fell_at + LATCH;
    strip->frames++;
    strip->bit_count = 0;
}

static void rise(struct strip *strip, uint64_t now)
{
    uint64_t gap = now - strip->fell_at;

    if (gap >= LATCH)
        latch(strip);
    else if (strip->bit_count && gap > strip->longest_gap)
        strip->longest_gap = gap;
    strip->rose_at = now;
}

static void fall(struct strip *strip, uint64_t now)
{
    uint32_t width = NS(now - strip->rose_at);
    bool is_one = width > 525;

    if (!is_in(width, 200, 500) && !is_in(width, 550, 1000))
        strip->bad_pulses++;
    if (strip->bit_count < sizeof strip->bits)
        strip->bits[strip->bit_count++] = is_one;
    strip->fell_at = now;
}

void strip_write(struct strip *strip, uint64_t now, bool is_high)
{
    if (is_high == strip->is_high)
        return;
    strip->is_high = is_high;
    if (is_high)
        rise(strip, now);
    else
        fall(strip, now);
}

void strip_settle(struct strip *strip, uint64_t now)
{
    if (!strip->is_high && now - strip->fell_at >= LATCH)
        latch(strip);
}

static void look(const struct strip *strip, uint8_t rgb[LAMPS * 3], uint32_t counts[3])
{
    memcpy(rgb, strip->shown, sizeof strip->shown);
    counts[0] = strip->frames;
    counts[1] = strip->bad_pulses;
    counts[2] = strip->longest_gap;
}

uint64_t strip_read(const struct board *board, uint8_t rgb[LAMPS * 3], uint32_t counts[3])
{
    look(&board->strip, rgb, counts);
    return board->strip.shown_at;
}

void strip_decode(const uint8_t *sent, uint32_t size, uint32_t cycles_per_bit,
                  uint8_t rgb[LAMPS * 3], uint32_t counts[3])
{
    struct strip strip = {0};
    uint64_t now = 0;

    for (uint32_t bit = 0; bit < size * 8; bit++, now += cycles_per_bit)
        strip_write(&strip, now, sent[bit / 8] >> (7 - bit % 8) & 1);
    strip_settle(&strip, now);
    look(&strip, rgb, counts);
}
