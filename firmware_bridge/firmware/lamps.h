/* 100 WS2812 lamps on one wire, within a limit of current. They start dark, and with a low limit. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define LAMPS 100
#define FIRST_LIMIT_MA 400 /* what a USB port gives, less the microcontroller's own share */

/* Make the lamps dark. */
void lamps_start(void);

void lamps_configure(uint8_t brightness, uint16_t limit_ma);

/* Set one lamp of the frame to come. */
void lamps_set(uint8_t lamp, const uint8_t rgb[3]);

/* Show the frame, dimmed as far as the limit asks for; returns what the lamps draw, in mA. */
uint16_t lamps_show(void);

/* Make every lamp dark, unless they are; for when the host is gone. */
void lamps_blank(void);
