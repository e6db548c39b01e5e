// Calls that programs of old make by themselves or through their C libraries: times of files, names
// in directories, pending signals, locked memory, what only a superuser may do.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static void print_result(const char* what, long result) {
  printf("%s: %ld", what, result);
  if (result < 0) printf(" %s", strerrorname_np(errno));
  putchar('\n');
}

static void print_times(const char* what, const char* path) {
  struct stat status;
  if (stat(path, &status) < 0) {
    print_result(what, -1);
    return;
  }
  printf("%s: %ld.%09ld %ld.%09ld\n", what, (long)status.st_atim.tv_sec, status.st_atim.tv_nsec,
         (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

static void times(void) {
  close(open("file", O_CREAT | O_WRONLY, 0644));
#ifdef SYS_utime
  const long pair[2] = {100, 200};
  print_result("utime", syscall(SYS_utime, "file", pair));
  print_times("then", "file");
  print_result("utime of nothing", syscall(SYS_utime, "nothing", pair));
  print_result("utime of an address", syscall(SYS_utime, "file", 1));
#endif
#ifdef SYS_utimes
  const long timevals[4] = {300, 500000, 400, 1};
  print_result("utimes", syscall(SYS_utimes, "file", timevals));
  print_times("then", "file");
  const long beyond[4] = {300, 1000000, 400, 1};
  print_result("utimes beyond a second", syscall(SYS_utimes, "file", beyond));
#endif
#ifdef SYS_futimesat
  const long others[4] = {500, 5, 600, 6};
  mkdir("directory", 0755);
  close(open("directory/file", O_CREAT | O_WRONLY, 0644));
  const int directory = open("directory", O_RDONLY);
  print_result("futimesat", syscall(SYS_futimesat, directory, "file", others));
  print_times("then", "directory/file");
  print_result("futimesat of nothing open", syscall(SYS_futimesat, 99, "file", others));
  close(directory);
  unlink("directory/file");
  rmdir("directory");
#endif
  unlink("file");
}

static void signals(void) {
#ifdef SYS_sigpending
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  unsigned long pending = 0;
  print_result("sigpending", syscall(SYS_sigpending, &pending));
  printf("USR1 alone: %d\n", pending == 1ul << (SIGUSR1 - 1));
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR1, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
#endif
// QEMU swaps the mask's bytes on big-endian machines.
#if defined(SYS_ssetmask) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  print_result("ssetmask", syscall(SYS_ssetmask, 1 << (SIGUSR2 - 1)));
  print_result("USR2 is blocked", syscall(SYS_sgetmask) == 1 << (SIGUSR2 - 1));
  print_result("ssetmask", syscall(SYS_ssetmask, 0) == 1 << (SIGUSR2 - 1));
#endif
}

static volatile sig_atomic_t value, code, sender;

static void take(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  value = info->si_value.sival_int;
  code = info->si_code;
  sender = info->si_pid == getpid();
}

static void queued(void) {
  struct sigaction action = {.sa_flags = SA_SIGINFO};
  action.sa_sigaction = take;
  sigaction(SIGRTMIN + 1, &action, NULL);
  print_result("sigqueue", sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 4711}));
  printf("value %d, SI_QUEUE %d, from here %d\n", (int)value, code == SI_QUEUE, (int)sender);
  print_result("sigqueue of nobody", sigqueue(999999, SIGUSR1, (union sigval){0}));
  print_result("a bad number", sigqueue(getpid(), 999, (union sigval){0}));
}

static void memory(void) {
  const long page = sysconf(_SC_PAGESIZE);
  char* const pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  print_result("mlock", mlock(pages + 10, page));
  print_result("munlock", munlock(pages, page));
  munmap(pages + page, page);
  print_result("mlock over a hole", mlock(pages, 3 * page));
  print_result("mlockall of nothing", mlockall(0));
  print_result("munlockall", munlockall());
}

static void vectors(void) {
  const int file = open("file", O_CREAT | O_RDWR, 0644);
  struct iovec out[2] = {{"first", 5}, {"second", 6}};
  print_result("pwritev", pwritev(file, out, 2, 3));
  char a[4] = "", b[4] = "";
  struct iovec in[2] = {{a, 3}, {b, 3}};
  print_result("preadv", preadv(file, in, 2, 4));
  printf("%s %s\n", a, b);
  print_result("position", lseek(file, 0, SEEK_CUR));
#if !defined _ABIN32 || _MIPS_SIM != _ABIN32  // QEMU's n32 has only the low half of the offset
  print_result("before the start", preadv(file, in, 2, -1));
#endif
  print_result("preadv2", preadv2(file, in, 1, 1, 0));
  print_result("readahead", readahead(file, 0, 10));
  print_result("sync_file_range", sync_file_range(file, 0, 1, SYNC_FILE_RANGE_WRITE));
  print_result("syncfs", syncfs(file));
  close(file);
  print_result("syncfs of nothing open", syncfs(99));
  unlink("file");
  int ends[2];
  pipe(ends);
  print_result("preadv of a pipe", preadv(ends[0], in, 2, 0));
  close(ends[0]);
  close(ends[1]);
}

#ifdef SYS_getdents
// struct linux_dirent {unsigned long d_ino, d_off; unsigned short d_reclen; char d_name[]} with the
// type in the last byte.
static void print_entries(const char* bytes, long size) {
  char seen[8][40];
  int count = 0;
  for (long at = 0; at < size;) {
    const char* const entry = bytes + at;
    unsigned short length;
    memcpy(&length, entry + 2 * sizeof(long), sizeof length);
    snprintf(seen[count++], sizeof seen[0], "%s of type %d, %d", entry + 2 * sizeof(long) + 2,
             entry[length - 1], length);
    at += length;
  }
  qsort(seen, count, sizeof seen[0], (int (*)(const void*, const void*))strcmp);
  for (int i = 0; i < count; ++i) puts(seen[i]);
}

static void names(void) {
  mkdir("directory", 0755);
  mkdir("directory/inner", 0755);
  close(open("directory/file", O_CREAT | O_WRONLY, 0644));
  symlink("file", "directory/link");
  mkfifo("directory/fifo", 0600);
  const int directory = open("directory", O_RDONLY | O_DIRECTORY);
  char bytes[1024];
  print_result("too small", syscall(SYS_getdents, directory, bytes, 4));
  print_entries(bytes, syscall(SYS_getdents, directory, bytes, sizeof bytes));
  print_result("at the end", syscall(SYS_getdents, directory, bytes, sizeof bytes));
  close(directory);
  unlink("directory/link");
  unlink("directory/fifo");
  unlink("directory/file");
  rmdir("directory/inner");
  rmdir("directory");
}
#else
static void names(void) {}
#endif

static void others(void) {
  unsigned processor = 99, node = 99;
  print_result("getcpu", syscall(SYS_getcpu, &processor, &node, NULL));
  printf("node %u\n", node);
  print_result("chroot to nothing", chroot("nothing"));
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  times();
  signals();
  queued();
  memory();
  vectors();
  names();
  others();
  return 0;
}
