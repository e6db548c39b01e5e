// What C libraries made of the calls for processes and time.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void exit(int status) {
  _exit(status);
}

int execv(const char* path, char* const argv[]) {
  return execve(path, argv, environ);
}

#ifndef SYS_creat
int creat(const char* path, mode_t mode) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
#endif

#if defined(SYS_wait4) || defined(SYS_waitpid)
pid_t _wait4(pid_t pid, int* status, int options, void* usage);

pid_t waitpid(pid_t pid, int* status, int options) {
  return _wait4(pid, status, options, NULL);
}

#ifndef SYS_wait
pid_t wait(int* status) {
  return _wait4(-1, status, 0, NULL);
}
#endif
#endif

#ifdef SYS_waitid
int _waitid(int type, pid_t id, siginfo_t* info, int options, void* usage);

int waitid(int type, pid_t id, siginfo_t* info, int options) {
  return _waitid(type, id, info, options, NULL);
}

pid_t waitpid(pid_t pid, int* status, int options) {
  siginfo_t info = {0};
  int type = pid > 0 ? P_PID : pid == -1 ? P_ALL : P_PGID;
  pid_t id = pid < -1 ? -pid : pid;
  if (waitid(type, id, &info, options | WEXITED) != 0) return -1;
  if (status != NULL && info.si_pid != 0) {
    *status = info.si_code == CLD_EXITED   ? info.si_status << 8
              : info.si_code == CLD_DUMPED ? info.si_status | 0200
                                           : info.si_status;
  }
  return info.si_pid;
}

#ifndef SYS_wait
pid_t wait(int* status) {
  return waitpid(-1, status, 0);
}
#endif
#endif

#if !defined(SYS_time) && defined(_HAVE_TIME)
time_t time(time_t* result) {
  struct timeval now;
  if (gettimeofday(&now, NULL) != 0) return -1;
  if (result != NULL) *result = now.tv_sec;
  return now.tv_sec;
}
#endif

#if !defined(SYS_alarm) && defined(_HAVE_ALARM)
unsigned int alarm(unsigned int seconds) {
  struct itimerval wanted = {{0, 0}, {(long)seconds, 0}};
  struct itimerval old;
  if (setitimer(ITIMER_REAL, &wanted, &old) != 0) return (unsigned int)-1;
  return (unsigned int)old.it_value.tv_sec + (old.it_value.tv_usec != 0);
}
#endif

#ifdef _OS_BSD44
off_t _lseek(int fd, int pad, off_t offset, int whence);

off_t lseek(int fd, off_t offset, int whence) {
  return _lseek(fd, 0, offset, whence);
}
#endif
