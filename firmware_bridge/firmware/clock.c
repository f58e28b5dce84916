#include "clock.h"

#include <avr/io.h>

static uint16_t turns;
static uint16_t last;

void clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10); /* 16 MHz / 64 */
}

uint32_t clock_ticks(void)
{
    uint16_t now = TCNT1;

    if (now < last)
        turns++;
    last = now;
    return (uint32_t)turns << 16 | now;
}
