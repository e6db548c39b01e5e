// fork_exec COUNT PROGRAM: runs the program so often, each time in a child.
#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  for (long i = number(argv, 1); i > 0; --i) {
    int status = 0;
    const pid_t child = fork();
    if (child < 0) stop();
    if (child == 0) {
      execl(argv[2], argv[2], "0", (char*)0);
      stop();
    }
    if (wait(&status) != child) return wrong;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
  }
  return 0;
}
