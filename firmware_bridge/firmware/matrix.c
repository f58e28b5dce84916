#include "matrix.h"

#include <string.h>

#include "chip.h"

static const struct pin columns[COLUMNS] = {COLUMN_PINS};

void matrix_start(void)
{
    for (uint8_t column = 0; column < COLUMNS; column++)
        pin_pull_up(columns[column]);
    rows_start();
}

static uint16_t read_columns(void)
{
    uint16_t low = 0;

    for (uint8_t column = 0; column < COLUMNS; column++)
        if (pin_is_low(columns[column]))
            low |= 1U << column;
    return low;
}

void matrix_scan(uint16_t closed[ROWS])
{
    for (uint8_t row = 0; row < ROWS; row++) {
        rows_select(row);
        wait_us(SETTLE_US);
        closed[row] = read_columns();
    }
    rows_select(NO_ROW);
}

uint16_t matrix_low_columns(void)
{
    wait_us(SETTLE_US);
    return read_columns();
}

void matrix_pack(const uint16_t rows[ROWS], uint8_t bitmap[BITMAP_BYTES])
{
    uint8_t index = 0;

    memset(bitmap, 0, BITMAP_BYTES);
    for (uint8_t row = 0; row < ROWS; row++)
        for (uint8_t column = 0; column < COLUMNS; column++, index++)
            if (rows[row] >> column & 1)
                bitmap[index >> 3] |= 1 << (index & 7);
}
