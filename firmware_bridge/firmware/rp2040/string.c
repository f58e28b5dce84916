#include <string.h>
#include <stdint.h>

__attribute__((used)) void *memcpy(void *to, const void *from, size_t size)
{
    uint8_t *at = to;

    for (const uint8_t *byte = from; size; size--)
        *at++ = *byte++;
    return to;
}

__attribute__((used)) void *memset(void *at, int byte, size_t size)
{
    for (uint8_t *each = at; size; size--)
        *each++ = (uint8_t)byte;
    return at;
}

__attribute__((used)) int memcmp(const void *one, const void *other, size_t size)
{
    const uint8_t *left = one, *right = other;

    for (; size; size--, left++, right++)
        if (*left != *right)
            return *left - *right;
    return 0;
}
