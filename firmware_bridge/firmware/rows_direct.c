/*
 * Rows on the microcontroller's own pins. Those not driven are inputs: two outputs that fight through
 * two closed switches of one column would burn. They are pulled up, because a wire that was low just
 * now would else be charged through the switches, and hold their columns low for too long.
 */
#include "chip.h"
#include "rows.h"

#ifdef ROW_PINS

static const struct pin pins[ROWS] = {ROW_PINS};
static uint8_t driven = NO_ROW;

void rows_start(void)
{
    for (uint8_t row = 0; row < ROWS; row++)
        pin_pull_up(pins[row]);
}

void rows_select(uint8_t row)
{
    if (driven != NO_ROW)
        pin_pull_up(pins[driven]);
    if (row != NO_ROW)
        pin_drive(pins[row], false);
    driven = row;
}

#endif
