/* A browser's module has no jumps out of a search: it traps, and who has called it knows why. */

#ifndef SETJMP_H
#define SETJMP_H

typedef int jmp_buf[1];
#define setjmp(place) 0
#define longjmp(place, value) __builtin_trap()

#endif
