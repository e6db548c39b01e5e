// Makes a thousand system calls that no system has, every one with another number.
#include <sys/syscall.h>

enum { FIRST = 20000, LAST = 20999 };

int main(void) {
  for (int number = FIRST; number <= LAST; ++number) syscall(number);
  return 0;
}
