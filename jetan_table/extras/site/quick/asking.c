/* The search as a browser's module: whether it is to stop is asked of the script around it. */

#include "tree.h"

__attribute__((import_module("env"), import_name("check"))) double check(double nodes);

int32_t jetan_deepen(struct tree *tree, struct choice *choices, int32_t count, int32_t depth, int32_t *value,
                     int64_t ask_at, check_function check);

static int64_t asked(int64_t nodes)
{
    return (int64_t)check((double)nodes);
}

/* `jetan_deepen`, which asks `check`; stopped, it traps. */
int32_t jetan_deepen_asking(struct tree *tree, struct choice *choices, int32_t count, int32_t depth,
                            int32_t *value, double ask_at)
{
    return jetan_deepen(tree, choices, count, depth, value, (int64_t)ask_at, asked);
}
