// What the programs of this folder share. Each asks a system for more than it should give: it ends
// with 0 when it got all of it, with `refused` when the system said in time that it has no more,
// and with `wrong` when anything else went wrong.
#pragma once

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { wrong = 1, refused = 3 };

// Ends the program, after a call that failed.
static inline void stop(void) {
  _exit(errno == ENOMEM || errno == EAGAIN || errno == EMFILE || errno == ENFILE ? refused : wrong);
}

static inline long number(char** arguments, int index) {
  if (arguments[index] == NULL) _exit(wrong);
  return atol(arguments[index]);
}

static inline void* map(void* place, size_t bytes, int protection) {
  void* const memory = mmap(place, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) stop();
  return memory;
}

static const int all_access = PROT_READ | PROT_WRITE | PROT_EXEC;

// jr $ra. The instruction 0 is a nop.
enum { return_to_caller = 0x03e00008 };

static inline void run_code(void* code, size_t bytes) {
  __builtin___clear_cache((char*)code, (char*)code + bytes);
  ((void (*)(void))code)();
}

// Where children say that they are ready; how many have ended, and the first status that is not 0.
static int ready[2];
static volatile long ended;
static volatile int first_failure;

static inline void note_ended(int status) {
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : refused;
  if (first_failure == 0) first_failure = code;
  ++ended;
}

// A child that ends before it is ready is one less to wait for.
static inline void on_child_signal(int signal) {
  (void)signal;
  int status;
  while (waitpid(-1, &status, WNOHANG) > 0) {
    note_ended(status);
    if (write(ready[1], "", 1) != 1) _exit(wrong);
  }
}

static inline void be_child(int go, void (*work)(void)) {
  char byte;
  signal(SIGCHLD, SIG_DFL);
  work();
  if (write(ready[1], "", 1) != 1 || read(go, &byte, 1) != 0) _exit(wrong);
  _exit(0);
}

// Starts `count` children that do `work` and then wait, all of them at once, for the parent to let
// them end. The result is the first child's exit status that is not 0, or `refused` when the system
// refused a child.
static inline int run_children(long count, void (*work)(void)) {
  int go[2], status;
  long started = 0;
  if (pipe(ready) != 0 || pipe(go) != 0) stop();
  signal(SIGCHLD, on_child_signal);
  for (; started < count; ++started) {
    const pid_t child = fork();
    if (child == 0) {
      close(go[1]);
      be_child(go[0], work);
    }
    if (child < 0) break;
  }
  if (started < count && errno != EAGAIN && errno != ENOMEM) return wrong;
  for (long i = 0; i < started;) {
    char byte;
    const ssize_t got = read(ready[0], &byte, 1);
    if (got == 1) ++i;
    if (got < 0 && errno != EINTR) return wrong;
  }
  signal(SIGCHLD, SIG_DFL);
  close(go[1]);
  while (ended < started) {
    if (wait(&status) < 0) return wrong;
    note_ended(status);
  }
  return first_failure != 0 || started == count ? first_failure : refused;
}
