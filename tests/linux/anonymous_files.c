// What fstat(2), fstatfs(2) and /proc say of the files that eventfd(2) and its like make: they share one
// inode, which has no type.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static void print(const char* what, long result) {
  if (result < 0)
    printf("%s: %s\n", what, strerror(errno));
  else
    printf("%s: %ld\n", what, result);
}

static void look(const char* name, int file) {
  static struct stat first;
  struct stat status, by_name;
  struct statfs file_system;
  char path[40], target[80] = "";
  printf("-- %s\n", name);
  print("fstat", fstat(file, &status));
  if (first.st_ino == 0) first = status;
  printf("mode %o, links %ld, size %ld, blocks %ld of %ld, owner %d, group %d, device %ld\n",
         (unsigned)status.st_mode, (long)status.st_nlink, (long)status.st_size, (long)status.st_blocks,
         (long)status.st_blksize, (int)status.st_uid, (int)status.st_gid, (long)status.st_rdev);
  printf("the same file %d\n", status.st_ino == first.st_ino && status.st_dev == first.st_dev);
  print("fstatfs", fstatfs(file, &file_system));
  printf("type %lx\n", (unsigned long)file_system.f_type);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  print("readlink", readlink(path, target, sizeof target - 1));
  puts(target);
  print("stat by name", stat(path, &by_name));
  printf("the same %d\n", by_name.st_ino == status.st_ino && by_name.st_mode == status.st_mode);
  print("seek", lseek(file, 1, SEEK_SET));
  print("truncate", ftruncate(file, 0));
  close(file);
}

int main(void) {
  look("eventfd", eventfd(0, 0));
  look("epoll", epoll_create1(0));
  look("timerfd", timerfd_create(CLOCK_MONOTONIC, 0));
  look("inotify", inotify_init());
  sigset_t none;
  sigemptyset(&none);
  look("signalfd", signalfd(-1, &none, 0));
  return 0;
}
