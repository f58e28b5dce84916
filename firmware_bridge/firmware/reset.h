/* Why the microcontroller has started, which start this is, and the watchdog. */
#pragma once
#include <stdint.h>

#ifndef WATCHDOG
#define WATCHDOG 1
#endif

/* The bits of MCUSR: 1 power, 2 button or host, 4 brown-out, 8 watchdog. */
uint8_t reset_cause(void);

/* A number that another start very likely does not have. */
uint16_t reset_boot_id(void);

void watchdog_start(void);
void watchdog_kick(void);
