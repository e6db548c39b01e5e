// FIFOs: their names, who waits for whom at open(2), and how they end.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

static int events(int file) {
  struct pollfd one = {file, POLLIN | POLLOUT, 0};
  poll(&one, 1, 0);
  return one.revents;
}

static void names(void) {
  struct stat status;
  show("mkfifo", mkfifo("pipe", 0640));
  show("again", mkfifo("pipe", 0640));
  show("stat", stat("pipe", &status));
  printf("mode %o\n", status.st_mode);
  show("chmod", chmod("pipe", 0600));
  show("rename", rename("pipe", "other"));
  show("link", link("other", "pipe"));
  show("unlink", unlink("other"));
  show("truncate", truncate("pipe", 0));
  show("regular", mknod("file", S_IFREG | 0644, 0));
  show("stat", stat("file", &status));
  printf("mode %o\n", status.st_mode);
  unlink("file");
}

static void not_waiting(void) {
  char byte;
  show("write without reader", open("pipe", O_WRONLY | O_NONBLOCK));
  int reader = open("pipe", O_RDONLY | O_NONBLOCK);
  printf("reader %d, %#x\n", reader > 2, events(reader));
  show("read without writer", read(reader, &byte, 1));
  int writer = open("pipe", O_WRONLY | O_NONBLOCK);
  printf("writer %d, %#x %#x\n", writer > 2, events(reader), events(writer));
  show("read, not waiting", read(reader, &byte, 1));
  show("write", write(writer, "x", 1));
  printf("%#x\n", events(reader));
  struct stat status;
  fstat(writer, &status);
  printf("mode %o\n", status.st_mode);
  close(writer);
  printf("left %#x\n", events(reader));
  show("read", read(reader, &byte, 1));
  show("read the end", read(reader, &byte, 1));
  printf("left %#x\n", events(reader));
  writer = open("pipe", O_WRONLY);
  printf("a new writer %#x\n", events(reader));
  close(reader);
  signal(SIGPIPE, SIG_IGN);
  printf("no reader %#x\n", events(writer));
  show("write", write(writer, "x", 1));
  close(writer);
  int both = open("pipe", O_RDWR);
  show("both: write", write(both, "self", 4));
  char text[8] = "";
  show("both: read", read(both, text, sizeof text));
  printf("%s %#x\n", text, events(both));
  close(both);
}

// A reader and a writer wait for each other; what was written before the reader reads is not lost.
static void waiting(void) {
  if (fork() == 0) {
    int writer = open("pipe", O_WRONLY);
    write(writer, "from the child", 14);
    _exit(0);
  }
  int reader = open("pipe", O_RDONLY);
  char text[32] = "";
  ssize_t got = read(reader, text, sizeof text);
  printf("%zd %s\n", got, text);
  show("the end", read(reader, text, sizeof text));
  close(reader);
  wait(0);
  if (fork() == 0) {
    int reader = open("pipe", O_RDONLY);
    ssize_t got = read(reader, text, sizeof text);
    _exit(got == 15 ? 0 : 1);
  }
  int writer = open("pipe", O_WRONLY);
  show("write", write(writer, "from the parent", 15));
  close(writer);
  int end;
  wait(&end);
  printf("child %#x\n", end);
}

static void on_alarm(int signal) {
  (void)signal;
}

static void interrupted(void) {
  struct sigaction action = {.sa_handler = on_alarm};
  sigaction(SIGALRM, &action, 0);
  alarm(1);
  show("open", open("pipe", O_RDONLY));
  show("nobody reads any more", open("pipe", O_WRONLY | O_NONBLOCK));
  unlink("pipe");
}

// Exactly as much as the pipe says goes into it.
static void size(void) {
  static char bytes[1 << 20];
  int ends[2];
  pipe2(ends, O_NONBLOCK);
  const long holds = fcntl(ends[1], F_GETPIPE_SZ);
  show("a pipe's size", holds >= 4096 && holds <= (long)sizeof bytes);
  show("filled", write(ends[1], bytes, (size_t)holds) == holds);
  show("more", write(ends[1], bytes, 1));
  close(ends[0]);
  close(ends[1]);
  show("no pipe's size", fcntl(open("/", O_RDONLY), F_GETPIPE_SZ));
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  umask(022);
  names();
  size();
  not_waiting();
  waiting();
  interrupted();
  return 0;
}
