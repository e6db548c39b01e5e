// Makes a thousand system calls that no system has, every one with another number.
#include "tests/guests/runtime/guest.h"

enum { FIRST = 20000, LAST = 20999 };

int main(void) {
  for (int number = FIRST; number <= LAST; ++number) direct_call(number, 0, 0, 0);
  return 0;
}
