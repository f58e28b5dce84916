/* Drives one row of the matrix low. Pins of the microcontroller, or of shift registers. */
#pragma once
#include <stdint.h>

#define ROWS 10
#define NO_ROW 0xFF

void rows_start(void);

/* Drive `row` low and no other. They are driven in order from 0 on, and NO_ROW, none, at last. */
void rows_select(uint8_t row);
