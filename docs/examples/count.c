// Asks the kernel to count the instructions of spin(), one counter an instruction.
#include <stdio.h>
#include <unistd.h>

static unsigned short counters[64];

__attribute__((noinline)) int spin(int n) {
  volatile int left = n;
  while (left > 0)
    left = left - 1;
  return left;
}

int main(void) {
  profil(counters, sizeof counters, (unsigned long)spin, 0x8000);
  spin(500000);
  profil(counters, 0, 0, 0);
  for (int i = 0; i < 64; i++)
    if (counters[i])
      printf("%d: %d\n", i, counters[i]);
  return 0;
}
