// The time of a system call that does next to nothing.
//
//   lat_syscall [CALLS]
//
// null_call is getppid(). null_write is one word written to /dev/null: "Operating system entry" of
// McVoy and Staelin ("lmbench", USENIX 1996), who published no other.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/guests/lmbench/measure.h"

int main(int argc, char** argv) {
  uint32_t calls = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
  int fd = open("/dev/null", O_WRONLY);
  uint32_t word = 0;
  if (fd < 0 || calls == 0) return 1;

  uint64_t start = now();
  for (uint32_t i = 0; i < calls; ++i) getppid();
  uint64_t elapsed = since(start);
  printf("null_call");
  print_each(elapsed, calls);

  start = now();
  for (uint32_t i = 0; i < calls; ++i) {
    if (write(fd, &word, sizeof word) != (ssize_t)sizeof word) return 1;
  }
  elapsed = since(start);
  printf("null_write");
  print_each(elapsed, calls);
  return 0;
}
