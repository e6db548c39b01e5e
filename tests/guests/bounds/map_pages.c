// map_pages COUNT: so many pages that nobody touches, none of them beside another.
#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  const uintptr_t first = (uintptr_t)1 << 34;
  for (long i = number(argv, 1); i > 0; --i) {
    map((void*)(first + (uintptr_t)i * 2 * 4096), 4096, PROT_READ | PROT_WRITE);
  }
  return 0;
}
