// Plain integer computation, the same under IRIX and Linux: sorting, primes, CRC, 64-bit arithmetic
// by the library's routines, strings, structures, jumps through tables. Prints checksums.
// expected/compute.txt is what qemu-mips prints.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static uint32_t seed = 12345;

static uint32_t next_random(void) {
  seed = seed * 1103515245u + 12345u;
  return seed;
}

static uint32_t mix(uint32_t sum, uint32_t value) {
  sum ^= value;
  return (sum << 5 | sum >> 27) * 0x9e3779b1u;
}

static void quicksort(int32_t* a, int low, int high) {
  while (low < high) {
    int32_t pivot = a[(low + high) / 2];
    int i = low;
    int j = high;
    while (i <= j) {
      while (a[i] < pivot) ++i;
      while (a[j] > pivot) --j;
      if (i <= j) {
        int32_t swap = a[i];
        a[i++] = a[j];
        a[j--] = swap;
      }
    }
    quicksort(a, low, j);
    low = i;
  }
}

static void test_sort(void) {
  static int32_t numbers[2000];
  uint32_t sum = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(numbers); ++i) numbers[i] = (int32_t)next_random();
  quicksort(numbers, 0, (int)ARRAY_LENGTH(numbers) - 1);
  int sorted = 1;
  for (size_t i = 0; i < ARRAY_LENGTH(numbers); ++i) {
    if (i > 0 && numbers[i - 1] > numbers[i]) sorted = 0;
    sum = mix(sum, (uint32_t)numbers[i]);
  }
  printf("sort       %s %08x\n", sorted ? "sorted" : "NOT SORTED", sum);
}

static void test_sieve(void) {
  static uint8_t composite[20000];
  uint32_t count = 0;
  uint32_t last = 0;
  for (uint32_t i = 2; i < ARRAY_LENGTH(composite); ++i) {
    if (composite[i]) continue;
    ++count;
    last = i;
    for (uint32_t j = i * i; j < ARRAY_LENGTH(composite); j += i) composite[j] = 1;
  }
  printf("sieve      %u primes below 20000, last %u\n", count, last);
}

static void test_crc(void) {
  uint32_t crc = 0xffffffff;
  for (int i = 0; i < 4000; ++i) {
    crc ^= next_random() >> 24;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xedb88320u & -(crc & 1));
  }
  printf("crc        %08x\n", ~crc);
}

static void test_long_long(void) {
  static const int64_t values[] = {
      1,          -1,          7,         -7,        1000000007,       -4096, INT32_MAX, INT32_MIN,
      UINT32_MAX, 0x100000000, INT64_MAX, INT64_MIN, 0x123456789abcdef};
  uint64_t sum = 0;
  for (size_t i = 0; i < ARRAY_LENGTH(values); ++i) {
    for (size_t j = 0; j < ARRAY_LENGTH(values); ++j) {
      int64_t a = values[i];
      int64_t b = values[j];
      uint64_t ua = (uint64_t)a;
      uint64_t ub = (uint64_t)b;
      if (a == INT64_MIN && b == -1) continue;
      sum = sum * 31 + (uint64_t)(a / b);
      sum = sum * 31 + (uint64_t)(a % b);
      sum = sum * 31 + ua / ub + ua % ub;
      sum = sum * 31 + ua * ub;
      sum = sum * 31 + (ua << (j * 5)) + (ua >> (j * 5)) + (uint64_t)(a >> (j * 5));
      sum = sum * 31 + (uint64_t)(a < b) + 2 * (uint64_t)(ua < ub);
    }
  }
  printf("long long  %016llx\n", (unsigned long long)sum);
}

static void test_multiply_divide(void) {
  uint32_t sum = 0;
  for (int i = 0; i < 500; ++i) {
    int32_t a = (int32_t)next_random() >> (i % 31);
    int32_t b = (int32_t)next_random() >> (i % 23);
    if (b == 0 || b == -1) b = 3;
    int64_t product = (int64_t)a * b;
    uint64_t unsigned_product = (uint64_t)(uint32_t)a * (uint32_t)b;
    sum = mix(sum, (uint32_t)(product >> 32));
    sum = mix(sum, (uint32_t)product);
    sum = mix(sum, (uint32_t)(unsigned_product >> 32));
    sum = mix(sum, (uint32_t)(a / b));
    sum = mix(sum, (uint32_t)(a % b));
    sum = mix(sum, (uint32_t)a / (uint32_t)b);
    sum = mix(sum, (uint32_t)a % (uint32_t)b);
  }
  printf("mult div   %08x\n", sum);
}

static void test_strings(void) {
  char text[200];
  char reversed[200];
  strcpy(text, "the quick brown fox jumps over the lazy dog");
  size_t length = strlen(text);
  for (size_t i = 0; i <= length; ++i) reversed[i] = i == length ? 0 : text[length - 1 - i];
  memmove(text + 4, text, length + 1);
  memcpy(text, "yes ", 4);
  int words = 0;
  for (const char* at = text; at != NULL; at = strchr(at + 1, ' ')) ++words;
  printf("strings    \"%s\" %d words, %s, %d\n", reversed, words, text, strcmp(text, reversed) > 0);
}

struct packet {
  uint8_t kind;
  int16_t size;
  uint32_t sequence;
  struct {
    int8_t x, y;
    uint16_t z;
  } at[3];
};

static __attribute__((noipa)) struct packet advance(struct packet p, int step) {
  p.kind = (uint8_t)(p.kind + step);
  p.size = (int16_t)(p.size - 3 * step);
  p.sequence += (uint32_t)p.size;
  p.at[step % 3].x = (int8_t)(p.at[step % 3].x - 5);
  p.at[step % 3].z = (uint16_t)(p.at[step % 3].z + 999);
  return p;
}

static void test_structures(void) {
  struct packet p = {250, -300, 0xfffffff0, {{100, -100, 65000}, {1, 2, 3}, {-128, 127, 0}}};
  for (int i = 0; i < 50; ++i) p = advance(p, i);
  printf("structures %u %d %08x", p.kind, p.size, p.sequence);
  for (int i = 0; i < 3; ++i) printf(" (%d,%d,%u)", p.at[i].x, p.at[i].y, p.at[i].z);
  printf("\n");
}

// A little stack machine: a switch that compiles to a jump table, and calls through pointers.
typedef int32_t Operation(int32_t, int32_t);
static __attribute__((noipa)) int32_t add(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}
static __attribute__((noipa)) int32_t sub(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}
static __attribute__((noipa)) int32_t nor(int32_t a, int32_t b) {
  return ~(a | b);
}
static Operation* const operations[] = {add, sub, nor};

static void test_dispatch(void) {
  int32_t stack[32] = {1, 2, 3};
  int top = 3;
  uint32_t sum = 0;
  for (int i = 0; i < 2000; ++i) {
    uint32_t code = next_random() >> 16;
    switch (top < 2 ? 0 : top > 30 ? 1 : code % 8) {
      case 0:
        stack[top++] = (int32_t)code;
        break;
      case 1:
        --top;
        break;
      case 2:
        stack[top] = stack[top - 1];
        ++top;
        break;
      case 3:
        stack[top - 1] <<= code / 8 % 32;
        break;
      case 4:
        stack[top - 1] >>= code / 8 % 32;
        break;
      case 5:
        stack[top - 1] = stack[top - 1] < stack[top - 2];
        break;
      default:
        --top;
        stack[top - 1] = operations[code / 8 % 3](stack[top - 1], stack[top]);
        break;
    }
    sum = mix(sum, (uint32_t)stack[top - 1] + (uint32_t)top);
  }
  printf("dispatch   %08x\n", sum);
}

static void test_formats(void) {
  printf("formats    [%5d] [%05d] [%x] [%08x] [%c] [%s] [%lu] [%lld] [%%]\n", -42, -42, 0xbeefu,
         0xbeefu, 'c', "text", 4000000000ul, -9007199254740993ll);
}

int main(void) {
  test_sort();
  test_sieve();
  test_crc();
  test_long_long();
  test_multiply_divide();
  test_strings();
  test_structures();
  test_dispatch();
  test_formats();
  return 0;
}
