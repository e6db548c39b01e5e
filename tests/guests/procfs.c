// TAP: /proc, as a debugger uses it: stops, registers, memory, steps, signals, calls, faults, and
// what becomes of a process when its debugger goes. Sources: proc(4) of IRIX and of System V.4; the
// structures are those that SGI's own debuggers go by (docs/observed.md).
#include "guest/runtime/guest.h"
#include "guest/runtime/profil.h"

#if _MIPS_SIM == _ABIO32
typedef uint32_t greg_t;
#else
typedef uint64_t greg_t;
#endif
enum { GREGS = sizeof(greg_t) == 8 ? 37 : 36, EPC = 35, A0 = 4 };

struct timestruc {
  time_t seconds;
  long_t nanoseconds;
};

struct prstatus {
  long_t flags;
  int16_t why, what, signal, padding;
  sigset_t pending, held;
  siginfo_t info;
  struct {
    void* base;
    long_t size;
    int32_t flags;
  } stack;
  struct sigaction action;
  long_t call, arguments, error, result, second_result, argument[6];
  pid_t pid, parent, group, session;
  struct timestruc times[4];
  char class[8];
  long_t filler[20];
  uint32_t instruction;
  greg_t reg[GREGS];
};
_Static_assert(sizeof(struct prstatus) == (sizeof(long_t) == 8   ? 880
                                           : sizeof(greg_t) == 8 ? 696
                                                                 : 544),
               "struct prstatus");

struct prrun {
  long_t flags;
  sigset_t signals, held;
  uint32_t faults[4];
  void* address;
  long_t filler[8];
};

struct prwatch {
  void* address;
  long_t size, flags, filler;
};

struct prpsinfo {
  char state, letter, is_zombie, nice;
  long_t flag;
  int32_t user, group;
  pid_t pid, parent, process_group, session;
  void* address;
  long_t size, resident;
  void* channel;
  struct timestruc start, time;
  long_t priority;
  char unknown[20];
  char name[32];
  char arguments[80];
  long_t filler[20];
};

struct prmap {
  void* address;
  long_t size, offset, flags, filler[4];
};

enum {
  PIOCSTATUS = 0x7101,
  PIOCSTOP,
  PIOCWSTOP,
  PIOCRUN,
  PIOCSTRACE = 0x7106,
  PIOCSSIG,
  PIOCKILL,
  PIOCSFAULT = 0x710f,
  PIOCSENTRY = 0x7112,
  PIOCSEXIT = 0x7114,
  PIOCSREG = 0x711a,
  PIOCPSINFO = 0x711e,
  PIOCNMAP,
  PIOCMAP,
  PIOCOPENM,
  PIOCSET = 0x7126,
  PIOCNWATCH = 0x7128,
  PIOCGWATCH,
  PIOCSWATCH,
};
enum { PR_STOPPED = 1, PR_ISTOP = 4, PR_ASLEEP = 8, PR_FORK = 0x10, PR_RLC = 0x20, PR_KLC = 0x400 };
enum { REQUESTED = 1, SIGNALLED, SYSENTRY, SYSEXIT, FAULTED };
enum { PRCSIG = 1, PRCFAULT = 2, PRSTEP = 0x40, PRSABORT = 0x80 };
enum {
  FLTBPT = 3,
  FLTTRACE = 4,
  FLTWATCH = 13,
  EBUSY = 16,
  IOCTL = 1054,
  SGINAP = 1082,
  GETPID_CALL = 21,
  FORK_CALL = 3
};
enum { BREAK_WORD = 0x0000000d, MA_EXEC = 1, MA_WRITE = 2, MA_READ = 4 };
enum { MOST_WATCHES = 100 };

static volatile int cell = 1;

NOINLINE static int twice(int n) {
  __asm__ volatile("nop");
  return 2 * n;
}

static int ask(int file, int request, void* argument) {
  return syscall(IOCTL, file, request, argument);
}

static int open_process(const char* directory, pid_t pid, int flags) {
  char path[32], digits[5];
  for (int i = 4; i >= 0; --i, pid /= 10) digits[i] = (char)('0' + pid % 10);
  strcpy(path, directory);
  size_t length = strlen(path);
  memcpy(path + length, digits, sizeof digits);
  path[length + sizeof digits] = 0;
  return open(path, flags);
}

static int exit_status(pid_t child) {
  siginfo_t info;
  if (waitsys(0, child, &info, 1, 0) != 0) return -1;
  return info.data.child.status;
}

static void add(uint32_t* words, unsigned number) {
  words[(number - 1) / 32] |= 1u << (number - 1) % 32;
}

static int word_at(int file, const volatile void* address) {
  int word = 0;
  lseek(file, (off_t)(ptrdiff_t)address, SEEK_SET);
  return read(file, &word, sizeof word) == sizeof word ? word : -1;
}

static int write_word(int file, const volatile void* address, int word) {
  lseek(file, (off_t)(ptrdiff_t)address, SEEK_SET);
  return write(file, &word, sizeof word) == sizeof word;
}

static int run(int file, long_t flags) {
  struct prrun how;
  memset(&how, 0, sizeof how);
  how.flags = flags;
  return ask(file, PIOCRUN, &how);
}

// Runs on up to the next stop: whether it is this one.
static struct prstatus status;
static int runs_to(int file, long_t flags, int why, int what) {
  if (run(file, flags) != 0 || ask(file, PIOCWSTOP, &status) != 0) return 0;
  if (status.why == why && status.what == what) return 1;
  printf("# stopped for %d %d, not %d %d\n", status.why, status.what, why, what);
  return 0;
}

static void be_debugged(int gate) {
  char c;
  read(gate, &c, 1);
  int sum = twice(20);
  kill(getpid(), SIGUSR1);
  getpid();
  __asm__ volatile("break 0");
  _exit(sum == 42 && cell == 9 ? 7 : 8);
}

static void open_checks(void) {
  const pid_t self = getpid();
  struct prpsinfo info;
  check_error(open_process("/proc/", 99999, O_RDONLY), ENOENT, "no such process");
  int file = open_process("/proc/", self, O_RDONLY);
  check(file >= 0 && ask(file, PIOCSTATUS, &status) == 0 && status.pid == self && status.flags == 0,
        "the caller's own status: it runs");
  check_error(run(file, 0), EBADF, "who may only read controls nothing");
  int writer = open_process("/debug/", self, O_RDWR);
  check(writer >= 0, "/debug is /proc");
  check_error(open_process("/proc/", self, O_RDWR | O_EXCL), EBUSY, "O_EXCL beside another one");
  check_error(run(writer, 0), EBUSY, "a process that runs cannot be let run");
  close(writer);
  writer = open_process("/proc/", self, O_RDWR | O_EXCL);
  check(writer >= 0, "O_EXCL alone");
  check_error(open_process("/proc/", self, O_RDWR), EBUSY, "another one beside O_EXCL");
  close(writer);
  check(word_at(file, &cell) == 1, "memory");
  check_error(word_at(file, (void*)16) == -1 ? -1 : 0, 5, "no memory: EIO");
  close(file);
  check_error(open_process("/proc/pinfo/", self, O_RDWR), EACCES, "pinfo is to be read");
  file = open_process("/proc/pinfo/", self, O_RDONLY);
  check(file >= 0 && ask(file, PIOCPSINFO, &info) == 0 && info.pid == self && info.letter == 'R' &&
            strncmp(info.name, "procfs", 6) == 0 && info.size > 0 && info.resident > 0,
        "what ps(1) says of the caller");
  check_error(ask(file, PIOCSTATUS, &status), EINVAL, "pinfo has no status");
  check_error(read(file, &info, 4), EBADF, "pinfo has no memory");
  close(file);
}

static pid_t make_child(int gate[2]) {
  pipe(gate);
  const pid_t child = fork();
  if (child == 0) be_debugged(gate[0]);
  return child;
}

static void set_events(int file) {
  uint32_t signals[4] = {0}, faults[4] = {0}, calls[16] = {0};
  add(signals, SIGTRAP);
  add(signals, SIGUSR1);
  ask(file, PIOCSTRACE, signals);
  add(faults, FLTTRACE);
  ask(file, PIOCSFAULT, faults);
  ask(file, PIOCSEXIT, calls);
}

static void breakpoint_checks(int file) {
  const int word = word_at(file, (void*)twice);
  check(write_word(file, (void*)twice, BREAK_WORD), "a breakpoint in text");
  check(runs_to(file, 0, SIGNALLED, SIGTRAP), "it is a signal");
  check(status.reg[EPC] == (greg_t)(ptrdiff_t)twice && status.reg[A0] == 20 &&
            status.instruction == BREAK_WORD && status.signal == SIGTRAP &&
            status.info.si_signo == SIGTRAP,
        "its status");
  write_word(file, (void*)twice, word);
  status.reg[A0] = 21;
  check(ask(file, PIOCSREG, status.reg) == 0, "registers are changed");
  check(write_word(file, &cell, 9), "data, too");
  check(runs_to(file, PRCSIG | PRSTEP, FAULTED, FLTTRACE), "a step is a fault");
  check(status.reg[EPC] == (greg_t)((ptrdiff_t)twice + 4), "one instruction further");
}

static void signal_checks(int file) {
  check(runs_to(file, PRCFAULT, SIGNALLED, SIGUSR1), "a signal stops");
  check(status.info.data.child.pid == status.pid, "who sent it");
  uint32_t calls[16] = {0};
  add(calls, GETPID_CALL);
  ask(file, PIOCSENTRY, calls);
  ask(file, PIOCSEXIT, calls);
  check(runs_to(file, PRCSIG, SYSENTRY, GETPID_CALL), "a call begins");
  check(status.call == GETPID_CALL, "its number");
  check(runs_to(file, 0, SYSEXIT, GETPID_CALL), "a call ends");
  check(status.result == status.pid && status.second_result == status.parent && status.error == 0,
        "its results");
}

static void fault_checks(int file) {
  uint32_t faults[4] = {0};
  add(faults, FLTBPT);
  ask(file, PIOCSFAULT, faults);
  check(runs_to(file, 0, FAULTED, FLTBPT), "a fault stops before its signal does");
  check(runs_to(file, 0, SIGNALLED, SIGTRAP), "a fault that goes on becomes its signal");
  status.reg[EPC] += 4;
  ask(file, PIOCSREG, status.reg);
}

static void debug_checks(void) {
  int gate[2];
  const pid_t child = make_child(gate);
  const int file = open_process("/proc/", child, O_RDWR | O_EXCL);
  check(ask(file, PIOCSTOP, &status) == 0 && status.why == REQUESTED &&
            (status.flags & (PR_STOPPED | PR_ISTOP)) == (PR_STOPPED | PR_ISTOP),
        "it stops on request");
  siginfo_t info;
  check(waitsys(0, child, &info, 4 | 0x40, 0) == 0 && info.si_signo == 0,
        "of which its parent does not hear");
  write(gate[1], "x", 1);
  set_events(file);
  breakpoint_checks(file);
  signal_checks(file);
  fault_checks(file);
  check(run(file, PRCSIG) == 0, "it goes on");
  check(exit_status(child) == 7, "to its end");
  check_error(ask(file, PIOCWSTOP, &status), ENOENT, "which is no stop");
  close(file);
}

// A child that waits for ever, stopped.
static int stopped_child(pid_t* child) {
  int gate[2];
  char c;
  pipe(gate);
  *child = fork();
  if (*child == 0) _exit(read(gate[0], &c, 1) == -1 && errno == EINTR ? 4 : 5);
  const int file = open_process("/proc/", *child, O_RDWR);
  syscall(SGINAP, 5);
  ask(file, PIOCSTOP, &status);
  return file;
}

static void end_checks(void) {
  pid_t child;
  int file = stopped_child(&child);
  check((status.flags & PR_ASLEEP) != 0, "it is stopped in its sleep");
  run(file, PRSABORT);
  check(exit_status(child) == 4, "a call that waits is broken off: EINTR");
  close(file);
  long_t mode = PR_KLC;
  file = stopped_child(&child);
  ask(file, PIOCSET, &mode);
  close(file);
  check(exit_status(child) == SIGKILL, "killed by the last close");
  file = stopped_child(&child);
  int signal = SIGKILL;
  check(ask(file, PIOCKILL, &signal) == 0 && exit_status(child) == SIGKILL, "killed by request");
  close(file);
}

static void fork_checks(void) {
  int gate[2];
  pipe(gate);
  const pid_t child = fork();
  if (child == 0) {
    char c;
    read(gate[0], &c, 1);
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(3);
    _exit(exit_status(grandchild));
  }
  const int file = open_process("/proc/", child, O_RDWR);
  ask(file, PIOCSTOP, &status);
  long_t modes = PR_FORK | PR_RLC;
  ask(file, PIOCSET, &modes);
  uint32_t calls[16] = {0};
  add(calls, FORK_CALL);
  ask(file, PIOCSEXIT, calls);
  write(gate[1], "x", 1);
  check(runs_to(file, 0, SYSEXIT, FORK_CALL), "fork ends");
  const int other = open_process("/proc/", (pid_t)status.result, O_RDWR);
  check(ask(other, PIOCWSTOP, &status) == 0 && status.why == SYSEXIT && status.what == FORK_CALL &&
            status.parent == child,
        "the child of one that hands its control on stops, too");
  close(other);
  close(file);
  check(exit_status(child) == 3, "both run on with the last close");
}

static void map_checks(void) {
  const int file = open_process("/proc/", getpid(), O_RDONLY);
  int count = 0, text = 0;
  static struct prmap maps[64];
  check(ask(file, PIOCNMAP, &count) == 0 && count > 2 && count < 63, "how many regions there are");
  check(ask(file, PIOCMAP, maps) == 0 && maps[count].size == 0, "the regions");
  for (int i = 0; i < count; ++i) {
    const ptrdiff_t start = (ptrdiff_t)maps[i].address, place = (ptrdiff_t)twice;
    text += start <= place && place < start + maps[i].size && (maps[i].flags & MA_EXEC) != 0;
  }
  check(text == 1, "the text is one of them");
  const int program = ask(file, PIOCOPENM, 0);
  char magic[4] = "";
  check(program >= 0 && read(program, magic, 4) == 4 && strncmp(magic + 1, "ELF", 3) == 0,
        "the program's file");
  close(program);
  close(file);
}

// ---- Watched memory. Sources: GDB, procfs.c (a size of 0 ends it, ESRCH, E2BIG; the pc is the
// access's); TotalView's Users Guide, "Architectures" (about 100, no limit on size or alignment,
// no overlaps).
static volatile struct {
  int first;
  char bytes[4];
  int last;
} watched;

static int watch(int file, const volatile void* address, long_t size, long_t flags) {
  struct prwatch area = {(void*)address, size, flags, 0};
  return ask(file, PIOCSWATCH, &area);
}

static void touch_watched(int gate) {
  char c;
  read(gate, &c, 1);
  watched.first = 3;
  const int sum = watched.last + watched.first;
  watched.bytes[3] = 4;
  twice(sum);
  watched.last = 5;
  kill(getpid(), SIGUSR1);
  _exit(watched.first + watched.bytes[3]);
}

static int stops_at_watch(int file, const volatile void* address) {
  return runs_to(file, PRCSIG | PRCFAULT, FAULTED, FLTWATCH) && status.info.si_signo == SIGTRAP &&
         status.info.data.address == (void*)address;
}

// What a debugger does to go on behind the access.
static int steps_over(int file, const volatile void* address) {
  return watch(file, address, 0, 0) == 0 && runs_to(file, PRCFAULT | PRSTEP, FAULTED, FLTTRACE);
}

static void watch_request_checks(int file) {
  static struct prwatch areas[MOST_WATCHES];
  int most = 0;
  check(ask(file, PIOCNWATCH, &most) == 0 && most == MOST_WATCHES, "how many areas there may be");
  check_error(watch(file, &watched.first, 0, 0), ESRCH, "what is not watched cannot end");
  check(watch(file, &watched.bytes[1], 6, MA_READ | MA_WRITE) == 0, "any size and alignment");
  check_error(watch(file, &watched.last, 1, MA_WRITE), EINVAL, "areas do not overlap");
  check_error(watch(file, &watched.first, 4, 0), EINVAL, "nothing to watch for");
  check(ask(file, PIOCGWATCH, areas) == 0 && areas[0].address == &watched.bytes[1] &&
            areas[0].size == 6 && areas[0].flags == (MA_READ | MA_WRITE) && areas[1].size == 0,
        "the areas");
  char* const none = (char*)16;
  int count = 1;
  while (watch(file, none + count, 1, MA_WRITE) == 0) ++count;
  check(count == MOST_WATCHES && errno == E2BIG, "one too many");
  for (int i = 1; i < count; ++i) watch(file, none + i, 0, 0);
  check(watch(file, &watched.bytes[1], 0, 0) == 0, "the end of one");
}

static void watch_stop_checks(int file) {
  check(watch(file, &watched.first, 4, MA_WRITE) == 0 &&
            watch(file, &watched.bytes[3], 1, MA_WRITE) == 0 &&
            watch(file, (void*)twice, 4, MA_EXEC) == 0,
        "three areas");
  check(stops_at_watch(file, &watched.first), "a store stops");
  check(word_at(file, &watched.first) == 0, "before it is done");
  check(stops_at_watch(file, &watched.first), "again, as long as it is watched");
  check(steps_over(file, &watched.first) && word_at(file, &watched.first) == 3,
        "a step over the store");
  check(stops_at_watch(file, &watched.bytes[3]), "not for its loads: a byte");
  check(steps_over(file, &watched.bytes[3]), "a step over that");
  check(stops_at_watch(file, (void*)twice) && status.reg[EPC] == (greg_t)(ptrdiff_t)twice,
        "an instruction");
  check(steps_over(file, (void*)twice), "a step over that, too");
  check(watch(file, &watched.last, 2, MA_READ) == 0, "half of a word");
}

static void watch_checks(void) {
  int gate[2];
  pipe(gate);
  const pid_t child = fork();
  if (child == 0) touch_watched(gate[0]);
  const int file = open_process("/proc/", child, O_RDWR);
  ask(file, PIOCSTOP, &status);
  watch_request_checks(file);
  uint32_t faults[4] = {0}, signals[4] = {0};
  add(faults, FLTWATCH);
  add(faults, FLTTRACE);
  ask(file, PIOCSFAULT, faults);
  add(signals, SIGUSR1);
  ask(file, PIOCSTRACE, signals);
  write(gate[1], "x", 1);
  watch_stop_checks(file);
  check(runs_to(file, PRCFAULT, SIGNALLED, SIGUSR1), "a store where only loads are watched");
  check(watch(file, &watched.first, 4, MA_READ) == 0 && stops_at_watch(file, &watched.first),
        "a load");
  memset(faults, 0, sizeof faults);
  ask(file, PIOCSFAULT, faults);
  run(file, PRCFAULT);
  check(exit_status(child) == SIGTRAP, "SIGTRAP, where nobody wants to hear of the fault");
  close(file);
}

// ---- The processes of the machine.
struct dirent {
  off_t d_ino;
  off_t d_off;
  uint16_t d_reclen;
  char d_name[];
};

static char entries[2048] __attribute__((aligned(8)));

// How many entries have the name; -1: the directory cannot be read.
static int entries_named(const char* directory, const char* name) {
  const int fd = open(directory, O_RDONLY);
  const int size = syscall(1081, fd, entries, sizeof entries);
  close(fd);
  int count = size < 0 ? -1 : 0;
  for (int at = 0; at < size; at += ((struct dirent*)(entries + at))->d_reclen) {
    count += strcmp(((struct dirent*)(entries + at))->d_name, name) == 0;
  }
  return count;
}

static int entries_of(const char* directory, pid_t pid) {
  char name[6] = "00000";
  for (int i = 4; i >= 0; --i, pid /= 10) name[i] = (char)('0' + pid % 10);
  return entries_named(directory, name);
}

static void listing_checks(pid_t child) {
  check(entries_named("/proc", "pinfo") == 1, "/proc has pinfo");
  check(entries_of("/proc", getpid()) == 1 && entries_of("/proc", child) == 1,
        "/proc has the processes");
  check(entries_of("/proc/pinfo", getpid()) == 1 && entries_of("/proc/pinfo", child) == 1,
        "/proc/pinfo has them, too");
}

static void ps_checks(void) {
  pid_t child;
  struct prpsinfo info;
  const int file = stopped_child(&child);
  listing_checks(child);
  check(ask(file, PIOCPSINFO, &info) == 0 && info.pid == child && info.parent == getpid() &&
            info.letter == 'T' && !info.is_zombie && strncmp(info.name, "procfs", 6) == 0,
        "what ps(1) says of a child that stands still");
  const int other = open_process("/proc/pinfo/", child, O_RDONLY);
  run(file, 0);
  syscall(SGINAP, 2);
  check(ask(other, PIOCPSINFO, &info) == 0 && info.letter == 'S', "and of one that waits");
  int signal = SIGKILL;
  ask(file, PIOCKILL, &signal);
  close(file);
  syscall(SGINAP, 2);
  check(ask(other, PIOCPSINFO, &info) == 0 && info.letter == 'Z' && info.is_zombie &&
            info.pid == child,
        "and of one that has ended");
  check(exit_status(child) == SIGKILL, "until its parent knows");
  check_error(ask(other, PIOCPSINFO, &info), ENOENT, "then there is nothing to say");
  check(entries_of("/proc", child) == 0, "nor to list");
  close(other);
}

// ---- A program that counts its own ticks, and stands still in between.
static uint16_t counters[2];
static volatile int enough;

static void count_ticks(void) {
  // Every pc counts in the first counter.
  profil(counters, sizeof counters, 0, 2);
  while (!enough) continue;
  profil(0, 0, 0, 0);
  _exit(5);
}

static uint32_t ticks_of(int file) {
  uint16_t count = 0;
  lseek(file, (off_t)(ptrdiff_t)counters, SEEK_SET);
  read(file, &count, sizeof count);
  return count;
}

// How many ticks the process, whose status was read last, has run, by the kernel's account.
static uint32_t ticks_run(void) {
  const struct timestruc* user = &status.times[0];
  return (uint32_t)user->seconds * 100 + (uint32_t)user->nanoseconds / 10000000;
}

static void profil_checks(void) {
  const pid_t child = fork();
  if (child == 0) count_ticks();
  const int file = open_process("/proc/", child, O_RDWR);
  syscall(SGINAP, 10);
  ask(file, PIOCSTOP, &status);
  const uint32_t before = ticks_of(file);
  const uint32_t run_before = ticks_run();
  check(before > 5 && before <= run_before && before + 1 >= run_before,
        "profil() counts up to the stop");
  syscall(SGINAP, 20);
  check(ticks_of(file) == before, "not while the process stands still");
  run(file, 0);
  syscall(SGINAP, 10);
  ask(file, PIOCSTOP, &status);
  const uint32_t after = ticks_of(file) - before;
  check(after > 5 && after == ticks_run() - run_before, "and again behind it");
  write_word(file, &enough, 1);
  run(file, 0);
  check(exit_status(child) == 5, "to its end");
  close(file);
}

int main(void) {
  open_checks();
  debug_checks();
  end_checks();
  fork_checks();
  map_checks();
  watch_checks();
  ps_checks();
  profil_checks();
  return finish_checks();
}
