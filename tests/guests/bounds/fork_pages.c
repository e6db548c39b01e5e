// fork_pages MIB CHILDREN: so much memory, which all children inherit.
#include "bounds.h"

static void nothing(void) {}

int main(int argc, char** argv) {
  (void)argc;
  const size_t bytes = (size_t)number(argv, 1) << 20;
  char* const memory = map(NULL, bytes, PROT_READ | PROT_WRITE);
  for (size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
  return run_children(number(argv, 2), nothing);
}
