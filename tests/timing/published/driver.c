// A program around a routine of another project: REPEAT calls for COUNT elements each. Two such
// programs, of two COUNTs, differ by nothing but the cycles of the elements between them. What
// tools/published-check defines, from the row:
//   LIMB, COUNT, REPEAT  an element's type; how many a call has; how many calls there are
//   CALL, SETUP          statements: the call, and what goes before the first
// They have buffers r, a, b, c, d, full of the same numbers each time, the counter k, and n.

enum { ROOM = 8192 };

typedef LIMB limb;

limb r[ROOM] __attribute__((aligned(4096)));
limb a[ROOM] __attribute__((aligned(4096)));
limb b[ROOM] __attribute__((aligned(4096)));
limb c[ROOM] __attribute__((aligned(4096)));
limb d[ROOM] __attribute__((aligned(4096)));

static void fill(limb* buffer, unsigned int number) {
  unsigned int* words = (unsigned int*)buffer;
  unsigned int i;
  for (i = 0; i < sizeof(limb) * ROOM / sizeof *words; ++i) {
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    words[i] = number;
  }
}

// What compilers call, and some of the routines; no measured way calls abort().
void* memcpy(void* to, const void* from, unsigned long size) {
  char* target = to;
  const char* source = from;
  while (size-- > 0) *target++ = *source++;
  return to;
}

void abort(void) {
  for (;;) {
  }
}

int measure(void) {
  static volatile long count = COUNT;
  const long n = count;
  long k = 0;
  long repeated;
  fill(r, 1);
  fill(a, 2);
  fill(b, 3);
  fill(c, 5);
  fill(d, 7);
  SETUP;
  for (repeated = 0; repeated < REPEAT; ++repeated) {
    CALL;
  }
  return (int)(k & 0);
}
