// fork, vfork, exec and wait; profiling is inherited by a fork and ends with an exec.
#include "tests/guests/hppa/hpux/profiles.h"

enum { TICKS = 20, MAX_COUNTERS = 1024 };

static uint16_t counters[MAX_COUNTERS];

static uint32_t all_counters(void) {
  uint32_t sum = 0;
  for (int i = 0; i < MAX_COUNTERS; ++i) sum += counters[i];
  return sum;
}

static int wait_for(pid_t pid) {
  int status = -1;
  return waitpid(pid, &status, 0) == pid ? status : -1;
}

static void test_fork(void) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) _exit(getpid() != parent ? 42 : 1);
  check(child > 0 && wait_for(child) == 42 << 8, "fork, and what the child exited with");
  check_error(waitpid(-1, NULL, 0), ECHILD, "no more children");
  static volatile int shared = 0;
  const pid_t second = vfork();
  if (second == 0) {
    shared = 7;
    _exit(0);
  }
  check(wait_for(second) == 0 && shared == 7, "vfork shares the memory");
  const pid_t killed = fork();
  if (killed == 0) {
    for (;;) pause();
  }
  check(kill(killed, SIGUSR1) == 0 && wait_for(killed) == SIGUSR1, "killed by a signal");
}

static void test_profiling(char** argv) {
  profil(counters, sizeof counters, code_of(hot), 0x8000);
  const pid_t child = fork();
  if (child == 0) {
    burn(TICKS, 1);
    _exit(all_counters() >= TICKS - 2 ? 0 : 1);
  }
  check(wait_for(child) == 0, "a forked child is profiled");
  const uint32_t before = all_counters();
  burn(TICKS, 1);
  check(all_counters() >= before + TICKS - 2, "and so is its parent");
  const pid_t other = fork();
  if (other == 0) {
    char* const arguments[] = {argv[0], "after-exec", NULL};
    execv(argv[0], arguments);
    _exit(9);
  }
  check(wait_for(other) == 0, "exec ends profiling");
}

// The buffer's place in the new program stays as it is, though the parent's profil() names it.
static int after_exec(void) {
  burn(TICKS, 1);
  return all_counters() == 0 ? 0 : 3;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "after-exec") == 0) return after_exec();
  test_fork();
  test_profiling(argv);
  return finish_checks();
}
