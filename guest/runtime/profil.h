// profil(2) and sprofil(2) of IRIX: <sys/profil.h> and the prototypes of <unistd.h>.
#pragma once

#include <stdint.h>

#include "guest/runtime/irix.h"

// The scale is bytes of buffer per byte of text, with 16 bits of fraction. With 16-bit counters
// (profil, PROF_USHORT) this one gives every instruction its own counter; PROF_UINT needs twice it.
enum { PROFIL_ONE_PER_INSTRUCTION = 0x8000 };

enum { PROF_USHORT = 1, PROF_UINT = 2, PROF_FAST = 4 };

struct prof {
  void* pr_base;
  uint32_t pr_size;  // bytes
  uintptr_t pr_off;
  uint32_t pr_scale;
};
_Static_assert(sizeof(struct prof) == (sizeof(void*) == 8 ? 32 : 16), "struct prof");

int profil(uint16_t* buffer, uint32_t size, uint32_t offset, uint32_t scale);
int sprofil(struct prof* regions, int count, struct timeval* tick, uint32_t flags);
