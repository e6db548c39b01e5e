// The bandwidth of reading a file that is mapped anew ("Cached I/O bandwidth" of McVoy and Staelin,
// "lmbench", USENIX 1996): 8 MB are opened, mapped, summed by an unrolled loop of integers, and
// unmapped again. The file is in the kernel's cache.
//
//   bw_mmap FILE     is made, and removed in the end
//
// Prints "mapped_read VALUE MB/s": 2^20 bytes.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guests/lmbench/measure.h"
#include "tests/guests/lmbench/unrolled.h"

enum { MB = 1024 * 1024, SIZE = 8 * MB, PIECE = 64 * 1024 };

static uint32_t piece[PIECE / sizeof(uint32_t)];

static int make(const char* name) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (fd < 0) return 0;
  for (uint32_t i = 0; i < PIECE / sizeof(uint32_t); ++i) piece[i] = 1;
  for (uint32_t written = 0; written < SIZE; written += PIECE) {
    if (write(fd, piece, PIECE) != PIECE) return 0;
  }
  return close(fd) == 0;
}

int main(int argc, char** argv) {
  if (argc != 2 || !make(argv[1])) return 1;
  uint64_t start = now();
  int fd = open(argv[1], O_RDONLY);
  const char* at = mmap(NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0);
  if (fd < 0 || at == MAP_FAILED) return 1;
  uint32_t sum = read_area((const uint32_t*)at, (const uint32_t*)(at + SIZE));
  close(fd);
  munmap((void*)at, SIZE);
  uint64_t elapsed = since(start);
  uint32_t tenths = (uint32_t)((uint64_t)SIZE * 10 * 1000000 / MB / elapsed);
  printf("mapped_read %u.%u MB/s\n", tenths / 10, tenths % 10);
  unlink(argv[1]);
  return sum == SIZE / sizeof(uint32_t) ? 0 : 1;
}
