// The demo: a program that profiles itself. `hot` and `warm` run the same loop, hot three times as
// often, so on a scalar CPU hot takes 75 % of their time and must get 75 % of the ticks.
//
//   split75 [ROUNDS]      11000 rounds are 195 million instructions, 6 s of a 33 MHz CPU
//
// profil(2): "0x8000 ... means a 1-1 mapping of instructions to counters"; "With each clock tick,
// the current subdivision is identified and its corresponding histogram count is incremented."
// The histogram goes into mon.out in the form of System V's <mon.h>, which prof(1) reads.
#include "guest/runtime/guest.h"
#include "guest/runtime/profil.h"

// A program whose rounds keep step with the clock is sampled at the same places again and again: a
// profil clock of any kernel shows that, and with 557 steps, which beat75 has, it costs hot a tenth of its
// ticks. With 553 a 10 ms tick at 33 MHz is 18.63 rounds: a fraction near the golden ratio's spreads the
// samples evenly.
#ifndef WARM_STEPS
#define WARM_STEPS 553
#endif
enum { HOT_STEPS = 3 * WARM_STEPS, DEFAULT_ROUNDS = 11000 };
enum { MAX_COUNTERS = 4096 };

static uint16_t counters[MAX_COUNTERS];

// The compiler keeps no_reorder functions in the order of the file, so the start of the next one is
// the end of this one.
#define IN_ORDER __attribute__((noipa, no_reorder))

static inline __attribute__((always_inline)) uint32_t scramble(uint32_t x, uint32_t steps) {
  do {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  } while (--steps != 0);
  return x;
}

IN_ORDER uint32_t hot(uint32_t x) {
  return scramble(x, HOT_STEPS);
}
IN_ORDER uint32_t warm(uint32_t x) {
  return scramble(x, WARM_STEPS);
}
IN_ORDER void end_of_warm(void) {}

typedef uint32_t Function(uint32_t);

static uint32_t index_of(Function* function) {
  return ((uint32_t)function - (uint32_t)_ftext) / 4;
}

// The nonzero counters of one function, one line each, and their sum.
static uint32_t report(const char* name, Function* start, Function* end) {
  uint32_t sum = 0;
  for (uint32_t i = index_of(start); i < index_of(end); ++i) {
    if (counters[i] != 0) {
      printf("  0x%08x  %s+0x%02x %5u\n", (uint32_t)_ftext + 4 * i, name, 4 * (i - index_of(start)),
             counters[i]);
    }
    sum += counters[i];
  }
  return sum;
}

struct mon_header {
  uint32_t low_pc;
  uint32_t high_pc;
  uint32_t call_counters;
};

static int write_mon_out(uint32_t count) {
  struct mon_header header = {(uint32_t)_ftext, (uint32_t)_ftext + 4 * count, 0};
  int fd = open("mon.out", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0) return -1;
  int written = write(fd, &header, sizeof header) == (ssize_t)sizeof header &&
                write(fd, counters, 2 * count) == (ssize_t)(2 * count);
  return close(fd) == 0 && written ? 0 : -1;
}

int main(int argc, char** argv) {
  uint32_t rounds = argc > 1 ? parse_number(argv[1]) : DEFAULT_ROUNDS;
  uint32_t count = (uint32_t)(_etext - _ftext) / 4;
  uint32_t x = 1;
  if (count > MAX_COUNTERS) return 2;

  profil(counters, 2 * count, (uint32_t)_ftext, PROFIL_ONE_PER_INSTRUCTION);
  for (uint32_t i = 0; i < rounds; ++i) x = warm(hot(x));
  profil(NULL, 0, 0, 0);

  printf("result 0x%08x after %u rounds\n", x, rounds);
  uint32_t all = sum_counters(counters, count);
  uint32_t in_hot = report("hot", hot, warm);
  uint32_t in_warm = report("warm", warm, (Function*)end_of_warm);
  printf("hot %u ticks, warm %u ticks, elsewhere %u ticks\n", in_hot, in_warm,
         all - in_hot - in_warm);
  if (in_hot + in_warm != 0) {
    uint32_t permille = (in_hot * 1000 + (in_hot + in_warm) / 2) / (in_hot + in_warm);
    printf("hot has %u.%u %% of them\n", permille / 10, permille % 10);
  }
  if (write_mon_out(count) < 0) {
    printf("split75: cannot write mon.out (errno %d)\n", errno);
    return 1;
  }
  return 0;
}
