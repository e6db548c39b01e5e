// protect_loop GIB COUNT: changes the permissions of so much memory, which nobody touches, so
// often.
#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  const size_t part = (size_t)8 << 20, bytes = (size_t)number(argv, 1) << 30;
  char* const memory = (char*)((uintptr_t)1 << 34);
  for (size_t at = 0; at < bytes; at += part) map(memory + at, part, PROT_READ);
  for (long i = number(argv, 2); i > 0; --i) {
    if (mprotect(memory, bytes, i % 2 == 0 ? PROT_READ : PROT_NONE) != 0) stop();
  }
  return 0;
}
