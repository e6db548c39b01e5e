// brk, mmap, munmap, mprotect.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/guests/systems/checks.h"

static char* volatile place;

static int is_zero(const char* bytes, size_t size) {
  while (size-- > 0) {
    if (*bytes++ != 0) return 0;
  }
  return 1;
}

static int touch(void) {
  *(volatile char*)place = 1;
  return 0;
}

static int dies_by_touch(void) {
  return (status_of(touch) & 0177) == SIGSEGV;
}

// brk(2): the memory is zero; ENOMEM when it would reach the stack or pass the limit.
static void test_break(void) {
  enum { SIZE = 0x2000 };
  char* const start = sbrk(0);
  check(sbrk(16) == start, "sbrk begins at the end of the program");
  start[15] = 1;
  char* const end = sbrk(SIZE);
  check(end == start + 16 && is_zero(end, SIZE), "brk gives zeros");
  end[SIZE - 1] = 1;
#if defined(_OS_V7) || defined(_OS_BSD211)
  check_error(brk((void*)0xefff), ENOMEM, "brk into the stack");
#else
  check_error(brk((void*)0x7fffe000), ENOMEM, "brk into the stack");
#endif
  check_error(brk((void*)0xfffffff0), ENOMEM, "brk beyond all addresses");
  check(end[SIZE - 1] == 1, "a failed brk changes nothing");
  place = end + SIZE - 1;
  check_number(status_of(touch), 0, "a child has the same break");
  check(sbrk(-SIZE) == end + SIZE, "sbrk goes back");
  place = end + 0x1000;
  check(dies_by_touch(), "what was given back is gone");
  check(start[15] == 1, "what stayed is there");
}

#ifdef _HAVE_MMAP
// Anonymous memory, as the system has it.
static int zero_file = -1;

static char* map(void* address, size_t size, int protection, int flags) {
#if defined(MAP_ANONYMOUS)
  return mmap(address, size, protection, flags | MAP_ANONYMOUS, -1, 0);
#elif defined(MAP_ANON)
  return mmap(address, size, protection, flags | MAP_ANON, -1, 0);
#else
  return mmap(address, size, protection, flags, zero_file, 0);
#endif
}

static int read_there(void) {
  return *(volatile char*)place;
}

static int write_there(void) {
  *(volatile char*)place = 5;
  return 0;
}

static void test_map(void) {
  char* const memory = map(NULL, 0x3000, PROT_READ | PROT_WRITE, MAP_PRIVATE);
  check(memory != MAP_FAILED && ((unsigned long)memory & 0xfff) == 0, "mmap");
  check(is_zero(memory, 0x3000), "gives zeros");
  char* const file = mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero_file, 0);
  check(file != MAP_FAILED && is_zero(file, 0x1000), "mmap of /dev/zero");
  memory[0] = memory[0x2fff] = 1;
  check_number(munmap(memory + 0x1000, 0x1000), 0, "munmap of the middle");
  check(memory[0] == 1 && memory[0x2fff] == 1, "leaves the rest");
  place = memory + 0x1000;
  check(dies_by_touch(), "and makes a hole");
  check(map(place, 0x1000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED) == place,
        "MAP_FIXED fills it");
  check(status_of(touch) == 0, "with memory");
  place = memory;
  check_number(status_of(write_there), 0, "a child writes to private memory");
  check_number(memory[0], 1, "which is its own");
  place = map(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED);
  check_number(status_of(write_there), 0, "a child writes to shared memory");
  check_number(place[0], 5, "which its parent sees");
  place = memory;
  check_number(mprotect(memory, 0x1000, PROT_READ), 0, "mprotect");
  check_number(status_of(read_there), 1 << 8, "lets one read");
  check(dies_by_touch(), "and not write");
  check_number(mprotect(memory, 0x1000, PROT_NONE), 0, "mprotect PROT_NONE");
  check((status_of(read_there) & 0177) == SIGSEGV, "forbids reading");
}

// The last page of the user's addresses.
#ifdef _OS_HPUX
#define LAST_PAGE ((void*)0xfffff000)
#else
#define LAST_PAGE ((void*)0x7ffff000)
#endif

static void test_map_errors(void) {
  char* const memory = map(NULL, 0x1000, PROT_READ, MAP_PRIVATE);
  check_error((long)map(memory + 1, 0x1000, PROT_READ, MAP_PRIVATE | MAP_FIXED), EINVAL,
              "MAP_FIXED at an odd address");
  check_error((long)mmap(NULL, 0x1000, PROT_READ, MAP_PRIVATE, 99, 0), EBADF,
              "mmap without a file");
  check_error((long)map(LAST_PAGE, 0x10000, PROT_READ, MAP_PRIVATE | MAP_FIXED), EINVAL,
              "MAP_FIXED beyond the user's addresses");
  check_error(munmap(memory + 1, 0x1000), EINVAL, "munmap of an odd address");
  check_error(mprotect(memory + 1, 0x1000, PROT_READ), EINVAL, "mprotect of an odd address");
#ifdef _OS_BSD44
  // vm_mmap.c mmap()
  check_error((long)mmap(NULL, 0x1000, PROT_READ, MAP_PRIVATE | MAP_ANON, 0, 0), EINVAL,
              "MAP_ANON with a file");
#else
  check_error((long)map(NULL, 0, PROT_READ, MAP_PRIVATE), EINVAL, "mmap of nothing");
#endif
#ifdef _OS_SVR4
  // os/grow.c smmap_common(); mprotect(2): ENOMEM for addresses that are not mapped.
  check_error((long)mmap(NULL, 0x1000, PROT_READ, 0, zero_file, 0), EINVAL,
              "mmap neither shared nor private");
  check_error((long)mmap(NULL, 0x1000, PROT_READ, MAP_PRIVATE, zero_file, 1), EINVAL,
              "mmap at an odd offset");
  munmap(memory, 0x1000);
  check_error(mprotect(memory, 0x1000, PROT_READ), ENOMEM, "mprotect of nothing");
#endif
}
#endif

void test_memory(void) {
  test_break();
#ifdef _HAVE_MMAP
  zero_file = open("/dev/zero", O_RDWR);
  test_map();
  test_map_errors();
  close(zero_file);
#endif
}
