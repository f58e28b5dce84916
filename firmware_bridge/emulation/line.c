/* The serial line and the microcontroller's end of it, in simavr's stead: byte by byte, to the cycle. */
#include <stdlib.h>
#include <string.h>

#include "board.h"

#define UCSRA 0xC0
#define UCSRB 0xC1
#define UBRRL 0xC4
#define UBRRH 0xC5
#define UDR 0xC6

#define RXC 0x80
#define UDRE 0x20
#define FE 0x10
#define DOR 0x08
#define U2X 0x02
#define RXCIE 0x80
#define UDRIE 0x20
#define RXEN 0x10

#define GARBLED 0x100
#define STORE 3         /* bytes before one is lost */
#define MOST_OFF 22     /* a rate off by a 22nd, 4.5 %, is not understood any more */
#define NUDGE_AGAIN 8   /* cycles until interrupts are looked for again while they are off */

static uint32_t cycles_per_byte(const struct board *board)
{
    const uint8_t *data = board->avr->data;
    uint32_t divider = (data[UBRRL] | (data[UBRRH] & 0x0F) << 8) + 1;

    return divider * (data[UCSRA] & U2X ? 8 : 16) * 10;
}

static bool is_understood(const struct board *board)
{
    int32_t own = cycles_per_byte(board), host = board->line.host_cycles_per_byte;

    return abs(own - host) * MOST_OFF <= host;
}

/* Raise what is due. Interrupts that are off are asked again: the program may poll instead. */
static avr_cycle_count_t nudge(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct line *line = &((struct board *)param)->line;
    bool rx = line->stored_count && avr->data[UCSRB] & RXCIE;
    bool tx = !line->is_waiting && avr->data[UCSRB] & UDRIE;

    if (!rx && !tx)
        return 0;
    if (!avr->sreg[S_I])
        return when + NUDGE_AGAIN;
    if (rx)
        avr_raise_interrupt(avr, line->rxc);
    if (tx)
        avr_raise_interrupt(avr, line->udre);
    return 0;
}

static void look(struct board *board)
{
    avr_cycle_timer_register(board->avr, 1, nudge, board);
}

static avr_cycle_count_t sent(avr_t *avr, avr_cycle_count_t when, void *param);

static void shift(struct board *board, uint8_t byte)
{
    struct line *line = &board->line;

    if (line->said_count == line->said_room) {
        line->said_room = line->said_room * 2 + 256;
        line->said = realloc(line->said, line->said_room * sizeof *line->said);
    }
    if (!is_understood(board))
        byte = byte * 29 + 1; /* to another rate it is some other byte, the same each time */
    uint32_t takes = cycles_per_byte(board);
    line->said[line->said_count++] = (struct said){board_now(board) + takes, byte};
    line->is_shifting = true;
    avr_cycle_timer_register(board->avr, takes, sent, board);
}

static avr_cycle_count_t sent(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct board *board = param;
    struct line *line = &board->line;

    (void)avr, (void)when;
    line->is_shifting = false;
    if (line->is_waiting) {
        line->is_waiting = false;
        shift(board, line->waiting);
        look(board);
    }
    return 0;
}

static void write_data(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct board *board = param;
    struct line *line = &board->line;

    (void)avr, (void)address;
    if (line->is_shifting) {
        line->waiting = value;
        line->is_waiting = true;
        line->udre->pending = 0;
    } else {
        shift(board, value);
    }
    look(board);
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct board *board = param;
    struct line *line = &board->line;
    uint8_t byte = (uint8_t)line->stored[0];

    (void)avr, (void)address;
    if (line->stored_count) {
        line->stored_count--;
        memmove(line->stored, line->stored + 1, line->stored_count * sizeof line->stored[0]);
    }
    line->is_overrun = false;
    line->rxc->pending = 0;
    look(board);
    return byte;
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct board *board = param;
    const struct line *line = &board->line;
    uint8_t status = avr->data[address] & U2X;

    if (line->stored_count)
        status |= RXC;
    if (line->stored_count && line->stored[0] & GARBLED)
        status |= FE;
    if (line->is_overrun)
        status |= DOR;
    if (!line->is_waiting)
        status |= UDRE;
    return status;
}

static void write_status(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    (void)param;
    avr->data[address] = value & U2X;
}

static void write_register(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    avr->data[address] = value;
    look(param);
}

static avr_cycle_count_t arrived(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct board *board = param;
    struct line *line = &board->line;
    uint16_t byte = line->heard[line->heard_next++];

    if (!is_understood(board))
        byte = ((byte * 37 + 11) & 0xFF) | GARBLED;
    if (!(avr->data[UCSRB] & RXEN)) {
        /* nobody listens */
    } else if (line->stored_count == STORE) {
        line->overruns++;
        line->is_overrun = true;
    } else {
        line->stored[line->stored_count++] = byte;
        look(board);
    }
    return line->heard_next < line->heard_count ? when + line->host_cycles_per_byte : 0;
}

void board_hear(struct board *board, const uint8_t *bytes, uint32_t count)
{
    struct line *line = &board->line;
    bool is_quiet = line->heard_next == line->heard_count;

    if (is_quiet)
        line->heard_next = line->heard_count = 0;
    line->heard = realloc(line->heard, line->heard_count + count);
    memcpy(line->heard + line->heard_count, bytes, count);
    line->heard_count += count;
    if (is_quiet && count)
        avr_cycle_timer_register(board->avr, line->host_cycles_per_byte, arrived, board);
}

uint32_t board_said(struct board *board, struct said *said, uint32_t most)
{
    struct line *line = &board->line;
    uint32_t count = 0;

    while (count < most && count < line->said_count && line->said[count].at <= board_now(board))
        count++;
    memcpy(said, line->said, count * sizeof *said);
    line->said_count -= count;
    memmove(line->said, line->said + count, line->said_count * sizeof *said);
    return count;
}

void line_reset(struct board *board)
{
    struct line *line = &board->line;

    line->stored_count = 0;
    line->is_overrun = line->is_waiting = line->is_shifting = false;
    line->heard_next = line->heard_count;
}

static avr_int_vector_t *find_vector(struct board *board, uint8_t mask)
{
    avr_int_table_t *table = &board->avr->interrupts;

    for (uint8_t index = 0; index < table->vector_count; index++) {
        avr_int_vector_t *vector = table->vector[index];
        if (vector->enable.reg == UCSRB && 1 << vector->enable.bit == mask)
            return vector;
    }
    abort();
}

void line_install(struct board *board)
{
    board->line.rxc = find_vector(board, RXCIE);
    board->line.udre = find_vector(board, UDRIE);
    on_read(board, UDR, read_data);
    on_write(board, UDR, write_data);
    on_read(board, UCSRA, read_status);
    on_write(board, UCSRA, write_status);
    on_write(board, UCSRB, write_register);
    on_write(board, UBRRL, write_register);
    on_write(board, UBRRH, write_register);
}
