// What an IRIX program's data model (o32, n32, n64) changes in its dealings with the kernel: the
// first stack, registers of 64 bits, file offsets, structures, signal contexts, exec of a program
// of another ABI. TAP. Arguments: paths of this program in further ABIs. Needs a writable working
// directory, where it leaves nothing behind.
//
// Expectations: the types and structures of NetBSD's sys/compat/irix/irix_types.h and
// irix_signal.h, laid out by the C compiler; IRIX's manual pages of section 2; and the MIPSpro N32
// ABI Handbook, chapter 2: n32 and n64 have 64-bit registers and pass integers of any width in one
// of $4 to $11. That off_t and ino_t have 64 bits in n32 is from qemu-irix (linux-user/syscall.c).
// Of n64, that clock_t is a long, where the siginfo's union begins and the padding of struct prof
// are inferred.
#include "tests/guests/abis_registers.h"
#include "guest/runtime/guest.h"
#include "guest/runtime/profil.h"

#if _MIPS_SIM == _ABIO32
typedef uint32_t ino_t;
typedef int32_t blkcnt_t;
enum { OWN_ABI = 1, PROGRAM_HEADER = 32, STAT_BYTES = 136 };
// A 64-bit argument takes two words in the order of memory, behind one that aligns them.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OFFSET(offset) 0, (int)((int64_t)(offset) >> 32), (int)(offset)
#else
#define OFFSET(offset) 0, (int)(offset), (int)((int64_t)(offset) >> 32)
#endif
#else
typedef uint64_t ino_t;
typedef int64_t blkcnt_t;
#if _MIPS_SIM == _ABIN32
enum { OWN_ABI = 2, PROGRAM_HEADER = 32, STAT_BYTES = 152 };
#else
enum { OWN_ABI = 3, PROGRAM_HEADER = 56, STAT_BYTES = 240 };
#endif
#define OFFSET(offset) (int64_t)(offset)
#endif

int64_t syscall64(int number, ...) __asm__("syscall");
#define nanosleep(time, left) syscall(1077, time, left)
#define lseek64(fd, offset, whence) syscall64(1078, fd, OFFSET(offset), whence)
#define getdents(fd, buffer, size) syscall(1081, fd, buffer, size)
#define unlink(path) syscall(1010, path)
#define xstat(version, path, status) syscall(1158, version, path, status)
#define ftruncate64(fd, size) syscall(1184, fd, OFFSET(size))
#define pread(fd, buffer, size, offset) syscall(1187, fd, buffer, size, OFFSET(offset))
#define pwrite(fd, buffer, size, offset) syscall(1188, fd, buffer, size, OFFSET(offset))

struct timespec {
  time_t tv_sec;
  long_t tv_nsec;
};

struct stat {
  uint32_t st_dev;
  long_t st_pad1[3];
  ino_t st_ino;
  uint32_t st_mode, st_nlink;
  int32_t st_uid, st_gid;
  uint32_t st_rdev;
  long_t st_pad2[2];
  off_t st_size;
  long_t st_pad3;
  struct timespec st_atim, st_mtim, st_ctim;
  long_t st_blksize;
  blkcnt_t st_blocks;
  char st_fstype[16];
  long_t st_projid, st_pad4[7];
};
_Static_assert(sizeof(struct stat) == STAT_BYTES, "struct stat");

struct dirent {
  ino_t d_ino;
  off_t d_off;
  uint16_t d_reclen;
  char d_name[];
};

// AT_PHDR and so on; a_type has 32 bits in all three.
struct auxv {
  int32_t a_type;
  uintptr_t a_val;
};
enum { AT_NULL = 0, AT_PHDR = 3, AT_PHENT = 4, AT_PHNUM = 5, AT_PAGESZ = 6, AT_ENTRY = 9 };

#define FAR 0x180000000

extern char _start[];
static char buffer[4096];

static uintptr_t auxiliary_value(int type) {
  char** end = environ;
  while (*end != NULL) ++end;
  for (const struct auxv* entry = (struct auxv*)(end + 1); entry->a_type != AT_NULL; ++entry) {
    if (entry->a_type == type) return entry->a_val;
  }
  return 0;
}

static int start_is_right(int argc, char** argv) {
  return argv[argc] == NULL && environ == argv + argc + 1 && auxiliary_value(AT_PAGESZ) == 4096 &&
         auxiliary_value(AT_PHENT) == PROGRAM_HEADER && auxiliary_value(AT_PHNUM) == 3 &&
         auxiliary_value(AT_ENTRY) == (uintptr_t)_start &&
         auxiliary_value(AT_PHDR) == 0x00400000 + (sizeof(void*) == 8 ? 64 : 52);
}

static int wait_for(pid_t pid) {
  siginfo_t info;
  memset(&info, 0x55, sizeof info);
  if (waitsys(P_PID, pid, &info, WEXITED, NULL) != 0) return -1;
  return info.si_signo == SIGCLD && info.si_code == CLD_EXITED && info.data.child.pid == pid
             ? info.data.child.status
             : -2;
}

// ---- Files.

static void test_offsets(void) {
  int fd = open("abis.tmp", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check(pwrite(fd, "far", 3, FAR) == 3 && pread(fd, buffer, 100, FAR) == 3 &&
            memcmp(buffer, "far", 3) == 0,
        "pwrite and pread beyond 4 GiB");
  check(lseek64(fd, FAR, SEEK_SET) == FAR && lseek64(fd, -1, SEEK_CUR) == FAR - 1, "lseek64");
#if _MIPS_SIM == _ABIO32
  check(syscall64(1185, NULL, 4096, PROT_READ, MAP_PRIVATE, fd, OFFSET(FAR)) != -1, "mmap64");
#else
  struct stat status;
  check(lseek(fd, FAR + 1, SEEK_SET) == FAR + 1, "lseek has an off_t of 64 bits in one register");
  check(lseek(fd, -2, SEEK_CUR) == FAR - 1 && lseek(fd, 0, SEEK_END) == FAR + 3, "and backwards");
  const char* mapped = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, FAR);
  check(mapped != MAP_FAILED && memcmp(mapped, "far", 4) == 0, "mmap beyond 4 GiB");
  check(xstat(2, "abis.tmp", &status) == 0 && status.st_size == FAR + 3, "st_size of 64 bits");
  check(syscall(1113, fd, (off_t)FAR + 1) == 0 && lseek(fd, 0, SEEK_END) == FAR + 1, "ftruncate");
  check(syscall(1112, "abis.tmp", (off_t)FAR - 1) == 0 && lseek(fd, 0, SEEK_END) == FAR - 1,
        "truncate");
#endif
  check(ftruncate64(fd, 5) == 0 && lseek(fd, 0, SEEK_END) == 5, "ftruncate64");
  close(fd);
}

static void test_status(void) {
  struct stat status;
  memset(&status, 0x55, sizeof status);
  time_t times[2] = {86400, 825552000};
  check(syscall(1030, "abis.tmp", times) == 0 && xstat(2, "abis.tmp", &status) == 0,
        "utime, xstat");
  check(status.st_mode == 0100644 && status.st_nlink == 1 && status.st_ino != 0, "st_mode");
  check(status.st_uid == syscall(1024) && status.st_gid == syscall(1047), "st_uid and st_gid");
  check(status.st_size == 5 && status.st_blksize == 4096, "st_size and st_blksize");
  check(status.st_atim.tv_sec == 86400 && status.st_mtim.tv_sec == 825552000 &&
            status.st_mtim.tv_nsec == 0,
        "st_atim and st_mtim");
  check(strcmp(status.st_fstype, "xfs") == 0, "st_fstype");

  const int fd = open(".", O_RDONLY);
  const int size = getdents(fd, buffer, sizeof buffer);
  int found = 0, at = 0;
  while (at < size) {
    const struct dirent* entry = (struct dirent*)(buffer + at);
    found |= strcmp(entry->d_name, "abis.tmp") == 0 && entry->d_ino == status.st_ino;
    at += entry->d_reclen;
    if (entry->d_reclen == 0) break;
  }
  check(found && at == size, "getdents");
  close(fd);
  unlink("abis.tmp");
}

// ---- Time.

static void test_times(void) {
  struct tms now;
  memset(&now, 0x55, sizeof now);
  const clock_t start = times(&now);
  burn_ticks(3);
  check(times(&now) >= start + 3 && now.tms_utime >= 2 && now.tms_utime < 6000 &&
            now.tms_stime < 6000 && now.tms_cutime == 0 && now.tms_cstime == 0,
        "times");
  struct timeval day = {0, 0};
  const time_t seconds = time(NULL);
  check(BSD_getime(&day) == 0 && day.tv_sec - seconds <= 1 && day.tv_sec >= seconds &&
            day.tv_usec >= 0 && day.tv_usec < 1000000,
        "BSD_getime");
  struct itimerval timer = {{3, 250000}, {1000, 500000}}, old;
  check(setitimer(ITIMER_REAL, &timer, NULL) == 0 && getitimer(ITIMER_REAL, &old) == 0 &&
            old.it_interval.tv_sec == 3 && old.it_interval.tv_usec == 250000 &&
            old.it_value.tv_sec == 1000 && old.it_value.tv_usec > 400000,
        "setitimer and getitimer");
  timer.it_value = (struct timeval){0, 0};
  setitimer(ITIMER_REAL, &timer, NULL);
  const struct timespec nap = {0, 30000000};
  const clock_t before = times(&now);
  check(nanosleep(&nap, NULL) == 0 && times(&now) - before >= 3 && times(&now) - before < 10,
        "nanosleep");
  struct timeval limit = {0, 30000};
  const clock_t asked = times(&now);
  check(syscall(1100, 0, NULL, NULL, NULL, &limit) == 0 && times(&now) - asked >= 3 &&
            times(&now) - asked < 10,
        "select");
  struct rusage used;
  memset(&used, 0x55, sizeof used);
  check(syssgi(SGI_RUSAGE, RUSAGE_SELF, &used) == 0 && used.ru_utime.tv_sec == 0 &&
            used.ru_utime.tv_usec >= 20000 && used.ru_utime.tv_usec < 1000000 &&
            used.ru_stime.tv_sec == 0 && used.ru_counts[13] == 0,
        "getrusage");
}

// ---- Signals.

static volatile int handled, context_is_right;

#if _MIPS_SIM == _ABIO32
static void on_signal(int signal, void* info, void* context) {
  (void)info;
  const struct sigcontext* sc = context;
  handled = signal;
  context_is_right = sc->sc_regs[29] != 0 && sc->sc_pc >= (uintptr_t)_ftext;
}

static void on_siginfo(int signal, void* info, void* context) {
  const siginfo_t* si = info;
  const struct ucontext* uc = context;
  handled = signal;
  context_is_right = si->si_signo == signal && si->data.child.pid == getpid() &&
                     uc->uc_gregs[29] != 0 && uc->uc_gregs[35] >= (uintptr_t)_ftext;
}

static void test_registers(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  check(kill(getpid(), SIGUSR1) == 0 && handled == SIGUSR1 && context_is_right, "sigcontext");
  action.sa_handler = on_siginfo;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &action, NULL);
  check(kill(getpid(), SIGUSR2) == 0 && handled == SIGUSR2 && context_is_right, "ucontext");
}
#else
int hold_registers(pid_t pid, int signal, uint64_t* s7);
enum { S7 = 23, NEW_VALUE = 0x5a };

// What a handler may use: every register that a function need not save.
static void clobber(void) {
  __asm__ volatile(
      "dli $12, -1; dli $24, -1; mthi $0; mtlo $0; dmtc1 $0, $f0; dmtc1 $0, $f13; dmtc1 $0, $f19" ::
          : "$12", "$24", "hi", "lo", "$f0", "$f13", "$f19");
}

static int are_patterns(const uint64_t* general, const uint64_t* floating) {
  int same = 1;
  for (int i = 8; i < 26; ++i) same &= general[i] == (uint64_t)PATTERN(i);
  for (int i = 0; i < 32; ++i) same &= floating[i] == (uint64_t)FLOAT_PATTERN(i);
  return same && general[0] == 0 && general[4] == (uint64_t)getpid() && general[31] == PATTERN(31);
}

static void on_signal(int signal, void* code, void* context) {
  (void)code;
  struct sigcontext* sc = context;
  handled = signal;
  context_is_right = are_patterns(sc->sc_regs, sc->sc_fpregs) && sc->sc_mdhi == PATTERN_HI &&
                     sc->sc_mdlo == PATTERN_LO && sc->sc_pc >= (uintptr_t)_ftext &&
                     sc->sc_pc < (uintptr_t)_etext;
  sc->sc_regs[S7] = ~(uint64_t)NEW_VALUE;
  clobber();
}

static void on_siginfo(int signal, void* info, void* context) {
  const siginfo_t* si = info;
  struct ucontext* uc = context;
  handled = signal;
  context_is_right = are_patterns(uc->uc_gregs, uc->uc_fpregs) && uc->uc_gregs[32] == PATTERN_LO &&
                     uc->uc_gregs[33] == PATTERN_HI && uc->uc_gregs[35] >= (uintptr_t)_ftext &&
                     uc->uc_gregs[35] < (uintptr_t)_etext && si->si_signo == signal &&
                     si->si_code == 0 && si->data.child.pid == getpid();
  uc->uc_gregs[S7] = ~(uint64_t)NEW_VALUE;
  clobber();
}

static void test_registers(void) {
  uint64_t s7 = 0;
  check(hold_registers(getpid(), 0, &s7) == 0 && s7 == PATTERN(S7),
        "a call leaves registers of 64 bits alone");
  struct sigaction action = {.sa_handler = on_signal}, old;
  memset(&old, 0x55, sizeof old);
  sigaction(SIGUSR1, &action, NULL);
  check(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == on_signal && old.sa_flags == 0 &&
            old.sa_mask.word[0] == 0,
        "struct sigaction");
  check(hold_registers(getpid(), SIGUSR1, &s7) == 0, "so does a signal whose handler uses them");
  check(handled == SIGUSR1 && context_is_right, "they are in its sigcontext");
  check(s7 == ~(uint64_t)NEW_VALUE, "from where sigreturn takes them");
  action.sa_handler = on_siginfo;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &action, NULL);
  check(hold_registers(getpid(), SIGUSR2, &s7) == 0, "a signal with siginfo does, too");
  check(handled == SIGUSR2 && context_is_right, "they are in its ucontext");
  check(s7 == ~(uint64_t)NEW_VALUE, "from where sigreturn takes them as well");
}
#endif

// stack_t: the size is an int in n64, too.
struct stack {
  char* ss_sp;
  uint32_t ss_size;
  int32_t ss_flags;
};
static char alternate[16384];

static void test_alternate_stack(void) {
  const struct stack wanted = {alternate, sizeof alternate, 0};
  struct stack seen;
  memset(&seen, 0x55, sizeof seen);
  check(syscall(1172, &wanted, NULL) == 0 && syscall(1172, NULL, &seen) == 0 &&
            seen.ss_sp == alternate && seen.ss_size == sizeof alternate && seen.ss_flags == 0,
        "sigaltstack");
}

static void on_fault(int signal, void* info, void* context) {
  (void)context;
  const siginfo_t* si = info;
  _exit(signal == SIGSEGV && si->data.address == (void*)0x003ff010 ? 11 : 12);
}

// ---- Processes.

static void test_processes(char** names) {
  int fds[2] = {-1, -1};
  check(pipe(fds) == 0 && fds[0] >= 3 && fds[1] > fds[0] && write(fds[1], "ab", 2) == 2 &&
            read(fds[0], buffer, 9) == 2,
        "pipe");
  pid_t pid = fork();
  if (pid == 0) _exit(getppid() == *(int32_t*)0x200e40 ? 1 : 21);
  check(wait_for(pid) == 21, "fork, and waitsys with its siginfo");
  check(*(int32_t*)0x200e00 == getpid(), "the process data area has the pid");
  pid = fork();
  if (pid == 0) {
    const struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &action, NULL);
    *(volatile char*)0x003ff010 = 1;
  }
  check(wait_for(pid) == 11, "siginfo of a fault has the address");
  if (*names == NULL) return;
  pid = fork();
  if (pid == 0) {
    static char next[] = "exec";
    char* environment[] = {next, NULL};
    execve(*names, names, environment);
    _exit(99);
  }
  const int last = wait_for(pid);
  check(last >= 1 && last <= 3, "exec of a program of another ABI, which does the same");
  printf("# the last program's ABI is %d\n", last);
}

// As the program of an exec: goes on to the next name; the last one's status is its ABI's number.
static int execute_next(int argc, char** argv) {
  if (!start_is_right(argc, argv)) return 98;
  if (argc == 1) return OWN_ABI;
  execve(argv[1], argv + 1, environ);
  return 97;
}

// ---- Memory and profiling.

static void test_memory(void) {
  char* end = _end + 0x20000;
  check(brk(end) == 0, "brk");
  end[-1] = 'x';
  const int fd = open("/dev/zero", O_RDWR);
  char* pages = mmap(NULL, 0x20000, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  check(pages != MAP_FAILED && pages[0x1ffff] == 0, "mmap of /dev/zero");
  pages[0] = 'x';
  check(munmap(pages, 0x20000) == 0, "munmap");
#if _MIPS_SIM == _ABI64
  char* const top = (char*)0xfffffff000;
  pages = mmap(top, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0);
  check(pages == top && pages[4095] == 0, "mmap of the last page below 2^40");
  check(mmap(top + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED,
        "mmap above");
#endif
  close(fd);
}

enum { COUNTERS = 16384 };
static uint16_t counters[COUNTERS];
static uint16_t overflow;

static void test_profiling(void) {
  const uint32_t text = (uint32_t)(uintptr_t)_ftext;
  check(profil(counters, sizeof counters, text, PROFIL_ONE_PER_INSTRUCTION) == 0, "profil");
  burn_ticks(5);
  profil(counters, 0, 0, 0);
  check(sum_counters(counters, COUNTERS) >= 4, "counts");
  memset(counters, 0, sizeof counters);
  // The counters of the text, and the bin for all other addresses.
  struct prof regions[2] = {
      {counters, sizeof counters, (uintptr_t)_ftext, PROFIL_ONE_PER_INSTRUCTION},
      {&overflow, sizeof overflow, 0, 2}};
  struct timeval tick = {-1, -1};
  check(sprofil(regions, 2, &tick, PROF_USHORT) == 0 && tick.tv_sec == 0 && tick.tv_usec == 10000,
        "sprofil");
  burn_ticks(5);
  sprofil(NULL, 0, NULL, 0);
  check(sum_counters(counters, COUNTERS) >= 4 && overflow == 0, "counts in the region");
  regions[0].pr_off = (uintptr_t)_end;
  check(sprofil(regions, 2, NULL, PROF_USHORT) == 0, "sprofil of a region without code");
  burn_ticks(5);
  sprofil(NULL, 0, NULL, 0);
  check(overflow >= 4, "counts in the overflow bin");
}

int main(int argc, char** argv) {
  if (environ[0] != NULL && strcmp(environ[0], "exec") == 0) return execute_next(argc, argv);
  check(start_is_right(argc, argv), "arguments, environment and auxiliary vector");
  test_offsets();
  test_status();
  test_times();
  test_registers();
  test_alternate_stack();
  test_processes(argv + 1);
  test_memory();
  test_profiling();
  return finish_checks();
}
