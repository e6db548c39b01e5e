// What the guests of this folder share: the guest's own clock, and how a figure is printed.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>

// Guest time in microseconds.
static inline uint64_t now(void) {
  struct timeval time;
  gettimeofday(&time, NULL);
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

// Microseconds since `start`, less what asking for the time takes.
static inline uint64_t since(uint64_t start) {
  uint64_t end = now();
  uint64_t asking = now() - end;
  uint64_t elapsed = end - start;
  return elapsed > asking ? elapsed - asking : 0;
}

// " VALUE ns" and the end of the line: one of `count` operations that took so many microseconds.
static inline void print_each(uint64_t microseconds, uint32_t count) {
  uint32_t tenths = (uint32_t)((microseconds * 10000u + count / 2) / count);
  printf(" %u.%u ns\n", tenths / 10, tenths % 10);
}
