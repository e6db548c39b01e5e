// 120 processes, which call ever other functions, by turns. None ends before all have begun.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROCESSES = 120, ROUNDS = 3000, DEPTH = 20, FUNCTIONS = 16 };

static unsigned state;
static unsigned any(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % FUNCTIONS;
}

typedef void Function(int);
static Function* const functions[FUNCTIONS];
#define FUNCTION(n)                                              \
  __attribute__((noinline)) static void function##n(int depth) { \
    if (depth != 0) functions[any()](depth - 1);                 \
    __asm__ volatile("" ::"r"(n));                               \
  }
FUNCTION(0)
FUNCTION(1)
FUNCTION(2) FUNCTION(3) FUNCTION(4) FUNCTION(5) FUNCTION(6) FUNCTION(7) FUNCTION(8) FUNCTION(9)
    FUNCTION(10) FUNCTION(11) FUNCTION(12) FUNCTION(13) FUNCTION(14)
        FUNCTION(15) static Function* const functions[FUNCTIONS] = {
            function0,  function1,  function2,  function3, function4,  function5,
            function6,  function7,  function8,  function9, function10, function11,
            function12, function13, function14, function15};

static void be_child(unsigned number, const int* gate) {
  char nothing;
  close(gate[1]);
  state = number;
  for (int i = 0; i < ROUNDS; ++i) function0(DEPTH);
  _exit((int)read(gate[0], &nothing, 1));  // 0, when the parent closes the gate
}

int main(void) {
  int ended = 0;
  int gate[2];
  if (pipe(gate) != 0) return 1;
  for (unsigned i = 1; i <= PROCESSES; ++i) {
    if (fork() == 0) be_child(i, gate);
  }
  close(gate[1]);
  while (wait(NULL) > 0) ++ended;
  printf("%d\n", ended);
  return 0;
}
