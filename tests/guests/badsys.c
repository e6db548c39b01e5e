// Issues system call 1999, which does not exist: the answer is ENOSYS, 89 on IRIX. Exit status 0
// when it was. (A system that posts SIGSYS for such numbers ends the program by that signal.)
#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>

int main(void) {
  int result = syscall(1999, 1, 2, 3);
  printf("system call 1999 returned %d, errno %d\n", result, errno);
  return result == -1 && errno == ENOSYS ? 0 : 1;
}
