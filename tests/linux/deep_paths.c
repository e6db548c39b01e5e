// Directories below more than PATH_MAX bytes of names: only relative paths reach them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { levels = 60, name_bytes = 200 };
static char name[name_bytes + 1];
static char buffer[3 * PATH_MAX];

static void print_result(const char* what, long result) {
  printf("%s %ld errno %d\n", what, result < 0 ? -1L : 0L, result < 0 ? errno : 0);
}

static void go_down(void) {
  for (int i = 0; i < levels; ++i) {
    if (mkdir(name, 0755) != 0 || chdir(name) != 0) printf("level %d errno %d\n", i, errno);
  }
}

static void test_names(void) {
  print_result("getcwd", syscall(SYS_getcwd, buffer, sizeof buffer));
  print_result("getcwd into little", syscall(SYS_getcwd, buffer, (size_t)16));
  int file = open("file", O_CREAT | O_RDWR, 0644);
  print_result("open", file);
  printf("write %d\n", (int)write(file, "deep", 4));
  close(file);
  struct stat status;
  print_result("stat", stat("./file", &status));
  printf("size %d\n", (int)status.st_size);
  print_result("symlink", symlink("file", "link"));
  print_result("open a link", open("link", O_RDONLY));
  print_result("symlink up", symlink("..", "up"));
  print_result("stat up", stat("up/..", &status));
  print_result("chdir through a link", chdir("up"));
  print_result("and back", chdir(name));
  print_result("rename", rename("file", "other"));
  print_result("link", link("other", "file"));
}

static void test_directories(void) {
  int folder = open(".", O_RDONLY | O_DIRECTORY);
  print_result("open the directory", folder);
  print_result("mkdirat", mkdirat(folder, "inner", 0700));
  print_result("openat", openat(folder, "inner", O_RDONLY));
  print_result("unlinkat", unlinkat(folder, "inner", AT_REMOVEDIR));
  print_result("chdir up", chdir(".."));
  print_result("fchdir", fchdir(folder));
  print_result("rmdir not empty", rmdir("../../"));
}

static void go_up(void) {
  const char* const files[] = {"file", "other", "link", "up"};
  for (int i = 0; i < 4; ++i) print_result("unlink", unlink(files[i]));
  for (int i = 0; i < levels; ++i) {
    if (chdir("..") != 0 || rmdir(name) != 0) printf("up from %d errno %d\n", i, errno);
  }
}

int main(void) {
  memset(name, 'd', name_bytes);
  go_down();
  test_names();
  test_directories();
  go_up();
  memset(buffer, 'x', PATH_MAX + 1);
  buffer[10] = '/';
  print_result("a long argument", open(buffer, O_RDONLY));
  print_result("getcwd", syscall(SYS_getcwd, buffer, sizeof buffer));
  return 0;
}
