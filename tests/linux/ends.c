// Paths that lead through files and paths that end in a slash, also of files that the system makes;
// advice on files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* of(long result) {
  return result < 0 ? strerror(errno) : "done";
}

static void try_all(const char* path) {
  struct stat status;
  const int file = open(path, O_RDONLY);
  printf("%s: open %s", path, of(file));
  if (file >= 0) close(file);
  printf(", stat %s", of(stat(path, &status)));
  printf(", lstat %s", of(lstat(path, &status)));
  printf(", access %s", of(access(path, F_OK)));
  printf(", chdir %s\n", of(chdir(path)));
}

static void changes(const char* directory) {
  char path[100];
  snprintf(path, sizeof path, "%s/below", directory);
  printf("%s: mkdir %s", path, of(mkdir(path, 0755)));
  printf(", rmdir %s", of(rmdir(path)));
  printf(", unlink %s", of(unlink(path)));
  printf(", create %s\n", of(open(path, O_CREAT | O_WRONLY, 0644)));
}

static void advise(int file) {
  int ends[2];
  for (int advice = -1; advice <= 7; ++advice) {
    const int error = posix_fadvise(file, 0, 10, advice);
    printf("advice %d: %s\n", advice, error == 0 ? "done" : strerror(error));
  }
  printf("a negative length: %s\n", strerror(posix_fadvise(file, 0, -1, POSIX_FADV_NORMAL)));
  printf("nothing open: %s\n", strerror(posix_fadvise(77, 0, 1, POSIX_FADV_NORMAL)));
  if (pipe(ends) != 0) return;
  printf("a pipe: %s\n", strerror(posix_fadvise(ends[0], 0, 1, POSIX_FADV_NORMAL)));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  const int file = open("file", O_CREAT | O_RDWR, 0644);
  static const char* const files[] = {"/etc/passwd",       "/etc/group", "/etc/hosts",
                                      "/dev/null",         "file",       "/proc/self/status",
                                      "/proc/self/cmdline"};
  for (unsigned i = 0; i < sizeof files / sizeof *files; ++i) {
    char path[100];
    snprintf(path, sizeof path, "%s/below", files[i]);
    try_all(path);
    snprintf(path, sizeof path, "%s/", files[i]);
    try_all(path);
    changes(files[i]);
  }
  try_all("/proc/self/");
  try_all("/proc/self/fd/");
  advise(file);
  return 0;
}
