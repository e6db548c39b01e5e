// exec_self COUNT: becomes itself so often. It is a MiB large.
#include <stdio.h>

#include "bounds.h"

char bulk[1 << 20] = {1};

int main(int argc, char** argv) {
  (void)argc;
  const long left = number(argv, 1);
  if (left == 0) return bulk[0] - 1;
  char text[24];
  snprintf(text, sizeof text, "%ld", left - 1);
  execl(argv[0], argv[0], text, (char*)0);
  stop();
  return wrong;
}
