// full_pipes CHILDREN: each child has as many pipes as it gets, all full.
#include <fcntl.h>

#include "bounds.h"

static char bytes[4096];

static void fill_pipes(void) {
  int ends[2];
  while (pipe(ends) == 0) {
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], bytes, sizeof bytes) > 0) {
    }
  }
  if (errno != EMFILE) stop();
}

int main(int argc, char** argv) {
  (void)argc;
  return run_children(number(argv, 1), fill_pipes);
}
