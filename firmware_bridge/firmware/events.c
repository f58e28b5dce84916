#include "events.h"

#include "chip.h"

#define MASK (EVENTS_KEPT - 1)
_Static_assert((EVENTS_KEPT & MASK) == 0, "EVENTS_KEPT must be a power of two");

static struct {
    uint32_t ticks;
    uint8_t switch_index : 7;
    uint8_t level : 1;
} ring[EVENTS_KEPT];

static uint16_t count, sent, oldest;

bool events_add(uint32_t ticks, uint8_t switch_index, uint8_t level)
{
    if ((uint16_t)(count - sent) == EVENTS_KEPT)
        return false;
    ring[count & MASK].ticks = ticks;
    ring[count & MASK].switch_index = switch_index;
    ring[count & MASK].level = level;
    count++;
    if ((uint16_t)(count - oldest) > EVENTS_KEPT)
        oldest++;
    return true;
}

bool events_next(struct switch_event *event)
{
    if (sent == count)
        return false;
    event->number = sent;
    event->at_us = ticks_to_us(ring[sent & MASK].ticks);
    event->switch_index = ring[sent & MASK].switch_index;
    event->level = ring[sent & MASK].level;
    return true;
}

void events_sent(void)
{
    sent++;
}

bool events_repeat(uint16_t number)
{
    if ((uint16_t)(number - oldest) > (uint16_t)(count - oldest))
        return false;
    sent = number;
    return true;
}

uint16_t events_count(void)
{
    return count;
}
