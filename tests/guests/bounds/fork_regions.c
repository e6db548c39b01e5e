// fork_regions REGIONS CHILDREN: so many regions of one page, which all children inherit.
#include "bounds.h"

static void nothing(void) {}

int main(int argc, char** argv) {
  (void)argc;
  const long regions = number(argv, 1);
  char* const memory = map(NULL, (size_t)regions * 4096, PROT_READ);
  for (long i = 0; i < regions; i += 2) {
    if (mprotect(memory + i * 4096, 4096, PROT_NONE) != 0) stop();
  }
  return run_children(number(argv, 2), nothing);
}
