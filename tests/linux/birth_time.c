// statx(2): when a file that the run makes was born, and that this does not change.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int compare(struct statx_timestamp a, struct statx_timestamp b) {
  if (a.tv_sec != b.tv_sec) return a.tv_sec < b.tv_sec ? -1 : 1;
  return a.tv_nsec < b.tv_nsec ? -1 : a.tv_nsec > b.tv_nsec;
}

static struct statx_timestamp print_birth(const char* what, const char* path) {
  struct statx status;
  const int result = statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &status);
  printf("%s: %d, known %d,", what, result, (status.stx_mask & STATX_BTIME) != 0);
  printf(" before the last change %d\n", compare(status.stx_btime, status.stx_ctime) <= 0);
  return status.stx_btime;
}

static void wait_a_little(void) {
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

int main(void) {
  const int file = open("file", O_CREAT | O_RDWR, 0644);
  const struct statx_timestamp first = print_birth("created", "file");
  wait_a_little();
  if (write(file, "x", 1) != 1) perror("write");
  chmod("file", 0600);
  const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
  futimens(file, long_ago);
  printf("written: same %d\n", compare(first, print_birth("written", "file")) == 0);
  rename("file", "other");
  printf("renamed: same %d\n", compare(first, print_birth("renamed", "other")) == 0);
  link("other", "file");
  printf("linked: same %d\n", compare(first, print_birth("linked", "file")) == 0);
  close(file);
  unlink("file");
  unlink("other");
  wait_a_little();
  mkdir("file", 0755);
  printf("made anew: later %d\n", compare(first, print_birth("made anew", "file")) < 0);
  symlink("nowhere", "link");
  print_birth("a link", "link");
  mkfifo("fifo", 0644);
  print_birth("a FIFO", "fifo");
  rmdir("file");
  unlink("link");
  unlink("fifo");
  return 0;
}
