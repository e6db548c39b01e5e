// Writes a dot now and then, ten on a line, for ever.
#include <stdint.h>
#include <unistd.h>

int main(void) {
  for (;;) {
    for (int dots = 0; dots < 10; ++dots) {
      for (volatile uint32_t i = 0; i < 1000000; ++i) {
      }
      write(1, ".", 1);
    }
    write(1, "\n", 1);
  }
}
