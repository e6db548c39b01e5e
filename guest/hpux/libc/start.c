/* What every program has one of, and the calls whose arguments are not the kernel's. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel.h"

extern char _end[]; /* every program exports it */

int errno;
char** environ;

void* _hc_program_end(void) {
  return _end;
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
  va_end(rest);
  return _hc_open(path, flags, mode);
}

int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  long argument = va_arg(rest, long);
  va_end(rest);
  return _hc_fcntl(file, command, argument);
}

pid_t waitpid(pid_t process, int* status, int options) {
  return _hc_waitpid(process, status, options, NULL);
}
