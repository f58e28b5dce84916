/*
 * Rows on two chained 74HC595. Their outputs drive high as well as low, so a board wired like this
 * needs its diodes. Row 0 is output A of the first register, row 8 output A of the second.
 */
#include "chip.h"
#include "rows.h"

#ifdef REGISTER_DATA

#define OUTPUTS 16

static const struct pin data = REGISTER_DATA;
static const struct pin clock = REGISTER_CLOCK;
static const struct pin latch = REGISTER_LATCH;

static void pulse(struct pin pin)
{
    pin_drive(pin, true);
    pin_drive(pin, false);
}

void rows_start(void)
{
    pin_drive(data, true);
    for (uint8_t output = 0; output < OUTPUTS; output++)
        pulse(clock);
    pulse(latch);
}

/* One zero walks through the registers, a step a row; after the last row nothing hangs on it. */
void rows_select(uint8_t row)
{
    pin_drive(data, row != 0);
    pulse(clock);
    pulse(latch);
}

#endif
