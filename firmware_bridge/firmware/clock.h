/* Time since the start, from timer 1. Polled, so that long lamp frames lose none of it. */
#pragma once
#include <stdint.h>

#define US_PER_TICK 4
#define TICKS_PER_MS 250

void clock_start(void);

/* Ticks of 4 us; must be asked more often than every 262 ms. Wraps round after 4.7 hours. */
uint32_t clock_ticks(void);

/* Microseconds, which wrap round after 71 minutes: the host counts the turns. */
static inline uint32_t ticks_to_us(uint32_t ticks)
{
    return ticks * US_PER_TICK;
}
