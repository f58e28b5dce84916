/* The serial line: bytes in and out through rings, so that nobody waits for the wire. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifndef BAUD
#define BAUD 500000UL
#endif

void uart_start(void);

/* Take the next byte received; false if there is none. */
bool uart_take(uint8_t *byte);

/* How many bytes can be put now without losing one. */
uint8_t uart_room(void);
void uart_put(uint8_t byte);

/* Fetch one byte while interrupts are off; to be called more often than bytes come. */
void uart_poll(void);

/* Counted since the start, and saved for others to read: bytes lost, and bytes that were garbled. */
uint16_t uart_lost(void);
uint16_t uart_framing_errors(void);
