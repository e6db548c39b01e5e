/* Turns profiling on and off again, at once, and prints what the kernel counted meanwhile: the ticks
   of the very call that turned it on, where the kernel charges a call at its exit. */
#include <hardclock/system.h>
#include <stdio.h>
#include <unistd.h>

#define COUNTERS 2048
static unsigned short counters[COUNTERS];
extern char _ftext[];

int main(void) {
  unsigned int i, used = 0, ticks = 0;
  profil(counters, sizeof counters, (unsigned long)_ftext, 0x8000);
  profil(0, 0, 0, 0);
  for (i = 0; i < COUNTERS; i++) {
    if (counters[i] != 0) used++;
    ticks += counters[i];
  }
  printf("%u ticks in %u counters\n", ticks, used);
  return 0;
}
