// Memory calls and what the C library makes of them.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int signal_code;

static void on_fault(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  signal_code = info->si_code;
  siglongjmp(back, 1);
}

static const char* store(volatile char* where) {
  signal_code = 0;
  if (sigsetjmp(back, 1) == 0) {
    *where = 1;
    return "stored";
  }
  return signal_code == SEGV_MAPERR   ? "SEGV_MAPERR"
         : signal_code == SEGV_ACCERR ? "SEGV_ACCERR"
                                      : "?";
}

static int call(int (*function)(int)) {
  return function(3);
}
// GCC's pointer to a nested function leads to code on the stack.
static int call_code_on_stack(int base) {
  int add(int more) {
    return base + more;
  }
  return call(add);
}

// As the C library advises of a thread's stack, with the guard before it.
static void advise_pieces(void) {
  const size_t bytes = (size_t)getpagesize();
  char* const memory =
      mmap(NULL, 3 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(memory, 1, 3 * bytes);
  mprotect(memory, bytes, PROT_NONE);
  printf("madvise of two %d", madvise(memory, 3 * bytes, MADV_DONTNEED));
  mprotect(memory, bytes, PROT_READ);
  printf(" %d %d %d\n", memory[0], memory[bytes], memory[3 * bytes - 1]);
}

// The rest of the stack from a place on, as the C library asks for when a library needs code on it.
// On PA-RISC, where it grows up, QEMU looks at neither flag.
#ifndef __hppa__
static void check_growing(void) {
  const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
  volatile char here = 0;
  const size_t bytes = (size_t)getpagesize();
  char* const page = (char*)((uintptr_t)&here & -bytes);
  char* const other = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errno = 0;
  printf("growing %d", mprotect(page, bytes, all | PROT_GROWSDOWN));
  printf(" %s, both", strerror(errno));
  printf(" %d", mprotect(page, bytes, all | PROT_GROWSDOWN | PROT_GROWSUP));
  printf(" %s, mapping", strerror(errno));
  printf(" %d", mprotect(other, bytes, all | PROT_GROWSDOWN));
  printf(" %s, %s\n", strerror(errno), store(&here));
}
#else
static void check_growing(void) {
}
#endif

int main(void) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  sigaction(SIGSEGV, &action, NULL);
  const size_t size = 1 << 20;
  char* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  printf("mmap %d, zero %d, %s\n", memory != MAP_FAILED, memory[size - 1], store(memory));
  printf("mprotect %d, %s\n", mprotect(memory, 4096, PROT_READ), store(memory));
  check_growing();
  strcpy(memory + 8192, "kept");
  char* moved = mremap(memory + 8192, 8192, 4 * size, MREMAP_MAYMOVE);
  printf("mremap %d, %s, %s\n", moved != MAP_FAILED, moved, store(moved + 4 * size - 1));
  printf("munmap %d, %s\n", munmap(memory, 8192), store(memory));
  printf("madvise %d, %d\n", madvise(moved, 4096, MADV_DONTNEED), moved[0]);
  advise_pieces();
  printf("no length %d %s\n",
         mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED,
         strerror(errno));
  int file = open("memory.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  char text[5000];
  memset(text, 'a', sizeof text);
  printf("write %zd\n", write(file, text, sizeof text));
  char* shared = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char* second = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 4096);
  printf("file %c%c%c %d\n", shared[0], shared[4999], second[903], second[904]);
  shared[1] = 'b';
  printf("msync %d\n", msync(shared, 8192, MS_SYNC));
  printf("code on the stack %d\n", call_code_on_stack(39));
  char byte;
  printf("pread %zd %c\n", pread(file, &byte, 1, 1), byte);
  munmap(shared, 8192);
  close(file);
  unlink("memory.tmp");
  for (int i = 0; i < 20; ++i) {
    char* block = malloc((size_t)1000 << i % 13);
    block = realloc(block, (size_t)3000 << i % 13);
    memset(block, i, (size_t)3000 << i % 13);
    free(block);
  }
  void* aligned;
  printf("posix_memalign %d %d\n", posix_memalign(&aligned, 65536, 100),
         (int)((uintptr_t)aligned % 65536));
  return 0;
}
