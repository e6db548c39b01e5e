// Every call of the first IRIX call set, with its error cases, as TAP. Needs a writable working
// directory, where it leaves calls.tmp and calls.bad. Each expectation is the RETURN VALUE or
// ERRORS section of the call's IRIX (SVR4) manual page.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/profil.h>
#include <sys/syscall.h>
#include <sys/syssgi.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/guests/profiling.h"
#include "tests/guests/tap.h"

// An address that no guest has mapped: the page below the program text.
#define BAD_POINTER ((void*)0x003ff000)

// syssgi(2), getrusage(3), sysconf(3).
enum { RUSAGE_SELF = 0, _SC_CLK_TCK = 3, _SC_PAGESIZE = 11 };
struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_counts[14];
};

// From the linker script.
extern char _end[];

static volatile int signals_seen;
static volatile uint32_t fault_address;

static void count_signal(int sig) {
  (void)sig;
  ++signals_seen;
}

static void skip_faulting_load(int sig, siginfo_t* info, void* context) {
  (void)sig;
  fault_address = (uint32_t)info->si_addr;
  ((ucontext_t*)context)->uc_gregs[CTX_EPC] += 4;
}

// Reads a word that may be unmapped; 1 when the load faulted.
static __attribute__((noipa)) int load_faults(const void* address) {
  uint32_t value;
  fault_address = 1;
  __asm__ volatile(".set push\n\t.set noreorder\n\tlw %0, 0(%1)\n\tnop\n\t.set pop"
                   : "=r"(value)
                   : "r"(address)
                   : "memory");
  return fault_address != 1;
}

static void catch_signal(int sig, _handler handler) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(sig, &action, NULL);
}

static int is_zero(const void* bytes, size_t size) {
  const uint8_t* b = bytes;
  while (size-- > 0) {
    if (*b++ != 0) return 0;
  }
  return 1;
}

static void test_files(void) {
  char buffer[16];
  int fd = open("calls.tmp", O_RDWR | O_CREAT | O_TRUNC, 0666);
  check(fd >= 3, "open creates a file");
  check(write(fd, "0123456789", 10) == 10, "write returns the bytes written");
  check(lseek(fd, 2, SEEK_SET) == 2, "lseek SEEK_SET");
  check(read(fd, buffer, 4) == 4 && memcmp(buffer, "2345", 4) == 0, "read from there");
  check(lseek(fd, -2, SEEK_CUR) == 4, "lseek SEEK_CUR");
  check(lseek(fd, 0, SEEK_END) == 10, "lseek SEEK_END");
  check(read(fd, buffer, 4) == 0, "read at the end returns 0");
  check_error(lseek(fd, 0, 7), EINVAL, "lseek with an unknown whence");
  check_error(lseek(fd, -1, SEEK_SET), EINVAL, "lseek before the beginning");
  lseek(fd, 0, SEEK_SET);
  check_error(read(fd, BAD_POINTER, 4), EFAULT, "read to a bad address");
  check_error(write(fd, BAD_POINTER, 4), EFAULT, "write from a bad address");
  check(close(fd) == 0, "close");
  check_error(close(fd), EBADF, "close twice");
  check_error(read(fd, buffer, 1), EBADF, "read from a closed descriptor");
  check_error(write(99, buffer, 1), EBADF, "write to a descriptor that never was");
  check_error(lseek(99, 0, SEEK_SET), EBADF, "lseek on a descriptor that never was");

  fd = open("calls.tmp", O_RDONLY);
  check(fd >= 3 && read(fd, buffer, 16) == 10, "the file keeps its ten bytes");
  check_error(write(fd, "x", 1), EBADF, "write to a descriptor open for reading");
  close(fd);
  fd = open("calls.tmp", O_WRONLY | O_APPEND);
  check(write(fd, "ab", 2) == 2 && lseek(fd, 0, SEEK_CUR) == 12, "O_APPEND writes at the end");
  check_error(read(fd, buffer, 1), EBADF, "read from a descriptor open for writing");
  close(fd);
}

static void test_open_errors(void) {
  static char long_name[400];
  memset(long_name, 'n', sizeof long_name - 1);
  check_error(open("no-such-file", O_RDONLY), ENOENT, "open of a missing file");
  check_error(open("no-such-directory/file", O_RDWR | O_CREAT, 0666), ENOENT,
              "open in a missing directory");
  check_error(open("", O_RDONLY), ENOENT, "open of an empty name");
  check_error(open("calls.tmp", O_RDWR | O_CREAT | O_EXCL, 0666), EEXIST,
              "open with O_EXCL of a file that exists");
  check_error(open(".", O_WRONLY), EISDIR, "open of a directory for writing");
  check_error(open(BAD_POINTER, O_RDONLY), EFAULT, "open with a bad name pointer");
  check_error(open(long_name, O_RDONLY), ENAMETOOLONG, "open with too long a name");
}

static void test_pipes(void) {
  int fds[2];
  char buffer[8];
  check(pipe(fds) == 0 && fds[0] != fds[1], "pipe returns two descriptors");
  check(write(fds[1], "pipe", 4) == 4, "write to a pipe");
  check(read(fds[0], buffer, 8) == 4 && memcmp(buffer, "pipe", 4) == 0,
        "read returns what is in the pipe");
  check_error(lseek(fds[0], 0, SEEK_SET), ESPIPE, "lseek on a pipe");
  close(fds[1]);
  check(read(fds[0], buffer, 8) == 0, "read without writers returns 0");
  close(fds[0]);

  pipe(fds);
  close(fds[0]);
  catch_signal(SIGPIPE, count_signal);
  signals_seen = 0;
  check_error(write(fds[1], "x", 1), EPIPE, "write without readers");
  check(signals_seen == 1, "write without readers sends SIGPIPE");
  catch_signal(SIGPIPE, SIG_IGN);
  check_error(write(fds[1], "x", 1), EPIPE, "write without readers, SIGPIPE ignored");
  close(fds[1]);
}

static void test_memory(void) {
  char* end = (char*)(((uint32_t)_end + 4095) & ~4095u);
  struct sigaction skip = {.sa_flags = SA_SIGINFO, .sa_sigaction = skip_faulting_load};
  sigaction(SIGSEGV, &skip, NULL);
  check(brk(end + 0x4000) == 0, "brk");
  check(is_zero(end, 0x4000), "the new memory is zero");
  end[0x3fff] = 1;
  check_error(brk((void*)0x7fff0000), ENOMEM, "brk into the stack");
  check(end[0x3fff] == 1, "a failed brk leaves the break alone");

  int zero = open("/dev/zero", O_RDWR);
  char* map = mmap(NULL, 0x3000, PROT_READ | PROT_WRITE, MAP_PRIVATE, zero, 0);
  check(map != MAP_FAILED && ((uint32_t)map & 4095) == 0, "mmap of /dev/zero");
  check(is_zero(map, 0x3000), "its memory is zero");
  map[0] = map[0x2fff] = 1;
  check(munmap(map + 0x1000, 0x1000) == 0, "munmap of the middle page");
  check(map[0] == 1 && map[0x2fff] == 1, "the pages around it stay");
  check(load_faults(map + 0x1010) && fault_address == (uint32_t)map + 0x1010,
        "a load from the hole sends SIGSEGV with the address");
  char* fixed =
      mmap(map + 0x1000, 0x1000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, zero, 0);
  check(fixed == map + 0x1000 && is_zero(fixed, 0x1000), "mmap with MAP_FIXED fills the hole");
  check(!load_faults(fixed + 0x10), "a load from there works again");

  check_error((int)mmap(NULL, 0, PROT_READ, MAP_PRIVATE, zero, 0), EINVAL, "mmap of length 0");
  check_error((int)mmap(map + 1, 0x1000, PROT_READ, MAP_PRIVATE | MAP_FIXED, zero, 0), EINVAL,
              "mmap with MAP_FIXED at an odd address");
  check_error((int)mmap(NULL, 0x1000, PROT_READ, MAP_PRIVATE, zero, 1), EINVAL,
              "mmap with an odd offset");
  check_error((int)mmap(NULL, 0x1000, PROT_READ, MAP_PRIVATE, 99, 0), EBADF,
              "mmap of a closed descriptor");
  check_error(munmap(map + 1, 0x1000), EINVAL, "munmap at an odd address");
  check_error(munmap(map, 0), EINVAL, "munmap of length 0");
  close(zero);
  catch_signal(SIGSEGV, SIG_DFL);
}

static void test_times(void) {
  struct timeval now;
  struct tms start, end;
  struct rusage usage;
  time_t stored = 0;
  time_t seconds = time(&stored);
  check(seconds == stored, "time returns and stores the same second");
  check(gettimeofday(&now, NULL) == 0 && (now.tv_sec == seconds || now.tv_sec == seconds + 1) &&
            now.tv_usec >= 0 && now.tv_usec < 1000000,
        "BSDgettimeofday agrees with time");
  clock_t first = times(&start);
  burn_ticks(5);
  clock_t second = times(&end);
  check(second - first >= 5, "times returns hundredths of a second");
  check(end.tms_utime > start.tms_utime && end.tms_utime - start.tms_utime <= second - first,
        "tms_utime advances with the CPU's use");
  check(syssgi(SGI_RUSAGE, RUSAGE_SELF, &usage) == 0 &&
            usage.ru_utime.tv_sec * 100 + usage.ru_utime.tv_usec / 10000 >= end.tms_utime - 1,
        "getrusage agrees with times");
  check_error(gettimeofday(BAD_POINTER, NULL), EFAULT, "BSDgettimeofday to a bad address");
  check_error(times(BAD_POINTER), EFAULT, "times to a bad address");
  check_error(syssgi(SGI_RUSAGE, RUSAGE_SELF, BAD_POINTER), EFAULT, "getrusage to a bad address");
  check_error(syssgi(SGI_RUSAGE, 7, &usage), EINVAL, "getrusage of an unknown who");
}

static void test_signals(void) {
  struct sigaction action = {.sa_handler = count_signal};
  struct sigaction old;
  sigset_t set = {{1u << (SIGUSR1 - 1)}};
  sigset_t seen;
  check(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
  check(sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler == count_signal,
        "sigaction reports the handler");
  signals_seen = 0;
  check(kill(getpid(), SIGUSR1) == 0 && signals_seen == 1, "kill of oneself runs the handler");
  check(kill(getpid(), 0) == 0 && signals_seen == 1, "kill with signal 0 only checks");

  check(sigprocmask(SIG_BLOCK, &set, NULL) == 0, "sigprocmask SIG_BLOCK");
  kill(getpid(), SIGUSR1);
  check(signals_seen == 1, "a blocked signal waits");
  check(sigprocmask(SIG_UNBLOCK, &set, &seen) == 0 && seen._bits[0] == set._bits[0],
        "sigprocmask SIG_UNBLOCK reports the old mask");
  check(signals_seen == 2, "and delivers the signal");
  check(sigprocmask(SIG_SETMASK, NULL, &seen) == 0 && seen._bits[0] == 0,
        "sigprocmask without a set only reports");

  check_error(sigaction(SIGKILL, &action, NULL), EINVAL, "sigaction of SIGKILL");
  check_error(sigaction(0, &action, NULL), EINVAL, "sigaction of signal 0");
  check_error(sigaction(1000, &action, NULL), EINVAL, "sigaction of signal 1000");
  check_error(sigaction(SIGUSR1, BAD_POINTER, NULL), EFAULT, "sigaction from a bad address");
  check_error(sigprocmask(77, &set, NULL), EINVAL, "sigprocmask with an unknown how");
  check_error(sigprocmask(SIG_BLOCK, BAD_POINTER, NULL), EFAULT, "sigprocmask from a bad address");
  check_error(kill(getpid(), 1000), EINVAL, "kill with signal 1000");
  check_error(kill(32000, SIGUSR1), ESRCH, "kill of a process that is not");
}

static void test_timers(void) {
  struct itimerval value = {{0, 0}, {0, 20000}};
  struct itimerval rest;
  catch_signal(SIGALRM, count_signal);
  signals_seen = 0;
  check(setitimer(ITIMER_REAL, &value, NULL) == 0, "setitimer");
  check(getitimer(ITIMER_REAL, &rest) == 0 && rest.it_value.tv_sec == 0 &&
            rest.it_value.tv_usec > 0 && rest.it_value.tv_usec <= 30000,
        "getitimer reports the rest");
  burn_ticks(6);
  check(signals_seen == 1, "a timer without interval sends one SIGALRM");
  check(getitimer(ITIMER_REAL, &rest) == 0 && is_zero(&rest, sizeof rest),
        "an expired timer reads as zero");
  value.it_value.tv_usec = 1000000;
  check_error(setitimer(ITIMER_REAL, &value, NULL), EINVAL,
              "setitimer with a million microseconds");
  check_error(setitimer(9, &rest, NULL), EINVAL, "setitimer of an unknown timer");
  check_error(setitimer(ITIMER_REAL, BAD_POINTER, NULL), EFAULT, "setitimer from a bad address");
  check_error(getitimer(9, &rest), EINVAL, "getitimer of an unknown timer");
  check_error(getitimer(ITIMER_REAL, BAD_POINTER), EFAULT, "getitimer to a bad address");
}

static void test_processes(void) {
  siginfo_t info;
  int fds[2];
  char byte;
  pid_t parent = getpid();
  check_error(waitid(P_ALL, 0, &info, WEXITED), ECHILD, "waitsys without children");
  pipe(fds);
  int shared = open("calls.tmp", O_RDONLY);
  volatile int private = 1;

  pid_t pid = fork();
  if (pid == 0) {
    private = 2;
    lseek(shared, 5, SEEK_SET);
    close(fds[1]);
    read(fds[0], &byte, 1);
    _exit(getppid() == parent && getpid() != parent ? 7 : 8);
  }
  check(pid > 0 && pid != parent, "fork returns the child's id");
  check(waitid(P_ALL, 0, &info, WEXITED | WNOHANG) == 0,
        "waitsys with WNOHANG does not wait for a running child");
  check_error(waitid(P_ALL, 0, &info, 0), EINVAL, "waitsys with no event asked for");
  check_error(waitid(5555, 0, &info, WEXITED), EINVAL, "waitsys with an unknown idtype");
  check_error(waitid(P_PID, parent, &info, WEXITED), ECHILD, "waitsys for no child of ours");
  close(fds[1]);
  check(waitid(P_PID, pid, &info, WEXITED) == 0, "waitsys waits for the child");
  check(info.si_signo == SIGCLD && info.si_code == CLD_EXITED && info.si_pid == pid,
        "and says that it exited");
  check(info.si_status == 7, "and its status; the child knew its parent");
  check(private == 1, "the child wrote to its own memory");
  check(lseek(shared, 0, SEEK_CUR) == 5, "and shared its parent's file offset");
  check_error(waitid(P_PID, pid, &info, WEXITED), ECHILD, "a child is waited for once");
  close(fds[0]);
  close(shared);

  pid = fork();
  if (pid == 0) kill(getpid(), SIGKILL);
  check(waitid(P_PID, pid, &info, WEXITED) == 0 && info.si_code == CLD_KILLED &&
            info.si_status == SIGKILL,
        "waitsys says which signal killed a child");
}

static void test_exec(char* program) {
  char* arguments[] = {program, "in", "a child", NULL};
  char* environment[] = {"KEY=value", NULL};
  siginfo_t info;
  pid_t pid = fork();
  if (pid == 0) {
    execve(program, arguments, environment);
    _exit(99);
  }
  waitid(P_PID, pid, &info, WEXITED);
  check(info.si_code == CLD_EXITED && info.si_status == 33,
        "execve passes arguments and environment");

  int fd = open("calls.bad", O_WRONLY | O_CREAT | O_TRUNC, 0777);
  write(fd, "not a program\n", 14);
  close(fd);
  check_error(execve("./calls.bad", arguments, environment), ENOEXEC, "execve of a text file");
  check_error(execve("./calls.tmp", arguments, environment), EACCES,
              "execve of a file without the execute bit");
  check_error(execve("no-such-file", arguments, environment), ENOENT, "execve of a missing file");
  check_error(execve(BAD_POINTER, arguments, environment), EFAULT, "execve of a bad name pointer");
  check_error(execve(program, BAD_POINTER, environment), EFAULT, "execve with bad arguments");
}

// What the program does when test_exec runs it: 33 when everything arrived.
static int exec_child(int argc, char** argv) {
  int same = argc == 3 && strcmp(argv[1], "in") == 0 && strcmp(argv[2], "a child") == 0 &&
             argv[3] == NULL && strcmp(environ[0], "KEY=value") == 0 && environ[1] == NULL;
  return same ? 33 : 34;
}

static void test_system(void) {
  static struct utsname name;
  check(nuname(&name) >= 0 && strncmp(name.sysname, "IRIX", 4) == 0, "uname says IRIX");
  check(
      name.nodename[0] != 0 && name.release[0] != 0 && name.version[0] != 0 && name.machine[0] != 0,
      "uname fills its five names");
  check_error(nuname(BAD_POINTER), EFAULT, "uname to a bad address");
  check(syssgi(SGI_SYSCONF, _SC_CLK_TCK) == 100, "sysconf: 100 ticks a second");
  check(syssgi(SGI_SYSCONF, _SC_PAGESIZE) == 4096, "sysconf: pages of 4096 bytes");
  check_error(syssgi(SGI_SYSCONF, 9999), EINVAL, "sysconf of an unknown name");

  check(profil(BAD_POINTER, 3, 1, 0xffffffff) == 0, "profil always returns 0");
  check(profil(NULL, 0, 0, 0) == 0, "even to turn off");
  check_error(sprofil(BAD_POINTER, 1, NULL, 0), EFAULT, "sprofil with a bad array");

  catch_signal(SIGSYS, SIG_IGN);
  check_error(syscall(1999), ENOSYS, "a number beyond the table");
  check_error(syscall(1014), ENOSYS, "a number that is a hole in the table");
  check_error(indirect_syscall(1999), ENOSYS, "a number beyond the table, called indirectly");
  check(indirect_syscall(1020) == getpid(), "an indirect getpid");
}

int main(int argc, char** argv) {
  if (argc > 1) return exec_child(argc, argv);
  test_files();
  test_open_errors();
  test_pipes();
  test_memory();
  test_times();
  test_signals();
  test_timers();
  test_processes();
  test_exec(argv[0]);
  test_system();
  return finish_checks();
}
