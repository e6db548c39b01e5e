// sprofil(2): two regions and an overflow bin, 32-bit counters, and the 1 ms clock.
//
// sprofil(2): each entry's fields "take on the same meaning as the arguments of profil(2)"; "tvp
// ... will contain the time value corresponding to one clock tick"; the last entry, with pr_off 0
// and pr_scale 2, collects the ticks of no other region; profcnt 0 turns profiling off. profil(2):
// "For 32-bit counters ... two 4-byte instructions map to each 4-byte counter" with scale 0x8000.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/profil.h>
#include <sys/times.h>
#include <unistd.h>

#include "tests/guests/blocks.h"
#include "tests/guests/tap.h"

enum { TICKS = 8, PER_BLOCK = BLOCK_BYTES / 8 };

static uint32_t first[PER_BLOCK], third[PER_BLOCK], overflow;

static void clear(void) {
  memset(first, 0, sizeof first);
  memset(third, 0, sizeof third);
  overflow = 0;
}

static uint32_t sum(const volatile uint32_t* counters) {
  uint32_t all = 0;
  for (int i = 0; i < PER_BLOCK; ++i) all += counters[i];
  return all;
}

static void run(int block) {
  struct tms unused;
  clock_t end = times(&unused) + TICKS;
  while (times(&unused) < end) run_block(block, 10000);
}

static void test_regions(struct prof* regions) {
  struct timeval tick = {-1, -1};
  clear();
  check(sprofil(regions, 3, &tick, PROF_UINT) == 0, "sprofil with two regions and a bin");
  check(tick.tv_sec == 0 && tick.tv_usec == 10000, "a tick is 10 ms");
  run(0);
  check(sum(first) > 0 && sum(third) == 0, "block 0 counts in the first region only");
  run(2);
  check(sum(third) > 0, "block 2 counts in the second region");
  uint32_t before = overflow;
  run(1);
  check(overflow > before, "block 1 is in no region and counts in the overflow bin");
  printf("# regions %u and %u, bin %u\n", sum(first), sum(third), overflow);
}

static void test_off(void) {
  check(sprofil(NULL, 0, NULL, 0) == 0, "profcnt 0");
  clear();
  run(0);
  check(sum(first) == 0 && overflow == 0, "profcnt 0 turns profiling off");
}

static void test_fast(struct prof* regions) {
  struct timeval tick = {-1, -1};
  check(sprofil(regions, 1, &tick, PROF_UINT | PROF_FAST) == 0, "sprofil with PROF_FAST");
  check(tick.tv_sec == 0 && tick.tv_usec == 1000, "a fast tick is 1 ms");
  run(0);
  uint32_t counts = sum(first);
  // Ten samples for each 10 ms; the first and the last 10 ms may be cut short.
  check(counts >= 10 * (TICKS - 2) && counts <= 10 * (TICKS + 1),
        "PROF_FAST samples ten times as often");
  printf("# %u fast ticks in about %d ms\n", counts, 10 * TICKS);
}

int main(void) {
  struct prof regions[3] = {
      {first, sizeof first, (uint32_t)blocks, 0x8000},
      {third, sizeof third, (uint32_t)blocks + 2 * BLOCK_BYTES, 0x8000},
      {&overflow, sizeof overflow, 0, 2},
  };
  test_regions(regions);
  test_off();
  test_fast(regions);

  check(profil(NULL, 0, 0, 0) == 0, "profil turns off what sprofil turned on");
  clear();
  run(0);
  check(sum(first) == 0, "the last call wins");
  return finish_checks();
}
