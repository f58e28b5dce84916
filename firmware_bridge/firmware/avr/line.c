#include "line.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "chip.h"
#include "count.h"

#ifndef BAUD
#define BAUD 500000UL
#endif

/* A chip with one line leaves its number out. */
#ifdef USART0_RX_vect
#define RX_vect USART0_RX_vect
#define UDRE_vect USART0_UDRE_vect
#else
#define RX_vect USART_RX_vect
#define UDRE_vect USART_UDRE_vect
#endif

#define RING 128 /* a power of two: places are masked */
#define MASK (RING - 1)
#define DIVIDER ((F_CPU + 4 * BAUD) / (8 * BAUD) - 1)

static volatile uint8_t received[RING], received_end, received_begin;
static volatile uint8_t sending[RING], sending_end, sending_begin;
static uint16_t lost, garbled;

void line_start(void)
{
    UBRR0 = DIVIDER;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

static inline void fetch(void)
{
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    uint8_t end = (received_end + 1) & MASK;

    if (status & _BV(FE0))
        count_up(&garbled);
    if (status & _BV(DOR0))
        count_up(&lost);
    if (end == received_begin) {
        count_up(&lost);
        return;
    }
    received[received_end] = byte;
    received_end = end;
}

ISR(RX_vect)
{
    fetch();
}

ISR(UDRE_vect)
{
    if (sending_begin == sending_end) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = sending[sending_begin];
    sending_begin = (sending_begin + 1) & MASK;
}

void line_poll(void)
{
    if (UCSR0A & _BV(RXC0))
        fetch();
}

bool line_take(uint8_t *byte)
{
    uint8_t begin = received_begin;

    if (begin == received_end)
        return false;
    *byte = received[begin];
    received_begin = (begin + 1) & MASK;
    return true;
}

uint8_t line_room(void)
{
    return MASK - ((sending_end - sending_begin) & MASK);
}

void line_put(uint8_t byte)
{
    sending[sending_end] = byte;
    sending_end = (sending_end + 1) & MASK;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}

uint16_t line_lost(void)
{
    uint16_t now;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = lost;
    }
    return now;
}

uint16_t line_garbled(void)
{
    uint16_t now;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = garbled;
    }
    return now;
}
