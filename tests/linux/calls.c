// Calls of every kind, for GNU's -pg to count: recursion, functions that call each other in turn,
// comparisons that qsort asks for, longjmp out of many calls, handlers of signals.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf start;
static volatile sig_atomic_t handled;

__attribute__((noinline)) static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) static int odd(int n);
__attribute__((noinline)) static int even(int n) {
  return n == 0 ? 1 : odd(n - 1);
}
__attribute__((noinline)) static int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}

__attribute__((noinline)) static void leave(int by) {
  longjmp(start, by);
}
__attribute__((noinline)) static int deep(int n) {
  if (n == 0) leave(1);
  return n < 0 ? 0 : deep(n - 1) + 1;
}

__attribute__((noinline)) static int compare(const void* a, const void* b) {
  return *(const int*)a - *(const int*)b;
}

__attribute__((noinline)) static void note(int by) {
  handled += by;
}
__attribute__((noinline)) static void handle(int signal) {
  note(signal == SIGUSR1);
  if (handled % 3 == 0) longjmp(start, 2);
}

int main(void) {
  static int numbers[1000];
  for (int i = 0; i < 1000; ++i) numbers[i] = i * 7919 % 1000;
  qsort(numbers, 1000, sizeof numbers[0], compare);
  signal(SIGUSR1, handle);
  for (volatile int i = 0; i < 50; ++i) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (setjmp(start) != 0) continue;
    if (i % 2 == 0) raise(SIGUSR1);
    deep(i);
  }
  printf("%d %d %d %d\n", fib(15), even(50), numbers[10], (int)handled);
  return 0;
}
