/* For SGI's `cc -p` and prof: `hot` takes three quarters of the time. The IDO has no headers. */
int printf();

double total;

static void hot() {
  int i;
  for (i = 0; i < 3000; i++) total += i * 0.5;
}

static void warm() {
  int i;
  for (i = 0; i < 1000; i++) total += i * 0.5;
}

int main() {
  int i;
  for (i = 0; i < 2000; i++) {
    hot();
    warm();
  }
  printf("%g\n", total);
  return 0;
}
