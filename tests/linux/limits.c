// The limit of open files: what it is at the start, what happens at it, and what a program makes of
// it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* of(long result) {
  return result < 0 ? strerror(errno) : "done";
}

static void show_limit(const char* when) {
  struct rlimit limit = {0, 0};
  const char* told = of(getrlimit(RLIMIT_NOFILE, &limit));
  printf("%s: %s, %ld of %ld, sysconf %ld, %d\n", when, told, (long)limit.rlim_cur,
         (long)limit.rlim_max, sysconf(_SC_OPEN_MAX), getdtablesize());
}

static void set(long current, long maximum) {
  struct rlimit limit = {current, maximum};
  printf("set %ld of %ld: %s\n", current, maximum, of(setrlimit(RLIMIT_NOFILE, &limit)));
}

// Opens until no more can be.
static void fill(void) {
  int last = -1, file;
  while ((file = dup(0)) >= 0) last = file;
  printf("last %d, then %s", last, of(file));
  printf(", open %s", of(open("/dev/null", O_RDONLY)));
  int ends[2];
  printf(", pipe %s\n", of(pipe(ends)));
}

static void at_the_end(int limit) {
  printf("dup2 to %d %s", limit - 1, of(dup2(0, limit - 1)));
  printf(", to %d %s", limit, of(dup2(0, limit)));
  printf(", to -1 %s\n", of(dup2(0, -1)));
  close(limit - 1);
  printf("F_DUPFD from %d %d", limit - 1, fcntl(0, F_DUPFD, limit - 1));
  printf(", again %s", of(fcntl(0, F_DUPFD, limit - 1)));
  printf(", from %d %s\n", limit, of(fcntl(0, F_DUPFD, limit)));
}

static void poll_many(int count) {
  struct pollfd* files = calloc(count, sizeof *files);
  for (int i = 0; i < count; ++i) files[i].fd = -1;
  printf("poll %d %s\n", count, of(poll(files, count, 0)));
  free(files);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  show_limit("start");
  fill();
  at_the_end(1024);
  poll_many(1024);
  poll_many(1025);
  set(4096, 4096);
  fill();
  at_the_end(4096);
  set(4097, 4096);
  // What is open above a lower limit stays so.
  set(16, 4096);
  show_limit("lower");
  printf("F_GETFD %s, dup %s", of(fcntl(4000, F_GETFD)), of(dup(4000)));
  printf(", dup2 to itself %d\n", dup2(4000, 4000));
  struct rlimit old = {0, 0}, wanted = {100, 2000};
  printf("prlimit %s", of(prlimit(0, RLIMIT_NOFILE, &wanted, &old)));
  printf(", was %ld of %ld\n", (long)old.rlim_cur, (long)old.rlim_max);
  if (fork() == 0) {
    show_limit("child");
    for (int file = 3; file < 4096; ++file) close(file);
    fill();
    _exit(0);
  }
  wait(NULL);
  return 0;
}
