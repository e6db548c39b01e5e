#ifndef _STDLIB_H
#define _STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void exit(int status) __attribute__((noreturn));
int atoi(const char *digits);
/* From sbrk(), aligned to 8 bytes; null when there is none. It is never given back. */
void *malloc(size_t size);

#endif
