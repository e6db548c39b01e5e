// Forks with profiling on; the child reports its counters through a pipe.
//
// profil(2): profiling "remains on in both child and parent processes after a fork(2)". The buffer
// is memory like any other: the child counts in its own copy, and a child that turns its profiling
// off leaves the parent's on.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guests/profiling.h"
#include "tests/guests/tap.h"

enum { COUNTERS = 16384, TICKS = 10 };

static uint16_t counters[COUNTERS];

struct sums {
  uint32_t at_fork;
  uint32_t after_work;
  uint32_t off_before;
  uint32_t off_after;
};

static void child(int fd, uint32_t at_fork) {
  struct sums sums;
  sums.at_fork = at_fork;
  burn_ticks(TICKS);
  sums.after_work = sum_counters(counters, COUNTERS);
  profil(NULL, 0, 0, 0);
  sums.off_before = sum_counters(counters, COUNTERS);
  burn_ticks(TICKS);
  sums.off_after = sum_counters(counters, COUNTERS);
  write(fd, &sums, sizeof sums);
  _exit(0);
}

int main(void) {
  int fds[2];
  struct sums sums;
  int status;
  if (!check(pipe(fds) == 0, "pipe")) return finish_checks();

  profil(counters, sizeof counters, (uint32_t)_ftext, PROFIL_ONE_PER_INSTRUCTION);
  burn_ticks(TICKS);
  uint32_t before = sum_counters(counters, COUNTERS);
  check(before > 0, "profiling counts before the fork");

  pid_t pid = fork();
  if (pid == 0) child(fds[1], sum_counters(counters, COUNTERS));
  burn_ticks(TICKS);
  uint32_t while_on = sum_counters(counters, COUNTERS);
  check(while_on > before, "profiling stays on in the parent");

  check(read(fds[0], &sums, sizeof sums) == (ssize_t)sizeof sums, "the child reports");
  check(waitpid(pid, &status, 0) == pid && status == 0, "the child exits with status 0");
  check(sums.at_fork >= before, "the child's buffer starts with the parent's counts");
  check(sums.after_work > sums.at_fork, "profiling stays on in the child");
  check(sums.off_after == sums.off_before, "the child turns its own profiling off");

  uint32_t after_wait = sum_counters(counters, COUNTERS);
  burn_ticks(TICKS);
  check(sum_counters(counters, COUNTERS) > after_wait, "the parent's is on all the same");
  printf("# parent %u -> %u; child %u -> %u\n", before, while_on, sums.at_fork, sums.after_work);
  return finish_checks();
}
