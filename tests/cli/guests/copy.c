// Copies standard input to standard output, as cat(1) does, in pieces of a size that divides
// nothing.
//
//   copy           exit status 0, or 1 when a call failed
#include <unistd.h>

int main(void) {
  char buffer[1021];
  for (;;) {
    ssize_t size = read(0, buffer, sizeof buffer);
    if (size <= 0) return size == 0 ? 0 : 1;
    if (write(1, buffer, (size_t)size) != size) return 1;
  }
}
