/* Output to descriptors 1 and 2. Nothing is kept in a buffer: one call is one write(2), as long as
   its text is shorter than 256 bytes. */
#ifndef _STDIO_H
#define _STDIO_H

#include <stddef.h>

typedef struct {
  int fd;
} FILE;
extern FILE _streams[3];
#define stdout (&_streams[1])
#define stderr (&_streams[2])
#define EOF (-1)

/* %d %i %u %o %x %X %c %s %p %%, with a width, - and 0, with h or l, which change nothing, and with ll. They
   return the number of bytes. */
int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int fprintf(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));
int puts(const char *text);
int putchar(int c);
int fputs(const char *text, FILE *file);
int fflush(FILE *file);

#endif
