// deep_names KIND COUNT: in a folder whose path is as long as there may be, opens a file ("file") or
// the folder itself ("folder") so many times.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "bounds.h"

static void go_down(void) {
  char name[251] = {0};
  memset(name, 'd', sizeof name - 1);
  while (mkdir(name, 0777) == 0 && chdir(name) == 0) {
  }
}

int main(int argc, char** argv) {
  (void)argc;
  const struct rlimit most = {4096, 4096};
  setrlimit(RLIMIT_NOFILE, &most);
  if (chdir("/tmp") != 0) stop();
  go_down();
  const char* const name = strcmp(argv[1], "folder") == 0 ? "." : "file";
  if (open("file", O_RDWR | O_CREAT, 0666) < 0) stop();
  for (long i = number(argv, 2); i > 0; --i) {
    if (open(name, O_RDONLY) < 0) stop();
  }
  return 0;
}
