#include "switches.h"

#include <string.h>

#include "count.h"
#include "events.h"

static uint16_t told[ROWS], last[ROWS], held[ROWS], doubted[ROWS], suspects[ROWS];
static uint8_t held_ms[SWITCHES], bounces[SWITCHES];
static uint8_t debounce_ms = 5;
static uint16_t doubts;
static bool doubts_changed;

#if DIODES
static void find_doubted(const uint16_t raw[ROWS])
{
    (void)raw;
}
#else
/*
 * Three closed corners of a rectangle close the fourth, so of any rectangle that reads closed one
 * corner may be empty: none of the four is believed anew.
 */
static void find_doubted(const uint16_t raw[ROWS])
{
    uint16_t found[ROWS] = {0};

    for (uint8_t row = 0; row < ROWS; row++)
        for (uint8_t other = row + 1; other < ROWS; other++) {
            uint16_t both = raw[row] & raw[other];
            if (both & (both - 1)) {
                found[row] |= both;
                found[other] |= both;
            }
        }
    if (memcmp(found, doubted, sizeof found)) {
        memcpy(doubted, found, sizeof found);
        doubts_changed = true;
        count_up(&doubts);
    }
}
#endif

void switches_start(const uint16_t raw[ROWS])
{
    memcpy(told, raw, sizeof told);
    memcpy(last, raw, sizeof last);
}

static void tell(uint8_t row, uint8_t column, uint32_t ticks)
{
    uint8_t index = row * COLUMNS + column;
    uint16_t bit = 1U << column;

    /* Without room for the event the change is told by a later scan. */
    if (!events_add(ticks, index, (told[row] & bit) ? 0 : 1))
        return;
    told[row] ^= bit;
    held[row] |= bit;
    held_ms[index] = debounce_ms;
}

static void let_go(uint8_t row, uint8_t elapsed_ms)
{
    for (uint8_t column = 0; column < COLUMNS; column++) {
        uint8_t *left = &held_ms[row * COLUMNS + column];
        uint16_t bit = 1U << column;
        if (!(held[row] & bit))
            continue;
        if (*left > elapsed_ms)
            *left -= elapsed_ms;
        else
            held[row] &= ~bit;
    }
}

static void count_bounces(uint8_t row, uint16_t bounced)
{
    for (uint8_t index = row * COLUMNS; bounced; index++, bounced >>= 1)
        if ((bounced & 1) && bounces[index] != UINT8_MAX)
            bounces[index]++;
}

bool switches_look(const uint16_t raw[ROWS], uint8_t elapsed_ms)
{
    bool is_needed = false;

    find_doubted(raw);
    for (uint8_t row = 0; row < ROWS; row++) {
        if (held[row]) {
            count_bounces(row, (raw[row] ^ last[row]) & held[row]);
            let_go(row, elapsed_ms);
        }
        last[row] = raw[row];
        suspects[row] = (raw[row] ^ told[row]) & ~held[row];
        if (suspects[row] & ~doubted[row])
            is_needed = true;
    }
    return is_needed;
}

void switches_confirm(const uint16_t again[ROWS], uint32_t ticks)
{
    find_doubted(again);
    for (uint8_t row = 0; row < ROWS; row++) {
        uint16_t sure = suspects[row] & (again[row] ^ told[row]) & ~doubted[row];
        for (uint8_t column = 0; sure; column++, sure >>= 1)
            if (sure & 1)
                tell(row, column, ticks);
    }
}

void switches_set_debounce(uint8_t ms)
{
    debounce_ms = ms;
}

const uint16_t *switches_told(void)
{
    return told;
}

const uint8_t *switches_bounces(void)
{
    return bounces;
}

const uint16_t *switches_doubted(void)
{
    return doubted;
}

bool switches_doubts_changed(void)
{
    bool changed = doubts_changed;

    doubts_changed = false;
    return changed;
}

uint16_t switches_doubts(void)
{
    return doubts;
}
