// The time of a context switch: a token goes round two processes that are connected by pipes
// ("Context switching" of McVoy and Staelin, "lmbench", USENIX 1996; processes of 0 KB).
//
//   lat_ctx [PASSES]
//
// pipe_overhead is what writing the token to a pipe and reading it takes within one process;
// context_switch is what passing it takes more than that.
#include <stdlib.h>
#include <unistd.h>

#include "tests/guests/lmbench/measure.h"

static int pass(int to, int from) {
  uint32_t token = 1;
  return write(to, &token, sizeof token) == (ssize_t)sizeof token &&
         read(from, &token, sizeof token) == (ssize_t)sizeof token;
}

// Returns what it receives, to the end.
static void echo(int from, int to) {
  uint32_t token;
  while (read(from, &token, sizeof token) == (ssize_t)sizeof token) {
    write(to, &token, sizeof token);
  }
  _exit(0);
}

int main(int argc, char** argv) {
  uint32_t passes = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
  int there[2], back[2];
  if (passes < 2 || pipe(there) != 0 || pipe(back) != 0) return 1;

  uint64_t start = now();
  for (uint32_t i = 0; i < passes; ++i) {
    if (!pass(there[1], there[0])) return 1;
  }
  uint64_t overhead = since(start);

  pid_t pid = fork();
  if (pid < 0) return 1;
  if (pid == 0) {
    close(there[1]);
    echo(there[0], back[1]);
  }
  if (!pass(there[1], back[0])) return 1;
  start = now();
  for (uint32_t i = 0; i < passes / 2; ++i) {
    if (!pass(there[1], back[0])) return 1;
  }
  uint64_t elapsed = since(start);
  close(there[1]);

  printf("pipe_overhead");
  print_each(overhead, passes);
  printf("context_switch");
  print_each(elapsed > overhead ? elapsed - overhead : 0, passes / 2 * 2);
  return 0;
}
