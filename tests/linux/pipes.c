// How much pipes hold, and what is written to them whole: pipe(7), F_GETPIPE_SZ, F_SETPIPE_SZ.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1 << 20];

static const char *of(long result) {
  static char text[40];
  if (result < 0) return strerror(errno);
  snprintf(text, sizeof text, "%ld", result);
  return text;
}

static void make(int *ends) {
  pipe2(ends, O_NONBLOCK);
}

static void finish(const int *ends) {
  close(ends[0]);
  close(ends[1]);
}

static int is_writable(int file) {
  struct pollfd one = {file, POLLOUT, 0};
  poll(&one, 1, 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(file, &set);
  struct timeval none = {0, 0};
  const int selected = select(file + 1, NULL, &set, NULL, &none);
  if (selected != ((one.revents & POLLOUT) != 0)) puts("poll and select disagree");
  return one.revents;
}

static void fill(int size) {
  int ends[2], waiting = 0;
  make(ends);
  long total = 0, last;
  while ((last = write(ends[1], bytes, size)) > 0) total += last;
  ioctl(ends[0], FIONREAD, &waiting);
  printf("writes of %d: %ld, %s, waiting %d, %#x\n", size, total, of(last), waiting,
         is_writable(ends[1]));
  finish(ends);
}

// Where room comes from: a page is free when it was read whole.
static void drain(void) {
  int ends[2];
  make(ends);
  const int capacity = fcntl(ends[1], F_GETPIPE_SZ);
  printf("filled %d\n", write(ends[1], bytes, capacity) == capacity);
  const int page = capacity / 16;
  for (int read_so_far = 0; read_so_far < 2 * page;) {
    const int count = read_so_far % page == 0 ? 1 : page - 1;
    read_so_far += read(ends[0], bytes, count);
    printf("read %d: %#x, ", read_so_far % page == 0, is_writable(ends[1]));
    printf("%s\n", of(write(ends[1], bytes, PIPE_BUF)));
  }
  finish(ends);
}

// What does not fit into the last page begins another; a part of a write that fills no page goes
// into the last.
static void merge(void) {
  int ends[2];
  make(ends);
  const int page = fcntl(ends[1], F_GETPIPE_SZ) / 16;
  printf("%s\n", of(fcntl(ends[1], F_SETPIPE_SZ, 2 * page) / page));
  write(ends[1], bytes, page - 10);
  printf("%s, ", of(write(ends[1], bytes, 11)));
  printf("%#x, ", is_writable(ends[1]));
  printf("%s, ", of(write(ends[1], bytes, page - 10)));
  printf("%s, ", of(write(ends[1], bytes, page - 11)));
  printf("%s\n", of(write(ends[1], bytes, 1)));
  finish(ends);
}

static void resize(void) {
  int ends[2];
  make(ends);
  const int capacity = fcntl(ends[0], F_GETPIPE_SZ), page = capacity / 16;
  printf("smallest %s\n", of(fcntl(ends[1], F_SETPIPE_SZ, 0) / page));
  printf("three pages %s\n", of(fcntl(ends[0], F_SETPIPE_SZ, 3 * page) / page));
  printf("asked %d\n", fcntl(ends[1], F_GETPIPE_SZ) / page);
  write(ends[1], bytes, 3 * page + 1);
  printf("too small %s\n", of(fcntl(ends[1], F_SETPIPE_SZ, 3 * page)));
  printf("large %d\n", fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) == 1 << 20);
  printf("room %d\n", write(ends[1], bytes, 1 << 20) == (1 << 20) - 4 * page + page - 1 ||
                          write(ends[1], bytes, 1) < 0);
  printf("much too large %s\n", of(fcntl(ends[1], F_SETPIPE_SZ, -1)));
  printf("no pipe %s\n", of(fcntl(open("/dev/null", O_RDWR), F_GETPIPE_SZ)));
  finish(ends);
}

// Writes of PIPE_BUF bytes of several processes do not mix, longer ones come whole though in
// pieces.
static void atomicity(void) {
  int ends[2];
  pipe(ends);
  for (int writer = 0; writer < 3; ++writer) {
    if (fork() != 0) continue;
    memset(bytes, 'a' + writer, PIPE_BUF);
    for (int i = 0; i < 40; ++i) write(ends[1], bytes, PIPE_BUF);
    _exit(0);
  }
  close(ends[1]);
  int mixed = 0;
  long total = 0;
  static char block[PIPE_BUF];
  for (;;) {
    int filled = 0, count = 0;
    while (filled < PIPE_BUF && (count = read(ends[0], block + filled, PIPE_BUF - filled)) > 0) {
      filled += count;
    }
    if (filled == 0) break;
    total += filled;
    for (int i = 1; i < filled; ++i) mixed += block[i] != block[0];
  }
  while (wait(NULL) > 0) {
  }
  printf("mixed %d of %ld\n", mixed, total);
  close(ends[0]);
}

static void fifo(void) {
  mkfifo("fifo", 0600);
  const int reader = open("fifo", O_RDONLY | O_NONBLOCK);
  const int writer = open("fifo", O_WRONLY | O_NONBLOCK);
  printf("fifo %d\n", fcntl(reader, F_GETPIPE_SZ) == write(writer, bytes, sizeof bytes));
  close(reader);
  close(writer);
  unlink("fifo");
}

int main(void) {
  int ends[2];
  make(ends);
  printf("capacity %d, PIPE_BUF %ld\n", fcntl(ends[0], F_GETPIPE_SZ),
         fpathconf(ends[0], _PC_PIPE_BUF));
  finish(ends);
  const int sizes[] = {1, 100, 3000, 4095, 4096, 4097, 5000, 65536, 65537, 100000};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; ++i) fill(sizes[i]);
  drain();
  merge();
  resize();
  atomicity();
  fifo();
  return 0;
}
