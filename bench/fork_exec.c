// fork_exec N: N times it forks, the child executes this program, and it waits for the child.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc == 1) return 0;  // a child
  for (int left = atoi(argv[1]); left > 0; --left) {
    const pid_t child = fork();
    if (child == 0) {
      execl(argv[0], argv[0], (char*)0);
      _exit(1);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return 0;
}
