// madvise(2) with MADV_DONTNEED where not all is mapped, which QEMU's user mode passes over. Prints
// a line for each step.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { pages = 5, gap = 2 };

static size_t bytes;

static char* memory_with_gap(void) {
  char* const memory =
      mmap(NULL, pages * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(memory, 7, pages * bytes);
  munmap(memory + gap * bytes, bytes);
  return memory;
}

static void advise(const char* what, char* memory, size_t from, size_t length) {
  const int result = madvise(memory + from, length, MADV_DONTNEED);
  printf("%s: %s; pages", what, result < 0 ? strerror(errno) : "done");
  for (int i = 0; i < pages; i++) {
    if (i != gap) printf(" %d", memory[i * bytes]);
  }
  printf("\n");
}

int main(void) {
  bytes = (size_t)getpagesize();
  advise("all", memory_with_gap(), 0, pages * bytes);
  advise("up to the gap", memory_with_gap(), bytes, bytes);
  advise("into the gap", memory_with_gap(), bytes, bytes + 1);
  advise("from the gap", memory_with_gap(), gap * bytes, 2 * bytes);
  advise("the gap", memory_with_gap(), gap * bytes, bytes);
  advise("nothing", memory_with_gap(), gap * bytes, 0);
  advise("part of a page", memory_with_gap(), 0, 1);
  advise("no page's start", memory_with_gap(), 1, bytes);
  advise("too much", memory_with_gap(), 0, (size_t)-1);
  return 0;
}
