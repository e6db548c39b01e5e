// Checks that speak the Test Anything Protocol, and helpers of the profiling programs.
#include "guest/runtime/guest.h"

static int checks;
static int failures;

int check(int condition, const char* what) {
  ++checks;
  if (!condition) ++failures;
  printf("%s %d - %s\n", condition ? "ok" : "not ok", checks, what);
  return condition;
}

int check_error(int result, int error, const char* what) {
  int seen = errno;
  if (check(result == -1 && seen == error, what)) return 1;
  printf("# returned %d with errno %d; expected -1 with errno %d\n", result, seen, error);
  return 0;
}

int finish_checks(void) {
  printf("1..%d\n", checks);
  return failures == 0 ? 0 : 1;
}

#ifndef GUEST_HPUX
#include "guest/runtime/profil.h"

int sprofil(struct prof* regions, int count, struct timeval* tick, uint32_t flags) {
  return syssgi(SGI_SPROFIL, regions, count, tick, flags);
}

static NOINLINE void spin(uint32_t count) {
  for (; count > 0; --count) __asm__ volatile("");
}

void burn_ticks(int ticks) {
  struct tms unused;
  clock_t end = times(&unused) + ticks;
  while (times(&unused) < end) spin(10000);
}

uint32_t sum_counters(const volatile uint16_t* counters, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += counters[i];
  return sum;
}
#endif
