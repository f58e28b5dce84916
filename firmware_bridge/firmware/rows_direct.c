/*
 * Rows on the microcontroller's own pins. Those not driven are high-impedance: two outputs that
 * fight through two closed switches of one column would burn.
 */
#include "pin.h"
#include "rows.h"

#ifdef ROW_PINS

static const struct pin pins[ROWS] = {ROW_PINS};
static uint8_t driven = NO_ROW;

void rows_start(void)
{
    for (uint8_t row = 0; row < ROWS; row++) {
        *pin_direction(pins[row]) &= (uint8_t)~pins[row].mask;
        *pin_output(pins[row]) &= (uint8_t)~pins[row].mask;
    }
}

void rows_select(uint8_t row)
{
    if (driven != NO_ROW)
        *pin_direction(pins[driven]) &= (uint8_t)~pins[driven].mask;
    if (row != NO_ROW)
        *pin_direction(pins[row]) |= pins[row].mask;
    driven = row;
}

#endif
