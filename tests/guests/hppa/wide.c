// A 64-bit program, of which two functions are seen by their descriptors too.
int zero, data = 5;

static int __attribute__((noinline)) helper(int a) {
  return a * 3;
}

int twice(int a) {
  return helper(a) + helper(a + zero);
}

int (*pointer)(int) = twice;

int main(void) {
  data = pointer(4);
  for (;;) zero += data;
}
