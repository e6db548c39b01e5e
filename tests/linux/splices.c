// Between pipes and other files without a buffer: splice(2), tee(2), vmsplice(2). Prints a line for
// each step.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
  fflush(stdout);
}

static void put(int file, const char* text) {
  if (write(file, text, strlen(text)) < 0) perror("write");
}

static void show_content(const char* what, int file) {
  char text[256];
  const long count = read(file, text, sizeof text);
  if (count < 0) {
    show(what, count);
    return;
  }
  printf("%s: '%.*s'\n", what, (int)count, text);
  fflush(stdout);
}

static int new_file(const char* name, const char* text) {
  const int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  put(file, text);
  lseek(file, 0, SEEK_SET);
  return file;
}

static void files(void) {
  int ends[2];
  if (pipe(ends) < 0) return;
  const int from = new_file("from", "the quick brown fox jumps over the lazy dog");
  const int to = new_file("to", "..........");
  show("file to pipe", splice(from, NULL, ends[1], NULL, 9, 0));
  show("position", lseek(from, 0, SEEK_CUR));
  off64_t offset = 16;
  show("at an offset", splice(from, &offset, ends[1], NULL, 9, SPLICE_F_MOVE | SPLICE_F_MORE));
  show("offset", offset);
  show("position", lseek(from, 0, SEEK_CUR));
  show("pipe to file", splice(ends[0], NULL, to, NULL, 4, 0));
  show("position", lseek(to, 0, SEEK_CUR));
  offset = 6;
  show("at an offset", splice(ends[0], NULL, to, &offset, 100, 0));
  show("offset", offset);
  show("position", lseek(to, 0, SEEK_CUR));
  show("an empty pipe", splice(ends[0], NULL, to, NULL, 1, SPLICE_F_NONBLOCK));
  lseek(to, 0, SEEK_SET);
  show_content("file", to);
  offset = 1000;
  show("behind the end", splice(from, &offset, ends[1], NULL, 9, 0));
  lseek(from, -3, SEEK_END);
  show("the rest", splice(from, NULL, ends[1], NULL, 100, 0));
  show("the end", splice(from, NULL, ends[1], NULL, 100, 0));
  show_content("pipe", ends[0]);
  put(ends[1], "away");
  const int null = open("/dev/null", O_WRONLY);
  show("to /dev/null", splice(ends[0], NULL, null, NULL, 100, 0));
  close(ends[1]);
  show("no writer", splice(ends[0], NULL, to, NULL, 1, 0));
}

// Devices have one place, which an offset may name.
static void devices(void) {
  static const char* const names[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom"};
  const int from = open("from", O_RDONLY);
  for (unsigned i = 0; i < sizeof names / sizeof *names; ++i) {
    int ends[2];
    if (pipe(ends) < 0) return;
    put(ends[1], "quickly away");
    const int device = open(names[i], O_WRONLY);
    off64_t offset = 3, negative = -1;
    printf("-- %s\n", names[i]);
    show("splice", splice(ends[0], NULL, device, NULL, 4, 0));
    show("at an offset", splice(ends[0], NULL, device, &offset, 4, 0));
    show("offset", offset);
    if (strcmp(names[i], "/dev/full") != 0) {
      show("negative offset", splice(ends[0], NULL, device, &negative, 4, 0));
      show("bad offset", splice(ends[0], NULL, device, (off64_t*)16, 4, 0));
    }
    show_content("the pipe has kept", ends[0]);
    lseek(from, 0, SEEK_SET);
    show("sendfile", sendfile(device, from, NULL, 1000));
    show("position", lseek(from, 0, SEEK_CUR));
    close(device);
  }
  lseek(from, 0, SEEK_SET);
  show("sendfile to an eventfd", sendfile(eventfd(0, 0), from, NULL, 8));
  show("sendfile to an epoll", sendfile(epoll_create1(0), from, NULL, 8));
}

static void refusals(void) {
  int ends[2], others[2];
  if (pipe(ends) < 0 || pipe(others) < 0) return;
  const int from = open("from", O_RDONLY), to = open("to", O_WRONLY);
  const int appends = open("to", O_WRONLY | O_APPEND);
  put(ends[1], "text");
  off64_t offset = 0, negative = -1;
  show("nothing", splice(-1, NULL, -1, NULL, 0, 0));
  show("closed", splice(-1, NULL, ends[1], NULL, 1, 0));
  show("closed", splice(ends[0], NULL, 77, NULL, 1, 0));
  show("two files", splice(from, NULL, to, NULL, 1, 0));
  show("unknown flag", splice(ends[0], NULL, to, NULL, 1, 0x80));
  show("offset of a pipe", splice(ends[0], &offset, to, NULL, 1, 0));
  show("offset of a pipe", splice(from, NULL, ends[1], &offset, 1, 0));
  show("bad offset", splice(from, (off64_t*)16, ends[1], NULL, 1, 0));
  show("negative offset", splice(from, &negative, ends[1], NULL, 1, 0));
  show("wrong end", splice(ends[1], NULL, to, NULL, 1, 0));
  show("wrong end", splice(from, NULL, ends[0], NULL, 1, 0));
  show("not for writing", splice(ends[0], NULL, from, NULL, 1, 0));
  show("for appending", splice(ends[0], NULL, appends, NULL, 1, 0));
  show("the same pipe", splice(ends[0], NULL, ends[1], NULL, 1, 0));
  show("tee of a file", tee(from, ends[1], 1, 0));
  show("tee to the same pipe", tee(ends[0], ends[1], 1, 0));
  show("tee of nothing", tee(-1, -1, 0, 0));
  show("tee of an empty pipe", tee(others[0], ends[1], 1, SPLICE_F_NONBLOCK));
  show("tee, unknown flag", tee(ends[0], others[1], 1, 0x80));
  show("tee, wrong ends", tee(others[1], ends[0], 1, 0));
  struct iovec vector = {"text", 4};
  show("vmsplice of a file", vmsplice(to, &vector, 1, 0));
  show("vmsplice of nothing", vmsplice(ends[1], &vector, 0, 0));
  show("vmsplice, closed", vmsplice(-1, &vector, 1, 0));
  vector.iov_base = (void*)16;
  show("vmsplice, bad buffer", vmsplice(others[1], &vector, 1, 0));
  show("vmsplice, bad vector", vmsplice(ends[1], (struct iovec*)16, 1, 0));
  signal(SIGPIPE, SIG_IGN);
  close(others[0]);
  show("no reader", splice(ends[0], NULL, others[1], NULL, 1, 0));
  show("no reader", splice(from, NULL, others[1], NULL, 1, 0));
  show("no reader", tee(ends[0], others[1], 1, 0));
  signal(SIGPIPE, SIG_DFL);
  show_content("the pipe has kept", ends[0]);
}

static void pipes(void) {
  int first[2], second[2], third[2];
  if (pipe(first) < 0 || pipe(second) < 0 || pipe(third) < 0) return;
  struct iovec vectors[2] = {{"one ", 4}, {"two three", 9}};
  show("vmsplice", vmsplice(first[1], vectors, 2, 0));
  show("tee", tee(first[0], second[1], 7, 0));
  show("splice", splice(first[0], NULL, third[1], NULL, 100, 0));
  char a[8] = "", b[32] = "";
  struct iovec into[2] = {{a, 3}, {b, sizeof b}};
  show("vmsplice back", vmsplice(third[0], into, 2, 0));
  printf("'%s' '%s'\n", a, b);
  show_content("of tee", second[0]);
  fcntl(first[0], F_SETFL, O_NONBLOCK);
  show("an empty pipe", splice(first[0], NULL, second[1], NULL, 1, 0));
  show("vmsplice of it", vmsplice(first[0], into, 1, SPLICE_F_NONBLOCK));
}

static void waits(void) {
  int ends[2], through[2], status;
  printf("-- waits\n");
  fflush(stdout);
  if (pipe(ends) < 0 || pipe(through) < 0) return;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    while (splice(ends[0], NULL, through[1], NULL, 1 << 16, 0) > 0) continue;
    _exit(7);
  }
  close(ends[0]);
  close(through[1]);
  static char page[5000];
  memset(page, 'x', sizeof page);
  const pid_t writer = fork();
  if (writer == 0) {
    struct iovec vector = {page, sizeof page};
    for (int i = 0; i < 100; ++i) {
      vector.iov_base = page;
      for (vector.iov_len = sizeof page; vector.iov_len != 0;) {
        vector.iov_len -= vmsplice(ends[1], &vector, 1, 0);
      }
    }
    _exit(0);
  }
  close(ends[1]);
  const int to = new_file("much", "");
  long total = 0, count;
  while ((count = splice(through[0], NULL, to, NULL, 1 << 20, 0)) > 0) total += count;
  show("through two pipes", total);
  show("size", lseek(to, 0, SEEK_END));
  waitpid(child, &status, 0);
  printf("%d\n", WEXITSTATUS(status));
}

static void sockets(void) {
  int ends[2], pair[2];
  printf("-- sockets\n");
  if (pipe(ends) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return;
  put(pair[0], "through a socket");
  show("socket to pipe", splice(pair[1], NULL, ends[1], NULL, 9, 0));
  show("pipe to socket", splice(ends[0], NULL, pair[1], NULL, 100, 0));
  show_content("other end", pair[0]);
  show("socket to pipe", splice(pair[1], NULL, ends[1], NULL, 100, 0));
  show("nothing has arrived", splice(pair[1], NULL, ends[1], NULL, 100, SPLICE_F_NONBLOCK));
  show_content("pipe", ends[0]);
  fflush(stdout);
  if (fork() == 0) {
    usleep(20000);
    put(pair[0], "late");
    _exit(0);
  }
  show("waits for it", splice(pair[1], NULL, ends[1], NULL, 100, 0));
  close(pair[0]);
  wait(NULL);
  show("at the end", splice(pair[1], NULL, ends[1], NULL, 100, 0));
  signal(SIGPIPE, SIG_IGN);
  show("to nobody", splice(ends[0], NULL, pair[1], NULL, 100, 0));
  off64_t offset = 0;
  show("at an offset", splice(pair[1], &offset, ends[1], NULL, 100, 0));
}

int main(void) {
  files();
  devices();
  refusals();
  pipes();
  waits();
  sockets();
  return 0;
}
