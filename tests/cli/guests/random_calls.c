// A hostile program: system calls of all numbers with arguments that are as likely to do harm.
//
//   random_calls SEED PROCESSES
//
// Each process makes some calls and ends as it may; hardclock must survive it.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static uint32_t state;

static uint32_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static uint8_t area[65536] __attribute__((aligned(4096)));

// Small numbers, pointers into memory of every kind, edges of the address space, anything.
static int argument(void) {
  static const uint32_t edges[] = {0x7fffffff, 0x80000000, 0xffffffff, 0x7ffffffe, 0xfffff000,
                                   0x7fff7ff0, 0x00400000, 0x00200e00, 0x00000003, 0x10000000};
  uint32_t value = next_random();
  switch (value >> 8 & 7) {
    case 0:
    case 1:
      return (int)(value & 15);
    case 2:
    case 3:
      return (int)(area + (value >> 12) % sizeof area);
    case 4:
      return (int)(area + ((value >> 12) % sizeof area & ~4095u));
    case 5:
      return (int)edges[(value >> 12) % ARRAY_LENGTH(edges)];
    case 6:
      return (int)(1u << (value >> 12 & 31));
    default:
      return (int)value;
  }
}

// The calls there are, more often than numbers of any kind.
static int call_number(void) {
  static const uint16_t numbers[] = {3,  4,  5,  6,   8,   10,  13,  17,  19,  20,  37,  40,
                                     41, 42, 43, 44,  59,  88,  125, 126, 128, 134, 135, 136,
                                     2,  27, 29, 157, 162, 163, 164, 165, 170, 171, 24,  47};
  uint32_t value = next_random();
  if ((value & 3) == 0) return (int)(1000 + (value >> 8) % 250);
  return 1000 + numbers[(value >> 8) % ARRAY_LENGTH(numbers)];
}

static void make_calls(int count) {
  for (size_t i = 0; i < sizeof area; i += 4) *(uint32_t*)(area + i) = (uint32_t)argument();
  // Whatever waits for ever ends with a signal, unless that was blocked: then all wait for ever.
  alarm(1);
  for (; count > 0; --count) {
    indirect_syscall(call_number(), argument(), argument(), argument(), argument(), argument(),
                     argument());
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  state = (uint32_t)atoi(argv[1]) * 2654435761u + 1;
  for (int left = atoi(argv[2]); left > 0; --left) {
    uint32_t seed = next_random();
    pid_t pid = fork();
    if (pid == 0) {
      state = seed;
      make_calls(30);
      _exit(0);
    }
    waitpid(pid, NULL, 0);
  }
  printf("survived\n");
  return 0;
}
