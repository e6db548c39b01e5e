// kernel_objects KIND: makes objects of one kind until the system refuses the next one, or there
// are very many. kernel_objects without an argument: the names of the kinds.
#include "bounds.h"  // first: it asks for all that Linux has

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>

enum { page = 4096 };

static char bytes[64 << 10];

static const char* numbered(const char* stem, long i) {
  static char name[300];
  snprintf(name, sizeof name, "%s%ld", stem, i);
  return name;
}

// Of 250 bytes.
static const char* long_name(long i) {
  static char name[256];
  snprintf(name, sizeof name, "%0250ld", i);
  return name;
}

static int one_file(void) {
  static int file = -1;
  if (file < 0) file = open("file", O_RDWR | O_CREAT, 0666);
  return file;
}

static void block_all_signals(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
}

// Waits as a child until the first process ends, and hardclock with it.
static void wait_as_child(void) {
  for (;;) pause();
}

// ---- Each makes one object, or some; a negative number: refused. `i` counts them.

static int signal_timer(long i) {
  timer_t timer;
  (void)i;
  return timer_create(CLOCK_MONOTONIC, NULL, &timer);
}

// A timer whose signals wait.
static int running_timer(long i) {
  const struct itimerspec soon = {{0, 1000000}, {0, 1000000}};
  struct sigevent event = {0};
  timer_t timer;
  if (i == 0) block_all_signals();
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  const int made = timer_create(CLOCK_MONOTONIC, &event, &timer);
  return made < 0 ? made : timer_settime(timer, 0, &soon, NULL);
}

static int timer_file(long i) {
  (void)i;
  return timerfd_create(CLOCK_MONOTONIC, 0);
}

static int event_file(long i) {
  (void)i;
  return eventfd(0, 0);
}

// Each watches all before it.
static int epoll_file(long i) {
  static int files[1024];
  const int epoll = epoll_create1(0);
  if (epoll < 0) return epoll;
  files[i] = eventfd(0, 0);
  if (files[i] < 0) return -1;
  for (long j = 0; j <= i; ++j) {
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, files[j], &event) != 0) return -1;
  }
  return 0;
}

static int watched_files(long i) {
  enum { files = 200 };
  for (long j = 0; i == 0 && j < files; ++j) close(open(numbered("w", j), O_CREAT, 0666));
  const int watcher = inotify_init();
  if (watcher < 0) return -1;
  for (long j = 0; j < files; ++j) {
    if (inotify_add_watch(watcher, numbered("w", j), IN_ALL_EVENTS) < 0) return -1;
  }
  return 0;
}

// News of files with long names, which nobody reads.
static int file_news(long i) {
  enum { watchers = 100 };
  for (long j = 0; i == 0 && j < watchers; ++j) {
    const int watcher = inotify_init();
    if (watcher < 0 || inotify_add_watch(watcher, ".", IN_ALL_EVENTS) < 0) return -1;
  }
  const char* const name = long_name(i);
  close(open(name, O_CREAT, 0666));
  return unlink(name);
}

static int lock_byte(int file, long at) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1};
  return fcntl(file, F_SETLK, &lock);
}

// No two of them touch.
static int record_lock(long i) {
  return lock_byte(one_file(), 2 * i);
}

static int record_lock_of_a_file(long i) {
  enum { files = 1000 };
  static int opened[files];
  if (i < files) opened[i] = open(numbered("f", i), O_RDWR | O_CREAT, 0666);
  return opened[i % files] < 0 ? -1 : lock_byte(opened[i % files], i);
}

static int file_lock(long i) {
  const int file = open(numbered("f", i % 1000), O_RDWR | O_CREAT, 0666);
  return file < 0 ? -1 : flock(file, LOCK_SH);
}

static int message_queue(long i) {
  (void)i;
  return msgget(IPC_PRIVATE, 0666);
}

static int put_message(size_t size) {
  static int queue = -1;
  struct {
    long type;
    char text[8192];
  } message = {.type = 1};
  if (queue >= 0 && msgsnd(queue, &message, size, IPC_NOWAIT) == 0) return 0;
  queue = msgget(IPC_PRIVATE, 0666);
  return queue < 0 ? -1 : msgsnd(queue, &message, size, IPC_NOWAIT);
}

static int message(long i) {
  (void)i;
  return put_message(8192);
}

static int empty_message(long i) {
  (void)i;
  return put_message(0);
}

static int semaphore_set(long i) {
  (void)i;
  return semget(IPC_PRIVATE, 32000, 0666);
}

static int small_semaphore_set(long i) {
  (void)i;
  return semget(IPC_PRIVATE, 1, 0666);
}

static int semaphore_undo(long i) {
  enum { semaphores = 32000, at_once = 500 };
  static int set;
  struct sembuf operations[at_once];
  const long first = i * at_once % semaphores;
  if (first == 0) set = semget(IPC_PRIVATE, semaphores, 0666);
  if (set < 0) return -1;
  for (int j = 0; j < at_once; ++j) {
    operations[j].sem_num = first + j;
    operations[j].sem_op = 1;
    operations[j].sem_flg = SEM_UNDO;
  }
  return semop(set, operations, at_once);
}

static int shared_segment(long i) {
  (void)i;
  return shmget(IPC_PRIVATE, page, 0666);
}

static int attach(int segment) {
  char* const at = segment < 0 ? (char*)-1 : shmat(segment, NULL, 0);
  if (at == (char*)-1) return -1;
  *at = 1;
  return 0;
}

static int used_segment(long i) {
  (void)i;
  return attach(shmget(IPC_PRIVATE, page, 0666));
}

static int attached_segment(long i) {
  static int segment;
  if (i == 0) segment = shmget(IPC_PRIVATE, page, 0666);
  return attach(segment);
}

// Fills what takes bytes without waiting.
static int fill(int file, size_t size) {
  fcntl(file, F_SETFL, O_NONBLOCK);
  while (write(file, bytes, size) > 0) {
  }
  return errno == EAGAIN ? 0 : -1;
}

static int full_pipe(long i) {
  int ends[2];
  (void)i;
  return pipe(ends) != 0 ? -1 : fill(ends[1], sizeof bytes);
}

static int large_pipe(long i) {
  int ends[2];
  (void)i;
  if (pipe(ends) != 0 || fcntl(ends[1], F_SETPIPE_SZ, 1 << 20) < 0) return -1;
  return fill(ends[1], sizeof bytes);
}

static int full_fifo(long i) {
  const char* const name = numbered("p", i);
  if (mkfifo(name, 0666) != 0) return -1;
  const int file = open(name, O_RDWR);
  return file < 0 ? -1 : fill(file, sizeof bytes);
}

static int fifo_name(long i) {
  return mkfifo(numbered("p", i), 0666);
}

static int full_socket(long i) {
  int ends[2];
  (void)i;
  return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 ? -1 : fill(ends[0], sizeof bytes);
}

static int datagrams(int size) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) return -1;
  for (int j = 0; j < 2000; ++j) {
    if (send(ends[0], bytes, size, MSG_DONTWAIT) < 0) return errno == EAGAIN ? 0 : -1;
  }
  return 0;
}

static int socket_of_datagrams(long i) {
  (void)i;
  return datagrams(1000);
}

static int socket_of_empty_datagrams(long i) {
  (void)i;
  return datagrams(0);
}

static int send_file(int to, int file) {
  union {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control = {.header = {.cmsg_len = CMSG_LEN(sizeof(int)),
                          .cmsg_level = SOL_SOCKET,
                          .cmsg_type = SCM_RIGHTS}};
  struct iovec one = {bytes, 1};
  const struct msghdr message = {.msg_iov = &one,
                                 .msg_iovlen = 1,
                                 .msg_control = control.room,
                                 .msg_controllen = sizeof control.room};
  memcpy(CMSG_DATA(&control.header), &file, sizeof file);
  return sendmsg(to, &message, MSG_DONTWAIT) == 1 ? 0 : -1;
}

// Full pipes that no process has open any more: they wait in a socket, which goes into the next
// one.
static int pipe_in_flight(long i) {
  static int ends[2] = {-1, -1};
  int next[2], pipe_ends[2];
  if (i == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
  if (pipe(pipe_ends) != 0) return -1;
  const int filled = fill(pipe_ends[1], sizeof bytes);
  int sent = send_file(ends[0], pipe_ends[0]) | send_file(ends[0], pipe_ends[1]);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  if (sent != 0 && errno == EAGAIN) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, next) != 0) return -1;
    sent = send_file(next[0], ends[0]) | send_file(next[0], ends[1]);
    close(ends[0]);
    close(ends[1]);
    memcpy(ends, next, sizeof ends);
  }
  return sent == 0 && filled == 0 ? 0 : -1;
}

static struct sockaddr_un* address_of(const char* name) {
  static struct sockaddr_un address = {.sun_family = AF_UNIX};
  memset(address.sun_path, 0, sizeof address.sun_path);
  memcpy(address.sun_path, name, strlen(name));
  return &address;
}

static int named_socket(long i) {
  const int made = socket(AF_UNIX, SOCK_STREAM, 0);
  if (made < 0) return -1;
  return bind(made, (struct sockaddr*)address_of(numbered("s", i)), sizeof(struct sockaddr_un));
}

// Connections that nobody accepts.
static int connection(int family, long i) {
  static struct sockaddr_in internet = {.sin_family = AF_INET};
  static int listener;
  struct sockaddr* address = (struct sockaddr*)&internet;
  socklen_t size = sizeof internet;
  if (family == AF_UNIX) {
    address = (struct sockaddr*)address_of("listener");
    size = sizeof(struct sockaddr_un);
  }
  internet.sin_port = htons(5000);
  internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (i == 0) {
    listener = socket(family, SOCK_STREAM, 0);
    if (bind(listener, address, size) != 0 || listen(listener, 4096) != 0) return -1;
  }
  const int made = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (made < 0) return -1;
  return connect(made, address, size) == 0 ? fill(made, sizeof bytes)
         : errno == EINPROGRESS            ? 0
                                           : -1;
}

static int internet_connection(long i) {
  return connection(AF_INET, i);
}

static int local_connection(long i) {
  return connection(AF_UNIX, i);
}

static int internet_datagrams(long i) {
  static struct sockaddr_in to = {.sin_family = AF_INET};
  const int made = socket(AF_INET, SOCK_DGRAM, 0);
  if (made < 0) return -1;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(6000 + i % 50000);
  if (bind(made, (struct sockaddr*)&to, sizeof to) != 0) return -1;
  for (int j = 0; j < 300; ++j) {
    if (sendto(made, bytes, 1000, MSG_DONTWAIT, (struct sockaddr*)&to, sizeof to) < 0) {
      return errno == EAGAIN ? 0 : -1;
    }
  }
  return 0;
}

// At addresses of their own: to look for free ones takes its time.
static int pages(long i, int protection, int flags, int file) {
  char* const place = (char*)0x10000000 + 2 * i * page;
  return mmap(place, page, protection, flags, file, 0) == MAP_FAILED ? -1 : 0;
}

static int mapping(long i) {
  return pages(i, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static int shared_mapping(long i) {
  return pages(i, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
}

static int split_mapping(long i) {
  static char* all;
  if (i == 0) all = map(NULL, 200000 * page, PROT_READ);
  return mprotect(all + 2 * i * page, page, PROT_NONE);
}

static int mapped_code(long i) {
  if (i == 0 && ftruncate(one_file(), page) != 0) return -1;
  return pages(i, PROT_READ | PROT_EXEC, MAP_PRIVATE, one_file());
}

static int mapped_shared_file(long i) {
  if (i == 0 && ftruncate(one_file(), page) != 0) return -1;
  return pages(i, PROT_READ | PROT_WRITE, MAP_SHARED, one_file());
}

// Files of their own, stored to.
static int written_file(long i) {
  const int file = open(numbered("m", i), O_RDWR | O_CREAT, 0666);
  if (file < 0 || ftruncate(file, 16 * page) != 0) return -1;
  char* const made = mmap(NULL, 16 * page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (made == MAP_FAILED) return -1;
  for (int j = 0; j < 16; ++j) made[j * page] = 1;
  return close(file);
}

static int used_page(long i) {
  char* const made = map(NULL, page, PROT_READ | PROT_WRITE);
  *made = (char)i;
  return 0;
}

static int used_break(long i) {
  char* const made = sbrk(page);
  if (made == (char*)-1) return -1;
  *made = (char)i;
  return 0;
}

// What is read of a hole, and a page that is not stored to, are zeros of all.
static int read_page(long i) {
  static volatile char seen;
  (void)i;
  const volatile char* const made = map(NULL, page, PROT_READ | PROT_WRITE);
  seen = *made;
  return seen;
}

static void* wait_as_thread(void* nothing) {
  for (;;) pause();
  return nothing;
}

static int thread(long i) {
  pthread_attr_t attributes;
  pthread_t made;
  (void)i;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 16 << 10);
  const int error = pthread_create(&made, &attributes, wait_as_thread, NULL);
  errno = error;
  return error == 0 ? 0 : -1;
}

static int process(long i) {
  (void)i;
  const pid_t child = fork();
  if (child == 0) wait_as_child();
  return child;
}

static int unwaited_process(long i) {
  (void)i;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child;
}

static int traced_process(long i) {
  (void)i;
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    wait_as_child();
  }
  return child < 0 ? -1 : waitpid(child, NULL, 0);
}

static int queued_signal(long i) {
  const union sigval value = {.sival_int = (int)i};
  const struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
  if (i == 0) block_all_signals();
  if (i == 0) setrlimit(RLIMIT_SIGPENDING, &most);
  return sigqueue(getpid(), SIGRTMIN, value);
}

static int open_file(long i) {
  (void)i;
  return open("file", O_RDWR | O_CREAT, 0666);
}

static int read_directory(long i) {
  for (long j = 0; i == 0 && j < 2000; ++j) close(open(long_name(j), O_CREAT, 0666));
  DIR* const made = opendir(".");
  return made == NULL || readdir(made) == NULL ? -1 : 0;
}

static int file_name(long i) {
  return close(open(long_name(i), O_CREAT | O_EXCL, 0666));
}

static int forgotten_file(long i) {
  const struct timespec times[2] = {{i, 0}, {i, 0}};
  const int file = open("forgotten", O_RDWR | O_CREAT | O_EXCL, 0666);
  if (file < 0 || futimens(file, times) != 0 || fchmod(file, 04711) != 0 || close(file) != 0) {
    return -1;
  }
  return unlink("forgotten");
}

static int symbolic_link(long i) {
  memset(bytes, 'x', 4000);
  return symlink(bytes, numbered("l", i));
}

// A block of every two.
static int part_of_a_file(long i) {
  return pwrite(one_file(), "x", 1, (off_t)i * 2 * page) == 1 ? 0 : -1;
}

static int shared_memory_file(long i) {
  const int file = open(numbered("/dev/shm/s", i), O_RDWR | O_CREAT, 0666);
  return file < 0 || write(file, bytes, sizeof bytes) < 0 ? -1 : 0;
}

// The text of 10000 mappings each.
static int process_file(long i) {
  for (long j = 0; i == 0 && j < 10000; ++j) {
    if (mapping(j) != 0) return -1;
  }
  const int file = open("/proc/self/maps", O_RDONLY);
  return file < 0 || read(file, bytes, 1) != 1 ? -1 : 0;
}

// ---- In folders with paths as long as there may be.

static void go_down(void) {
  memset(bytes, 'd', 250);
  bytes[250] = 0;
  while (mkdir(bytes, 0777) == 0 && chdir(bytes) == 0) {
  }
}

static int deep_file(long i) {
  if (i == 0) go_down();
  return open("file", O_RDWR | O_CREAT, 0666);
}

static int deep_name_alone(long i) {
  if (i == 0) close(deep_file(i));
  return open("file", O_PATH);
}

static int deep_folder(long i) {
  if (i == 0) go_down();
  return open(".", O_RDONLY);
}

static int deep_folder_alone(long i) {
  if (i == 0) go_down();
  return open(".", O_PATH);
}

static int one_of_many_folders(long i) {
  const char* const name = numbered("n", i);
  return mkdir(name, 0777) != 0 ? -1 : open(name, O_PATH);
}

// The last level has no room for a name.
static int one_of_many_deep_folders(long i) {
  if (i == 0) go_down();
  if (i == 0 && chdir("..") != 0) return -1;
  return one_of_many_folders(i);
}

// Folders that are open, and come to lie deep.
static int moved_folders(long i) {
  static int above;
  if (i == 0) {
    if (mkdir("above", 0777) != 0 || chdir("above") != 0) return -1;
    above = open(".", O_RDONLY);
  }
  if (i < 2000) return one_of_many_folders(i);
  const int start = open("..", O_RDONLY);
  if (fchdir(start) != 0) return -1;
  go_down();
  for (int up = 0; up < 4; ++up) {
    if (chdir("..") != 0) return -1;
  }
  return renameat(start, "above", AT_FDCWD, "above") != 0 ? -1 : close(above);
}

static int deep_mapping(long i) {
  static int file;
  if (i == 0) file = deep_file(i);
  if (i == 0 && ftruncate(file, page) != 0) return -1;
  return pages(i, PROT_READ | PROT_EXEC, MAP_PRIVATE, file);
}

static int deep_socket(long i) {
  if (i == 0) go_down();
  if (i == 0 && chdir("..") != 0) return -1;
  return named_socket(i);
}

static int deep_fifo(long i) {
  if (i == 0) go_down();
  if (i == 0 && chdir("..") != 0) return -1;
  return full_fifo(i);
}

static int deep_process(long i) {
  if (i == 0) go_down();
  return process(i);
}

static int deep_watch(long i) {
  if (i == 0) go_down();
  const int watcher = inotify_init();
  return watcher < 0 ? -1 : inotify_add_watch(watcher, ".", IN_ALL_EVENTS);
}

struct kind {
  const char* name;
  int (*make)(long i);
  long most;
};

#define KIND(function, most) \
  { #function, function, most }

static const struct kind kinds[] = {
    KIND(signal_timer, 100000),
    KIND(running_timer, 20000),
    KIND(timer_file, 5000),
    KIND(event_file, 5000),
    KIND(epoll_file, 600),
    KIND(watched_files, 520),
    KIND(file_news, 2000),
    KIND(record_lock, 150000),
    KIND(record_lock_of_a_file, 20000),
    KIND(file_lock, 5000),
    KIND(message_queue, 3000),
    KIND(message, 20000),
    KIND(empty_message, 40000),
    KIND(semaphore_set, 1000),
    KIND(small_semaphore_set, 3000),
    KIND(semaphore_undo, 5000),
    KIND(shared_segment, 3000),
    KIND(used_segment, 1000),
    KIND(attached_segment, 2000),
    KIND(full_pipe, 2000),
    KIND(large_pipe, 2000),
    KIND(full_fifo, 2000),
    KIND(fifo_name, 1000),
    KIND(full_socket, 2000),
    KIND(socket_of_datagrams, 2000),
    KIND(socket_of_empty_datagrams, 200),
    KIND(pipe_in_flight, 3000),
    KIND(named_socket, 1000),
    KIND(internet_connection, 2000),
    KIND(local_connection, 2000),
    KIND(internet_datagrams, 2000),
    KIND(mapping, 100000),
    KIND(shared_mapping, 20000),
    KIND(split_mapping, 100000),
    KIND(mapped_code, 100000),
    KIND(mapped_shared_file, 100000),
    KIND(written_file, 1000),
    KIND(used_page, 100000),
    KIND(used_break, 100000),
    KIND(read_page, 60000),
    KIND(thread, 2000),
    KIND(process, 1000),
    KIND(unwaited_process, 1000),
    KIND(traced_process, 1000),
    KIND(queued_signal, 200000),
    KIND(open_file, 5000),
    KIND(read_directory, 500),
    KIND(file_name, 1000),
    KIND(forgotten_file, 3000),
    KIND(symbolic_link, 300),
    KIND(part_of_a_file, 50000),
    KIND(shared_memory_file, 600),
    KIND(process_file, 200),
    KIND(deep_file, 4000),
    KIND(deep_name_alone, 4000),
    KIND(deep_folder, 4000),
    KIND(deep_folder_alone, 4000),
    KIND(one_of_many_folders, 600),
    KIND(one_of_many_deep_folders, 4000),
    KIND(moved_folders, 2001),
    KIND(deep_mapping, 65000),
    KIND(deep_socket, 1000),
    KIND(deep_fifo, 2000),
    KIND(deep_process, 500),
    KIND(deep_watch, 500),
};

static const int refusals[] = {ENOMEM, EAGAIN, EMFILE, ENFILE, ENOSPC, ENOLCK, ENOBUFS, EFBIG};

static int make_all(const struct kind* kind) {
  for (long i = 0; i < kind->most; ++i) {
    errno = 0;
    if (kind->make(i) >= 0) continue;
    const int error = errno;
    fprintf(stderr, "%s %ld: %s\n", kind->name, i, strerror(error));
    for (size_t j = 0; j < sizeof refusals / sizeof *refusals; ++j) {
      if (error == refusals[j]) return refused;
    }
    return wrong;
  }
  return 0;
}

int main(int argc, char** argv) {
  const struct rlimit most = {4096, 4096};
  if (chdir("/tmp") != 0) return wrong;
  setrlimit(RLIMIT_NOFILE, &most);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (argc == 1) puts(kinds[i].name);
    if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) _exit(make_all(&kinds[i]));
  }
  return argc == 1 ? 0 : wrong;
}
