// looping_children CHILDREN: so many, all at once, each of which has run a loop for long enough
// that a simulator may have made code of its own of it.
#include "bounds.h"

static void loop(void) {
  for (volatile int i = 0; i < 20000; ++i) {
  }
}

int main(int argc, char** argv) {
  (void)argc;
  return run_children(number(argv, 1), loop);
}
