// What programs for IRIX 4 ask of the kernel: System V.3's stat(2), signal(2) and wait(2). The
// structure is that of its <sys/stat.h>, signal's rules those of signal(2): the action falls back
// to the default when the handler starts, but for SIGILL, SIGTRAP and SIGPWR.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "tests/guests/tap.h"

struct old_stat {
  unsigned long st_ino;
  short st_dev;
  unsigned short st_mode;
  short st_nlink;
  unsigned short st_uid, st_gid;
  short st_rdev;
  long st_size, st_old_atime, st_old_mtime, st_old_ctime;
};
_Static_assert(sizeof(struct old_stat) == 32, "struct stat");

// The results below 0 are errors.
int old_stat(const char* name, struct old_stat* status);
int old_lstat(const char* name, struct old_stat* status);
int old_fstat(int file, struct old_stat* status);
long old_signal(int sig, void (*handler)(int));
int old_wait(int* status);

enum { sigpwr = 19, sigill = 4, s0 = 16 };

// The beginning of struct sigcontext: gdb, config/mips/tm-irix3.h.
struct old_sigcontext {
  int sc_regmask, sc_status;
  unsigned sc_pc, sc_regs[32];
  int sc_ownedfp;
  unsigned sc_fpregs[32];
};
_Static_assert(sizeof(struct old_sigcontext) == 272, "struct sigcontext");

static volatile int caught, times;

static void on_signal(int sig) {
  caught = sig;
  ++times;
}

static void check_stat(void) {
  const int file = open("four", O_RDWR | O_CREAT | O_TRUNC, 0640);
  check(file >= 0 && write(file, "four", 4) == 4, "a file of four bytes");
  struct old_stat by_name, by_file, by_link;
  memset(&by_name, 0x55, sizeof by_name);
  check_number(old_stat("four", &by_name), 0, "stat");
  check_number(old_fstat(file, &by_file), 0, "fstat");
  check_number(old_lstat("four", &by_link), 0, "lstat");
  check_number(by_name.st_size, 4, "the size");
  check_number(by_name.st_mode, 0100640, "the mode");
  check_number(by_name.st_nlink, 1, "the links");
  check_number(by_name.st_rdev, 0, "no device");
  check(by_name.st_ino != 0, "an inode number");
  check(by_name.st_old_mtime > 800000000, "a time after 1995");
  check(memcmp(&by_name, &by_file, sizeof by_name) == 0, "fstat says the same");
  check(memcmp(&by_name, &by_link, sizeof by_name) == 0, "lstat says the same");
  check_number(old_stat("nothing", &by_name), -ENOENT, "no such file");
  check_number(old_fstat(99, &by_name), -EBADF, "no such descriptor");
  check_number(old_stat("four", (struct old_stat*)4), -EFAULT, "no such memory");
  close(file);
  unlink("four");
}

static void check_signal(void) {
  check_number(old_signal(SIGUSR1, on_signal), 0, "the action was the default");
  check(old_signal(SIGUSR1, on_signal) == (long)on_signal, "now it is the handler");
  kill(getpid(), SIGUSR1);
  check_number(caught, SIGUSR1, "the handler ran and returned");
  check_number(old_signal(SIGUSR1, SIG_IGN), 0, "the action fell back to the default");
  kill(getpid(), SIGUSR1);
  check_number(times, 1, "ignored");
  old_signal(sigpwr, on_signal);
  kill(getpid(), sigpwr);
  kill(getpid(), sigpwr);
  check_number(times, 3, "SIGPWR's handler stays");
  check_number(old_signal(SIGKILL, on_signal), -EINVAL, "SIGKILL cannot be caught");
}

// An instruction that is none, between two labels, with values in registers; what they are
// afterwards.
unsigned illegal_with(unsigned in_s0, unsigned in_f4, unsigned* f4);
extern char illegal_instruction[];

static struct old_sigcontext seen;

// It also changes what the program finds in its registers, and where it goes on.
static void on_illegal(int sig, int code, struct old_sigcontext* context) {
  (void)code;
  caught = sig;
  seen = *context;
  context->sc_pc += 4;
  context->sc_regs[s0] = 77;
  context->sc_fpregs[4] = 88;
}

static void check_context(void) {
  unsigned f4 = 0;
  old_signal(sigill, (void (*)(int))(void (*)(void))on_illegal);
  check_number(illegal_with(11, 22, &f4), 77, "a handler changes a register");
  check_number(f4, 88, "and one of the floating-point unit");
  check_number(caught, sigill, "SIGILL");
  check(seen.sc_pc == (unsigned)illegal_instruction, "the pc");
  check(seen.sc_regs[s0] == 11 && seen.sc_fpregs[4] == 22, "the registers");
}

static void check_wait(void) {
  int status = 0;
  const int child = fork();
  if (child == 0) _exit(3);
  check_number(old_wait(&status), child, "wait finds the child");
  check_number(status, 3 << 8, "its exit status");
  check_number(old_wait(&status), -ECHILD, "no other child");
}

int main(void) {
  check_stat();
  check_signal();
  check_context();
  check_wait();
  return finish_checks();
}
