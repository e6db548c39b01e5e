// fill_memory MIB: touches so much, page by page.
#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  const size_t bytes = (size_t)number(argv, 1) << 20;
  char* const memory = map(NULL, bytes, PROT_READ | PROT_WRITE);
  for (size_t i = 0; i < bytes; i += 4096) memory[i] = 1;
  return 0;
}
