// The time that a new process takes: "Process creation costs" of McVoy and Staelin ("lmbench",
// USENIX 1996).
//
//   lat_proc [PROCESSES [WRITTEN [TOUCHED]]]
//
// fork_exit: a child that ends at once, and the wait for it. fork_exec_exit: one that executes a
// program that ends at once; where theirs prints a line, this one does nothing.
//
// Theirs were dynamically linked. The child of a fork writes WRITTEN pages of its parent's before
// it ends, and the program that is executed touches TOUCHED new ones, 64 at most: what a dynamic
// linker and a shared C library do besides what this program does by itself.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guests/lmbench/measure.h"

enum { PAGE = 4096, MOST = 64 };

static char pages[MOST * PAGE] __attribute__((aligned(4096)));

static int touch(uint32_t count) {
  if (count > MOST) return 0;
  for (uint32_t i = 0; i < count; ++i) *(volatile char*)&pages[i * PAGE] = 1;
  return 1;
}

static uint32_t written;
static char* touched = "0";

static int create(const char* program) {
  char* arguments[] = {(char*)program, "end", touched, NULL};
  siginfo_t info;
  pid_t pid = fork();
  if (pid == 0) {
    if (program != NULL) execve(program, arguments, environ);
    touch(written);
    _exit(program != NULL);
  }
  return pid > 0 && waitid(P_PID, pid, &info, WEXITED) == 0 && info.si_status == 0;
}

static int measure(const char* name, uint32_t processes, const char* program) {
  uint64_t start = now();
  for (uint32_t i = 0; i < processes; ++i) {
    if (!create(program)) return 0;
  }
  uint64_t elapsed = since(start);
  printf("%s", name);
  print_each(elapsed, processes);
  return 1;
}

int main(int argc, char** argv) {
  if (argc > 2 && strcmp(argv[1], "end") == 0) return touch((uint32_t)atoi(argv[2])) ? 0 : 1;
  uint32_t processes = argc > 1 ? (uint32_t)atoi(argv[1]) : 20;
  if (argc > 2) written = (uint32_t)atoi(argv[2]);
  if (argc > 3) touched = argv[3];
  if (!touch(written) || (uint32_t)atoi(touched) > MOST) return 1;
  if (processes == 0 || !measure("fork_exit", processes, NULL)) return 1;
  return measure("fork_exec_exit", processes, argv[0]) ? 0 : 1;
}
