// sync_loop REGIONS PAGES: so many regions of one shared mapping of a file, all synchronized at
// once.
#include <fcntl.h>

#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  const long regions = number(argv, 1), pages = number(argv, 2);
  const int file = open("/tmp/f", O_CREAT | O_RDWR, 0666);
  if (file < 0 || ftruncate(file, pages * 4096) != 0) stop();
  char* const memory =
      mmap(NULL, (size_t)pages * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) stop();
  for (long i = 0; i < pages; ++i) memory[i * 4096] = 1;
  for (long i = 0; i < regions && i < pages; i += 2) {
    if (mprotect(memory + i * 4096, 4096, PROT_READ) != 0) stop();
  }
  if (msync(memory, (size_t)pages * 4096, MS_SYNC) != 0) stop();
  return 0;
}
