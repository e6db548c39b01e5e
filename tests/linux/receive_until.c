// recvmmsg(2) with a time limit: what has come when it is over, and what it then says.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int ends[2];

static long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void receive(const char* what, long nanoseconds) {
  char texts[3][16];
  struct iovec vectors[3];
  struct mmsghdr messages[3];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < 3; ++i) {
    vectors[i] = (struct iovec){texts[i], sizeof texts[i]};
    messages[i].msg_hdr.msg_iov = &vectors[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  struct timespec limit = {0, nanoseconds};
  const long start = milliseconds();
  const int count = recvmmsg(ends[1], messages, 3, 0, &limit);
  const char* error = count < 0 ? strerror(errno) : "no error";
  const long length = milliseconds() - start;
  printf("%s: %d, %s, took %s, left %s\n", what, count, error,
         length < 10    ? "no time"
         : length < 195 ? "less"
         : length < 225 ? "the time"
                        : "more",
         limit.tv_nsec == nanoseconds ? "all"
         : limit.tv_nsec == 0         ? "nothing"
                                      : "some");
}

int main(void) {
  const long limit = 200000000;
  socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
  receive("none", limit);
  send(ends[0], "one", 3, 0);
  receive("one", limit);
  for (int i = 0; i < 3; ++i) send(ends[0], "three", 5, 0);
  receive("three", limit);
  fflush(stdout);
  if (fork() == 0) {
    for (int i = 0; i < 2; ++i) {
      struct timespec pause = {0, 70000000};
      nanosleep(&pause, NULL);
      send(ends[0], "late", 4, 0);
    }
    _exit(0);
  }
  receive("two that come late", limit);
  wait(NULL);
  send(ends[0], "one", 3, 0);
  receive("no time", 0);
  return 0;
}
