// profil(2): two functions, of which the first gets three quarters of the ticks.
//
// profil(2): "the pc ... offset is subtracted ... multiplied by scale": 0177777 gives almost one
// counter of 16 bits for each halfword of code, 0100000 one for each instruction.
#include "tests/guests/hppa/hpux/profiles.h"

enum { TICKS = 400, MAX_COUNTERS = 1024 };

static uint16_t counters[MAX_COUNTERS];

static uint32_t sum_between(uintptr_t base, uintptr_t start, uintptr_t end) {
  uint32_t sum = 0;
  for (uintptr_t i = (start - base) / 4; i < (end - base) / 4; ++i) sum += counters[i];
  return sum;
}

int main(void) {
  const uintptr_t base = code_of(hot), end = code_of(end_of_warm);
  check((end - base) / 4 <= MAX_COUNTERS, "the buffer is large enough");
  profil(counters, 2 * ((end - base) / 4), base, 0x8000);
  const uint32_t result = burn(TICKS, 1);
  profil(NULL, 0, 0, 0);
  const uint32_t in_hot = sum_between(base, base, code_of(warm));
  const uint32_t in_warm = sum_between(base, code_of(warm), end);
  const uint32_t all = in_hot + in_warm;
  printf("# hot %u ticks, warm %u ticks, result %x\n", in_hot, in_warm, result);
  check(all >= TICKS * 9 / 10 && all <= TICKS + 1, "nearly every tick is in one of them");
  check(in_hot * 100 >= all * 72 && in_hot * 100 <= all * 78, "three quarters of them in hot");
  burn(5, result);
  check(sum_between(base, base, end) == all, "scale 0 turns profiling off");
  return finish_checks();
}
