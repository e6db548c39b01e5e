// Takes the buffer away from under the profiler.
//
// profil(2): "Profiling is turned off if a buff update would cause a memory fault." No signal is
// sent, and mapping the same address again does not turn profiling on; only profil does.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guests/profiling.h"
#include "tests/guests/tap.h"

enum { BUFFER_SIZE = 0x8000, COUNTERS = BUFFER_SIZE / 2, TICKS = 10 };

static volatile int signals;

static void count_signal(int sig) {
  (void)sig;
  ++signals;
}

static void profile_into(uint16_t* buffer) {
  profil(buffer, BUFFER_SIZE, (uint32_t)_ftext, PROFIL_ONE_PER_INSTRUCTION);
}

int main(void) {
  struct sigaction action = {.sa_handler = count_signal};
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);

  int zero = open("/dev/zero", O_RDWR);
  void* page = mmap(NULL, BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
  if (!check(page != MAP_FAILED, "map the buffer from /dev/zero")) return finish_checks();
  uint16_t* buffer = page;
  profile_into(buffer);
  burn_ticks(TICKS);
  check(sum_counters(buffer, COUNTERS) > 0, "profiling into the mapped buffer counts");

  check(munmap(page, BUFFER_SIZE) == 0, "unmap the buffer under profiling");
  burn_ticks(TICKS);
  check(signals == 0, "the profiler's fault sends no signal");

  void* again = mmap(page, BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, zero, 0);
  check(again == page, "map the same address again with MAP_FIXED");
  burn_ticks(TICKS);
  check(sum_counters(buffer, COUNTERS) == 0, "profiling stays off: the counters stay zero");

  profile_into(buffer);
  burn_ticks(TICKS);
  check(sum_counters(buffer, COUNTERS) > 0, "profil turns profiling on again");
  return finish_checks();
}
