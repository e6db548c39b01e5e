#include "tests/guests/ia64/guest.h"

long second_result;

static int checks, failures;

void print(const char* text) {
  long size = 0;
  while (text[size] != 0) ++size;
  CALL3(NR_write, 1, text, size);
}

void print_number(long number) {
  static const ulong powers[] = {1000000000000000000, 100000000000000000, 10000000000000000,
                                 1000000000000000,    100000000000000,    10000000000000,
                                 1000000000000,       100000000000,       10000000000,
                                 1000000000,          100000000,          10000000,
                                 1000000,             100000,             10000,
                                 1000,                100,                10, 1};
  char text[24];
  int size = 0;
  ulong rest = number < 0 ? -(ulong)number : (ulong)number;
  if (number < 0) text[size++] = '-';
  for (int i = 0, begun = 0; i < 19; ++i) {
    char digit = '0';
    while (rest >= powers[i]) {
      rest -= powers[i];
      ++digit;
    }
    begun = begun || digit != '0' || i == 18;
    if (begun) text[size++] = digit;
  }
  text[size] = 0;
  print(text);
}

int check(int condition, const char* what) {
  ++checks;
  if (!condition) ++failures;
  print(condition ? "ok " : "not ok ");
  print_number(checks);
  print(" - ");
  print(what);
  print("\n");
  return condition;
}

int check_number(long seen, long expected, const char* what) {
  if (check(seen == expected, what)) return 1;
  print("# ");
  print_number(seen);
  print("; expected ");
  print_number(expected);
  print("\n");
  return 0;
}

int finish_checks(void) {
  print("1..");
  print_number(checks);
  print("\n");
  return failures == 0 ? 0 : 1;
}

int same_text(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

void catch_signal(int signal, void (*handler)(int, void*, void*), ulong flags) {
  const struct sigaction action = {handler, flags, 0};
  CALL4(NR_rt_sigaction, signal, &action, 0, 8);
}

int run_main(long* stack) {
  char** argv = (char**)(stack + 1);
  return guest_main((int)stack[0], argv, (ulong*)(argv + stack[0] + 1));
}
