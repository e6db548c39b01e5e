// What the guests have instead of a C library.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef GUEST_HPUX
#include "tests/guests/hppa/hpux/hpux.h"
#else
#include "guest/runtime/irix.h"
#endif

#define NOINLINE __attribute__((noipa))
#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

// Boundaries from the linker script.
extern char _ftext[], _etext[], _end[];

void* memcpy(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int value, size_t size);
int memcmp(const void* a, const void* b, size_t size);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t size);
char* strcpy(char* to, const char* from);
char* strchr(const char* text, int c);
uint32_t parse_number(const char* digits);  // decimal; stops at the first other character

// %d %u %x %c %s %%, field width, zero padding, and l or ll before d, u, x. One call is one
// write(2) to descriptor 1 as long as the text is shorter than 512 bytes.
void printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The Test Anything Protocol: one line "ok N - what" or "not ok N - what" for each check, and the
// plan "1..N" at the end. finish_checks returns the exit status: 0, or 1 if a check failed.
int check(int condition, const char* what);
int finish_checks(void);
// Passes when `result` is -1 and errno is `error`.
int check_error(int result, int error, const char* what);

// Uses the CPU in this program, mostly in user mode, until times(2) has advanced by that many
// hundredths of a second: the same number of profiling ticks on every CPU model.
void burn_ticks(int ticks);
uint32_t sum_counters(const volatile uint16_t* counters, size_t count);
