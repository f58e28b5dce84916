#include "board.h"

#include <stdlib.h>
#include <string.h>

#define MCUSR 0x54
#define NOWHERE 0xCFFF /* rjmp to itself */

static struct board *running; /* simavr's reset hook knows only the chip; one board runs at a time */

uint64_t board_now(const struct board *board)
{
    return board->past + board->avr->cycle;
}

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static void reset_all(avr_t *avr)
{
    struct board *board = running;

    if (board->reset_core)
        board->reset_core(avr);
    if (board->is_hung) {
        memcpy(avr->flash + board->hung_at, &board->hung_word, 2);
        board->is_hung = false;
    }
    board->resets++;
    line_reset(board);
}

static avr_cycle_count_t stop(avr_t *avr, avr_cycle_count_t when, void *board)
{
    (void)avr, (void)when, (void)board;
    return 0;
}

struct board *board_new(const char *mcu, uint8_t *code, uint32_t size, const struct wiring *wiring,
                        uint32_t baud)
{
    struct board *board = calloc(1, sizeof *board);

    avr_global_logger_set(quiet);
    board->avr = avr_make_mcu_by_name(mcu);
    avr_init(board->avr);
    board->avr->frequency = CYCLES_PER_US * 1000000;
    avr_loadcode(board->avr, code, size, 0);
    board->matrix.wiring = *wiring;
    board->matrix.chance = 1;
    board->line.host_cycles_per_byte = board->avr->frequency * 10ULL / baud;
    board->reset_core = board->avr->reset;
    board->avr->reset = reset_all;
    matrix_install(board);
    line_install(board);
    board->avr->data[MCUSR] = 1;
    return board;
}

void board_free(struct board *board)
{
    avr_terminate(board->avr);
    free(board->matrix.edges);
    free(board->line.heard);
    free(board->line.said);
    free(board->avr);
    free(board);
}

void board_run(struct board *board, uint64_t until)
{
    running = board;
    if (board->held_until > board_now(board)) {
        uint64_t end = board->held_until < until ? board->held_until : until;
        board->past += end - board_now(board);
    }
    while (board_now(board) < until) {
        uint64_t before = board->avr->cycle;
        uint32_t resets = board->resets;
        /* A timer bounds the run: the watchdog's extends simavr's own limit. */
        avr_cycle_timer_register(board->avr, until - board_now(board), stop, board);
        do
            avr_run(board->avr);
        while (board_now(board) < until && resets == board->resets);
        if (resets != board->resets && board->avr->cycle < before)
            board->past += before;
    }
    strip_settle(&board->strip, board_now(board));
}

void board_reset(struct board *board, uint8_t cause, uint64_t held)
{
    uint64_t now = board_now(board);

    running = board;
    avr_reset(board->avr);
    board->past = now - board->avr->cycle;
    board->avr->data[MCUSR] = cause;
    board->held_until = now + held;
    board->line.heard_next = board->line.heard_count;
}

void board_hang(struct board *board)
{
    const uint16_t nowhere = NOWHERE;

    board->hung_at = board->avr->pc;
    memcpy(&board->hung_word, board->avr->flash + board->hung_at, 2);
    memcpy(board->avr->flash + board->hung_at, &nowhere, 2);
    board->is_hung = true;
}

uint32_t board_fights(const struct board *board)
{
    return board->matrix.fights;
}

uint32_t board_overruns(const struct board *board)
{
    return board->line.overruns;
}
