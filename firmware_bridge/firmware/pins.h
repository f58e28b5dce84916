/* Written by tools/c_headers.py from messages.py and build.py: change those. */
#pragma once

#ifdef BOARD_MEGA
#define EVENTS_KEPT 128
#define COLUMN_PINS PIN(L, 0), PIN(L, 1), PIN(L, 2), PIN(L, 3), PIN(L, 4), PIN(L, 5), PIN(L, 6), PIN(L, 7), PIN(C, 0), PIN(C, 1)
#define ROW_PINS PIN(A, 0), PIN(A, 1), PIN(A, 2), PIN(A, 3), PIN(A, 4), PIN(A, 5), PIN(A, 6), PIN(A, 7), PIN(C, 7), PIN(C, 6)
#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_BIT 4
#endif

#ifdef BOARD_NANO
#define EVENTS_KEPT 64
#define COLUMN_PINS PIN(D, 2), PIN(D, 3), PIN(D, 4), PIN(D, 5), PIN(D, 6), PIN(D, 7), PIN(B, 0), PIN(B, 1), PIN(C, 0), PIN(C, 1)
#define REGISTER_DATA PIN(C, 2)
#define REGISTER_CLOCK PIN(C, 3)
#define REGISTER_LATCH PIN(C, 4)
#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_BIT 2
#endif

#ifdef BOARD_PICO
#define EVENTS_KEPT 128
#define COLUMN_PINS PIN(0), PIN(1), PIN(2), PIN(3), PIN(4), PIN(5), PIN(6), PIN(7), PIN(8), PIN(9)
#define ROW_PINS PIN(10), PIN(11), PIN(12), PIN(13), PIN(14), PIN(15), PIN(16), PIN(17), PIN(18), PIN(19)
#define LAMP_PIN 22
#endif
