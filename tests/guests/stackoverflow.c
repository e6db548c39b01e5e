// Recurses without end: must end with SIGSEGV when the stack has reached its limit
// (getrlimit(2), RLIMIT_STACK).
#include <stdint.h>

static __attribute__((noipa)) uint32_t descend(uint32_t depth) {
  volatile uint32_t frame[1024];
  frame[depth % 1024] = depth;
  return depth == UINT32_MAX ? 0 : descend(depth + 1) + frame[depth % 1024];
}

int main(void) {
  return (int)descend(0);
}
