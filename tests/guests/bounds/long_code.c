// long_code KIB CHILDREN: straight code of that size, which all children run.
#include "bounds.h"

static uint32_t* code;
static size_t bytes;

static void run(void) {
  run_code(code, bytes);
}

int main(int argc, char** argv) {
  (void)argc;
  bytes = (size_t)number(argv, 1) * 1024;
  code = map(NULL, bytes, all_access);
  memset(code, 0, bytes);
  code[bytes / sizeof *code - 2] = return_to_caller;
  return run_children(number(argv, 2), run);
}
