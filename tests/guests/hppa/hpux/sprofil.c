// sprofil(2): two regions and the overflow descriptor, counters of 16, 32 and 64 bits.
#include "tests/guests/hppa/hpux/profiles.h"

enum { TICKS = 40, MAX_INSTRUCTIONS = 256, PROF_UINT64 = 4 };

static uint64_t first[MAX_INSTRUCTIONS], second[MAX_INSTRUCTIONS], overflow;

static uint32_t counter_at(const void* counters, uint32_t index, uint32_t width) {
  if (width == 2) return ((const uint16_t*)counters)[index];
  if (width == 4) return ((const uint32_t*)counters)[index];
  return (uint32_t)((const uint64_t*)counters)[index];
}

static uint32_t sum(const void* counters, uint32_t count, uint32_t width) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; ++i) all += counter_at(counters, i, width);
  return all;
}

static void NOINLINE elsewhere(void) {
  struct tms now;
  times(&now);
  const clock_t end = now.tms_utime + 10;
  while (now.tms_utime < end) {
    for (volatile int i = 0; i < 10000; ++i) {
    }
    times(&now);
  }
}

// One counter for each instruction of hot, and of warm.
static void test_width(uint32_t flag, uint32_t width) {
  const uintptr_t hot_code = code_of(hot), warm_code = code_of(warm);
  const uint32_t in_hot = (uint32_t)(warm_code - hot_code) / 4;
  const uint32_t in_warm = (uint32_t)(code_of(end_of_warm) - warm_code) / 4;
  struct prof regions[3] = {
      {first, in_hot * width, hot_code, 0x4000 * width},
      {second, in_warm * width, warm_code, 0x4000 * width},
      {&overflow, width, 0, 2},
  };
  struct timeval tick = {-1, -1};
  memset(first, 0, sizeof first);
  memset(second, 0, sizeof second);
  overflow = 0;
  check(sprofil(regions, 3, &tick, flag) == 0, "sprofil with two regions and an overflow bin");
  check(tick.tv_sec == 0 && tick.tv_usec == 10000, "a tick is 10 ms");
  burn(TICKS, 1);
  elsewhere();
  check(sprofil(NULL, 0, NULL, flag) == 0, "profcnt 0 disables");
  const uint32_t hot_ticks = sum(first, in_hot, width), warm_ticks = sum(second, in_warm, width);
  const uint32_t rest = counter_at(&overflow, 0, width);
  printf("# %u bytes: hot %u, warm %u, elsewhere %u\n", width, hot_ticks, warm_ticks, rest);
  check(hot_ticks > 2 * warm_ticks && warm_ticks > 0, "both regions count, hot more");
  check(rest >= 8 && rest <= 16, "the ticks elsewhere are in the overflow bin");
  check(hot_ticks + warm_ticks + rest >= TICKS + 8, "no tick is lost");
}

int main(void) {
  test_width(PROF_USHORT, 2);
  test_width(PROF_UINT, 4);
  test_width(PROF_UINT64, 8);
  struct prof region = {first, 3, code_of(hot), 0x8000};
  check_error(sprofil(&region, 1, NULL, PROF_USHORT), EINVAL, "a size that is no multiple");
  region.pr_size = 4;
  check_error(sprofil(&region, 1, NULL, 0), EINVAL, "no width");
  check_error(sprofil((struct prof*)0x30000000, 1, NULL, PROF_USHORT), EFAULT, "a bad address");
  return finish_checks();
}
