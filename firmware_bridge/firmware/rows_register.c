/*
 * Rows on two chained 74HC595. Their outputs drive high as well as low, so a board wired like this
 * needs its diodes. Row 0 is output A of the first register, row 8 output A of the second.
 */
#include "pin.h"
#include "rows.h"

#ifdef REGISTER_DATA

static const struct pin data = REGISTER_DATA;
static const struct pin clock = REGISTER_CLOCK;
static const struct pin latch = REGISTER_LATCH;

static void pulse(struct pin pin)
{
    *pin_output(pin) |= pin.mask;
    *pin_output(pin) &= (uint8_t)~pin.mask;
}

static void shift(uint16_t outputs)
{
    for (uint8_t bit = 0; bit < 16; bit++, outputs <<= 1) {
        if (outputs & 0x8000)
            *pin_output(data) |= data.mask;
        else
            *pin_output(data) &= (uint8_t)~data.mask;
        pulse(clock);
    }
    pulse(latch);
}

void rows_start(void)
{
    const struct pin used[] = {data, clock, latch};

    for (uint8_t index = 0; index < 3; index++)
        *pin_direction(used[index]) |= used[index].mask;
    shift(0xFFFF);
}

void rows_select(uint8_t row)
{
    shift(row == NO_ROW ? 0xFFFF : (uint16_t)~(1U << row));
}

#endif
