// Executes itself with profiling on. The second image finds its buffer at the same address (.bss of
// the same file) and must see it stay zero.
//
// profil(2): "Profiling is turned off when an exec(2) is executed". An exec that fails executes
// nothing and leaves profiling on.
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/guests/profiling.h"
#include "tests/guests/tap.h"

enum { COUNTERS = 16384, TICKS = 10 };

static uint16_t counters[COUNTERS];

static int second_image(void) {
  burn_ticks(TICKS);
  check(sum_counters(counters, COUNTERS) == 0, "after exec profiling is off");
  profil(counters, sizeof counters, (uint32_t)_ftext, PROFIL_ONE_PER_INSTRUCTION);
  burn_ticks(TICKS);
  check(sum_counters(counters, COUNTERS) > 0, "profil turns it on in the new image");
  return finish_checks();
}

int main(int argc, char** argv) {
  if (argc > 1) return second_image();

  char* arguments[] = {argv[0], "again", NULL};
  profil(counters, sizeof counters, (uint32_t)_ftext, PROFIL_ONE_PER_INSTRUCTION);
  burn_ticks(TICKS);
  uint32_t before = sum_counters(counters, COUNTERS);
  check_error(execve("./no-such-program", arguments, environ), ENOENT, "exec of a missing file");
  burn_ticks(TICKS);
  check(before > 0 && sum_counters(counters, COUNTERS) > before,
        "a failed exec leaves profiling on");
  printf("# the next checks are the second image's and count from 1 again\n");
  execve(argv[0], arguments, environ);
  check(0, "exec of this program");
  return finish_checks();
}
