/* What the board tells: events, snapshots as a heartbeat, and what it was asked for. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Write a packet; the caller has seen to it that there is room. */
void report_send(uint8_t code, const void *payload, uint8_t size);
void report_hello(void);

/* Whether an answer of any size can be sent now. */
bool reports_have_room(void);

/* Tell a snapshot, or the statistics, as soon as there is room. */
void reports_look(void);
void reports_count(void);

/* Tell what is due, as far as there is room: events first. */
void reports_go_on(uint32_t now);

/* Note one scan, begun `gap_us` after the one before, and whether packets were damaged. */
void reports_scanned(uint32_t gap_us);
void reports_bad_packets(uint16_t count);
