// A process's directory and an open one are the same ones when their names, or those of directories
// above them, change or go.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char top[PATH_MAX];

static void print_result(const char* what, int result) {
  printf("%s: %d", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

// The system call's answer, relative to where the program began.
static void print_cwd(const char* what) {
  char path[PATH_MAX];
  const long size = syscall(SYS_getcwd, path, sizeof path);
  if (size < 0) {
    print_result(what, -1);
    return;
  }
  const size_t length = strlen(top);
  printf("%s: %s\n", what, strncmp(path, top, length) == 0 ? path + length : path);
}

static int make_in(int directory, const char* name) {
  const int file = openat(directory, name, O_CREAT | O_WRONLY, 0644);
  if (file >= 0) close(file);
  return file < 0 ? -1 : 0;
}

// 1: there are some.
static int names_in(int directory) {
  const int again = openat(directory, ".", O_RDONLY | O_DIRECTORY);
  if (again < 0) return -1;
  char bytes[4096];
  const long size = syscall(SYS_getdents64, again, bytes, sizeof bytes);
  close(again);
  return size > 0 ? 1 : (int)size;
}

static int is_same(const char* a, const char* b) {
  struct stat first, second;
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino &&
         first.st_dev == second.st_dev;
}

static void renamed(void) {
  mkdir("a", 0755);
  mkdir("a/b", 0755);
  mkdir("a/b/c", 0755);
  const int open_b = open("a/b", O_RDONLY | O_DIRECTORY);
  if (chdir("a/b/c") != 0) print_result("chdir", -1);
  print_cwd("before");
  char from[PATH_MAX + 2], to[PATH_MAX + 16];
  snprintf(from, sizeof from, "%s/a", top);
  snprintf(to, sizeof to, "%s/another", top);
  print_result("rename of the highest", rename(from, to));
  print_cwd("after");
  print_result("create", make_in(AT_FDCWD, "file"));
  print_result("create by its new name", access("../../../another/b/c/file", F_OK));
  print_result("by its old name", access("../../../a/b/c/file", F_OK));
  print_result("create in what is open", make_in(open_b, "other"));
  print_result("in what is open and below it", faccessat(open_b, "c/file", F_OK, 0));
  print_result("rename of the own", rename("../c", "../d"));
  print_cwd("after");
  print_result("file", access("file", F_OK));
  print_result("names", names_in(open_b));
  // Another of the same name is not this one.
  print_result("mkdir", mkdirat(open_b, "c", 0755));
  printf("the same %d, %d\n", is_same(".", "../c"), is_same(".", "../d"));
  print_result("no file in the other", access("../c/file", F_OK));
  print_result("fchdir", fchdir(open_b));
  print_cwd("after");
  if (fork() == 0) {
    rename("d", "e");
    chdir("e");
    print_cwd("child");
    _exit(0);
  }
  wait(NULL);
  print_cwd("parent");
  print_result("move up", rename("e", "../e"));
  print_result("chdir", chdir("../e"));
  print_cwd("after");
  print_result("remove", unlink("file"));
  chdir("..");
  print_result("rmdir", rmdir("e"));
  unlink("b/other");
  rmdir("b/c");
  rmdir("b");
  chdir(top);
  print_result("rmdir", rmdir("another"));
  close(open_b);
}

static void removed(void) {
  mkdir("outer", 0755);
  mkdir("outer/inner", 0755);
  const int inner = open("outer/inner", O_RDONLY | O_DIRECTORY);
  chdir("outer/inner");
  print_result("rmdir", rmdir("../inner"));
  print_cwd("removed");
  print_result("create", make_in(AT_FDCWD, "file"));
  print_result("mkdir", mkdir("directory", 0755));
  print_result("create in what is open", make_in(inner, "file"));
  struct stat status;
  print_result("stat of itself", stat(".", &status));
  printf("links %d\n", (int)status.st_nlink == 0);
  print_result("stat of a name", stat("file", &status));
  print_result("mkdir of the same name", mkdir("../inner", 0755));
  print_cwd("another has the name");
  print_result("create", make_in(AT_FDCWD, "file"));
  print_result("create in the other", make_in(AT_FDCWD, "../inner/file"));
  printf("the same %d\n", is_same(".", "../inner"));
  print_result("names", names_in(inner));
  print_result("chdir to the parent", chdir(".."));
  print_cwd("the parent");
  print_result("fchdir to what was removed", fchdir(inner));
  print_cwd("removed");
  chdir(top);
  close(inner);
  unlink("outer/inner/file");
  rmdir("outer/inner");
  rmdir("outer");
}

// A superuser may search everything: then the calls succeed for another reason.
static void not_searchable(void) {
  mkdir("closed", 0755);
  mkdir("closed/open", 0755);
  const int open_one = open("closed/open", O_RDONLY | O_DIRECTORY);
  chdir("closed/open");
  chmod("..", 0);
  print_result("mkdir", mkdir("made", 0755));
  print_result("mkdirat", mkdirat(open_one, "made2", 0755));
  print_result("create", make_in(AT_FDCWD, "made/file"));
  print_result("rename", rename("made/file", "made2/file"));
  print_result("symlink", symlink("made2", "link"));
  print_result("through the link", access("link/file", R_OK));
  print_result("chmod", chmod("made2/file", 0600));
  print_result("chdir", chdir("made2"));
  print_result("file", access("file", R_OK));
  print_result("unlink", unlink("file"));
  print_result("fchdir", fchdir(open_one));
  print_cwd("there");
  print_result("names", names_in(AT_FDCWD));
  chmod(".", 0300);
  print_result("mkdir in what cannot be read", mkdir("made3", 0755));
  chmod(".", 0755);
  rmdir("made");
  rmdir("made2");
  rmdir("made3");
  unlink("link");
  chdir(top);
  chmod("closed", 0755);
  print_result("rmdir", rmdir("closed/open"));
  rmdir("closed");
  close(open_one);
}

// Its names can be listed, but not used.
static void only_readable(void) {
  mkdir("listed", 0755);
  make_in(AT_FDCWD, "listed/file");
  chmod("listed", 0600);
  const int directory = open("listed", O_RDONLY | O_DIRECTORY);
  char names[512];
  print_result("names", syscall(SYS_getdents64, directory, names, sizeof names) > 0);
  const int again = openat(directory, ".", O_RDONLY | O_DIRECTORY);
  print_result("again", again < 0 ? -1 : 0);
  print_result("file", faccessat(directory, "file", F_OK, 0));
  print_result("fchdir", fchdir(directory));
  chmod("listed", 0755);
  unlink("listed/file");
  rmdir("listed");
  if (again >= 0) close(again);
  close(directory);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  if (getcwd(top, sizeof top) == NULL) return 1;
  renamed();
  removed();
  not_searchable();
  only_readable();
  return 0;
}
