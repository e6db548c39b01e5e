// The locks of fcntl(2), which processes or open files have on parts of files, and of flock(2),
// which open files have on whole ones.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

static void print_result(const char* what, long result) {
  printf("%s: %ld", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

static long lock(int file, int command, short type, off_t start, off_t length) {
  struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  return fcntl(file, command, &range);
}

// What is in the way.
static void print_lock(const char* what, int file, short type, off_t start, off_t length,
                       pid_t of) {
  struct flock range = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = length};
  if (fcntl(file, F_GETLK, &range) < 0) {
    print_result(what, -1);
    return;
  }
  printf("%s: %s", what,
         range.l_type == F_UNLCK   ? "free"
         : range.l_type == F_RDLCK ? "shared"
                                   : "exclusive");
  if (range.l_type != F_UNLCK) {
    printf(", %ld and %ld, of the parent: %d", (long)range.l_start, (long)range.l_len,
           range.l_pid == of);
  }
  putchar('\n');
}

static void in_child(void (*what)(int, pid_t), int file) {
  const pid_t parent = getpid();
  fflush(stdout);
  if (fork() == 0) {
    what(file, parent);
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
}

static void look(int file, pid_t parent) {
  print_lock("before", file, F_WRLCK, 0, 10, parent);
  print_lock("inside", file, F_RDLCK, 15, 1, parent);
  print_lock("behind", file, F_WRLCK, 30, 0, parent);
  print_lock("shared with shared", file, F_RDLCK, 45, 1, parent);
  print_lock("exclusive with shared", file, F_WRLCK, 45, 1, parent);
  print_result("set inside", lock(file, F_SETLK, F_WRLCK, 15, 1));
  print_result("set before", lock(file, F_SETLK, F_WRLCK, 0, 10));
}

static void look_again(int file, pid_t parent) {
  print_lock("after another descriptor was closed", file, F_WRLCK, 15, 1, parent);
}

static void parts(void) {
  const int file = open("locked", O_RDWR | O_CREAT, 0644);
  print_result("exclusive", lock(file, F_SETLK, F_WRLCK, 10, 10));
  print_result("shared", lock(file, F_SETLK, F_RDLCK, 40, 10));
  print_lock("one's own", file, F_WRLCK, 0, 0, 0);
  in_child(look, file);
  close(open("locked", O_RDONLY));
  in_child(look_again, file);
  print_result("a bad range", lock(file, F_SETLK, F_WRLCK, -1, 1));
  print_result("a bad type", lock(file, F_SETLK, 77, 0, 1));
  const int reader = open("locked", O_RDONLY);
  print_result("exclusive without writing", lock(reader, F_SETLK, F_WRLCK, 0, 1));
  close(reader);
  close(file);
}

// The child has the lock until the parent has asked for it.
static void waiting(void) {
  const int file = open("locked", O_RDWR);
  int ready[2], order[2];
  pipe(ready);
  pipe(order);
  fflush(stdout);
  if (fork() == 0) {
    lock(file, F_SETLKW, F_WRLCK, 0, 1);
    write(ready[1], "x", 1);
    usleep(200000);
    write(order[1], "child ", 6);
    _exit(0);
  }
  char byte, text[32] = "";
  read(ready[0], &byte, 1);
  print_result("not now", lock(file, F_SETLK, F_WRLCK, 0, 1));
  print_result("then", lock(file, F_SETLKW, F_WRLCK, 0, 1));
  write(order[1], "parent", 6);
  read(order[0], text, sizeof text - 1);
  printf("%s\n", text);
  wait(NULL);
  close(file);
}

// Two processes and three that would wait for each other: the last one is told.
static void circle(int processes) {
  const int file = open("locked", O_RDWR);
  int order[2];
  pipe(order);
  fflush(stdout);
  for (int i = 0; i < processes; ++i) {
    if (fork() != 0) continue;
    lock(file, F_SETLK, F_WRLCK, i, 1);
    usleep(200000 + 200000 * i);
    const long result = lock(file, F_SETLKW, F_WRLCK, (i + 1) % processes, 1);
    char text[64];
    const int size = snprintf(text, sizeof text, "%d of %d: %ld %s\n", i, processes, result,
                              result < 0 ? strerrorname_np(errno) : "");
    write(order[1], text, size);
    _exit(0);
  }
  while (wait(NULL) > 0) {
  }
  char texts[256] = "";
  read(order[0], texts, sizeof texts - 1);
  fputs(texts, stdout);
  close(file);
}

// A lock of the open file: its copies have it, others do not, not even the process's own.
static void try_open_file(int file, pid_t parent) {
  print_result("an inherited one", lock(file, F_OFD_SETLK, F_WRLCK, 0, 5));
  const int other = open("locked", O_RDWR);
  print_result("another", lock(other, F_OFD_SETLK, F_RDLCK, 4, 1));
  print_result("the process", lock(file, F_SETLK, F_RDLCK, 4, 1));
  print_lock("in the process's way", file, F_RDLCK, 0, 1, -1);
  struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
  print_result("what is in the other's way", fcntl(other, F_OFD_GETLK, &range));
  printf("%d, of %d\n", range.l_type == F_WRLCK, range.l_pid);
  range.l_pid = parent;
  print_result("a process's id", fcntl(other, F_OFD_SETLK, &range));
  close(other);
  print_lock("after another was closed", file, F_RDLCK, 0, 1, -1);
}

static void open_files(void) {
  const int file = open("locked", O_RDWR), other = open("locked", O_RDWR);
  print_result("of the open file", lock(file, F_OFD_SETLK, F_WRLCK, 0, 10));
  in_child(try_open_file, file);
  print_result("of another", lock(other, F_OFD_SETLK, F_WRLCK, 0, 1));
  const int copy = dup(file);
  close(file);
  print_result("held by the copy", lock(other, F_OFD_SETLK, F_WRLCK, 9, 1));
  print_result("of the process", lock(other, F_SETLK, F_WRLCK, 20, 1));
  print_result("in the copy's way", lock(copy, F_OFD_SETLK, F_WRLCK, 20, 1));
  fflush(stdout);
  if (fork() == 0) {
    usleep(200000);
    print_result("freed", lock(copy, F_OFD_SETLK, F_UNLCK, 0, 1));
    fflush(stdout);
    _exit(0);
  }
  print_result("after waiting", lock(other, F_OFD_SETLKW, F_WRLCK, 0, 1));
  wait(NULL);
  close(copy);
  print_result("ended with it", lock(other, F_OFD_SETLK, F_WRLCK, 0, 0));
  close(other);
}

static void try_whole(int file, pid_t parent) {
  (void)parent;
  print_result("an inherited one", flock(file, LOCK_EX | LOCK_NB));
  const int other = open("locked", O_RDWR);
  print_result("another", flock(other, LOCK_EX | LOCK_NB));
  print_result("shared", flock(other, LOCK_SH | LOCK_NB));
  print_result("a part", lock(other, F_SETLK, F_WRLCK, 0, 0));
  close(other);
}

static void whole(void) {
  const int file = open("locked", O_RDWR), other = open("locked", O_RDONLY);
  print_result("exclusive", flock(file, LOCK_EX));
  in_child(try_whole, file);
  print_result("in the same process", flock(other, LOCK_SH | LOCK_NB));
  print_result("now shared", flock(file, LOCK_SH));
  print_result("both", flock(other, LOCK_SH | LOCK_NB));
  print_result("not exclusive any more", flock(other, LOCK_EX | LOCK_NB));
  print_result("freed", flock(file, LOCK_UN));
  print_result("exclusive now", flock(other, LOCK_EX | LOCK_NB));
  const int copy = dup(other);
  close(other);
  print_result("held by the copy", flock(file, LOCK_EX | LOCK_NB));
  close(copy);
  print_result("ended with it", flock(file, LOCK_EX | LOCK_NB));
  fflush(stdout);
  int ready[2];
  pipe(ready);
  if (fork() == 0) {
    const int own = open("locked", O_RDWR);
    write(ready[1], "x", 1);
    print_result("after waiting", flock(own, LOCK_EX));
    fflush(stdout);
    _exit(0);
  }
  char byte;
  read(ready[0], &byte, 1);
  usleep(200000);
  puts("freed again");
  fflush(stdout);
  flock(file, LOCK_UN);
  wait(NULL);
  print_result("ended with the process", flock(file, LOCK_EX | LOCK_NB));
  print_result("a bad operation", flock(file, 0));
  close(file);
  const int directory = open(".", O_RDONLY);
  print_result("a directory", flock(directory, LOCK_EX | LOCK_NB));
  const int again = open(".", O_RDONLY);
  print_result("again", flock(again, LOCK_SH | LOCK_NB));
  close(again);
  close(directory);
  int ends[2];
  pipe(ends);
  print_result("a pipe", flock(ends[0], LOCK_EX | LOCK_NB));
  unlink("locked");
}

int main(void) {
  parts();
  waiting();
  circle(2);
  circle(3);
  open_files();
  whole();
  return 0;
}
