// Makes two functions, of which the first jumps to the second, and calls them; then maps files
// around and between them, and calls them from elsewhere. MIPS.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

typedef int Function(int);

__attribute__((noinline)) static int before(Function* f) {
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += f(i);
  return sum;
}
__attribute__((noinline)) static int behind(Function* f) {
  int sum = 1;
  for (int i = 0; i < 1000; ++i) sum += f(i);
  return sum;
}

int main(int argc, char** argv) {
  enum { PIECE = 65536, ANY = 7, CODE = 5 };
  (void)argc;
  char* const code =
      mmap((void*)0x20000000, 4 * PIECE, ANY, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  unsigned* const first = (unsigned*)(code + PIECE);
  unsigned* const second = (unsigned*)(code + 3 * PIECE);
  first[0] = 0x08000000 | ((unsigned)second >> 2 & 0x3ffffff);  // j second
  first[1] = 0;                                                 // nop
  second[0] = 0x03e00008;                                       // jr ra
  second[1] = 0x24820001;                                       // addiu v0,a0,1
  __builtin___clear_cache(code, code + 4 * PIECE);
  int sum = before((Function*)first);
  const int file = open(argv[0], O_RDONLY);
  mmap(code, PIECE, CODE, MAP_PRIVATE | MAP_FIXED, file, 0);
  mmap(code + 2 * PIECE, PIECE, CODE, MAP_PRIVATE | MAP_FIXED, file, 0);
  sum += behind((Function*)first);
  printf("%d\n", sum);
  return 0;
}
