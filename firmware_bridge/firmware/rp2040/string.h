/* The few functions that this program, and the compiler by itself, ask of a C library. */
#pragma once
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memset(void *at, int byte, size_t size);
int memcmp(const void *one, const void *other, size_t size);
