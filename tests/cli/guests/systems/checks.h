// The themes of the program that shows a system's calls as its guests see them, and what they
// share. Each expectation names the manual or the kernel's file and function behind it; "sys4.c"
// and so on are files of that system's kernel.
#pragma once

#include <hardclock/system.h>
#include <stddef.h>

#include "tests/guests/tap.h"

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define NOINLINE __attribute__((noipa))

// An address that no guest has mapped: the page below the program text, or page 0.
#if defined(_OS_V7) || defined(_OS_BSD211)
#define BAD_ADDRESS 0x800
#else
#define BAD_ADDRESS 0x3ff000
#endif
#define BAD_POINTER ((void*)BAD_ADDRESS)

// A call as the kernel sees it: four arguments, both results, and the error's number or 0.
struct outcome {
  long first, second;
  int error;
};
struct outcome raw_call(int number, long a0, long a1, long a2, long a3);

// Uses the CPU at the three instructions of spin(), which are the loop; the third one is its delay
// slot. No instruction of it is within 64 bytes of anything else.
void spin(long rounds);
// The instructions of the loop that an interrupt finds: on MIPS the pc in a delay slot is that of
// the branch, on PA-RISC it is the slot's own.
#ifdef __hppa
enum { SPIN_ADDRESSES = 3 };
#else
enum { SPIN_ADDRESSES = 2 };
#endif
// About so many clock interrupts at 1 MHz.
void spin_ticks(int ticks);

// Runs `child` in a forked process that ends with its result as the status; returns wait's word.
int status_of(int (*child)(void));

void test_files(const char* program);
void test_processes(const char* program);
void test_signals(void);
void test_default_signals(void);
void test_memory(void);
void test_clocks(void);
void test_threads(void);
void test_profiles(const char* program);
void test_hostile_calls(void);
// What the program does when a theme has executed it: the status, by the first argument.
int executed(int argc, char** argv);
int executed_for_profiles(void);
// Calls of all numbers with arguments that are as likely to do harm.
int random_calls(unsigned int seed, int processes);
