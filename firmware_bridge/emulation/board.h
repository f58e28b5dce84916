/*
 * A board in virtual time: the microcontroller by simavr, and by ourselves what is soldered to it.
 *
 * Modelled: the net of rows, columns, switches and diodes; pull-ups, and columns that rise slowly
 * after they were low; pins that float and read at random; rows that fight; two 74HC595; the serial
 * line byte by byte, with the real receiver's two bytes of store and their overrun, other baud rates,
 * and resets by the host, the supply or a program that hangs; WS2812 lamps by the widths of their
 * pulses. Not modelled: supply sag, noise, bootloaders beyond the time they take, USB.
 *
 * It links with simavr, which is under the GNU GPL 3; nothing that is installed does.
 *
 * Times are cycles since power-on, 16 a microsecond.
 */
#pragma once
#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define ROWS 10
#define COLUMNS 10
#define LAMPS 100
#define CYCLES_PER_US 16
#define NO_PIN 0xFFFF

/* Pins are the address of their port's PIN register times 8, plus the bit. */
struct wiring {
    uint16_t rows[ROWS]; /* NO_PIN if the registers drive them */
    uint16_t columns[COLUMNS];
    uint16_t data, clock, latch; /* NO_PIN without registers */
    uint16_t lamps;
    uint16_t has_diodes;
    uint16_t rise_us;
};

struct edge {
    uint64_t at;
    uint8_t switch_index;
    uint8_t closed;
};

struct matrix {
    struct wiring wiring;
    bool closed[ROWS * COLUMNS];
    struct edge *edges; /* to come, oldest first */
    uint32_t edge_count, edge_next;
    uint16_t low_columns;
    uint64_t high_from[COLUMNS];
    uint16_t shifted, outputs; /* of the registers */
    uint32_t fights, chance;
};

struct strip {
    uint64_t rose_at, fell_at, shown_at;
    uint8_t bits[LAMPS * 24];
    uint32_t bit_count;
    uint8_t shown[LAMPS * 3]; /* red, green, blue */
    uint32_t frames, bad_pulses, longest_gap;
    bool is_high;
};

struct said {
    uint64_t at; /* when the stop bit has passed */
    uint8_t byte;
};

struct line {
    uint32_t host_cycles_per_byte;
    uint8_t *heard; /* bytes on their way to the board */
    uint32_t heard_count, heard_next;
    uint16_t stored[3]; /* the receiver's two bytes and the one in its shift register */
    uint8_t stored_count;
    bool is_overrun;
    uint8_t waiting;
    bool is_waiting, is_shifting;
    struct said *said;
    uint32_t said_count, said_room;
    uint32_t overruns;
    avr_int_vector_t *rxc, *udre;
};

struct board {
    avr_t *avr;
    struct matrix matrix;
    struct strip strip;
    struct line line;
    void (*reset_core)(avr_t *avr);
    uint64_t past; /* cycles before the last reset, if the core counts from 0 again */
    uint64_t held_until;
    uint32_t resets;
    uint16_t hung_word;
    avr_flashaddr_t hung_at;
    bool is_hung;
};

struct board *board_new(const char *mcu, uint8_t *code, uint32_t size, const struct wiring *wiring,
                        uint32_t baud);
void board_free(struct board *board);
void board_run(struct board *board, uint64_t until);
uint64_t board_now(const struct board *board);

/* Let switches change; `at` must not run back. */
void board_edges(struct board *board, const struct edge *edges, uint32_t count);

/* Put bytes on the line to the board, after those that are on it. */
void board_hear(struct board *board, const uint8_t *bytes, uint32_t count);

/* Take what the board has said; returns how many bytes. */
uint32_t board_said(struct board *board, struct said *said, uint32_t most);

/* Reset, with these bits in MCUSR; the program begins after so many cycles of bootloader. */
void board_reset(struct board *board, uint8_t cause, uint64_t held);

/* Let the program hang where it is, until the next reset. */
void board_hang(struct board *board);

/* What there is to look at. `counts`: frames shown, bad pulses, the longest gap in a frame. */
uint64_t strip_read(const struct board *board, uint8_t rgb[LAMPS * 3], uint32_t counts[3]);

/* What lamps show that are sent these bytes by SPI, highest bit first; `counts` as above. */
void strip_decode(const uint8_t *sent, uint32_t size, uint32_t cycles_per_bit,
                  uint8_t rgb[LAMPS * 3], uint32_t counts[3]);
uint32_t board_fights(const struct board *board);
uint32_t board_overruns(const struct board *board);

/* Between the files. */
void matrix_install(struct board *board);
void line_install(struct board *board);
void line_reset(struct board *board);
void strip_write(struct strip *strip, uint64_t now, bool is_high);
void strip_settle(struct strip *strip, uint64_t now);

/* Have reads or writes of a register handled here, in simavr's stead. */
static inline void on_read(struct board *board, uint16_t address, avr_io_read_t read)
{
    board->avr->io[AVR_DATA_TO_IO(address)].r.c = read;
    board->avr->io[AVR_DATA_TO_IO(address)].r.param = board;
}

static inline void on_write(struct board *board, uint16_t address, avr_io_write_t write)
{
    board->avr->io[AVR_DATA_TO_IO(address)].w.c = write;
    board->avr->io[AVR_DATA_TO_IO(address)].w.param = board;
}
