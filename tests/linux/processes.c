// fork, exec, wait, pipes; posix_spawn and popen, which use vfork's form of clone.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int wait_for(pid_t child) {
  int status = -1;
  if (waitpid(child, &status, 0) != child) perror("waitpid");
  return status;
}

static void on_child(int number, siginfo_t* info, void* context) {
  (void)context;
  printf("signal %d code %d status %d\n", number, info->si_code, info->si_status);
}

static void execute(char* name) {
  dup2(1, 9);
  fcntl(9, F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) {
    char *arguments[] = {name, "again", NULL}, *environment[] = {"GIVEN=yes", NULL};
    execve(name, arguments, environment);
    _exit(1);
  }
  int status = wait_for(child);
  printf("status %d\n", WEXITSTATUS(status));

  char* arguments[] = {name, "spawned", NULL};
  printf("posix_spawn %d\n", posix_spawn(&child, name, NULL, NULL, arguments, environ));
  status = wait_for(child);
  printf("status %d\n", WEXITSTATUS(status));
  printf("no such program %s\n",
         strerror(posix_spawn(&child, "./nowhere", NULL, NULL, arguments, environ)));
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IONBF, 0);
  if (argc == 2) {
    printf("executed: %s %s, FD_CLOEXEC %d\n", argv[1], getenv("GIVEN") ? getenv("GIVEN") : "-",
           fcntl(9, F_GETFD) == -1);
    return 17;
  }
#ifdef __mips__  // the mode of the registers is each kernel's choice, to keep it is every one's
  printf("keeps its FP mode: %d\n", prctl(PR_SET_FP_MODE, prctl(PR_GET_FP_MODE)));
#endif
  volatile int shared = 1;
  pid_t child = fork();
  if (child == 0) {
    shared = 2;
    _exit(5);
  }
  int status = wait_for(child);
  printf("exit status %d, own memory %d\n", WEXITSTATUS(status), shared);

  int ends[2];
  printf("pipe %d\n", pipe(ends));
  child = fork();
  if (child == 0) {
    close(ends[0]);
    dup2(ends[1], 1);
    printf("from the child");
    _exit(0);
  }
  close(ends[1]);
  char text[100] = {0};
  ssize_t size = read(ends[0], text, sizeof text - 1);
  printf("read %zd %s, then %zd\n", size, text, read(ends[0], text, 1));
  wait_for(child);
  close(ends[0]);

  // QEMU can run another program only where the host knows how: not with the arguments of a test.
  if (argc == 1) execute(argv[0]);

  struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO};
  sigaction(SIGCHLD, &action, NULL);
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, &old);
  child = fork();
  if (child == 0) _exit(33);
  sigsuspend(&old);
  sigprocmask(SIG_SETMASK, &old, NULL);
  struct rusage usage;
  printf("wait4 %d", wait4(child, &status, 0, &usage) == child);
  printf(" %d, usec %d\n", WEXITSTATUS(status), usage.ru_utime.tv_usec < 1000000);
  printf("no child %d", wait(&status));
  printf(" %s\n", strerror(errno));
  signal(SIGCHLD, SIG_DFL);

  child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  printf("WNOHANG %d\n", waitpid(child, &status, WNOHANG));
  kill(child, SIGTERM);
  status = wait_for(child);
  printf("by signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);

  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) perror("pipe2");
  printf("nothing %zd", read(ends[0], text, 1));
  printf(" %s\n", strerror(errno));
  struct pollfd polled[] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
  printf("poll %d", poll(polled, 2, 0));
  printf(" %d %d\n", polled[0].revents, polled[1].revents);
  if (write(ends[1], "x", 1) != 1) perror("write");
  fd_set readable;
  FD_ZERO(&readable);
  FD_SET(ends[0], &readable);
  struct timeval second = {1, 0};
  printf("select %d", select(ends[0] + 1, &readable, NULL, NULL, &second));
  printf(" %d\n", FD_ISSET(ends[0], &readable));
  if (read(ends[0], text, 1) != 1) perror("read");
  second.tv_sec = 0;
  second.tv_usec = 30000;
  printf("select in vain %d\n", select(ends[0] + 1, &readable, NULL, NULL, &second));
  close(ends[0]);
  signal(SIGPIPE, SIG_IGN);
  printf("broken pipe %zd", write(ends[1], "x", 1));
  printf(" %s\n", strerror(errno));
  return 0;
}
