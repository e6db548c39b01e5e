// open_directories NAMES CHILDREN: each child reads a directory of so many names as often as it can
// have it open.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "bounds.h"

static void open_all(void) {
  for (;;) {
    DIR* const directory = opendir("/tmp/d");
    if (directory == NULL && errno == EMFILE) return;
    if (directory == NULL) stop();
    errno = 0;
    if (readdir(directory) == NULL) stop();
  }
}

int main(int argc, char** argv) {
  (void)argc;
  if (mkdir("/tmp/d", 0777) != 0) return wrong;
  for (long i = number(argv, 1); i > 0; --i) {
    char name[256];
    snprintf(name, sizeof name, "/tmp/d/%0200ld", i);
    const int file = open(name, O_CREAT | O_WRONLY, 0666);
    if (file < 0) stop();
    close(file);
  }
  return run_children(number(argv, 2), open_all);
}
