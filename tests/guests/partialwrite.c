// TAP: a write to a full pipe that a signal interrupts reports what it moved.
// POSIX.1 write(): "If write() is interrupted by a signal after it successfully writes some data,
// it shall return the number of bytes written"; SA_RESTART must not send those bytes again.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/guests/tap.h"

enum { TOO_MUCH = 30000, ALARM_USEC = 30000 };

static char data[TOO_MUCH];
static volatile int alarms;

static void on_alarm(int sig) {
  (void)sig;
  ++alarms;
}

// The bytes that wait in the pipe once nobody can write to it.
static int drain(int reader) {
  static char buffer[TOO_MUCH];
  int sum = 0;
  ssize_t size;
  while ((size = read(reader, buffer, sizeof buffer)) > 0) sum += size;
  return sum;
}

static void write_interrupted(int flags, const char* what) {
  int ends[2];
  struct sigaction action = {0};
  struct itimerval alarm = {{0, 0}, {0, ALARM_USEC}};
  action.sa_flags = flags;
  action.sa_handler = on_alarm;
  check(sigaction(SIGALRM, &action, NULL) == 0 && pipe(ends) == 0, "a handler and a pipe");
  alarms = 0;
  setitimer(ITIMER_REAL, &alarm, NULL);
  ssize_t written = write(ends[1], data, sizeof data);
  check(alarms == 1, "the alarm came while the write waited");
  check(written > 0 && written < TOO_MUCH, what);
  close(ends[1]);
  check(drain(ends[0]) == written, "the pipe holds what the write reported");
  close(ends[0]);
}

int main(void) {
  write_interrupted(0, "the write reports a part");
  write_interrupted(SA_RESTART, "the write reports a part although calls restart");
  return finish_checks();
}
