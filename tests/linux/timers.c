// Timers of POSIX.1b, timerfd_create(2), scheduling classes, and copies between open files.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char* what, long result) {
  if (result < 0) {
    printf("%s: %s\n", what, strerror(errno));
  } else {
    printf("%s: %ld\n", what, result);
  }
}

static volatile int count = 0, code = 0, value = 0;
static void on_timer(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)context;
  ++count;
  code = info->si_code;
  value = info->si_value.sival_int;
}

static void by_signal(void) {
  struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO};
  sigaction(SIGRTMIN, &action, 0);
  sigaction(SIGALRM, &action, 0);
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
  event.sigev_value.sival_int = 77;
  show("clock", timer_create(99, &event, &timer));
  event.sigev_notify = 99;
  show("notify", timer_create(CLOCK_MONOTONIC, &event, &timer));
  event.sigev_notify = SIGEV_SIGNAL;
  show("create", timer_create(CLOCK_MONOTONIC, &event, &timer));
  struct itimerspec setting = {{0, 30000000}, {0, 50000000}}, left;
  show("invalid", timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 1000000000}}, 0));
  show("gettime", timer_gettime(timer, &left));
  printf("not armed %ld %ld\n", (long)left.it_value.tv_sec, (long)left.it_value.tv_nsec);
  show("settime", timer_settime(timer, 0, &setting, 0));
  while (count < 3) pause();
  printf("three, from the kernel %d, value %d\n", code < 0, value);  // QEMU gives the host's number
  timer_gettime(timer, &left);
  printf("interval %ld, left %d\n", left.it_interval.tv_nsec / 1000000,
         left.it_value.tv_nsec > 0 && left.it_value.tv_nsec <= 30000000);
  show("stop", timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 0}}, &left));
  printf("was armed %d\n", left.it_value.tv_nsec > 0);
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &blocked, 0);
  timer_settime(timer, 0, &(struct itimerspec){{0, 20000000}, {0, 20000000}}, 0);
  struct timespec long_enough = {0, 300000000};
  nanosleep(&long_enough, 0);
  count = 0;
  sigprocmask(SIG_UNBLOCK, &blocked, 0);
  int overruns = timer_getoverrun(timer);
  printf("once %d, overruns %d\n", count >= 1, overruns >= 5);
  show("delete", timer_delete(timer));
  show("default event", timer_create(CLOCK_REALTIME, 0, &timer));
  count = 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec += 1;
  show("at a date", timer_settime(timer, TIMER_ABSTIME, &(struct itimerspec){{0, 0}, now}, 0));
  while (count == 0) pause();
  printf("expired\n");
  if (fork() == 0) _exit(timer_gettime(timer, &left) == 0 ? 1 : 0);
  int end;
  wait(&end);
  printf("a child has none %d\n", end == 0);
  show("delete", timer_delete(timer));
  event.sigev_notify = SIGEV_NONE;
  show("none", timer_create(CLOCK_MONOTONIC, &event, &timer));
  timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {5, 0}}, 0);
  timer_gettime(timer, &left);
  printf("left %d\n", left.it_value.tv_sec == 4 || left.it_value.tv_sec == 5);
  timer_delete(timer);
  event.sigev_notify = SIGEV_SIGNAL;
  show("used time", timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer));
  count = 0;
  timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 50000000}}, 0);
  while (count == 0) continue;
  printf("used\n");
  timer_delete(timer);
}

static void as_file(void) {
  printf("-- timerfd\n");
  show("clock", timerfd_create(99, 0));
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec setting = {{0, 40000000}, {0, 20000000}}, left;
  uint64_t expired = 0;
  show("settime", timerfd_settime(timer, 0, &setting, 0));
  struct pollfd one = {timer, POLLIN, 0};
  show("not yet", poll(&one, 1, 0));
  show("poll", poll(&one, 1, -1));
  show("read", read(timer, &expired, sizeof expired));
  printf("%llu\n", (unsigned long long)expired);
  show("short", read(timer, &expired, 4));
  show("read again", read(timer, &expired, sizeof expired));
  printf("%llu\n", (unsigned long long)expired);
  struct timespec long_enough = {0, 200000000};
  nanosleep(&long_enough, 0);
  show("read", read(timer, &expired, sizeof expired));
  printf("many %d\n", expired >= 4);
  timerfd_gettime(timer, &left);
  printf("interval %ld, left %d\n", left.it_interval.tv_nsec / 1000000, left.it_value.tv_nsec > 0);
  setting = (struct itimerspec){{0, 0}, {0, 1}};
  timerfd_settime(timer, 0, &setting, 0);
  nanosleep(&long_enough, 0);
  show("read", read(timer, &expired, sizeof expired));
  printf("%llu\n", (unsigned long long)expired);
  fcntl(timer, F_SETFL, O_NONBLOCK);
  show("not waiting", read(timer, &expired, sizeof expired));
  show("write", write(timer, &expired, sizeof expired));
  close(timer);
  show("not a timer", timerfd_settime(1, 0, &setting, 0));
}

static void classes(void) {
  printf("-- scheduling\n");
  printf("%d %d, %d %d\n", sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO),
         sched_get_priority_min(SCHED_OTHER), sched_get_priority_max(SCHED_OTHER));
  show("policy", sched_get_priority_max(77));
  show("class", sched_getscheduler(0));
  show("nobody's class", sched_getscheduler(99999999));
  struct sched_param parameter = {5};
  show("parameter", sched_getparam(0, &parameter));
  printf("%d\n", parameter.sched_priority);
  show("set class", sched_setscheduler(0, SCHED_OTHER, &parameter));
  parameter.sched_priority = 5;
  show("set parameter", sched_setparam(0, &parameter));
  show("invalid class", sched_setscheduler(0, 77, &parameter));
  cpu_set_t set;
  CPU_ZERO(&set);
  show("no processor", sched_setaffinity(0, sizeof set, &set));
  CPU_SET(0, &set);
  show("the first", sched_setaffinity(0, sizeof set, &set));
}

static void copies(void) {
  printf("-- copies\n");
  int in = open("in", O_RDWR | O_CREAT | O_TRUNC, 0644), ends[2];
  char text[64] = "";
  write(in, "0123456789", 10);
  lseek(in, 2, SEEK_SET);
  pipe(ends);
  show("sendfile", sendfile(ends[1], in, 0, 5));
  show("position", lseek(in, 0, SEEK_CUR));
  off_t offset = 8;
  show("at an offset", sendfile(ends[1], in, &offset, 100));
  printf("offset %ld, position %ld\n", (long)offset, (long)lseek(in, 0, SEEK_CUR));
  show("at the end", sendfile(ends[1], in, &offset, 100));
  read(ends[0], text, sizeof text);
  printf("%s\n", text);
  show("from a pipe", sendfile(in, ends[0], &offset, 1));
  show("not for writing", sendfile(ends[0], in, 0, 1));
  int out = open("out", O_RDWR | O_CREAT | O_TRUNC, 0644);
  loff_t from = 3, to = 4;
  show("copy", copy_file_range(in, &from, out, &to, 4, 0));
  printf("%ld %ld\n", (long)from, (long)to);
  lseek(in, 0, SEEK_SET);
  show("copy", copy_file_range(in, 0, out, 0, 3, 0));
  memset(text, 0, sizeof text);
  show("read", pread(out, text, sizeof text, 0));
  printf("%.3s %d %s\n", text, text[3], text + 4);
  show("overlap", copy_file_range(in, &from, in, &(loff_t){8}, 4, 0));
  show("flags", copy_file_range(in, &from, out, &to, 4, 1));
  show("to a pipe", copy_file_range(in, 0, ends[1], 0, 4, 0));
  close(in);
  close(out);
  unlink("in");
  unlink("out");
}

int main(void) {
  setvbuf(stdout, 0, _IOLBF, 0);
  by_signal();
  as_file();
  classes();
  copies();
  return 0;
}
