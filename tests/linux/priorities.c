// getpriority(2), setpriority(2) and nice(2). QEMU has further threads, which a call for a group
// means, too, and one for a process does not.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char* what, int result) {
  const char* error = "ok";
  if (result == -1 && errno != 0) error = strerror(errno);
  printf("%s: %d, %s\n", what, result, error);
  fflush(stdout);
  errno = 0;
}

int main(void) {
  setpgid(0, 0);
  show("process", getpriority(PRIO_PROCESS, 0));
  show("to 3", setpriority(PRIO_PROCESS, 0, 3));
  show("process", getpriority(PRIO_PROCESS, getpid()));
  show("group to 5", setpriority(PRIO_PGRP, 0, 5));
  show("group", getpriority(PRIO_PGRP, getpgrp()));
  if (fork() == 0) {
    show("child", getpriority(PRIO_PROCESS, 0));
    show("to 12", setpriority(PRIO_PROCESS, 0, 12));
    show("best of the group", getpriority(PRIO_PGRP, 0));
    show("parent", getpriority(PRIO_PROCESS, getppid()));
    show("parent to 6", setpriority(PRIO_PROCESS, getppid(), 6));
    _exit(0);
  }
  wait(NULL);
  show("process", getpriority(PRIO_PROCESS, 0));
  show("nice", nice(4));
  show("process", getpriority(PRIO_PROCESS, 0));

  // A smaller value is for those with privileges, which the program gives up, if it has any.
  if (setuid(65534) != 0) errno = 0;
  show("nice -1", nice(-1));
  show("to 8", setpriority(PRIO_PROCESS, 0, 8));
  show("process", getpriority(PRIO_PROCESS, 0));

  show("to 100", setpriority(PRIO_PROCESS, 0, 100));
  show("process", getpriority(PRIO_PROCESS, 0));
  show("nobody", getpriority(PRIO_PROCESS, 0x7fffff));
  show("a group of none", setpriority(PRIO_PGRP, 0x7fffff, 1));
  show("another kind", getpriority(3, 0));
  show("another kind", setpriority(-1, 0, 1));
  return 0;
}
