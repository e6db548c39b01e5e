// Three quarters of its time in hot, one quarter in warm: for GNU's -pg.
static volatile unsigned sum;

__attribute__((noinline)) static void hot(void) {
  for (unsigned i = 0; i < 30000; ++i) sum += i;
}

__attribute__((noinline)) static void warm(void) {
  for (unsigned i = 0; i < 10000; ++i) sum += i;
}

int main(void) {
  for (int i = 0; i < 400; ++i) {
    hot();
    warm();
  }
  return 0;
}
