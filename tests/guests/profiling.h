// What the programs share that profile themselves on IRIX.
#pragma once

#include <stddef.h>
#include <stdint.h>

// The scale is bytes of buffer per byte of text, with 16 bits of fraction. With 16-bit counters
// (profil, PROF_USHORT) this one gives every instruction its own counter; PROF_UINT needs twice it.
enum { PROFIL_ONE_PER_INSTRUCTION = 0x8000 };

// Where the program's text begins and ends, from the linker script.
extern char _ftext[], _etext[];

// Uses the CPU in this program, mostly in user mode, until times(2) has advanced by that many
// hundredths of a second: the same number of profiling ticks on every CPU model.
void burn_ticks(int ticks);
uint32_t sum_counters(const volatile uint16_t* counters, size_t count);
