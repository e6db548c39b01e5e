/* Further calls of the C library that ask the kernel, or files of the root, and layouts that a program knows
 * of them. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <netdb.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int checks;

static void check(int ok, const char *what) { printf("%sok %d - %s\n", ok ? "" : "not ", ++checks, what); }

static int is_held(int number) {
  sigset_t mask;
  sigprocmask(SIG_BLOCK, NULL, &mask);
  return sigismember(&mask, number);
}

static sigjmp_buf place;

/* Registers that calls keep have their values again, the mask as the second argument says. */
static void check_jump(int keeps) {
  volatile int rounds = 0;
  sigrelse(SIGUSR1);
  int result = sigsetjmp(place, keeps);
  ++rounds;
  if (result == 0) {
    sighold(SIGUSR1);
    siglongjmp(place, 7);
  }
  check(result == 7 && rounds == 2 && is_held(SIGUSR1) == !keeps, keeps ? "siglongjmp() with the mask" : "and without it");
  sigrelse(SIGUSR1);
}

static int handled, was_held;
static void handle(int number) {
  handled = number;
  was_held = is_held(number);
}

static void check_signals(void) {
  check(sigset(SIGUSR1, handle) == SIG_DFL && kill(getpid(), SIGUSR1) == 0 && handled == SIGUSR1 && was_held && !is_held(SIGUSR1), "sigset()");
  handled = 0;
  check(sighold(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && handled == 0, "sighold()");
  check(sigrelse(SIGUSR1) == 0 && handled == SIGUSR1, "sigrelse()");
  check(sigset(SIGUSR1, SIG_HOLD) == handle && sigset(SIGUSR1, handle) == SIG_HOLD && !is_held(SIGUSR1), "SIG_HOLD");
  check(sigignore(SIGUSR1) == 0 && raise(SIGUSR1) == 0 && signal(SIGUSR1, SIG_DFL) == SIG_IGN, "sigignore()");
  check(sighold(0) == -1 && errno == EINVAL, "no signal");
}

unsigned ualarm(unsigned first, unsigned every);
int usleep(unsigned microseconds);

static void check_intervals(void) {
  sigset(SIGALRM, handle);
  handled = 0;
  check(ualarm(20000, 0) == 0 && pause() == -1 && handled == SIGALRM, "ualarm()");
  check(usleep(1000) == 0, "usleep()");
}

/* timers(2): "If evp is NULL, then a default signal is sent". */
static void check_timers(void) {
  const struct timespec soon = {0, 1}, wrong = {0, 1000000000};
  struct itimerspec once = {{0, 0}, {0, 20000000}}, every = {{0, 5000000}, {0, 5000000}}, hour = {{0, 0}, {3600, 0}}, left;
  struct sigevent event = {0}, none = {0};
  timer_t timer = -1, other = -1;
  check(clock_settime(CLOCK_REALTIME, &soon) == -1 && errno == EPERM && clock_settime(99, &soon) == -1 && errno == EINVAL, "clock_settime()");
  check(clock_settime(CLOCK_REALTIME, &wrong) == -1 && errno == EINVAL, "of no time");
  check(nanosleep(&soon, NULL) == 0 && nanosleep(&wrong, NULL) == -1 && errno == EINVAL, "nanosleep()");
  handled = 0;
  check(timer_create(CLOCK_REALTIME, NULL, &timer) == 0 && timer_settime(timer, 0, &once, NULL) == 0 && pause() == -1 && handled == SIGALRM, "timer_create() without an event");
  check(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0, "it expires once");
  sigset(SIGUSR1, handle);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  check(timer_create(CLOCK_REALTIME, &event, &other) == 0 && other != timer, "timer_create()");
  sighold(SIGUSR1);
  check(timer_settime(other, 0, &every, NULL) == 0 && usleep(200000) == 0 && timer_settime(other, 0, &hour, &left) == 0 && left.it_interval.tv_nsec == 5000000, "timer_settime()");
  handled = 0;
  check(sigrelse(SIGUSR1) == 0 && handled == SIGUSR1, "its signal");
  check(timer_settime(timer, 0, &hour, NULL) == 0 && timer_gettime(timer, &left) == 0 && left.it_value.tv_sec >= 3599 && left.it_value.tv_sec <= 3600, "timer_gettime()");
  check(timer_getoverrun(timer) == 0 && timer_getoverrun(99) == -1 && errno == EINVAL, "timer_getoverrun()");
  check(timer_delete(timer) == 0 && timer_delete(timer) == -1 && errno == EINVAL && timer_delete(other) == 0, "timer_delete()");
  none.sigev_notify = SIGEV_NONE;
  check(timer_create(CLOCK_REALTIME, &none, &timer) == 0 && timer_settime(timer, 0, &once, NULL) == 0 && usleep(100000) == 0 && timer_delete(timer) == 0, "a timer without a signal");
  check(timer_create(99, NULL, &timer) == -1 && errno == EINVAL, "no clock");
  sigset(SIGUSR1, SIG_DFL);
}

/* What IPC_STAT tells, and IPC_SET changes, of each kind. */
static void check_ipc(void) {
  struct {
    long type;
    char text[4];
  } message = {3, "abc"};
  struct msqid_ds queue;
  struct semid_ds set;
  struct shmid_ds segment;
  const time_t now = time(NULL);
  int id = msgget(IPC_PRIVATE, 0600);
  check(id >= 0 && msgsnd(id, &message, 4, 0) == 0 && msgctl(id, IPC_STAT, &queue) == 0, "msgctl()");
  check(queue.msg_qnum == 1 && queue.msg_cbytes == 4 && queue.msg_lspid == getpid() && queue.msg_stime >= now && queue.msg_stime <= now + 60, "a queue's state");
  check(queue.msg_perm.uid == (uid_t)getuid() && (queue.msg_perm.mode & 0777) == 0600, "its owner and mode");
  queue.msg_perm.mode = 0640;
  queue.msg_qbytes = 1000;
  check(msgctl(id, IPC_SET, &queue) == 0 && msgctl(id, IPC_STAT, &queue) == 0 && (queue.msg_perm.mode & 0777) == 0640 && queue.msg_qbytes == 1000, "IPC_SET");
  check(msgctl(id, IPC_RMID, NULL) == 0 && msgctl(id, IPC_STAT, &queue) == -1 && errno == EINVAL, "IPC_RMID");
  id = semget(IPC_PRIVATE, 3, 0600);
  struct sembuf up = {1, 2, 0};
  check(id >= 0 && semop(id, &up, 1) == 0 && semctl(id, 0, IPC_STAT, &set) == 0 && set.sem_nsems == 3 && set.sem_otime >= now && set.sem_otime <= now + 60, "semctl()");
  check(semctl(id, 1, GETVAL, 0) == 2 && semctl(id, 0, IPC_RMID, 0) == 0, "a semaphore's value");
  id = shmget(IPC_PRIVATE, 70000, 0600);
  char *place = shmat(id, NULL, 0);
  check(id >= 0 && place != (char *)-1 && shmctl(id, IPC_STAT, &segment) == 0 && segment.shm_segsz == 70000 && segment.shm_nattch == 1, "shmctl()");
  check(segment.shm_cpid == getpid() && segment.shm_lpid == getpid() && segment.shm_atime >= now && segment.shm_atime <= now + 60 && segment.shm_dtime == 0, "a segment's state");
  check(shmdt(place) == 0 && shmctl(id, IPC_RMID, NULL) == 0, "shmdt()");
}

#if __SIZEOF_LONG__ == 4 && (defined __hppa__ || defined __ia64__)
/* Linux's hpux_stat64, Ski's stat64x: the size is at 24, in 64 bits. */
struct stat64 {
  uint32_t before[6];
  int64_t st_size;
  uint32_t others[64];
};
int __stat64(const char *, struct stat64 *), __fstat64(int, struct stat64 *), __open64(const char *, int, ...);
int __fseeko64(FILE *, long long, int), __ftruncate64(int, long long), stat64(const char *, struct stat64 *);
long long __ftello64(FILE *), lseek64(int, long long, int);
FILE *__fopen64(const char *, const char *);
long __pread64(int, void *, size_t, long long);
static void check_large_files(void) {
  const long long far = 5000000000;
  struct stat64 status;
  int file = __open64("large", O_RDWR | O_CREAT | O_TRUNC, 0644);
  check(__lseek64(file, far, SEEK_SET) == far && write(file, "end", 3) == 3 && lseek64(file, -1, SEEK_CUR) == far + 2, "__lseek64()");
  check(__fstat64(file, &status) == 0 && status.st_size == far + 3 && __stat64("large", &status) == 0 && status.st_size == far + 3, "__stat64()");
  struct stat small;
  check(stat("large", &small) == -1 && errno == EOVERFLOW && stat64("none", &status) == -1 && errno == ENOENT, "stat() has no room for its size");
  char text[4] = "";
  check(__pread64(file, text, 3, far) == 3 && strcmp(text, "end") == 0, "__pread64()");
  close(file);
  FILE *stream = __fopen64("large", "r+");
  check(__fseeko64(stream, far + 1, SEEK_SET) == 0 && getc(stream) == 'n' && __ftello64(stream) == far + 2, "__fseeko64(), __ftello64()");
  check(ftell(stream) == -1 && errno == EOVERFLOW && __lseek64(99, 0, SEEK_SET) == -1 && errno == EBADF, "ftell()'s answer has no room for it");
  check(__ftruncate64(fileno(stream), 10) == 0 && stat("large", &small) == 0 && small.st_size == 10, "__ftruncate64()");
  fclose(stream);
  unlink("large");
}
#else
static void check_large_files(void) {}
#endif

static void check_addresses(void) {
  struct addrinfo hints = {.ai_flags = AI_CANONNAME, .ai_socktype = 1}, *found = NULL;
  check(getaddrinfo("10.1.2.3", "80", &hints, &found) == 0 && found->ai_family == AF_INET && found->ai_next == NULL && found->ai_protocol == 6, "getaddrinfo() of numbers");
  struct sockaddr_in *address = found->ai_addr;
  check(found->ai_addrlen == 16 && address->sin_port == 80 && address->sin_addr.s_addr == 0x0a010203 && strcmp(found->ai_canonname, "10.1.2.3") == 0, "its address");
  freeaddrinfo(found);
  check(getaddrinfo("localhost", "http", NULL, &found) == 0 && found->ai_addr->sin_port == 80 && found->ai_addr->sin_addr.s_addr == 0x7f000001, "of names");
  char host[64], service[32];
  check(getnameinfo(found->ai_addr, sizeof *found->ai_addr, host, sizeof host, service, sizeof service, NI_NUMERICHOST) == 0 && strcmp(host, "127.0.0.1") == 0 && strcmp(service, "www") == 0, "getnameinfo()");
  check(getnameinfo(found->ai_addr, sizeof *found->ai_addr, host, 4, NULL, 0, NI_NUMERICHOST) == EAI_OVERFLOW, "its room");
  freeaddrinfo(found);
  hints.ai_flags = AI_NUMERICHOST;
  check(getaddrinfo("localhost", NULL, &hints, &found) == EAI_NONAME && found == NULL && getaddrinfo(NULL, "nothing", NULL, &found) == EAI_SERVICE, "what is not found");
  check(strcmp(gai_strerror(EAI_FAMILY), gai_strerror(EAI_NONAME)) != 0 && gai_strerror(-5) != NULL, "gai_strerror()");
  check(getprotobyname("udp")->p_proto == 17 && strcmp(getprotobynumber(6)->p_name, "tcp") == 0 && getprotobyname("no") == NULL && getnetbyname("no") == NULL, "getprotobyname()");
}

static void check_mounts(void) {
  FILE *file = setmntent("mounts", "w+");
  struct mntent first = {"/dev/a", "/", "hfs", "rw,suid=0", 1, 2, 3}, *found;
  check(addmntent(file, &first) == 0 && fputs("# none\n/dev/b /usr hfs ro\n", file) >= 0, "addmntent()");
  rewind(file);
  found = getmntent(file);
  check(found != NULL && strcmp(found->mnt_dir, "/") == 0 && found->mnt_passno == 2 && found->mnt_time == 3 && strcmp(hasmntopt(found, "suid"), "suid=0") == 0 && hasmntopt(found, "su") == NULL, "getmntent()");
  found = getmntent(file);
  check(found != NULL && strcmp(found->mnt_fsname, "/dev/b") == 0 && found->mnt_freq == 0 && getmntent(file) == NULL && endmntent(file) == 1, "the next");
  unlink("mounts");
}

/* The example of the standard's usual test: key 133457799bbcdff1, plain 0123456789abcdef. */
static void check_passwords(void) {
  const uint64_t key = 0x133457799bbcdff1, plain = 0x0123456789abcdef, cipher = 0x85e813540f0ab405;
  char bits[64];
  uint64_t made = 0;
  for (int i = 0; i < 64; ++i) bits[i] = key >> (63 - i) & 1;
  setkey(bits);
  for (int i = 0; i < 64; ++i) bits[i] = plain >> (63 - i) & 1;
  encrypt(bits, 0);
  for (int i = 0; i < 64; ++i) made = made << 1 | bits[i];
  check(made == cipher, "encrypt()");
  encrypt(bits, 1);
  for (int i = 0; i < 64; ++i) made = made << 1 | bits[i];
  check(made == plain, "and back");
  check(strcmp(crypt("password", "ab"), "abJnggxhB/yWI") == 0, "crypt()");
}

static void check_heap(void) {
  int wrong = 0;
  void *kept[40];
  for (int i = 0; i < 40; ++i) {
    size_t alignment = (size_t)16 << i % 10;
    kept[i] = memalign(alignment, 10 + 37 * i);
    wrong += kept[i] == NULL || (uintptr_t)kept[i] % alignment != 0;
    memset(kept[i], i, 10 + 37 * i);
  }
  for (int i = 0; i < 40; ++i) {
    wrong += *(char *)kept[i] != i || ((char *)kept[i])[9 + 37 * i] != i;
    free(kept[i]);
  }
  check(wrong == 0 && memalign(24, 1) == NULL && (uintptr_t)valloc(100) % 4096 == 0, "memalign(), valloc()");
}

int catopen(const char *, int), ftok(const char *, int);
char *catgets(int, int, int, const char *);

static void check_others(void) {
  check(catopen("none", 0) == -1 && strcmp(catgets(-1, 1, 1, "own"), "own") == 0, "catgets()");
  check(ftok("/", 1) != -1 && ftok("/", 1) != ftok("/", 2) && ftok("/none", 1) == -1, "ftok()");
}

/* pthread_stubs(5) */
int pthread_key_create(int *, void (*)(void *)), pthread_key_delete(int), pthread_setspecific(int, const void *), pthread_attr_init(void *);
int pthread_mutexattr_init(void *), pthread_cond_signal(void *), pthread_rwlock_wrlock(void *), pthread_once(void *, void (*)(void)), pthread_cancel(int);
int prealloc(int, off_t);
void *pthread_getspecific(int), pthread_exit(void *);

static int is_called;
static void note_end(void *value) {
  check(*(int *)value == 7, "pthread_exit() calls what the key has");
  printf("1..%d\n", checks);
}
static void never(void) { is_called = 1; }

static void check_threads(void) {
  static int value = 7;
  int room[64], key, other;
  check(pthread_key_create(&key, note_end) == 0 && pthread_key_create(&other, NULL) == 0 && key != other, "pthread_key_create()");
  check(pthread_getspecific(key) == NULL && pthread_setspecific(key, &value) == 0 && pthread_getspecific(key) == &value, "pthread_setspecific()");
  check(pthread_key_delete(other) == 0 && pthread_setspecific(other, &value) == EINVAL && pthread_getspecific(other) == NULL, "pthread_key_delete()");
  check(pthread_attr_init(room) == ENOSYS, "pthread_attr_init() says that there are no threads");
  check(pthread_mutexattr_init(room) == 0 && pthread_cond_signal(room) == 0 && pthread_rwlock_wrlock(room) == 0 && pthread_cancel(1) == 0, "dummies return zero");
  check(pthread_once(room, never) == 0 && !is_called, "pthread_once() is one of them");
}

static void check_room(void) {
  const int file = open("prealloc", O_RDWR | O_CREAT | O_TRUNC, 0644);
  check(prealloc(file, 5000) == 0 && lseek(file, 0, SEEK_END) == 5000, "prealloc()");
  check(prealloc(file, 9000) == -1 && errno == EINVAL && prealloc(-1, 1) == -1 && errno == EBADF, "prealloc() of a file that is not empty, or none");
  close(file);
  unlink("prealloc");
}

int main(void) {
  check_jump(1);
  check_jump(0);
  check_signals();
  check_intervals();
  check_timers();
  check_ipc();
  check_large_files();
  check_addresses();
  check_mounts();
  check_passwords();
  check_heap();
  check_others();
  check_room();
  check_threads();
  pthread_exit(NULL);
  return 1;
}
