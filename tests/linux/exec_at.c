// execveat(2), which QEMU 7.2 does not have in user mode, and fexecve(3), which makes it. An open script is
// called by its descriptor, as before Linux 6.14.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char* const name = "program";

static char* arguments[] = {"called", "itself", NULL, NULL};
static char* environment[] = {"A=b", NULL};

// In a child.
static void run(const char* what, int directory, const char* path, int flags) {
  printf("-- %s\n", what);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    syscall(SYS_execveat, directory, path, arguments, environment, flags);
    printf("%s\n", strerror(errno));
    fflush(stdout);
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("status %#x\n", status);
}

static int said(int count, char** words) {
  char name[16];
  prctl(PR_GET_NAME, name);
  printf("%d words, %s, A is %s, called %s\n", count, words[1], getenv("A"), words[0]);
  if (words[2] != NULL) printf("name %s\n", name);
  fflush(stdout);
  return 5;
}

static void make(const char* path, const char* text, int mode) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
  if (write(file, text, strlen(text)) < 0) perror(path);
  close(file);
}

static int copy(const char* path, int to) {
  char bytes[4096];
  const int from = open(path, O_RDONLY);
  long count;
  while ((count = read(from, bytes, sizeof bytes)) > 0) {
    if (write(to, bytes, count) != count) perror("copy");
  }
  close(from);
  return to;
}

int main(int count, char** words) {
  if (count >= 2 && strcmp(words[1], "itself") == 0) return said(count, words);
  char folder[] = "/tmp/exec_at.XXXXXX";
  if (mkdtemp(folder) == NULL) perror(folder);
  char made[64];
  snprintf(made, sizeof made, "%s/%s", folder, name);
  close(copy(words[0], open(made, O_WRONLY | O_CREAT, 0755)));
  if (chdir(folder) != 0) perror(folder);
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  run("in a directory", here, name, 0);
  run("in the present one", AT_FDCWD, "./program", 0);
  const int file = open(name, O_RDONLY | O_CLOEXEC), path_only = open(name, O_PATH);
  run("an open file", file, "", AT_EMPTY_PATH);
  run("an O_PATH file", path_only, "", AT_EMPTY_PATH);
  run("an empty path", file, "", 0);
  run("not open", 99, "", AT_EMPTY_PATH);
  run("not open", 99, name, 0);
  run("no directory", file, name, 0);
  run("a directory", here, "", AT_EMPTY_PATH);
  run("unknown flag", here, name, 1);
  run("nothing there", here, "nothing", 0);
  run("no path", here, (const char*)8, 0);
  if (symlink(name, "link") != 0) perror("link");
  run("a link", here, "link", 0);
  run("a link that is not followed", here, "link", AT_SYMLINK_NOFOLLOW);
  run("a file that is not followed", here, name, AT_SYMLINK_NOFOLLOW);
  make("plain", "no program\n", 0644);
  run("no permission", here, "plain", 0);
  const int plain = open("plain", O_RDONLY);
  run("no permission", plain, "", AT_EMPTY_PATH);
  const int memory = copy(name, memfd_create("copy", 0));
  run("of memory", memory, "", AT_EMPTY_PATH);
  printf("-- fexecve\n");
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    fexecve(file, arguments, environment);
    perror("fexecve");
    _exit(9);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("status %#x\n", status);
  printf("-- by its link\n");
  fflush(stdout);
  const pid_t second = fork();
  if (second == 0) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", memory);
    execve(link, arguments, environment);
    perror("execve");
    _exit(9);
  }
  waitpid(second, &status, 0);
  printf("status %#x\n", status);
  make("script", "#! ./program itself\n", 0755);
  dup2(open("script", O_RDONLY), 77);
  run("a script", here, "script", 0);
  run("an open script", 77, "", AT_EMPTY_PATH);
  run("a script that closes", open("script", O_RDONLY | O_CLOEXEC), "", AT_EMPTY_PATH);
  unlink("link");
  unlink("plain");
  unlink("script");
  unlink(name);
  rmdir(folder);
  return 0;
}
