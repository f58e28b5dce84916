/* The transposition table: what earlier searches have found about positions.
 *
 * An entry has the value, whether that is exact or a bound, how deep it was searched and the best move.
 * The table is a hash with open addressing in two halves. New entries go into the younger half; when
 * that is full it becomes the older one, whose entries are forgotten, and a new half is begun. So what
 * is used again lives on, and no entry needs an age. A half begins small and doubles up to its limit.
 * Without memory for more, everything is forgotten and the search goes on. */

#include <stdlib.h>

#include "tree.h"

#define FIRST_SLOTS 4096
#define TAKEN_MARK ((uint64_t)1 << 63)

static bool half_begin(struct half *half, size_t slots)
{
    half->entries = calloc(slots, sizeof *half->entries);
    half->slots = half->entries ? slots : 0;
    half->held = 0;
    return half->entries != NULL;
}

static struct entry *slot_of(const struct half *half, uint64_t probe)
{
    size_t at = (size_t)((probe * 0x9E3779B97F4A7C15u) >> 32) & (half->slots - 1);

    while (half->entries[at].probe && half->entries[at].probe != probe)
        at = (at + 1) & (half->slots - 1);
    return &half->entries[at];
}

bool table_begin(struct table *table, size_t most)
{
    table->most = most;
    table->old = (struct half){0};
    return half_begin(&table->young, FIRST_SLOTS);
}

void table_end(struct table *table)
{
    free(table->young.entries);
    free(table->old.entries);
}

const struct entry *table_find(const struct table *table, uint64_t probe)
{
    const struct entry *entry = slot_of(&table->young, probe | TAKEN_MARK);

    if (entry->probe)
        return entry;
    if (!table->old.slots)
        return NULL;
    entry = slot_of(&table->old, probe | TAKEN_MARK);
    return entry->probe ? entry : NULL;
}

static bool grow(struct half *half)
{
    struct half wider;

    if (!half_begin(&wider, 2 * half->slots))
        return false;
    for (size_t i = 0; i < half->slots; i++)
        if (half->entries[i].probe)
            *slot_of(&wider, half->entries[i].probe) = half->entries[i];
    wider.held = half->held;
    free(half->entries);
    *half = wider;
    return true;
}

/* Put the younger half in the place of the older one; without memory for another, forget both. */
static void turn_over(struct table *table)
{
    struct half fresh;

    if (half_begin(&fresh, FIRST_SLOTS)) {
        free(table->old.entries);
        table->old = table->young;
        table->young = fresh;
        return;
    }
    for (size_t i = 0; i < table->young.slots; i++)
        table->young.entries[i] = (struct entry){0};
    table->young.held = 0;
}

void table_keep(struct table *table, uint64_t probe, struct entry found)
{
    if (table->young.held >= table->most)
        turn_over(table);
    if (2 * table->young.held >= table->young.slots && !grow(&table->young))
        turn_over(table);
    found.probe = probe | TAKEN_MARK;
    struct entry *entry = slot_of(&table->young, found.probe);

    table->young.held += !entry->probe;
    *entry = found;
}
