/* The instruction rounds right. */
#include <math.h>

double sqrt(double x) {
  __asm__("fsqrt,dbl %1,%0" : "=f"(x) : "f"(x));
  return x;
}
