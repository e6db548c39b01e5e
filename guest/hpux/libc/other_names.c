/* Names by which the libraries' and the compilers' own code calls functions. */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __sys_atexit(void (*function)(void)) {
  return atexit(function);
}
ssize_t _write_sys(int file, const void* from, size_t size) {
  return write(file, from, size);
}
void* _memset(void* place, int byte, size_t size) {
  return memset(place, byte, size);
}
void* _memcpy(void* to, const void* from, size_t size) {
  return memcpy(to, from, size);
}
int _memcmp(const void* a, const void* b, size_t size) {
  return memcmp(a, b, size);
}
/* What `errno` is in programs compiled for threads. */
int* __errno(void) {
  return &errno;
}
/* Code by HP's compiler has a memmove() of its own, which calls the library's if this has an address. */
char __memmove_ver;
void ___exit(int status) {
  _exit(status);
}

/* What the macros of newer <ctype.h>s call where there is no table of classes. */
unsigned* __SB_masks;
int __tolower(int c) {
  return tolower(c);
}
int __toupper(int c) {
  return toupper(c);
}
#define NAMED(name) \
  int _##name(int c) { return name(c); }
NAMED(isalnum)
NAMED(isalpha)
NAMED(isblank)
NAMED(iscntrl)
NAMED(isdigit)
NAMED(isgraph)
NAMED(islower)
NAMED(isprint)
NAMED(ispunct)
NAMED(isspace)
NAMED(isupper)
NAMED(isxdigit)

intmax_t strtoimax(const char* text, char** end, int base) {
  return strtoll(text, end, base);
}
uintmax_t strtoumax(const char* text, char** end, int base) {
  return strtoull(text, end, base);
}

/* assert(3X) */
void __assert(const char* what, const char* file, int line) {
  fprintf(stderr, "Assertion failed: %s, file %s, line %d\n", what, file, line);
  abort();
}
