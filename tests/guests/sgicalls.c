// TAP: IRIX's small calls, each with its errors: what the machine and the process say of
// themselves, limits, ids, time, and what only a superuser may do. Sources: the manual pages of
// these names in section 2 of IRIX and System V.4; for the requests of syssgi() that have none,
// NetBSD, sys/compat/irix/irix_syssgi.c; structures as in its irix_types.h.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guests/tap.h"

enum {
  UNLINK = 1010,
  GETPID = 1020,
  MOUNT = 1021,
  UMOUNT = 1022,
  STIME = 1025,
  ALARM = 1027,
  STATFS = 1035,
  FSTATFS = 1038,
  PGRPSYS = 1039,
  SYSSGI = 1040,
  DUP = 1041,
  PLOCK = 1045,
  GETGID = 1047,
  ACCT = 1051,
  SYSMIPS = 1050,
  SYSMP = 1056,
  UTSSYS = 1057,
  SETRLIMIT64 = 1076,
  SIGSUSPEND = 1165,
  SIGPENDING = 1163,
  GETHOSTID = 1092,
  SETHOSTID = 1104,
  SETDOMAINNAME = 1111,
  ADJTIME = 1127,
  PRCTL = 1130,
  MSYNC = 1137,
  MADVISE = 1138,
  PAGELOCK = 1139,
  GETPAGESIZE = 1140,
  BSDGETPGRP = 1143,
  BSDSETPGRP = 1144,
  VHANGUP = 1145,
  SIGSTACK = 1171,
  SIGSENDSET = 1173,
  LCHOWN = 1178,
  MMAP64 = 1185,
  FSTATVFS64 = 1202,
  GETMOUNTID = 1203,
  SCHED_YIELD = 1218,
  GETRLIMIT64 = 1075,
  CREAT = 1008
};

// syssgi(2)
enum {
  SGI_SYSID = 1,
  SGI_RDNAME = 6,
  SGI_QUERY_CYCLECNTR = 13,
  SGI_SETTIMEOFDAY = 52,
  SGI_SETTIMETRIM = 53,
  SGI_GETTIMETRIM = 54,
  SGI_SIGSTACK = 57,
  SGI_SSYNC = 62,
  SGI_ELFMAP = 68,
  SGI_PROC_ATTR_GET = 85,
  SGI_RXEV_GET = 92,
  SGI_SET_FP_PRECISE = 107,
  SGI_SET_FP_PRESERVE = 111,
  SGI_GET_FP_PRECISE = 116,
  SGI_USE_FP_BCOPY = 129,
  SGI_GET_UST = 130,
  SGI_NOFPE = 140,
  SGI_NUM_MODULES = 191
};
// sysmp(2)
enum {
  MP_NAPROCS = 2,
  MP_SASZ = 9,
  MP_SAGET = 10,
  MP_SCHED = 13,
  MP_PGSIZE = 14,
  MP_CLOCK = 18,
  MP_FASTCLOCK = 26
};
// prctl(2)
enum {
  PR_MAXPROCS = 1,
  PR_SETSTACKSIZE = 3,
  PR_GETSTACKSIZE = 4,
  PR_MAXPPROCS = 5,
  PR_UNBLKONEXEC = 6,
  PR_ATOMICSIM = 7,
  PR_RESIDENT = 9,
  PR_SETABORTSIG = 18,
  PR_LASTSHEXIT = 22
};
enum { PAGE = 4096 };

#define NOWHERE ((void*)16)

static char buffer[PAGE * 2];
static volatile int caught;

static void count(int sig) {
  (void)sig;
  ++caught;
}

static void test_machine(void) {
  check(indirect_syscall(SYSMP, MP_NAPROCS) == 1, "one processor");
  check(indirect_syscall(SYSMP, MP_PGSIZE) == PAGE && indirect_syscall(GETPAGESIZE) == PAGE,
        "pages of 4096 bytes");
  check_error(indirect_syscall(SYSMP, MP_SASZ, 0), EINVAL, "no system activity is recorded");
  check_error(indirect_syscall(SYSMP, MP_SAGET, 0, buffer, 4), EINVAL, "nor read");
  check_error(indirect_syscall(SYSMP, MP_CLOCK, 0), EPERM, "moving the clock is the superuser's");
  check_error(indirect_syscall(SYSMP, MP_FASTCLOCK, 0), EPERM, "and so is the fast clock");
  check(indirect_syscall(SYSSGI, SGI_SYSID, buffer) == 0, "the machine has an identifier");
  check_error(indirect_syscall(SYSSGI, SGI_SYSID, NOWHERE), EFAULT, "which needs a buffer");
  check_error(indirect_syscall(SYSSGI, SGI_QUERY_CYCLECNTR, buffer), ENODEV,
              "no cycle counter to map");
  check(indirect_syscall(SYSSGI, SGI_NUM_MODULES) == 1, "one module");
  check(indirect_syscall(UTSSYS, buffer, 0, 0) >= 0 && strncmp(buffer, "IRIX", 5) == 0, "uname");
  check_error(indirect_syscall(UTSSYS, NOWHERE, 0, 0), EFAULT, "uname to a bad address");
  check_error(indirect_syscall(UTSSYS, buffer, 0x7fff, 2), EINVAL, "ustat of an unknown device");
  const int id = indirect_syscall(GETHOSTID);
  check(id != -1 && id == indirect_syscall(GETHOSTID), "gethostid");
  check_error(indirect_syscall(SETHOSTID, 1), EPERM, "sethostid");
  check_error(indirect_syscall(SETDOMAINNAME, "x", 1), EPERM, "setdomainname");
}

static void test_requests(void) {
  check(indirect_syscall(SYSSGI, SGI_RDNAME, getpid(), buffer, 16) >= 8 &&
            strncmp(buffer, "sgicalls", 8) == 0,
        "SGI_RDNAME");
  check(indirect_syscall(SYSSGI, SGI_RDNAME, getpid(), buffer, 3) == 3, "SGI_RDNAME cuts the name");
  check_error(indirect_syscall(SYSSGI, SGI_RDNAME, 30000, buffer, 16), ESRCH,
              "SGI_RDNAME of nobody");
  check_error(indirect_syscall(SYSSGI, SGI_RDNAME, getpid(), NOWHERE, 16), EFAULT,
              "SGI_RDNAME to nowhere");
  uint32_t first[2] = {0, 0}, second[2] = {0, 0};
  check(indirect_syscall(SYSSGI, SGI_GET_UST, first) == 0, "SGI_GET_UST");
  for (volatile int i = 0; i < 20000; ++i) continue;
  check(indirect_syscall(SYSSGI, SGI_GET_UST, second) == 0 &&
            memcmp(first, second, sizeof first) != 0,
        "moves on");
  check_error(indirect_syscall(SYSSGI, SGI_GET_UST, NOWHERE), EFAULT, "SGI_GET_UST to nowhere");
  check_error(indirect_syscall(SYSSGI, SGI_SETTIMEOFDAY, first), EPERM, "settimeofday");
  check_error(indirect_syscall(SYSSGI, SGI_SETTIMETRIM, 1), EPERM, "settimetrim");
  int32_t trim = 7;
  check(indirect_syscall(SYSSGI, SGI_GETTIMETRIM, &trim) == 0 && trim == 0, "gettimetrim");
  check_error(indirect_syscall(SYSSGI, SGI_GETTIMETRIM, NOWHERE), EFAULT, "gettimetrim to nowhere");
  check_error(indirect_syscall(SYSSGI, SGI_PROC_ATTR_GET, buffer), EINVAL, "no process attributes");
  check(indirect_syscall(SYSSGI, SGI_SSYNC) == 0 &&
            indirect_syscall(SYSSGI, SGI_RXEV_GET, buffer) == 0 &&
            indirect_syscall(SYSSGI, SGI_SET_FP_PRECISE, 1) == 0 &&
            indirect_syscall(SYSSGI, SGI_SET_FP_PRESERVE, 1) == 0 &&
            indirect_syscall(SYSSGI, SGI_GET_FP_PRECISE) == 0 &&
            indirect_syscall(SYSSGI, SGI_USE_FP_BCOPY) == 0 &&
            indirect_syscall(SYSSGI, SGI_NOFPE) == 0,
        "requests about the floating point and buffers");
}

// mpin(2), madvise(2), plock(2), sysmips(2).
static void test_memory_locks(void) {
  enum { MUNPIN = 0, MPIN = 8, MADV_OF_IRIX = 4, FLUSH_CACHE = 3 };
  check(indirect_syscall(PAGELOCK, buffer, PAGE, MPIN) == 0, "mpin");
  check(indirect_syscall(PAGELOCK, buffer, PAGE, MUNPIN) == 0, "munpin");
  check_error(indirect_syscall(PAGELOCK, NOWHERE, PAGE, MPIN), EINVAL, "mpin of nothing");
  check_error(indirect_syscall(PAGELOCK, buffer, 0x7fffffff, MPIN), EINVAL, "or of too much");
  check_error(indirect_syscall(PAGELOCK, buffer, PAGE, 77), EINVAL, "another lock");
  check(indirect_syscall(MADVISE, buffer, PAGE, MADV_OF_IRIX) == 0, "madvise");
  check_error(indirect_syscall(MADVISE, NOWHERE, PAGE, MADV_OF_IRIX), ENOMEM, "about nothing");
  check_error(indirect_syscall(MADVISE, buffer, PAGE, 77), EINVAL, "other advice");
  check_error(indirect_syscall(PLOCK, 1), EPERM, "plock is the superuser's");
  check_error(indirect_syscall(PLOCK, 3), EINVAL, "another plock");
  check(indirect_syscall(SYSMIPS, FLUSH_CACHE, 0, 0, 0) == 0, "sysmips(FLUSH_CACHE)");
  check_error(indirect_syscall(SYSMIPS, 77, 0, 0, 0), EINVAL, "another sysmips");
}

__attribute__((noipa)) static uint32_t load(const void* at) { return *(const uint32_t*)at; }

// How a child ends that makes an access that is not aligned: 0, or the signal.
static int end_of_unaligned(int asks) {
  enum { MIPS_FIXADE = 7 };
  int status = -1;
  const pid_t pid = fork();
  if (pid == 0) {
    if (asks) indirect_syscall(SYSMIPS, MIPS_FIXADE, 1, 0, 0);
    uint32_t copied;
    memcpy(buffer, "unaligned", 9);
    memcpy(&copied, buffer + 1, sizeof copied);
    _exit(load(buffer + 1) == copied ? 0 : 1);
  }
  waitpid(pid, &status, 0);
  return status;
}

// An address error is SIGBUS (signal(5)), unless sysmips(MIPS_FIXADE) has the kernel make the
// access.
static void test_unaligned(void) {
  check(end_of_unaligned(0) == SIGBUS, "an access that is not aligned ends with SIGBUS");
  check(end_of_unaligned(1) == 0, "sysmips(MIPS_FIXADE) has it made");
}

// getpriority(2) and setpriority(2).
static void test_priorities(void) {
  enum { SET_PROCESS = 4, SET_GROUP, SET_USER, GET_PROCESS, GET_GROUP, GET_USER };
  check(indirect_syscall(SYSMP, MP_SCHED, GET_PROCESS, 0) == 0, "the usual priority is 0");
  check(indirect_syscall(SYSMP, MP_SCHED, SET_PROCESS, getpid(), 5) == 0 &&
            indirect_syscall(SYSMP, MP_SCHED, GET_PROCESS, getpid()) == 5,
        "setpriority of a process");
  check(indirect_syscall(SYSMP, MP_SCHED, SET_GROUP, 0, 7) == 0 &&
            indirect_syscall(SYSMP, MP_SCHED, GET_GROUP, 0) == 7,
        "of a process group");
  check(indirect_syscall(SYSMP, MP_SCHED, SET_USER, 0, 100) == 0 &&
            indirect_syscall(SYSMP, MP_SCHED, GET_USER, 0) == 20,
        "of a user, and 20 at most");
  check_error(indirect_syscall(SYSMP, MP_SCHED, SET_PROCESS, 0, 3), EACCES,
              "lowering it is the superuser's");
  check_error(indirect_syscall(SYSMP, MP_SCHED, GET_PROCESS, 30000), ESRCH, "of nobody");
  check_error(indirect_syscall(SYSMP, MP_SCHED, 77, 0), EINVAL, "another command");
}

static void test_share_limits(void) {
  check(indirect_syscall(PRCTL, PR_MAXPROCS) > 1 && indirect_syscall(PRCTL, PR_MAXPPROCS) == 1,
        "PR_MAXPROCS");
  check(indirect_syscall(PRCTL, PR_SETSTACKSIZE, 100000) == 102400,
        "PR_SETSTACKSIZE rounds up to pages");
  check(indirect_syscall(PRCTL, PR_GETSTACKSIZE) == 102400, "PR_GETSTACKSIZE");
  check_error(indirect_syscall(PRCTL, PR_SETSTACKSIZE, 0x7fffffff), EINVAL,
              "a stack beyond the limit");
  check(indirect_syscall(PRCTL, PR_ATOMICSIM) == 0, "PR_ATOMICSIM");
  check_error(indirect_syscall(PRCTL, PR_RESIDENT, 1), EPERM, "PR_RESIDENT");
  check(indirect_syscall(PRCTL, PR_LASTSHEXIT) == 1, "alone in its share group");
  check(indirect_syscall(PRCTL, PR_SETABORTSIG, SIGUSR1) == 0, "PR_SETABORTSIG");
  check_error(indirect_syscall(PRCTL, PR_SETABORTSIG, 65), EINVAL, "of a signal that there is not");
  check_error(indirect_syscall(PRCTL, PR_UNBLKONEXEC, 30000), ESRCH, "PR_UNBLKONEXEC of nobody");
  check(indirect_syscall(PRCTL, PR_UNBLKONEXEC, 0) == 0, "PR_UNBLKONEXEC");
}

static void test_ids_and_limits(void) {
  check(indirect_syscall(GETGID) > 0, "getgid");
  const int group = indirect_syscall(PGRPSYS, 0);
  check(group == getpid() && indirect_syscall(BSDGETPGRP, 0) == group, "getpgrp of a leader");
  check_error(indirect_syscall(BSDGETPGRP, 30000), ESRCH, "getpgrp of nobody");
  check(indirect_syscall(BSDSETPGRP, 0, group) == 0 && indirect_syscall(PGRPSYS, 0) == group,
        "setpgrp to its own");
  check_error(indirect_syscall(BSDSETPGRP, 30000, group), ESRCH, "setpgrp of nobody");
  check(indirect_syscall(PGRPSYS, 1) == getpid(), "setpgrp(2) of System V");
  uint32_t limit[4];
  check(indirect_syscall(GETRLIMIT64, 5, limit) == 0, "getrlimit64");
  check(indirect_syscall(SETRLIMIT64, 5, limit) == 0, "setrlimit64 to what it is");
  check_error(indirect_syscall(SETRLIMIT64, 99, limit), EINVAL,
              "setrlimit64 of an unknown resource");
  check_error(indirect_syscall(SETRLIMIT64, 5, NOWHERE), EFAULT, "setrlimit64 from nowhere");
}

static void test_superuser(void) {
  int32_t time[2] = {1, 0};
  check_error(indirect_syscall(STIME, 1), EPERM, "stime");
  check_error(indirect_syscall(ADJTIME, time, 0), EPERM, "adjtime");
  check_error(indirect_syscall(ACCT, "/x"), EPERM, "acct");
  check_error(indirect_syscall(MOUNT, "/a", "/b", 0, 0, 0, 0), EPERM, "mount");
  check_error(indirect_syscall(UMOUNT, "/a"), EPERM, "umount");
  check_error(indirect_syscall(VHANGUP), EPERM, "vhangup");
}

static void test_files(void) {
  const int fd = indirect_syscall(CREAT, "sgicalls.tmp", 0644);
  check(fd >= 3, "creat");
  check_error(indirect_syscall(CREAT, "missing/x", 0644), ENOENT,
              "creat below a missing directory");
  const int other = indirect_syscall(DUP, fd);
  check(other > fd && write(other, "text", 4) == 4, "dup");
  check_error(indirect_syscall(DUP, 99), EBADF, "dup of a closed descriptor");
  check(indirect_syscall(STATFS, ".", buffer, 40, 0) == 0 &&
            indirect_syscall(FSTATFS, fd, buffer, 40, 0) == 0,
        "statfs");
  check_error(indirect_syscall(STATFS, "missing", buffer, 40, 0), ENOENT,
              "statfs of a missing file");
  check_error(indirect_syscall(FSTATFS, 99, buffer, 40, 0), EBADF,
              "fstatfs of a closed descriptor");
  check_error(indirect_syscall(FSTATFS, fd, NOWHERE, 40, 0), EFAULT, "fstatfs to nowhere");
  check(indirect_syscall(FSTATVFS64, fd, buffer) == 0, "fstatvfs64");
  check_error(indirect_syscall(FSTATVFS64, 99, buffer), EBADF, "fstatvfs64 of a closed descriptor");
  check(indirect_syscall(GETMOUNTID, ".", buffer) == 0, "getmountid");
  check_error(indirect_syscall(GETMOUNTID, "missing", buffer), ENOENT,
              "getmountid of a missing file");
  check(indirect_syscall(LCHOWN, "sgicalls.tmp", -1, -1) == 0, "lchown");
  check_error(indirect_syscall(LCHOWN, "missing", -1, -1), ENOENT, "lchown of a missing file");
  close(other);
  close(fd);
}

// A shared mapping of the file, through mmap64 with its offset in two words behind a pad.
static void test_mapping(void) {
  const int fd = open("sgicalls.tmp", O_RDWR);
  char* const map =
      (char*)indirect_syscall(MMAP64, 0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0, 0, 0);
  check(map != (char*)-1 && memcmp(map, "text", 4) == 0, "mmap64 shows the file");
  map[0] = 'T';
  check(indirect_syscall(MSYNC, map, PAGE, 0) == 0 && read(fd, buffer, 4) == 4 && buffer[0] == 'T',
        "msync writes what was stored");
  check_error(indirect_syscall(MSYNC, map + 1, PAGE, 0), EINVAL,
              "msync of an address within a page");
  check_error(indirect_syscall(MSYNC, 0x30000000, PAGE, 0), ENOMEM, "msync of what is not mapped");
  check_error(indirect_syscall(MMAP64, 0, PAGE, PROT_READ, MAP_SHARED, 99, 0, 0, 0), EBADF,
              "mmap64 of a closed descriptor");
  close(fd);
  // e_phoff and the rest of it are not those of an object: no segment is sound.
  memset(buffer, 0, 64);
  const int file = open("sgicalls.tmp", O_RDONLY);
  check_error(indirect_syscall(SYSSGI, SGI_ELFMAP, 99, buffer, 1), EBADF,
              "SGI_ELFMAP without a file");
  check_error(indirect_syscall(SYSSGI, SGI_ELFMAP, file, NOWHERE, 1), EFAULT,
              "SGI_ELFMAP from nowhere");
  check_error(indirect_syscall(SYSSGI, SGI_ELFMAP, file, buffer, 1), ENOEXEC,
              "SGI_ELFMAP of no segment");
  check_error(indirect_syscall(SYSSGI, SGI_ELFMAP, file, buffer, 0), EINVAL,
              "SGI_ELFMAP of nothing");
  // PT_LOAD, offset 0, address 0x20000000, 4 bytes of the file, a page, readable and writable.
  const uint32_t segment[8] = {1, 0, 0x20000000, 0, 4, PAGE, 6, PAGE};
  memcpy(buffer, segment, sizeof segment);
  check((char*)indirect_syscall(SYSSGI, SGI_ELFMAP, file, buffer, 1) == (char*)0x20000000 &&
            memcmp((char*)0x20000000, "Text", 5) == 0,
        "SGI_ELFMAP maps where the segment says, zeros behind it");
  const int again = indirect_syscall(SYSSGI, SGI_ELFMAP, file, buffer, 1);
  check(again != -1 && again != 0x20000000 && memcmp((char*)again, "Text", 5) == 0,
        "and elsewhere when that is taken");
  close(file);
  indirect_syscall(UNLINK, "sgicalls.tmp");
}

static void test_signals(void) {
  struct sigaction action = {.sa_handler = count};
  sigaction(SIGUSR1, &action, NULL);
  uint32_t set[4] = {1u << (SIGUSR1 - 1), 0, 0, 0}, none[4] = {0}, pending[4];
  sigprocmask(SIG_BLOCK, (void*)set, NULL);
  kill(getpid(), SIGUSR1);
  check(indirect_syscall(SIGPENDING, pending) == 0 && pending[0] == set[0], "sigpending");
  check_error(indirect_syscall(SIGPENDING, NOWHERE), EFAULT, "sigpending to nowhere");
  check_error(indirect_syscall(SIGSUSPEND, none), EINTR, "sigsuspend ends with EINTR");
  check(caught == 1, "after the handler ran");
  check_error(indirect_syscall(SIGSUSPEND, NOWHERE), EFAULT, "sigsuspend from nowhere");
  sigprocmask(SIG_UNBLOCK, (void*)set, NULL);
  // procset_t: POP_AND, P_PID this process, P_ALL.
  int32_t processes[5] = {2, 0, getpid(), 7, 0};
  check(indirect_syscall(SIGSENDSET, processes, SIGUSR1) == 0 && caught == 2, "sigsendset");
  check_error(indirect_syscall(SIGSENDSET, NOWHERE, SIGUSR1), EFAULT, "sigsendset from nowhere");
  check(indirect_syscall(ALARM, 100) == 0 && indirect_syscall(ALARM, 0) == 100, "alarm");
  struct {
    char* stack;
    int32_t on;
  } stack = {buffer + sizeof buffer, 0}, old;
  check(indirect_syscall(SIGSTACK, &stack, 0) == 0 &&
            indirect_syscall(SYSSGI, SGI_SIGSTACK, 0, &old) == 0 && old.stack == stack.stack &&
            old.on == 0,
        "sigstack");
  check_error(indirect_syscall(SIGSTACK, NOWHERE, 0), EFAULT, "sigstack from nowhere");
  check(indirect_syscall(SCHED_YIELD) == 0, "sched_yield");
}

int main(void) {
  test_machine();
  test_requests();
  test_share_limits();
  test_memory_locks();
  test_unaligned();
  test_priorities();
  test_ids_and_limits();
  test_superuser();
  test_files();
  test_mapping();
  test_signals();
  return finish_checks();
}
