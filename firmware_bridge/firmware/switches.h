/*
 * Makes raw levels sure. A change that a second scan right after the first confirms is told at once
 * and starts a hold-off; what stands at its end, if it differs, is told then. So a lift shows without
 * delay, one disturbed scan shows nothing, and a contact's bounce is one event.
 */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "matrix.h"

#ifndef DIODES
#define DIODES 1
#endif

/* Take the levels as they stand now, without events. */
void switches_start(const uint16_t raw[ROWS]);

/* Take in a scan, `elapsed_ms` after the last. Returns whether another is needed to be sure. */
bool switches_look(const uint16_t raw[ROWS], uint8_t elapsed_ms);

/* Take in that other scan, and tell what both saw, at `ticks` on the clock. */
void switches_confirm(const uint16_t again[ROWS], uint32_t ticks);

void switches_set_debounce(uint8_t ms);

/* The levels told last, as `matrix_scan` has them. */
const uint16_t *switches_told(void);

/* How often each switch changed while it was held. */
const uint8_t *switches_bounces(void);

/* Switches that others may close without a magnet; always none on boards with diodes. */
const uint16_t *switches_doubted(void);
bool switches_doubts_changed(void); /* true once after each change */
uint16_t switches_doubts(void);     /* how often, since the start */
