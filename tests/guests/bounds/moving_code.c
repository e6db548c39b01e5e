// moving_code COUNT: a page of code that runs at COUNT addresses, one after the other.
#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  enum { page = 4096, words = page / sizeof(uint32_t) };
  const uintptr_t first = (uintptr_t)1 << 34;
  for (long i = number(argv, 1); i > 0; --i) {
    uint32_t* const code = map((void*)(first + (uintptr_t)i * 16 * page), page, all_access);
    memset(code, 0, page);
    code[words - 2] = return_to_caller;
    run_code(code, page);
    if (munmap(code, page) != 0) stop();
  }
  return 0;
}
