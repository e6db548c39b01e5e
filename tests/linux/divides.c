// A program that divides, built with -pg: PA-RISC has no instruction for it, and the millicode routine $$divU takes most of
// the time. Every other round is longer, so that rounds keep no step with a clock.
volatile unsigned sink;

__attribute__((noinline)) unsigned divide(unsigned rounds, unsigned divisor) {
  unsigned sum = 0;
  for (unsigned i = 1; i <= rounds; ++i) {
    sum += i * 2654435761U / divisor;
    if (i % 2 == 0) sum ^= i;
  }
  return sum;
}

int main(int argc, char** argv) {
  (void)argv;
  sink = divide(argc > 1 ? 10000000 : 1000000, 1000 + (unsigned)argc);
  return 0;
}
