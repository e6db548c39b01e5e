/* The instruction rounds right. */
#include <math.h>

float sqrtf(float x) {
  __asm__("fsqrt,sgl %1,%0" : "=f"(x) : "f"(x));
  return x;
}
