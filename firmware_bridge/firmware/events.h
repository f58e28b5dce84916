/* The ring of events: what has been told is kept for a while, so that it can be repeated. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "messages.h"

/* Number and keep an event; false if the ring is full of events that were not sent yet. */
bool events_add(uint32_t ticks, uint8_t switch_index, uint8_t level);

/* The event to send next; false if all are sent. `events_sent` moves on to the one after it. */
bool events_next(struct switch_event *event);
void events_sent(void);

/* Send again from `number` on; false if it is not kept any more. */
bool events_repeat(uint16_t number);

/* How many there have been since the start; 65535 is followed by 0. */
uint16_t events_count(void);
