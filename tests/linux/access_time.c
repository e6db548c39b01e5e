// O_NOATIME: reading leaves the time of use, and fcntl(2) tells and changes it.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void read_and_compare(const char* what, int file) {
  struct stat before, after;
  char byte;
  fstat(file, &before);
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  printf("%s: read %d,", what, (int)pread(file, &byte, 1, 0));
  fstat(file, &after);
  printf(" same time %d\n",
         before.st_atim.tv_sec == after.st_atim.tv_sec && before.st_atim.tv_nsec == after.st_atim.tv_nsec);
}

static void print_flag(const char* what, int file) {
  printf("%s: %d\n", what, (fcntl(file, F_GETFL) & O_NOATIME) != 0);
}

int main(void) {
  int file = open("file", O_CREAT | O_RDWR | O_NOATIME, 0644);
  printf("open %d, write %d\n", file >= 0, (int)write(file, "x", 1));
  print_flag("opened with it", file);
  read_and_compare("opened with it", file);
  printf("clear %d\n", fcntl(file, F_SETFL, 0));
  print_flag("cleared", file);
  close(file);
  file = open("file", O_RDONLY);
  print_flag("opened without it", file);
  printf("set %d\n", fcntl(file, F_SETFL, O_NOATIME));
  print_flag("set", file);
  read_and_compare("set", file);
  close(file);
  unlink("file");
  return 0;
}
