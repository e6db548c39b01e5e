/* flockfile(3S), getc_unlocked(3S): a program has one thread here (pthread_stubs.c), and so nobody waits for a stream. */
#include <stdio.h>

void flockfile(FILE* stream) {
  (void)stream;
}
int ftrylockfile(FILE* stream) {
  (void)stream;
  return 0;
}
void funlockfile(FILE* stream) {
  (void)stream;
}
int getc_unlocked(FILE* stream) {
  return getc(stream);
}
int getchar_unlocked(void) {
  return getc(stdin);
}
int putc_unlocked(int c, FILE* stream) {
  return putc(c, stream);
}
int putchar_unlocked(int c) {
  return putc(c, stdout);
}
