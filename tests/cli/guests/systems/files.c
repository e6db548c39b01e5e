// open, creat, read, write, lseek, dup, pipe, unlink.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

static volatile int pipe_signals;

static void count_pipe_signal(int sig) {
  (void)sig;
  ++pipe_signals;
}

static int make_file(const char* name, const char* text) {
#ifdef _OS_AIX
  const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
#else
  const int fd = creat(name, 0666);
#endif
  write(fd, text, strlen(text));
  return fd;
}

static void test_read_and_write(void) {
  char buffer[16];
  int fd = make_file("file", "0123456789");
  check(fd >= 3, "creat makes a file");
  check_error(read(fd, buffer, 1), EBADF, "which is open for writing only");
  check_number(close(fd), 0, "close");
  check_error(close(fd), EBADF, "close twice");
  fd = open("file", O_RDWR);
  check_number(read(fd, buffer, 4), 4, "read");
  check(memcmp(buffer, "0123", 4) == 0, "the bytes are the file's");
#ifndef _OS_AIX
  check_number((long)lseek(fd, -2, SEEK_END), 8, "lseek from the end");
  check_number(read(fd, buffer, 16), 2, "read near the end");
  check_number(read(fd, buffer, 16), 0, "read at the end");
  check_error((long)lseek(fd, 0, 9), EINVAL, "lseek with an unknown whence");
  check_error((long)lseek(99, 0, SEEK_SET), EBADF, "lseek without a file");
#endif
  check_error(read(fd, BAD_POINTER, 4), EFAULT, "read to a bad address");
  check_error(write(fd, BAD_POINTER, 4), EFAULT, "write from a bad address");
  close(fd);
  fd = open("file", O_RDONLY);
  check_error(write(fd, "x", 1), EBADF, "write to a file open for reading");
  close(fd);
  check_error(read(99, buffer, 1), EBADF, "read without a file");
  check_error(read(-1, buffer, 1), EBADF, "read of descriptor -1");
  check_error(write(99, buffer, 1), EBADF, "write without a file");
}

static void test_open(void) {
  static char long_name[300];
  check_error(open("no-such-file", O_RDONLY), ENOENT, "open of a missing file");
  check_error(open("file/below", O_RDONLY), ENOTDIR, "open below a file");
  check_error(open(".", O_WRONLY), EISDIR, "open of a directory for writing");
  check_error(open(BAD_POINTER, O_RDONLY), EFAULT, "open of a bad name pointer");
#ifdef O_EXCL
  check_error(open("file", O_RDWR | O_CREAT | O_EXCL, 0666), EEXIST,
              "open with O_EXCL of a file that exists");
  int fd = open("file", O_WRONLY | O_APPEND);
  check(write(fd, "ab", 2) == 2, "O_APPEND writes");
#ifndef _OS_AIX
  check_number((long)lseek(fd, 0, SEEK_CUR), 12, "at the end");
#endif
  close(fd);
#else
  // V7 sys2.c open(), and 4.1BSD: two arguments; only creat() makes a file.
  check_error(open("no-such-file", 01002, 0666), ENOENT, "there are no flags");
#endif
#ifdef ENAMETOOLONG
  // MAXNAMLEN and NAME_MAX are 255 or less.
  memset(long_name, 'n', sizeof long_name - 1);
  check_error(open(long_name, O_RDONLY), ENAMETOOLONG, "open of a name of 299 characters");
#else
  (void)long_name;
#endif
  check_number(unlink("file"), 0, "unlink");
  check_error(unlink("file"), ENOENT, "unlink of a missing file");
  check_error(unlink(BAD_POINTER), EFAULT, "unlink of a bad name pointer");
}

#ifndef _OS_AIX
static void test_dup(void) {
  char byte;
  const int fd = make_file("file", "abc");
  close(fd);
  const int first = open("file", O_RDONLY);
  const int second = dup(first);
  check(second > first, "dup");
  read(first, &byte, 1);
  check(read(second, &byte, 1) == 1 && byte == 'b', "both have one offset");
  check_error(dup(99), EBADF, "dup without a file");
#if defined(_OS_EARLY) || defined(_OS_BSD42_SIGNALS)
  // V7 sys3.c dup(): 0100 makes it dup2(); 4.2BSD kern_descrip.c dup(): any bit above 077.
  check_number(syscall(SYS_dup, first | 0100, 15), 15, "dup(0100 | fd, 15) is dup2");
  check(read(15, &byte, 1) == 1 && byte == 'c', "which gives the same file");
  check_error(syscall(SYS_dup, 077 | 0100, 15), EBADF, "dup2 without a file");
  check_error(syscall(SYS_dup, first | 0100, -1), EBADF, "dup2 to descriptor -1");
#ifdef _OS_EARLY
  const int third = syscall(SYS_dup, first | 0200, 16);
  check(third >= 0 && third < 15, "other high bits of the descriptor are dropped");
#else
  const int third = syscall(SYS_dup, first | 0200, 16);
  check_number(third, 16, "so do other high bits");
#endif
  close(third);
  close(15);
#endif
  close(first);
  close(second);
  unlink("file");
}
#endif

static void test_pipes(void) {
  int fds[2];
  char buffer[8];
  check(pipe(fds) == 0 && fds[0] != fds[1], "pipe returns two descriptors");
  check_number(write(fds[1], "pipe", 4), 4, "write to a pipe");
  check(read(fds[0], buffer, 8) == 4 && memcmp(buffer, "pipe", 4) == 0, "read what is in it");
#ifndef _OS_AIX
  check_error((long)lseek(fds[0], 0, SEEK_SET), ESPIPE, "lseek on a pipe");
#endif
  close(fds[1]);
  check_number(read(fds[0], buffer, 8), 0, "read without writers");
  close(fds[0]);
  // V7 pipe.c writep(): EPIPE and SIGPIPE.
  pipe(fds);
  close(fds[0]);
  signal(SIGPIPE, count_pipe_signal);
  check_error(write(fds[1], "x", 1), EPIPE, "write without readers");
  check_number(pipe_signals, 1, "which sends SIGPIPE");
  signal(SIGPIPE, SIG_IGN);
  check_error(write(fds[1], "x", 1), EPIPE, "the same with SIGPIPE ignored");
  signal(SIGPIPE, SIG_DFL);
  close(fds[1]);
}

void test_files(const char* program) {
  (void)program;
  test_read_and_write();
  test_open();
#ifndef _OS_AIX
  test_dup();
#endif
  test_pipes();
}
