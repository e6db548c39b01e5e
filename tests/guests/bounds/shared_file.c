// shared_file MIB TIMES: maps a file of that size so often, shared, and changes all of it; then
// brings the file up to date through every mapping.
#include <fcntl.h>

#include "bounds.h"

int main(int argc, char** argv) {
  (void)argc;
  const size_t bytes = (size_t)number(argv, 1) << 20;
  const int file = open("/tmp/f", O_CREAT | O_RDWR, 0666);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0) stop();
  for (long i = number(argv, 2); i > 0; --i) {
    char* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) stop();
    for (size_t at = 0; at < bytes; at += 4096) memory[at] = (char)i;
    if (msync(memory, bytes, MS_SYNC) != 0) stop();
  }
  return 0;
}
