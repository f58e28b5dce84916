/* Counters that stand still at their largest number instead of starting over. */
#pragma once
#include <stdint.h>

static inline void count_up(uint16_t *counter)
{
    if (*counter != UINT16_MAX)
        ++*counter;
}
