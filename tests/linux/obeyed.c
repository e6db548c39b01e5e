// What limits forbid (getrlimit(2)): sizes of files, processor time, memory, threads. QEMU's user
// mode leaves limits of memory aside and passes the others to its own process. The expected lines
// are those of Linux 6.18 on x86-64.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int told;
static volatile int sender_is_me;
static void hear(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  ++told;
  sender_is_me = info->si_code == SI_USER && info->si_pid == getpid();
}

static void answer(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s", what, strerror(errno));
  } else {
    printf("%s: %ld", what, result);
  }
  printf(", told %d\n", told);
  told = 0;
}

static void set(int resource, long current, long maximum) {
  const struct rlimit limit = {current, maximum};
  if (setrlimit(resource, &limit) != 0) printf("setrlimit: %s\n", strerror(errno));
}

static char bytes[3000];

static void sizes(void) {
  struct sigaction action = {.sa_sigaction = hear, .sa_flags = SA_SIGINFO};
  sigaction(SIGXFSZ, &action, NULL);
  char name[] = "sizes.XXXXXX", other_name[] = "other.XXXXXX";
  const int file = mkstemp(name), other = mkstemp(other_name);
  unlink(other_name);
  answer("a larger file", pwrite(other, bytes, 3000, 0));
  set(RLIMIT_FSIZE, 1000, 1500);
  answer("write", write(file, bytes, 3000));
  answer("again", write(file, bytes, 1));
  printf("sent by me %d\n", sender_is_me);
  answer("nothing", write(file, bytes, 0));
  answer("pwrite", pwrite(file, bytes, 10, 995));
  answer("beyond", pwrite(file, bytes, 10, 5000));
  const struct iovec parts[2] = {{bytes, 900}, {bytes, 900}};
  lseek(file, 0, SEEK_SET);
  answer("writev", writev(file, parts, 2));
  fcntl(file, F_SETFL, O_APPEND);
  lseek(file, 0, SEEK_SET);
  answer("append", write(file, bytes, 1));
  fcntl(file, F_SETFL, 0);
  answer("ftruncate", ftruncate(file, 1001));
  answer("truncate", truncate(name, 3000));
  answer("to the limit", ftruncate(file, 1000));
  answer("a larger one, smaller", ftruncate(other, 2000));
  answer("and larger again", ftruncate(other, 2001));
  answer("fallocate", posix_fallocate(file, 0, 2000));
  ftruncate(file, 0);
  lseek(file, 0, SEEK_SET);
  loff_t from = 0, to = 400;
  answer("copy_file_range", copy_file_range(other, &from, file, &to, 900, 0));
  to = 1000;
  answer("at the limit", copy_file_range(other, &from, file, &to, 900, 0));
  lseek(file, 1000, SEEK_SET);
  off_t start = 0;
  answer("sendfile", sendfile(file, other, &start, 500));
  int ends[2];
  if (pipe(ends) != 0) return;
  answer("a pipe", write(ends[1], bytes, 3000));
  lseek(file, 900, SEEK_SET);
  answer("splice", splice(ends[0], NULL, file, NULL, 500, 0));
  answer("again", splice(ends[0], NULL, file, NULL, 500, 0));
  set(RLIMIT_FSIZE, 1500, 1500);
  answer("raised", pwrite(file, bytes, 3000, 1000));
  signal(SIGXFSZ, SIG_IGN);
  answer("ignored", pwrite(file, bytes, 1, 1500));
  signal(SIGXFSZ, SIG_DFL);
  fflush(stdout);
  if (fork() == 0) {
    pwrite(file, bytes, 1, 1500);
    _exit(1);
  }
  int status;
  wait(&status);
  printf("a child: by signal %d\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
  unlink(name);
}

static void seconds(void) {
  int status;
  fflush(stdout);
  if (fork() == 0) {
    set(RLIMIT_CPU, 0, 10);
    for (;;) continue;
  }
  wait(&status);
  printf("time: by SIGXCPU %d\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
  fflush(stdout);
  if (fork() == 0) {
    set(RLIMIT_CPU, 0, 0);
    for (;;) continue;
  }
  wait(&status);
  printf("all of it: by SIGKILL %d\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void memory(void) {
  fflush(stdout);
  if (fork() == 0) {
    set(RLIMIT_DATA, 16 << 20, 16 << 20);
    answer("a large heap", sbrk(64 << 20) == (void*)-1 ? -1 : 0);
    answer("a small one", sbrk(1 << 16) == (void*)-1 ? -1 : 0);
    set(RLIMIT_AS, 64 << 20, 64 << 20);
    void* const large = mmap(NULL, 128 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    answer("a large mapping", large == MAP_FAILED ? -1 : 0);
    void* const small = mmap(NULL, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    answer("a small one", small == MAP_FAILED ? -1 : 0);
    void* const grown = mremap(small, 1 << 20, 128 << 20, MREMAP_MAYMOVE);
    answer("grown", grown == MAP_FAILED ? -1 : 0);
    exit(0);
  }
  wait(NULL);
}

static void threads(void) {
  fflush(stdout);
  if (fork() == 0) {
    if (getuid() == 0 && setuid(54321) != 0) exit(1);
    set(RLIMIT_NPROC, 1, 100);
    answer("fork", fork());
    set(RLIMIT_NPROC, 100, 100);
    const int child = fork();
    if (child == 0) _exit(0);
    printf("with more: %d\n", child > 0);
    exit(0);
  }
  wait(NULL);
}

// Whatever they are for, they are kept. The result: how many are not.
static int forgotten(void) {
  int count = 0;
  for (int resource = 0; resource < 16; ++resource) {
    struct rlimit limit = {0, 0};
    count += getrlimit(resource, &limit) != 0;
    limit.rlim_cur = limit.rlim_max > 123 ? 123 : limit.rlim_max;
    const rlim_t wanted = limit.rlim_cur;
    count += setrlimit(resource, &limit) != 0 || getrlimit(resource, &limit) != 0 ||
             limit.rlim_cur != wanted;
  }
  return count;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  sizes();
  seconds();
  memory();
  threads();
  fflush(stdout);
  if (fork() == 0) _exit(forgotten());
  int status;
  wait(&status);
  printf("forgotten: %d\n", WEXITSTATUS(status));
  return 0;
}
