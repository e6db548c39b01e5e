// Survives 50 times what could be an overflow of its stack: the handler, on a stack of its own,
// goes back to main past 200 calls. Then main calls after().
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sigjmp_buf start;
static volatile sig_atomic_t handled;

static void handle(int signal) {
  (void)signal;
  ++handled;
  siglongjmp(start, 1);
}

__attribute__((noinline)) static int deep(int n) {
  if (n == 200) raise(SIGUSR1);
  return n > 200 ? 0 : deep(n + 1) + 1;
}

__attribute__((noinline)) static void after(void) {
  for (volatile int i = 0; i < 100; ++i) {
  }
}

int main(void) {
  // Above main's own frame on MIPS, below it on PA-RISC, where stacks grow upwards; and on the
  // heap.
  static char own[65536];
  char on_stack[65536];
  char* const stacks[] = {on_stack, own, malloc(65536)};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, NULL);
  for (volatile int i = 0; i < 50; ++i) {
    const stack_t stack = {.ss_sp = stacks[i % 3], .ss_size = 65536};
    sigaltstack(&stack, NULL);
    if (!sigsetjmp(start, 1)) deep(0);
    after();
  }
  printf("%d\n", (int)handled);
  return 0;
}
