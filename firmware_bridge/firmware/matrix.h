/* Reads the switches: a bit a column, row by row; 1 is closed. */
#pragma once
#include <stdint.h>

#include "rows.h"

#define COLUMNS 10
#define SWITCHES (ROWS * COLUMNS)
#define BITMAP_BYTES ((SWITCHES + 7) / 8)

#ifndef SETTLE_US
#define SETTLE_US 30 /* three time constants of a 50 kOhm pull-up on 200 pF of wire */
#endif

void matrix_start(void);
void matrix_scan(uint16_t closed[ROWS]);

/* Columns that are low between two scans, with no row driven: a wire that touches ground. */
uint16_t matrix_low_columns(void);

/* Pack one bit a switch, in the order of switches, lowest bit first. */
void matrix_pack(const uint16_t rows[ROWS], uint8_t bitmap[BITMAP_BYTES]);
