// Memory bandwidth as McVoy and Staelin measure it ("lmbench", USENIX 1996, "Memory bandwidth"):
// 8 MB are summed and stored to by unrolled loops of integers with constant offsets, and copied by
// one of aligned 8-byte words.
//
//   bw_mem [MB]       8 at most, and by default
//
// Prints "read VALUE MB/s", "write" and "copy": 2^20 bytes, those copied counted once. Each is
// timed the second time, when no page is new and the lines that leave the caches are its own.
#include <stdlib.h>

#include "tests/guests/lmbench/measure.h"
#include "tests/guests/lmbench/unrolled.h"

// APART keeps the lines of the two areas out of each other's places in a direct-mapped cache.
enum { MB = 1024 * 1024, MOST = 8, APART = 22 * 1024 };

static char areas[2 * MOST * MB + APART] __attribute__((aligned(4096)));

static __attribute__((noipa)) void write_area(uint32_t* p, const uint32_t* end) {
#define STORE(i) p[i] = 1;
  for (; p < end; p += WORDS) {
    ALL(STORE)
  }
}

static __attribute__((noipa)) void copy_area(double* p, const double* q, const double* end) {
#define COPY(i) p[i] = q[i];
  for (; q < end; p += WORDS, q += WORDS) {
    ALL(COPY)
  }
}

static void print_rate(const char* name, uint32_t bytes, uint64_t microseconds) {
  uint32_t tenths = (uint32_t)((uint64_t)bytes * 10 * 1000000 / MB / microseconds);
  printf("%s %u.%u MB/s\n", name, tenths / 10, tenths % 10);
}

int main(int argc, char** argv) {
  uint32_t mb = argc > 1 ? (uint32_t)atoi(argv[1]) : MOST;
  if (mb == 0 || mb > MOST) return 1;
  const uint32_t bytes = mb * MB;
  char* const from = areas;
  char* const to = areas + MOST * MB + APART;
  write_area((uint32_t*)from, (uint32_t*)(from + bytes));
  write_area((uint32_t*)to, (uint32_t*)(to + bytes));

  read_area((uint32_t*)from, (uint32_t*)(from + bytes));
  uint64_t start = now();
  uint32_t sum = read_area((uint32_t*)from, (uint32_t*)(from + bytes));
  print_rate("read", bytes, since(start));
  if (sum != bytes / sizeof(uint32_t)) return 1;
  write_area((uint32_t*)from, (uint32_t*)(from + bytes));
  start = now();
  write_area((uint32_t*)from, (uint32_t*)(from + bytes));
  print_rate("write", bytes, since(start));
  copy_area((double*)to, (double*)from, (double*)(from + bytes));
  start = now();
  copy_area((double*)to, (double*)from, (double*)(from + bytes));
  print_rate("copy", bytes, since(start));
  return 0;
}
