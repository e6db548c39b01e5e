// Memory bandwidth as McVoy and Staelin measure it ("lmbench", USENIX 1996, "Memory bandwidth"):
// 8 MB are summed and stored to by unrolled loops of integers with constant offsets, and copied by
// one of aligned 8-byte words.
//
//   bw_mem [MB [STRIDE]]       8 MB at most, and by default
//
// Prints "read VALUE MB/s", "write" and "copy": 2^20 bytes, those copied counted once. Each is
// timed the second time, when no page is new and the lines that leave the caches are its own.
//
// With STRIDE, the length of a line, one word of each line is read, written or copied, and all its
// bytes count: what memory can do for a processor that does little else.
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

static __attribute__((noipa)) uint32_t read_lines(const char* p, const char* end, uint32_t stride) {
  uint32_t sum = 0;
  for (; p < end; p += stride) sum += *(const uint32_t*)p;
  return sum;
}

static __attribute__((noipa)) void write_lines(char* p, const char* end, uint32_t stride) {
  for (; p < end; p += stride) *(uint32_t*)p = 1;
}

static __attribute__((noipa)) void copy_lines(char* p, const char* q, const char* end,
                                              uint32_t stride) {
  for (; q < end; p += stride, q += stride) *(uint32_t*)p = *(const uint32_t*)q;
}

static void print_rate(const char* name, uint32_t bytes, uint64_t microseconds) {
  uint32_t tenths = (uint32_t)((uint64_t)bytes * 10 * 1000000 / MB / microseconds);
  printf("%s %u.%u MB/s\n", name, tenths / 10, tenths % 10);
}

static int measure_words(char* to, char* from, uint32_t bytes) {
  char* const end = from + bytes;
  read_area((uint32_t*)from, (uint32_t*)end);
  uint64_t start = now();
  uint32_t sum = read_area((uint32_t*)from, (uint32_t*)end);
  print_rate("read", bytes, since(start));
  if (sum != bytes / sizeof(uint32_t)) return 1;
  write_area((uint32_t*)from, (uint32_t*)end);
  start = now();
  write_area((uint32_t*)from, (uint32_t*)end);
  print_rate("write", bytes, since(start));
  copy_area((double*)to, (double*)from, (double*)end);
  start = now();
  copy_area((double*)to, (double*)from, (double*)end);
  print_rate("copy", bytes, since(start));
  return 0;
}

static int measure_lines(char* to, char* from, uint32_t bytes, uint32_t stride) {
  char* const end = from + bytes;
  read_lines(from, end, stride);
  uint64_t start = now();
  uint32_t sum = read_lines(from, end, stride);
  print_rate("read", bytes, since(start));
  if (sum != bytes / stride) return 1;
  write_lines(from, end, stride);
  start = now();
  write_lines(from, end, stride);
  print_rate("write", bytes, since(start));
  copy_lines(to, from, end, stride);
  start = now();
  copy_lines(to, from, end, stride);
  print_rate("copy", bytes, since(start));
  return 0;
}

int main(int argc, char** argv) {
  uint32_t mb = argc > 1 ? (uint32_t)atoi(argv[1]) : MOST;
  if (mb == 0 || mb > MOST) return 1;
  const uint32_t bytes = mb * MB;
  char* const from = areas;
  char* const to = areas + MOST * MB + APART;
  write_area((uint32_t*)from, (uint32_t*)(from + bytes));
  write_area((uint32_t*)to, (uint32_t*)(to + bytes));
  if (argc <= 2) return measure_words(to, from, bytes);
  const uint32_t stride = (uint32_t)atoi(argv[2]);
  if (stride < sizeof(uint32_t) || bytes % stride != 0) return 1;
  return measure_lines(to, from, bytes, stride);
}
