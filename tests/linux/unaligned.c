// Accesses that are not aligned, which the kernel makes for the program: they find what memcpy(3)
// finds. A program may ask to get SIGBUS instead (prctl(2), PR_SET_UNALIGN; sysmips(2), MIPS_FIXADE
// of arch/mips/kernel/syscall.c), for itself and its children. An access that has to be atomic gets
// it always (arch/mips/kernel/unaligned.c, arch/parisc/kernel/unaligned.c). QEMU's user mode makes
// none of them.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { room = 64, rounds = 1000 };

static sigjmp_buf back;
static siginfo_t seen;

// The access is the last instruction or in the delay slot of the return, as the compiler likes.
#define ACCESSES(name, type)                                                       \
  __attribute__((noinline)) static type load_##name(const void* at) {              \
    return *(const type*)at;                                              \
  }                                                                                \
  __attribute__((noinline)) static void store_##name(void* at, type value) {       \
    *(type*)at = value;                                                   \
  }                                                                                \
  static void test_##name(unsigned char* bytes, size_t offset) {                   \
    unsigned char* const at = bytes + offset;                                      \
    unsigned char before[room];                                                    \
    memcpy(before, bytes, room);                                                   \
    const type found = load_##name(at);                                            \
    if (memcmp(&found, at, sizeof found) != 0)                                     \
      printf("%s at %zu: not what memcpy finds\n", #name, offset);                 \
    type other;                                                                    \
    memcpy(&other, before + room - sizeof other, sizeof other);                    \
    store_##name(at, other);                                                       \
    memcpy(before + offset, &other, sizeof other);                                 \
    if (memcmp(before, bytes, room) != 0)                                          \
      printf("%s at %zu: not what memcpy stores\n", #name, offset);                \
  }

ACCESSES(half, int16_t)
ACCESSES(unsigned_half, uint16_t)
ACCESSES(word, int32_t)
ACCESSES(unsigned_word, uint32_t)
ACCESSES(long, unsigned long)
ACCESSES(single, float)
ACCESSES(number, double)

// Bit patterns that are numbers, so that none is a NaN that a move would change.
static void fill(unsigned char* bytes) {
  for (int i = 0; i < room; i++) bytes[i] = (unsigned char)(1 + 7 * i) & 0xbf;
}

static void test_all(unsigned char* bytes) {
  for (size_t offset = 0; offset < 8; offset++) {
    fill(bytes);
    test_half(bytes, offset);
    test_unsigned_half(bytes, offset);
    test_word(bytes, offset);
    test_unsigned_word(bytes, offset);
    test_long(bytes, offset);
    test_single(bytes, offset);
    test_number(bytes, offset);
  }
}

// Often enough that the loop runs as translated code, and its access in the middle of it.
__attribute__((noinline)) static uint32_t sum(const uint32_t* words, int count) {
  uint32_t all = 0;
  for (int i = 0; i < count; i++) all = 3 * all + *words++;
  return all;
}

static uint32_t sum_of_copies(const unsigned char* bytes, int count) {
  uint32_t all = 0, word;
  for (int i = 0; i < count; i++) {
    memcpy(&word, bytes + 4 * i, sizeof word);
    all = 3 * all + word;
  }
  return all;
}

static void test_loop(void) {
  static unsigned char bytes[4 * rounds + 1];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * i >> 3);
  const uint32_t all = sum((const uint32_t*)(bytes + 1), rounds);
  printf("a loop: %s\n", all == sum_of_copies(bytes + 1, rounds) ? "as memcpy" : "otherwise");
}

static void caught(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  seen = *info;
  siglongjmp(back, 1);
}

static const char* name_of(int signal) {
  return signal == SIGBUS ? "SIGBUS" : signal == SIGSEGV ? "SIGSEGV" : "another signal";
}

// On MIPS both signals come without cause and address: force_sig().
static int tells_address(const void* at) {
#ifdef __mips__
  (void)at;
  return seen.si_code == SI_KERNEL && seen.si_addr == NULL;
#else
  return seen.si_code == 1 && seen.si_addr == at;  // BUS_ADRALN, SEGV_MAPERR
#endif
}

static void try_load(const char* what, const unsigned char* at) {
  uint32_t word;
  if (sigsetjmp(back, 1) != 0) {
    printf("%s: %s, %s\n", what, name_of(seen.si_signo), tells_address(at) ? "as documented" : "?");
    return;
  }
  const uint32_t loaded = load_unsigned_word(at);
  memcpy(&word, at, sizeof word);
  printf("%s: %s\n", what, loaded == word ? "as memcpy" : "otherwise");
}

static void try_atomic(unsigned char* at) {
  if (sigsetjmp(back, 1) != 0) {
    printf("atomic: %s\n", name_of(seen.si_signo));
    return;
  }
  int word = 0;
#ifdef __mips__
  __asm__ volatile("ll %0, 0(%1)" : "=r"(word) : "r"(at) : "memory");
#else
  __asm__ volatile("ldcw 0(%1), %0" : "=r"(word) : "r"(at) : "memory");
#endif
  printf("atomic: done, %d\n", word);
}

static int let_kernel_make_them(int does) {
#ifdef __mips__
  return (int)syscall(SYS_sysmips, 7, does, 0);
#else
  return prctl(PR_SET_UNALIGN, does ? 0 : PR_UNALIGN_SIGBUS);
#endif
}

static void* in_thread(void* at) {
  try_load("a thread", at);
  return NULL;
}

static void test_settings(unsigned char* at) {
  pthread_t thread;
  printf("refuse: %d\n", let_kernel_make_them(0));
  try_load("refused", at);
  fflush(stdout);
  if (fork() == 0) {
    try_load("a child", at);
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
  pthread_create(&thread, NULL, in_thread, at);
  pthread_join(thread, NULL);
  printf("make: %d\n", let_kernel_make_them(1));
  try_load("made", at);
}

// Two pages of which only the first is there.
static unsigned char* page_before_nothing(size_t page) {
  unsigned char* const pages =
      mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + page, page);
  return pages;
}

int main(void) {
  const size_t page = (size_t)getpagesize();
  static unsigned char bytes[room] __attribute__((aligned(16)));
  struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = caught};
  sigaction(SIGBUS, &action, NULL);
  sigaction(SIGSEGV, &action, NULL);
  test_all(bytes);
  unsigned char* const two =
      mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 1; i < 8; i++) test_all(two + page - i);
  printf("all kinds: tried\n");
  test_loop();
  try_load("into nothing", page_before_nothing(page) + page - 2);
  try_atomic(bytes + 1);
  test_settings(bytes + 1);
  return 0;
}
