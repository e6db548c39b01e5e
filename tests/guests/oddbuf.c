// The corners of profil's arguments: odd buffer address, tiny and odd sizes, every kind of scale.
// Each case runs the four blocks of blocks.S for some ticks each and looks at which counters rose.
//
// profil(2): "Profiling is turned off by giving a scale of 0 or 1, and is rendered ineffective by
// giving a bufsiz of 0"; "0x0002 ... maps (by convention) the entire region starting with offset to
// the first counter"; "0x10000 ... 2 bytes of wasted space for every 2 bytes of counter"; "0x8000
// ... a 1-1 mapping of instructions to counters"; "turned off if a buff update would cause a memory
// fault" (a halfword at an odd address is one on MIPS).
#include <stdio.h>
#include <string.h>
#include <sys/times.h>
#include <unistd.h>

#include "tests/guests/blocks.h"
#include "tests/guests/tap.h"

enum { COUNTERS = 72, TICKS = 4, BLOCK_PER_COUNTER = 0x1000 };

static union {
  uint16_t counters[COUNTERS];
  uint8_t bytes[2 * COUNTERS];
} buffer;

static void run_blocks(void) {
  struct tms unused;
  for (int block = 0; block < BLOCKS; ++block) {
    clock_t end = times(&unused) + TICKS;
    while (times(&unused) < end) run_block(block, 10000);
  }
}

static void profile(uint32_t buffer_offset, uint32_t size, uint32_t scale) {
  memset(&buffer, 0, sizeof buffer);
  check(profil((uint16_t*)(buffer.bytes + buffer_offset), size, (uint32_t)blocks, scale) == 0,
        "profil returns 0");
  run_blocks();
  profil(NULL, 0, 0, 0);
}

static void show(const char* what) {
  printf("# %s:", what);
  for (int i = 0; i < COUNTERS; ++i) {
    if (buffer.counters[i] != 0) printf(" [%d]=%u", i, buffer.counters[i]);
  }
  printf("\n");
}

// Whether counters in [first, end) rose, only every `stride`th of them, and none elsewhere.
static int only(int first, int end, int stride) {
  int inside = 0;
  int outside = 0;
  for (int i = 0; i < COUNTERS; ++i) {
    if (buffer.counters[i] == 0) continue;
    if (i >= first && i < end && (i - first) % stride == 0) {
      ++inside;
    } else {
      ++outside;
    }
  }
  return inside > 0 && outside == 0;
}

static int none(void) {
  for (size_t i = 0; i < sizeof buffer; ++i) {
    if (buffer.bytes[i] != 0) return 0;
  }
  return 1;
}

static int rose(int counter) {
  return buffer.counters[counter] != 0;
}

int main(void) {
  const uint32_t whole = (uint32_t)(blocks_end - blocks);

  profile(0, 8, BLOCK_PER_COUNTER);
  show("one block per counter, bufsiz 8");
  check(rose(0) && rose(1) && rose(2) && rose(3) && only(0, 4, 1), "each block has its counter");

  profile(0, 0, BLOCK_PER_COUNTER);
  check(none(), "bufsiz 0 counts nothing");
  profile(0, 0, 2);
  check(none(), "bufsiz 0 counts nothing with scale 2 either");
  profile(0, 1, BLOCK_PER_COUNTER);
  show("bufsiz 1");
  check(rose(0) && only(0, 1, 1), "bufsiz 1 has the counter at byte 0");
  profile(0, 5, BLOCK_PER_COUNTER);
  show("bufsiz 5");
  check(rose(0) && rose(1) && rose(2) && only(0, 3, 1), "bufsiz 5 has those at bytes 0, 2 and 4");

  profile(1, 8, BLOCK_PER_COUNTER);
  check(none(), "an odd buffer address faults at the first tick");

  profile(0, 8, 0);
  check(none(), "scale 0 is off");
  profile(0, 8, 1);
  check(none(), "scale 1 is off");
  profile(0, 8, 2);
  show("scale 2");
  check(rose(0) && only(0, 1, 1), "scale 2 counts everything in the first counter");
  profile(0, whole / 4, 0x4000);
  show("scale 0x4000");
  check(only(0, 16, 1), "scale 0x4000 has two instructions for each counter");
  profile(0, whole / 2, 0x8000);
  show("scale 0x8000");
  check(only(0, 32, 1), "scale 0x8000 has one instruction for each counter");
  profile(0, whole, 0x10000);
  show("scale 0x10000");
  check(only(0, 64, 2), "scale 0x10000 uses every other counter");
  return finish_checks();
}
