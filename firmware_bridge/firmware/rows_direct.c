/*
 * Rows on the microcontroller's own pins. Those not driven are high-impedance: two outputs that
 * fight through two closed switches of one column would burn.
 */
#include "chip.h"
#include "rows.h"

#ifdef ROW_PINS

static const struct pin pins[ROWS] = {ROW_PINS};
static uint8_t driven = NO_ROW;

void rows_start(void)
{
    for (uint8_t row = 0; row < ROWS; row++)
        pin_float(pins[row]);
}

void rows_select(uint8_t row)
{
    if (driven != NO_ROW)
        pin_float(pins[driven]);
    if (row != NO_ROW)
        pin_drive(pins[row], false);
    driven = row;
}

#endif
