// The times of files, as TAP, and then those of the files that are its arguments. Needs a writable
// working directory and leaves the files first and second there. Each expectation is a sentence
// about st_atime, st_mtime and st_ctime in POSIX.1's page of the call ("Upon successful completion
// ... shall mark for update"); what "now" is, BSD_getime(2) says.
#include <stdio.h>

#include "tests/guests/filecalls.h"

static struct stat status;

static int64_t as_number(struct timespec time) {
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t now(void) {
  struct timeval time;
  gettimeofday(&time, NULL);
  return (int64_t)time.tv_sec * 1000000000 + (int64_t)time.tv_usec * 1000;
}

// Until the clock has moved on.
static int64_t later(void) {
  int64_t from = now(), time;
  while ((time = now()) == from) {
  }
  return time;
}

enum { ACCESS = 1, MODIFICATION = 2, CHANGE = 4, ALL = 7 };

// Which of the times of a file are not before `since`. None may be after now.
static int marked(const char* path, int64_t since) {
  if (lxstat(2, path, &status) != 0) return -1;
  int64_t times[3] = {as_number(status.st_atim), as_number(status.st_mtim),
                      as_number(status.st_ctim)};
  int result = 0;
  for (int i = 0; i < 3; ++i) {
    if (times[i] > now()) return -2;
    if (times[i] >= since) result |= 1 << i;
  }
  return result;
}

static void test_content(void) {
  char buffer[4];
  int64_t since = later();
  int fd = open("first", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check(marked("first", since) == ALL, "a new file has the time of its creation");
  check(marked(".", since) == (MODIFICATION | CHANGE), "its directory was written");
  since = later();
  write(fd, "text", 4);
  check(marked("first", since) == (MODIFICATION | CHANGE), "write");
  since = later();
  lseek(fd, 0, SEEK_SET);
  read(fd, buffer, 4);
  check(marked("first", since) == ACCESS, "read");
  check(fxstat(2, fd, &status) == 0 && as_number(status.st_atim) >= since, "fxstat agrees");
  since = later();
  check(marked("first", since) == 0, "asking marks nothing");
  ftruncate(fd, 2);
  check(marked("first", since) == (MODIFICATION | CHANGE), "ftruncate");
  close(fd);
  since = later();
  close(open("first", O_WRONLY | O_TRUNC));
  check(marked("first", since) == (MODIFICATION | CHANGE), "open with O_TRUNC");
}

static void test_names(void) {
  int64_t since = later();
  mkdir("folder", 0777);
  check(marked("folder", since) == ALL, "mkdir");
  since = later();
  chmod("first", 0600);
  check(marked("first", since) == CHANGE, "chmod");
  since = later();
  link("first", "folder/link");
  check(marked("first", since) == CHANGE, "link");
  check(marked("folder", since) == (MODIFICATION | CHANGE), "the directory of the new name");
  since = later();
  rename("folder/link", "link");
  check(marked("folder", since) == (MODIFICATION | CHANGE), "rename: the old directory");
  check((marked(".", since) & MODIFICATION) != 0, "the new one");
  check((marked("first", since) & (ACCESS | MODIFICATION)) == 0, "not the content");
  since = later();
  unlink("link");
  check(marked("first", since) == CHANGE, "unlink of one of two names");
  since = later();
  symlink("first", "link");
  check(marked("link", since) == ALL, "symlink");
  unlink("link");
  rmdir("folder");
}

static void test_setting(void) {
  time_t times[2] = {1000, 2000};
  int64_t since = later();
  utime("first", times);
  check(marked("first", since) == CHANGE, "utime changes the file");
  check(status.st_atim.tv_sec == 1000 && status.st_mtim.tv_sec == 2000, "and sets two times");
  since = later();
  utime("first", NULL);
  check(marked("first", since) == ALL, "utime without times: now");
}

// What make(1) goes by.
static void test_order(void) {
  xstat(2, "first", &status);
  int64_t first = as_number(status.st_mtim);
  close(open("second", O_WRONLY | O_CREAT | O_TRUNC, 0666));
  xstat(2, "second", &status);
  check(as_number(status.st_mtim) >= first, "what is made later is not older");
}

static void test_others(int64_t start) {
  int fds[2];
  int64_t since = later();
  pipe(fds);
  fxstat(2, fds[0], &status);
  check(as_number(status.st_mtim) >= since && as_number(status.st_mtim) <= now(), "a pipe");
  since = later();
  write(fds[1], "x", 1);
  fxstat(2, fds[0], &status);
  check(as_number(status.st_mtim) >= since && as_number(status.st_atim) < since, "written to");
  check(marked("/dev/null", start) == 0, "a device is older than the program's start");
  check(marked("/tmp", start) == 0, "and so is /tmp");
}

static void show(const char* path) {
  if (lxstat(2, path, &status) != 0) return;
  printf("# %s %d.%d %d.%d %d.%d\n", path, (int)status.st_atim.tv_sec, (int)status.st_atim.tv_nsec,
         (int)status.st_mtim.tv_sec, (int)status.st_mtim.tv_nsec, (int)status.st_ctim.tv_sec,
         (int)status.st_ctim.tv_nsec);
}

int main(int argc, char** argv) {
  int64_t start = later();
  for (int i = 1; i < argc; ++i) check(marked(argv[i], start) == 0, "there before the start");
  test_content();
  test_names();
  test_setting();
  test_order();
  test_others(start);
  for (int i = 1; i < argc; ++i) show(argv[i]);
  show("first");
  show("second");
  show(".");
  show("/tmp");
  show("/dev/null");
  return finish_checks();
}
