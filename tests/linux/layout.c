// Where Linux 6.1 puts things in a program's memory: each convention has its own end of addresses
// (arch/mips/include/asm/processor.h, TASK_SIZE32 and TASK_SIZE64; arch/parisc/include/asm/
// processor.h, DEFAULT_TASK_SIZE32), the stack near it, mappings without an address from a third of
// it on (TASK_UNMAPPED_BASE) or, on PA-RISC, from 1 GiB on. QEMU's user mode has a layout of its own.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void* reserve(size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  return mmap(NULL, size, PROT_NONE, flags, -1, 0);
}

int main(void) {
  enum { most = 40 };
  const int is_wide = sizeof(void*) == 8;
#ifdef __hppa__
  const uint64_t end = 0xfff00000, first = 0x40000000, stack_room = (uint64_t)100 << 20;
#else
  const uint64_t end = is_wide ? (uint64_t)1 << 40 : 0x7fff8000, first = end / 3;
  const uint64_t stack_room = (uint64_t)128 << 20;
#endif
  const uint64_t stack = (uintptr_t)__builtin_frame_address(0);
  printf("stack: %s\n", stack < end && end - stack <= stack_room ? "as documented" : "elsewhere");
  const uint64_t mapped = (uintptr_t)reserve(4096);
  const int is_there = mapped >= first && mapped < end && mapped - first < 1 << 20;
  printf("mappings: %s\n", is_there ? "as documented" : "elsewhere");
  if (!is_there) printf("%#" PRIx64 "\n", mapped);
  // A pointer of 64 bits that is cut does not come back.
  const int comes_back = (uintptr_t)(uint32_t)stack == stack;
  printf("cut to 32 bits: %s\n", comes_back == !is_wide ? "as documented" : "not seen");
  int reserved = 0;
  while (reserved < most && reserve((size_t)1 << 28) != MAP_FAILED) ++reserved;
  printf("reservations of 256 MiB: %s\n",
         (is_wide ? reserved == most : reserved >= 3 && reserved < 16) ? "as many as fit" : "few");
  return 0;
}
