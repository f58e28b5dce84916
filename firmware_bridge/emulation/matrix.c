/* Rows, columns, switches and diodes; the registers; and the wire of the lamps, which is a pin too. */
#include <stdlib.h>
#include <string.h>

#include "board.h"

static bool level(const struct board *board, uint16_t pin, uint8_t offset)
{
    return board->avr->data[(pin >> 3) + offset] >> (pin & 7) & 1;
}

static bool is_output(const struct board *board, uint16_t pin)
{
    return level(board, pin, 1);
}

static bool output(const struct board *board, uint16_t pin)
{
    return level(board, pin, 2);
}

static bool is_driven(const struct board *board, uint8_t row)
{
    uint16_t pin = board->matrix.wiring.rows[row];

    return pin == NO_PIN || is_output(board, pin);
}

static bool is_low(const struct board *board, uint8_t row)
{
    uint16_t pin = board->matrix.wiring.rows[row];

    if (pin == NO_PIN)
        return !(board->matrix.outputs >> row & 1);
    return is_output(board, pin) && !output(board, pin);
}

/* The columns that are pulled low now. Without diodes a low column pulls other rows low as well. */
static uint16_t find_low(struct board *board)
{
    struct matrix *matrix = &board->matrix;
    bool row_is_low[ROWS];
    uint16_t low = 0;
    bool is_news = true;

    for (uint8_t row = 0; row < ROWS; row++)
        row_is_low[row] = is_low(board, row);
    while (is_news) {
        is_news = false;
        for (uint8_t index = 0; index < ROWS * COLUMNS; index++) {
            uint8_t row = index / COLUMNS;
            uint16_t bit = 1U << index % COLUMNS;
            if (!matrix->closed[index])
                continue;
            if (row_is_low[row] && !(low & bit)) {
                low |= bit;
                is_news = true;
            } else if (!matrix->wiring.has_diodes && (low & bit) && !row_is_low[row]) {
                row_is_low[row] = true;
                is_news = true;
                if (is_driven(board, row))
                    matrix->fights++;
            }
        }
    }
    return low;
}

static void settle(struct board *board, uint64_t at)
{
    struct matrix *matrix = &board->matrix;
    uint16_t low = find_low(board);

    for (uint8_t column = 0; column < COLUMNS; column++)
        if (matrix->low_columns >> column & ~(low >> column) & 1)
            matrix->high_from[column] = at + (uint64_t)matrix->wiring.rise_us * CYCLES_PER_US;
    matrix->low_columns = low;
}

/* Bring the switches up to now. */
static void advance(struct board *board)
{
    struct matrix *matrix = &board->matrix;

    while (matrix->edge_next < matrix->edge_count &&
           matrix->edges[matrix->edge_next].at <= board_now(board)) {
        const struct edge *edge = &matrix->edges[matrix->edge_next++];
        matrix->closed[edge->switch_index] = edge->closed;
        settle(board, edge->at);
    }
}

static bool is_high(struct board *board, uint8_t column)
{
    struct matrix *matrix = &board->matrix;

    if (matrix->low_columns >> column & 1)
        return false;
    if (board_now(board) < matrix->high_from[column])
        return false;
    if (output(board, matrix->wiring.columns[column])) /* as an input's this is its pull-up */
        return true;
    matrix->chance = matrix->chance * 1103515245 + 12345;
    return matrix->chance >> 16 & 1;
}

static uint8_t read_pins(avr_t *avr, avr_io_addr_t address, void *param)
{
    struct board *board = param;
    uint8_t read = avr->data[address + 2];

    advance(board);
    for (uint8_t column = 0; column < COLUMNS; column++) {
        uint16_t pin = board->matrix.wiring.columns[column];
        if (pin >> 3 == address && !is_output(board, pin)) {
            read &= (uint8_t)~(1 << (pin & 7));
            read |= (uint8_t)(is_high(board, column) << (pin & 7));
        }
    }
    return read;
}

static bool rises(const struct board *board, uint16_t pin, uint16_t address, uint8_t before)
{
    return pin != NO_PIN && address == (pin >> 3) + 2 && !(before >> (pin & 7) & 1) &&
           output(board, pin);
}

static void write_pins(avr_t *avr, avr_io_addr_t address, uint8_t value, void *param)
{
    struct board *board = param;
    struct matrix *matrix = &board->matrix;
    const struct wiring *wiring = &matrix->wiring;
    uint8_t before = avr->data[address];

    if (before == value)
        return;
    advance(board);
    avr->data[address] = value;
    if (rises(board, wiring->clock, address, before))
        matrix->shifted = (uint16_t)(matrix->shifted << 1) | output(board, wiring->data);
    if (rises(board, wiring->latch, address, before))
        matrix->outputs = matrix->shifted;
    if (address == (wiring->lamps >> 3) + 2)
        strip_write(&board->strip, board_now(board), output(board, wiring->lamps));
    settle(board, board_now(board));
}

static void install(struct board *board, uint16_t pin)
{
    if (pin == NO_PIN)
        return;
    on_read(board, pin >> 3, read_pins);
    on_write(board, (pin >> 3) + 1, write_pins);
    on_write(board, (pin >> 3) + 2, write_pins);
}

void matrix_install(struct board *board)
{
    const struct wiring *wiring = &board->matrix.wiring;

    for (uint8_t index = 0; index < ROWS; index++) {
        install(board, wiring->rows[index]);
        install(board, wiring->columns[index]);
    }
    install(board, wiring->data);
    install(board, wiring->clock);
    install(board, wiring->latch);
    install(board, wiring->lamps);
}

void board_edges(struct board *board, const struct edge *edges, uint32_t count)
{
    struct matrix *matrix = &board->matrix;
    uint32_t left = matrix->edge_count - matrix->edge_next;
    struct edge *all = malloc((left + count) * sizeof *all);

    if (left)
        memcpy(all, matrix->edges + matrix->edge_next, left * sizeof *all);
    memcpy(all + left, edges, count * sizeof *all);
    free(matrix->edges);
    matrix->edges = all;
    matrix->edge_count = left + count;
    matrix->edge_next = 0;
}
