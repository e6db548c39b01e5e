// Four programs to measure, of which docs/speed.md has figures beside Ski's: speed PROGRAM ROUNDS.
//
//   hardclock run --cpu mckinley prebuilt/speed sort 180      or loads 14000, calls 4000, fib 32
//   bski -forceuser -noconsole prebuilt/speed sort 180
#include "tests/guests/ia64/guest.h"

typedef unsigned int u32;

// ---- sort: sieve, quicksort, CRC.
enum { CANDIDATES = 20000, NUMBERS = 4096 };
static unsigned char composite[CANDIDATES];
static u32 numbers[NUMBERS];
static u32 remainders[256];

static __attribute__((noinline)) u32 sieve(void) {
  u32 primes = 0;
  for (u32 i = 0; i < CANDIDATES; ++i) composite[i] = 0;
  for (u32 i = 2; i < CANDIDATES; ++i) {
    if (composite[i]) continue;
    ++primes;
    for (u32 j = 2 * i; j < CANDIDATES; j += i) composite[j] = 1;
  }
  return primes;
}

static __attribute__((noinline)) void quicksort(u32* a, int low, int high) {
  while (low < high) {
    u32 pivot = a[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (a[i] < pivot) ++i;
      while (a[j] > pivot) --j;
      if (i > j) break;
      u32 larger = a[i];
      a[i++] = a[j];
      a[j--] = larger;
    }
    if (low < j) quicksort(a, low, j);
    low = i;
  }
}

static __attribute__((noinline)) u32 crc(const unsigned char* bytes, int count) {
  u32 crc = ~0u;
  for (int i = 0; i < count; ++i) crc = crc >> 8 ^ remainders[(crc ^ bytes[i]) & 255];
  return ~crc;
}

static ulong sort(long rounds) {
  for (u32 i = 0; i < 256; ++i) {
    u32 remainder = i;
    for (int bit = 0; bit < 8; ++bit)
      remainder = remainder >> 1 ^ (0xedb88320u & -(remainder & 1));
    remainders[i] = remainder;
  }
  ulong sum = 0;
  u32 seed = 1;
  while (rounds-- > 0) {
    sum = sum * 31 + sieve();
    for (int i = 0; i < NUMBERS; ++i) numbers[i] = seed = seed * 1664525u + 1013904223u;
    quicksort(numbers, 0, NUMBERS - 1);
    sum = sum * 31 + crc((const unsigned char*)numbers, sizeof numbers);
  }
  return sum;
}

// ---- loads: loads, multiplications, stores.
enum { WORDS = 1024 };
static ulong from[WORDS], to[WORDS];

static __attribute__((noinline)) ulong multiply(ulong by) {
  ulong sum = 0;
  for (int i = 0; i < WORDS; ++i) sum ^= to[i] = from[i] * by + i;
  return sum;
}

static ulong loads(long rounds) {
  ulong sum = 0;
  for (int i = 0; i < WORDS; ++i) from[i] = i * 0x9e3779b97f4a7c15ul;
  for (long i = 0; i < rounds; ++i) sum += multiply(i);
  return sum;
}

// ---- calls: so deep that nearly each one spills, and each return fills.
static __attribute__((noinline)) ulong down(int depth, ulong a, ulong b, ulong c) {
  if (depth == 0) return a + b * c;
  ulong x = down(depth - 1, b, c, a + depth);
  ulong y = x ^ a;
  return (y + b) * 3 + c + depth;
}

static ulong calls(long rounds) {
  ulong sum = 0;
  for (long i = 0; i < rounds; ++i) sum += down(40, i, sum, 3);
  return sum;
}

// ---- fib: nothing but calls, which rarely go deep enough to spill.
static __attribute__((noinline)) ulong fib(long n) { return n < 2 ? (ulong)n : fib(n - 1) + fib(n - 2); }

static void print_hexadecimal(ulong number) {
  char digits[17];
  for (int i = 0; i < 16; ++i) digits[i] = "0123456789abcdef"[number >> (60 - 4 * i) & 15];
  digits[16] = '\n';
  CALL3(NR_write, 1, digits, sizeof digits);
}

int guest_main(int argc, char** argv, ulong* behind) {
  (void)behind;
  if (argc != 3) return 2;
  long rounds = 0;
  for (const char* digit = argv[2]; *digit != 0; ++digit) rounds = rounds * 10 + *digit - '0';
  if (same_text(argv[1], "sort")) print_hexadecimal(sort(rounds));
  if (same_text(argv[1], "loads")) print_hexadecimal(loads(rounds));
  if (same_text(argv[1], "calls")) print_hexadecimal(calls(rounds));
  if (same_text(argv[1], "fib")) print_hexadecimal(fib(rounds));
  return 0;
}
