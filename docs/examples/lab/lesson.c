/* The program of docs/lab.md. It profiles itself; hot takes three times as long as warm.

     lesson [SCALE [ROUNDS]]     SCALE is 0x8000 and ROUNDS 2000 unless given, in C's notation */
#include <stdio.h>
#include <unistd.h>

enum { COUNTERS = 256, HOT = 300, WARM = 100 };

static unsigned short counters[COUNTERS];

__attribute__((noipa, no_reorder)) unsigned hot(unsigned x) {
  for (int i = 0; i < HOT; ++i) x = x * 5 + 1;
  return x;
}

__attribute__((noipa, no_reorder)) unsigned warm(unsigned x) {
  for (int i = 0; i < WARM; ++i) x = x * 5 + 1;
  return x;
}

static unsigned number(const char *text) {
  unsigned base = text[0] == '0' && text[1] == 'x' ? 16 : 10, value = 0;
  for (text += base == 16 ? 2 : 0; *text != 0; ++text) {
    value = value * base + (*text >= 'a' ? *text - 'a' + 10 : *text - '0');
  }
  return value;
}

int main(int argc, char **argv) {
  unsigned scale = argc > 1 ? number(argv[1]) : 0x8000;
  unsigned rounds = argc > 2 ? number(argv[2]) : 2000;
  unsigned x = 1;
  profil(counters, sizeof counters, (unsigned long)hot, scale);
  for (unsigned i = 0; i < rounds; ++i) x = warm(hot(x));
  profil(0, 0, 0, 0);
  for (int i = 0; i < COUNTERS; ++i) {
    if (counters[i] != 0) printf("counter %d: %d\n", i, counters[i]);
  }
  return 0;
}
