// Reads from address 0: must end with SIGSEGV, since page 0 is not mapped.
#include <stddef.h>

int main(void) {
  const volatile int* volatile nothing = NULL;
  return *nothing;
}
