// fork_wait COUNT: so many children, one after the other.
#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  for (long i = number(argv, 1); i > 0; --i) {
    const pid_t child = fork();
    if (child < 0) stop();
    if (child == 0) _exit(0);
    if (wait(NULL) != child) return wrong;
  }
  return 0;
}
