// Each kind of thing that a SOM executable names: functions, global and static; data and bss; a
// label and millicode of sample.S; unwind descriptors. It never ends.
extern int triple(int);

const char message[] = "sample";
int data = 5;
static int more[3] = {1, 2, 3};
int zero;
static int buffer[3000];

static int __attribute__((noinline)) helper(int a) {
  return triple(a) + more[a & 1];
}

int twice(int a) {
  return helper(a) + helper(a + zero);
}

void run(void) {
  data = twice(message[0]);
  for (int i = 0;; i = (i + 1) % 3000) buffer[i] += data;
}
