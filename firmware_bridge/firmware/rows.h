/* Drives one row of the matrix low. Pins of the microcontroller, or of shift registers. */
#pragma once
#include <stdint.h>

#define ROWS 10
#define NO_ROW 0xFF

void rows_start(void);

/* Drive `row` low and no other; NO_ROW drives none. */
void rows_select(uint8_t row);
